"""What each load generator is told, in its own words.

What the file does not know stands as <URL>, <MODEL> and so on: nothing is guessed. Names come
from uploaded files and are quoted, since the text is meant to be pasted into a shell.
"""

from __future__ import annotations

import json
import math
import re
import shlex
from dataclasses import dataclass

from core.model.run import Run

Words = list[str]

_LONGEST = 300

RATE_DIGITS = 9
"""Significant digits of a rate: the words and the command give the same ones."""

_PLACEHOLDERS = frozenset({"<URL>", "<MODEL>", "<INPUT_TOKENS>", "<OUTPUT_TOKENS>"})

_GUIDELLM_RENEWED = (0, 7)
"""From this version on GuideLLM takes "kind=…" groups in place of single options."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is sent: so many requests in flight, or requests/s where `rate` is given."""

    concurrency: int
    requests: int
    rate: float | None = None

    @property
    def flat(self) -> str:
        """Return the rate for a command line, with every digit that the words say."""
        return "" if self.rate is None else f"{self.rate:.{RATE_DIGITS}g}"


def usable(name: str | None) -> str | None:
    """Return a name from a file that is neither an option nor unprintable, else None."""
    fine = name and len(name) <= _LONGEST and name.isprintable() and not name.startswith("-")
    return name if fine else None


def vllm(run: Run, load: Load, _version: str) -> str:
    """Return the line for `vllm bench serve`."""
    isl, osl = _lengths(run)
    return _line(
        [
            *("vllm", "bench", "serve", *_backend(run, "vllm_bench", "openai"), "--base-url", "<URL>"),
            *("--model", _model(run), "--dataset-name", "random", "--random-input-len", isl),
            *("--random-output-len", osl, "--ignore-eos"),
            *_limit(load, "--max-concurrency"),
            *(_burstiness(run) if load.rate else []),
            *("--num-prompts", str(load.requests)),
            *("--num-warmups", str(load.concurrency), "--percentile-metrics", "ttft,tpot,itl,e2el"),
            *("--metric-percentiles", "50,90,95,99", "--save-result", "--save-detailed"),
        ]
    )


def sglang(run: Run, load: Load, _version: str) -> str:
    """Return the line for SGLang's `bench_serving`; a range ratio of 1 means lengths that do not vary."""
    isl, osl = _lengths(run)
    return _line(
        [
            *("python", "-m", "sglang.bench_serving", *_backend(run, "sglang_bench", "sglang")),
            *("--base-url", "<URL>", "--model", _model(run), "--dataset-name", "random", "--random-input-len", isl),
            *("--random-output-len", osl, "--random-range-ratio", "1", *_limit(load, "--max-concurrency")),
            *("--num-prompts", str(load.requests), "--warmup-requests", str(load.concurrency)),
            *("--output-file", "result.jsonl", "--output-details"),
        ]
    )


def aiperf(run: Run, load: Load, _version: str) -> str:
    """Return the line for `aiperf profile`."""
    isl, osl = _lengths(run)
    even = load.rate and run.conditions.arrival == "constant"
    return _line(
        [
            *("aiperf", "profile", "--model", _model(run), "--url", "<URL>", "--endpoint-type", "chat", "--streaming"),
            *("--synthetic-input-tokens-mean", isl, "--output-tokens-mean", osl, "--extra-inputs", "ignore_eos:true"),
            *_limit(load, "--concurrency"),
            *(("--arrival-pattern", "constant") if even else ()),
            *("--request-count", str(load.requests), "--warmup-request-count", str(load.concurrency)),
        ]
    )


def guidellm(run: Run, load: Load, version: str) -> str:
    """Return the line for GuideLLM, whose options were renewed with version 0.7."""
    isl, osl = _lengths(run)
    data = f"prompt_tokens={isl},output_tokens={osl}"
    arrival = "poisson" if run.conditions.arrival == "poisson" else "constant"
    if () < _numbers(version) < _GUIDELLM_RENEWED:
        profile, rate = ("concurrent", str(load.concurrency)) if load.rate is None else (arrival, load.flat)
        return _line(
            [
                *("guidellm", "benchmark", "--target", "<URL>", "--profile", profile, "--rate", rate),
                *("--max-requests", str(load.requests), "--data", data, "--outputs", "json"),
            ]
        )
    profile = f"kind=concurrent,streams={load.concurrency}"
    return _line(
        [
            *("guidellm", "run", "--backend", "kind=openai_http,target=<URL>"),
            *("--profile", profile if load.rate is None else f"kind={arrival},rate={load.flat}"),
            *("--constraint", f"kind=max_requests,count={load.requests}"),
            *("--data", f"kind=synthetic_text,{data}", "--output", "kind=json,path=benchmarks.json"),
        ]
    )


