"""A run: the levels that share every condition, and what is known of those conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum

from core.letters import flat, flatten
from core.model.finding import Finding
from core.model.metric import Metric
from core.model.sizing import Sizing
from core.model.stage import Stage


class Kind(StrEnum):
    """Where numbers come from; the two never share a curve. Stored: never rename one."""

    MEASURED = "measured"
    SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file that was read: its name as given, the hash of its bytes, and its own format where that is known."""

    name: str
    sha256: str
    format_id: str | None = None

    def __post_init__(self) -> None:
        flatten(self, "name", "format_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What a comparison has to match (DESIGN 7). None is "unknown", never "equal".

    `ttft_scope` says what TTFT includes (queue, network); `arrival` is "closed loop",
    "poisson", "constant" or the tool's own word; counts are whole accelerators.
    `kv_cache_tokens` is the room of one engine's KV cache (each replica and each data parallel
    rank has its own); `kv_cache_gib` and `weights_gib` are of one accelerator.
    """

    model: str | None = None
    model_revision: str | None = None
    precision: str | None = None
    kv_precision: str | None = None
    quality: str | None = None
    input_tokens_mean: float | None = None
    output_tokens_mean: float | None = None
    length_distribution: str | None = None
    arrival: str | None = None
    ttft_scope: str | None = None
    measured_at: str | None = None
    accelerator: str | None = None
    accelerator_count: int | None = None
    accelerator_memory_gb: float | None = None
    interconnect: str | None = None
    network: str | None = None
    tp: int | None = None
    pp: int | None = None
    ep: int | None = None
    dp: int | None = None
    replicas: int | None = None
    serving_mode: str | None = None
    prefill_accelerators: int | None = None
    decode_accelerators: int | None = None
    engine: str | None = None
    engine_version: str | None = None
    max_num_seqs: int | None = None
    max_model_len: int | None = None
    kv_cache_tokens: int | None = None
    kv_cache_gib: float | None = None
    weights_gib: float | None = None
    cache_hit_rate: float | None = None
    speculation: str | None = None
    proposer: str | None = None
    acceptance_length: float | None = None
    verification: str | None = None
    graph_replay: str | None = None
    tool: str | None = None
    tool_version: str | None = None

    def __post_init__(self) -> None:
        flatten(self, *_TEXTS)

    def known(self) -> dict[str, str | float | int]:
        """Return the conditions that are known, by name, in declaration order."""
        every = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in every.items() if value is not None}


_TEXTS = tuple(f.name for f in fields(Conditions) if "str" in str(f.type))


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Stages that share every condition but load, in ascending order of load.

    Attributes:
        id: stable within one upload, a slug such as "gpt-oss-120b-16gpu".
        label: the same for people.
        format_id: importer that read it, such as "vllm_bench".
        asked: conditions that a person supplied, by name; they are in `conditions` too.
        backend: how the load generator spoke to the server, in its own word, where the files record it.
        gpu_busy: share of time in which the accelerator computes, in (0, 1], from a profile; None where unknown.
        sizing: what memory and floors are reckoned with, as a person said it; None where nobody did.
        calls: what the tool calls a metric where its word means something else here, such as "ITL" for our TPOT.
    """

    id: str
    label: str
    kind: Kind
    format_id: str
    format_version: str | None
    files: tuple[FileRef, ...]
    conditions: Conditions
    stages: tuple[Stage, ...]
    findings: tuple[Finding, ...] = ()
    asked: tuple[str, ...] = field(default=())
    backend: str | None = None
    gpu_busy: float | None = None
    sizing: Sizing | None = None
    calls: Mapping[Metric, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        flatten(self, "label", "format_id", "format_version", "backend")
        object.__setattr__(self, "calls", {metric: flat(word) for metric, word in self.calls.items()})

    @property
    def measured_on(self) -> str | None:
        """Return the days on which the levels in use were measured as the files say, "2026-03-27 – 2026-03-29"."""
        days = sorted({s.measured_on for s in self.stages if s.measured_on and s.excluded is None})
        return " – ".join(dict.fromkeys((days[0], days[-1]))) if days else None

    @property
    def load_axis(self) -> str:
        """Return "request_rate" where any level in use was sent at a rate, else "concurrency"."""
        return "request_rate" if any(s.open_loop for s in self.stages if s.excluded is None) else "concurrency"
