"""What helps against each cause, in plain words. General knowledge with its source: never a promised number.

The files show what is short, not what a change would bring. Where a remedy has a price of its own (quality, first
tokens, memory), its words say so.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.decide.cause import reads_apart
from core.i18n import Text, t
from core.model.cause import Cause, CauseKind
from core.model.run import Run


@dataclass(frozen=True, slots=True)
class Remedy:
    """One thing to do.

    Attributes:
        code: stable, for scripts.
        text: what to do, and what it costs.
        source: where that is known from, None where it is plain reasoning.
    """

    code: str
    text: Text
    source: str | None = None


_MTP = "Leviathan et al., arXiv 2211.17192; arXiv 2605.15051, 2406.14066, 2601.11580; InferenceX, acceptance lengths"
_PLANNER = "Dynamo, SLA planner; DistServe, arXiv 2401.09670; InferenceX, recipes"
_CACHE = "inference-perf, issue 818; vLLM and DigitalOcean, posts on prefix caching and offload"
_GRAPHS = "PyTorch, CUDA graphs; posts on launch times with and without them"

REPLICAS = Remedy(
    "remedy.replicas", t("More replicas behind a router: each gets a part of the requests, and of the wait.")
)
ROUTING = Remedy(
    "remedy.routing",
    t(
        "Routing by load and by prefix: taking turns sends long requests to busy replicas and spreads repeated prompts,"
        " so that fewer of them are found in a cache."
    ),
    _CACHE,
)
ADMISSION = Remedy(
    "remedy.admission",
    t(
        "An admission limit: requests beyond it wait outside or are refused. It carries no more, but it keeps the"
        " promise to those that are let in."
    ),
)
LARGER_BATCH = Remedy(
    "remedy.larger_batch",
    t("A larger batch limit (max_num_seqs), if the KV cache has room: more run at once, each a little slower."),
)
QUANTISE = Remedy(
    "remedy.quantise",
    t(
        "Quantise the KV cache or the weights: more requests fit. Answers may change, so check their quality before and"
        " after."
    ),
)
CACHE_CARE = Remedy(
    "remedy.cache_management",
    t(
        "Cache management: share common prefixes, move idle entries to host memory, and leave the cache more of the"
        " memory."
    ),
    _CACHE,
)
SHORTER = Remedy(
    "remedy.shorter_requests", t("Shorter requests: a limit on prompt and answer lengths frees memory for others.")
)
LARGER_MEMORY = Remedy(
    "remedy.larger_memory",
    t("Larger memory, or one replica spread over more accelerators: the weights take less of each."),
)
PREFIX_CACHE = Remedy(
    "remedy.prefix_cache",
    t(
        "A prefix cache, where prompts repeat: what was read is not read again. How often it hits depends on your"
        " requests and on the router, not on the hardware; measure it with your own prompts."
    ),
    _CACHE,
)
CHUNKS = Remedy(
    "remedy.chunked_prefill",
    t("Smaller prefill chunks: gaps between tokens get shorter, and first tokens come later."),
)
SHORTER_PROMPTS = Remedy("remedy.shorter_prompts", t("Shorter prompts: fewer documents or turns in each of them."))
DISAGGREGATE = Remedy(
    "remedy.disaggregation",
    t(
        "Prefill on accelerators of its own: prompts no longer delay the tokens of others. The cache has to travel"
        " between the two pools, and there is no typical ratio of them: it follows from your prompt and answer lengths."
    ),
    _PLANNER,
)
MORE_PREFILL = Remedy(
    "remedy.more_prefill",
    t(
        "More accelerators in the prefill pool: prompts are read on their own here. There is no typical ratio of the"
        " two pools: it follows from your prompt and answer lengths."
    ),
    _PLANNER,
)
MORE_COMPUTE = Remedy(
    "remedy.more_compute", t("Faster arithmetic: lower precision where quality allows it, or more accelerators.")
)
LOWER_PRECISION = Remedy(
    "remedy.lower_precision",
    t("Lower precision of weights and cache: fewer bytes to read at every step. Check the quality of the answers."),
)
SPECULATION = Remedy(
    "remedy.speculation",
    t(
        "Speculative decoding: several tokens a step where guesses are accepted. The gain shrinks as the batch grows"
        " and can turn into a loss once checking guesses fills the arithmetic; longer guesses soon stop paying. Measure"
        " acceptance on your own texts, at this load. Relaxed checking changes the answers."
    ),
    _MTP,
)
SMALLER_BATCH = Remedy(
    "remedy.smaller_batch",
    t("A smaller batch per replica and more replicas: every token comes faster, at a higher cost."),
)
MORE_BANDWIDTH = Remedy(
    "remedy.faster_memory",
    t("Faster memory, or one replica spread over more accelerators: each reads its part at once."),
)
GRAPHS = Remedy(
    "remedy.graph_replay",
    t(
        "Graph replay (CUDA graphs): the work of a step is recorded once and started as a whole. It needs fixed shapes"
        " and addresses and does not run the host's code again, so batch sizes without a recorded graph fall back to"
        " launching one by one: a step in the curve."
    ),
    _GRAPHS,
)
FUSION = Remedy(
    "remedy.kernel_fusion",
    t(
        "Kernel fusion, which is another remedy: fewer and larger pieces of work instead of a faster way to start many"
        " small ones. A compiler or fused kernels of the engine do it."
    ),
)
HOST = Remedy(
    "remedy.host_work",
    t("Less work on the host at every step: asynchronous scheduling, cheaper sampling, a faster processor."),
)
WORKERS = Remedy(
    "remedy.more_workers",
    t("Give the load generator more workers, or spread it over several machines, and measure again."),
)

REMEDIES: dict[CauseKind, tuple[Remedy, ...]] = {
    CauseKind.QUEUE: (REPLICAS, ROUTING, LARGER_BATCH, ADMISSION),
    CauseKind.KV_MEMORY: (QUANTISE, CACHE_CARE, SHORTER, LARGER_MEMORY, REPLICAS),
    CauseKind.QUEUE_OR_KV_MEMORY: (REPLICAS, ROUTING, ADMISSION),
    CauseKind.PREFILL: (PREFIX_CACHE, SHORTER_PROMPTS, CHUNKS, DISAGGREGATE, MORE_COMPUTE),
    CauseKind.BANDWIDTH: (LOWER_PRECISION, SPECULATION, SMALLER_BATCH, MORE_BANDWIDTH),
    CauseKind.LAUNCH: (GRAPHS, FUSION, HOST),
    CauseKind.CLIENT: (WORKERS,),
    CauseKind.BANDWIDTH_OR_LAUNCH: (),
    CauseKind.UNKNOWN: (),
}
"""By cause, the most direct first. Nothing is recommended where the cause is not known: finding it comes first."""

HOW_TO_PROFILE = t(
    "Hold this load for a while and trace the server for a few seconds of it: with Nsight Systems, or with the PyTorch"
    " profiler of the engine. The share of time in which any kernel runs is the answer: near all of it means memory"
    " bandwidth, well below means launch overhead. Type the share in, or give the trace to the command line"
    " (--profile)."
)

NSYS = (
    "nsys profile --trace-fork-before-exec=true --cuda-graph-trace=node --capture-range=cudaProfilerApi"
    " --capture-range-end=repeat vllm serve MODEL --profiler-config.profiler cuda\n"
    "vllm bench serve --model MODEL --max-concurrency {load} --num-prompts {requests} --profile …\n"
    "nsys stats --report cuda_gpu_trace --format csv --output trace report1.nsys-rep"
)
"""For vLLM 0.13 and later, as its profiling guide has it; node tracing shows the kernels inside of a replayed graph."""

TORCH = (
    "SGLANG_TORCH_PROFILER_DIR=./traces python -m sglang.launch_server --model-path MODEL\n"
    "python -m sglang.bench_serving --backend sglang --max-concurrency {load} --num-prompts {requests} --profile …"
)
"""For SGLang, as its benchmark and profiling guide has it."""


def remedies_of(cause: Cause, run: Run) -> tuple[Remedy, ...]:
    """Return what fits a cause; where two are named, what fits the first, then the direct remedy of the other."""
    # Where prompts are read apart already, that pool is what can grow.
    apart = reads_apart(run)
    found = [MORE_PREFILL if apart and each is DISAGGREGATE else each for each in REMEDIES[cause.kind]]
    # Chunks share their step with the tokens of others: a pool of its own has none.
    found = [each for each in found if not (apart and each is CHUNKS)]
    if cause.kind is not CauseKind.UNKNOWN:
        for other in cause.also_possible:
            found += [remedy for remedy in REMEDIES[other][:1] if remedy not in found]
    return tuple(found)


def profile_command(cause: Cause, engine: str | None) -> str:
    """Return the lines to run for a profile at the load of a cause, for the engine that the files name."""
    load = max(round(cause.at or 1.0), 1)
    template = TORCH if engine and "sglang" in engine.lower() else NSYS
    return template.format(load=load, requests=2 * load)