def inference_perf(run: Run, load: Load, _version: str) -> str:
    """Return a configuration and the line that runs inference-perf with it; it has no warm-up of its own."""
    isl, osl = _lengths(run)
    name = json.dumps(_model(run), ensure_ascii=False)
    engine = (run.conditions.engine or run.backend or run.format_id).casefold()
    return "\n".join(
        (
            "cat > inference-perf.yml <<'END'",
            "api: {type: completion, streaming: true}",
            "data:",
            "  type: random",
            f"  input_distribution: {_fixed(isl, load)}",
            f"  output_distribution: {_fixed(osl, load)}",
            "load:",
            *_stages(run, load),
            "server:",
            f"  type: {'sglang' if 'sglang' in engine else 'vllm'}",
            f"  model_name: {name}",
            '  base_url: "<URL>"',
            "  ignore_eos: true",
            "tokenizer:",
            f"  pretrained_model_name_or_path: {name}",
            "report:",
            "  request_lifecycle: {summary: true, per_stage: true, per_request: true}",
            "END",
            "inference-perf --config_file inference-perf.yml",
        )
    )


def _stages(run: Run, load: Load) -> Words:
    if load.rate is None:
        stage = f"{{num_requests: {load.requests}, concurrency_level: {load.concurrency}}}"
        return ["  type: concurrent", f"  stages: [{stage}]"]
    arrival = "constant" if run.conditions.arrival == "constant" else "poisson"
    seconds = math.ceil(load.requests / load.rate)
    return [f"  type: {arrival}", f"  stages: [{{rate: {load.flat}, duration: {seconds}}}]"]


def _fixed(tokens: str, load: Load) -> str:
    return f"{{type: fixed, min: {tokens}, max: {tokens}, mean: {tokens}, std_dev: 0, total_count: {load.requests}}}"


def _line(words: Words) -> str:
    """Quote every word but our own <NAMES>, which the person fills in before pasting."""
    return " ".join(word if word in _PLACEHOLDERS else shlex.quote(word) for word in words)


def _model(run: Run) -> str:
    return usable(run.conditions.model) or "<MODEL>"


def _backend(run: Run, own: str, default: str) -> Words:
    """Return the backend that the tool's own files record, nothing where it is the default or not known."""
    name = usable(run.backend) if run.format_id == own else None
    if name is None or name == default:
        return []
    # vLLM refuses its chat backend at the default path, that of completions.
    path = ["--endpoint", "/v1/chat/completions"] if (name, default) == ("openai-chat", "openai") else []
    return ["--backend", name, *path]


def _tokens(mean: float | None, placeholder: str) -> str:
    return str(round(mean)) if mean and 0.5 <= mean < 1e9 else placeholder


def _lengths(run: Run) -> tuple[str, str]:
    conditions = run.conditions
    return (
        _tokens(conditions.input_tokens_mean, "<INPUT_TOKENS>"),
        _tokens(conditions.output_tokens_mean, "<OUTPUT_TOKENS>"),
    )


def _limit(load: Load, closed: str) -> Words:
    return [closed, str(load.concurrency)] if load.rate is None else ["--request-rate", load.flat]


def _burstiness(run: Run) -> Words:
    """Return the arrival process where it is not Poisson, vLLM's default."""
    _, told, value = (run.conditions.arrival or "").partition("gamma, burstiness ")
    return ["--burstiness", value] if told and value.replace(".", "", 1).isdecimal() else []


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version.

    >>> _numbers("0.8.0.dev18"), _numbers("nightly")
    ((0, 8, 0), ())
    """
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()
