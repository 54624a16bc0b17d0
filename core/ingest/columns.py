"""What a column of a benchmark table means, by its header.

A synonym is a set of words in the spelling of `core.ingest.header`; order does not matter.
"Batch size" is on purpose no concurrency: a batch that is sent at once is not a load that is held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from core.ingest.header import Header, parsed
from core.ingest.vocabulary_cjk import INVERSE_PHRASES, METRIC_PHRASES, ROLE_PHRASES
from core.model.metric import Metric, fraction, quantile_name
from core.settings import LIMITS

METRICS: Mapping[Metric, tuple[str, ...]] = {
    Metric.TTFT: (
        "ttft", "ttft latency", "ttft time", "time to first token", "time first token", "first token",
        "first token latency", "first token time", "time to first token latency", "latency to first token",
        "first audio", "time to first audio", "first audio latency", "ttfa",
    ),
    Metric.TPOT: (
        "tpot", "tpot latency", "time per output token", "latency per output token", "output token latency",
    ),
    Metric.ITL: (
        "itl", "itl latency", "inter token latency", "intertoken latency", "inter token", "inter token time",
        "time between token", "tbt",
    ),
    Metric.E2E: (
        "e2e", "e2el", "e2e latency", "e2el latency", "e2e time", "e2e request latency", "request latency",
        "request e2e", "latency", "total latency", "response time", "total response time", "response latency",
        "total time", "request time", "request duration",
    ),
    Metric.QUEUE: (
        "queue", "queue time", "queue latency", "wait time", "wait latency", "queue wait", "queue wait time",
    ),
    Metric.RTF: ("rtf", "real time factor"),
}  # fmt: skip

INVERSE_RTF = ("rtfx", "rtf x", "inverse rtf", "inverse real time factor", "speedup", "speedup rate", "speed up rate")
"""RTFx, audio length over processing time: 1 / RTF of one request."""

ASKED, MEASURED, PEAK = "asked_concurrency", "measured_concurrency", "peak_concurrency"
RATE, ASKED_RATE, DONE_RATE = "rate", "asked_rate", "request_rate"
INVERSE_MEAN = "inverse_mean"
LATENCY, SETTING = "latency", "setting"
IGNORED, OTHER, UNREAD = "ignored", "other", "unread"
NOTHING = frozenset({IGNORED, OTHER, UNREAD})
"""Roles of columns that are not recognised, or hold nothing that is read."""
LOADS = frozenset({ASKED, MEASURED, RATE, ASKED_RATE})
"""Roles of which a table needs one."""

# "gpu" is told apart by its cells: text is the accelerator's name, a number is its count.
_ROLES: Mapping[str, tuple[str, ...]] = {
    ASKED: (
        "concurrency", "max concurrency", "num concurrency", "concurrency level", "level concurrency",
        "request concurrency", "max request concurrency", "asked concurrency", "target concurrency",
        "requested concurrency", "concurrent", "num concurrent", "concurrent request", "num concurrent request",
        "user", "num user", "concurrent user", "num concurrent user", "virtual user", "vu", "num vu", "client",
        "num client", "concurrent client", "num concurrent client", "stream", "num stream", "concurrent stream",
        "concurrent session", "concurrent connection", "connection", "num connection", "parallel request",
        "num parallel request", "num parallel", "concurrent task",
    ),
    PEAK: ("max concurrent request", "peak concurrency", "peak concurrent request"),
    MEASURED: (
        "measured concurrency", "achieved concurrency", "actual concurrency", "effective concurrency",
        "observed concurrency", "mean concurrency", "in flight", "request in flight", "input flight",
        "request input flight",
    ),
    ASKED_RATE: (
        "asked rate", "asked rps", "asked request rate", "target rps", "target rate", "target request rate",
        "requested rate", "requested rps", "offered rate", "offered rps", "offered load", "offered request rate",
        "arrival rate", "traffic request rate", "rps target",
    ),
    "applied_rate": ("applied rate", "applied rps", "applied request rate", "sent rate", "sent rps", "send rate"),
    RATE: ("request rate", "rps", "rate", "request rate rps", "请求速率"),
    DONE_RATE: (
        "request throughput", "request throughput rps", "throughput rps", "rps throughput", "achieved rps",
        "achieved rate", "achieved request rate", "actual rps", "actual rate", "actual request rate", "measured rps",
        "completed rps", "mean rps", "request rate achieved", "total rps",
    ),
    "requests_sent": (
        "num prompt", "num request", "total request", "total num request", "request", "request count",
        "total request count", "request sent", "num request sent", "sent", "num sent", "request total",
    ),
    "requests_good": (
        "completed", "completed request", "num completed", "num completed request", "request completed", "successful",
        "successful request", "num successful", "num successful request", "request successful",
        "num request successful", "successful count", "successful request count", "good", "good request", "ok",
    ),
    "requests_failed": (
        "failed", "failed request", "num failed", "num failed request", "request failed", "failed count", "failure",
        "num failure", "error", "num error", "error count", "error request", "num error request",
        "error request count", "failed request count",
    ),
    "requests_cut_off": ("incomplete", "incomplete request", "cancelled", "canceled", "timeout", "cut off"),
    "error_rate": (
        "error rate", "failure rate", "failed rate", "error ratio",
    ),
    "success_rate": ("successful rate", "successful ratio", "成功率"),
    "duration_s": (
        "duration", "benchmark duration", "test duration", "run duration", "total duration", "elapsed",
        "elapsed time", "wall time", "wall clock time", "benchmark time", "test time", "runtime",
    ),
    "output_tok_s": (
        "output throughput", "output tps", "output token throughput", "output throughput tps", "output token tps",
        "output token throughput tps", "system output tps",
    ),
    "total_tok_s": (
        "total throughput", "total tps", "total token throughput", "total throughput tps", "total token tps",
        "total token throughput tps",
    ),
    "throughput": (
        "throughput", "throughput tps", "tps", "token throughput", "token throughput tps",
    ),
    "input_asked": (
        "isl", "input length", "input sequence length", "prompt length", "random input length",
    ),
    "output_asked": (
        "osl", "output length", "output sequence length", "random output length", "max token", "max output token",
    ),
    "input_tokens_mean": (
        "input token", "mean input token", "input token mean", "prompt token", "prompt token count", "num input token",
        "input token count", "mean prompt token", "mean input length", "mean isl", "input token per request",
        "mean prompt length", "mean input sequence length",
    ),
    "output_tokens_mean": (
        "output token", "mean output token", "output token count", "num output token", "mean output length",
        "mean osl", "output token per request", "mean output sequence length",
    ),
    "input_total": ("total input token", "total prompt token"),
    "output_total": ("total output token", "token output total", "total token output"),
    "cache_hit_rate": ("cache hit rate", "prefix cache hit rate", "kv cache hit rate", "hit rate"),
    "kv_used_fraction": ("kv cache usage", "kv usage", "kv cache utilization", "kv cache used", "kv used"),
    "acceptance_length": ("acceptance length", "accept length", "accepted length", "mean acceptance length"),
    "batch": ("batch", "batch size", "bs", "global batch size"),
    "gpu": (
        "gpu", "accelerator", "hardware", "hw", "gpu type", "gpu name", "gpu model", "accelerator type", "device",
        "device name", "chip",
    ),
}  # fmt: skip

_CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "model": ("model", "model name", "model id", "llm", "模型"),
    "accelerator_count": (
        "num gpu", "gpu count", "num accelerator", "accelerator count", "num hardware", "num device",
    ),
    "tp": ("tp", "tp size", "tensor parallel", "tensor parallel size", "tensor parallelism"),
    "pp": ("pp", "pp size", "pipeline parallel", "pipeline parallel size", "pipeline parallelism"),
    "ep": ("ep", "ep size", "expert parallel", "expert parallel size", "expert parallelism"),
    "dp": ("dp", "dp size", "data parallel", "data parallel size", "data parallelism"),
    "replicas": ("replica", "num replica", "replica count"),
    "precision": ("precision", "dtype", "quantization", "quant", "weight precision", "weight dtype", "精度"),
    "kv_precision": ("kv precision", "kv cache dtype", "kv dtype", "kv cache precision"),
    "engine": (
        "engine", "engine name", "framework", "backend", "server", "serving engine", "inference engine",
    ),
    "engine_version": (
        "engine version", "framework version", "backend version", "server version", "vllm version", "sglang version",
    ),
    "max_num_seqs": ("max num seqs", "max num sequence"),
    "interconnect": ("interconnect",),
    "network": ("network",),
    "speculation": ("speculation", "spec decoding", "speculative decoding", "speculative"),
    "serving_mode": ("serving mode",),
    "arrival": ("arrival", "arrival process", "arrival pattern"),
    "tool": ("tool", "benchmark tool", "load generator", "benchmark"),
    "tool_version": ("tool version",),
}  # fmt: skip

_IGNORED = (
    "date", "time", "timestamp", "start", "start time", "end", "end time", "seed", "id", "run", "run id", "run num",
    "index", "num", "repeat", "repetition", "trial", "iteration", "pass", "replicate", "note", "notes", "comment",
    "comments", "remark", "remarks", "status", "url", "host", "hostname", "file", "file name", "filename", "path",
    "command",
)  # fmt: skip

_BY_WORDS = {
    frozenset(phrase.split()): role
    for role, phrases in [
        *_ROLES.items(),
        *((f"conditions.{name}", phrases) for name, phrases in _CONDITIONS.items()),
        ("ignored", _IGNORED),
    ]
    for phrase in phrases
}
_METRIC_BY_WORDS = {frozenset(phrase.split()): metric for metric, phrases in METRICS.items() for phrase in phrases}
_INVERSE = frozenset(frozenset(phrase.split()) for phrase in INVERSE_RTF)
_BY_PHRASE = {phrase: role for role, phrases in ROLE_PHRASES.items() for phrase in phrases.split()}
_METRIC_BY_PHRASE = {phrase: Metric(name) for name, phrases in METRIC_PHRASES.items() for phrase in phrases.split()}
_INVERSE_BY_PHRASE = frozenset(INVERSE_PHRASES.split())
# A rate of one user, of one accelerator or of the input is no rate of the system's output.
_TOTAL_TIME = frozenset({"total", "time"})
_SHARES = frozenset({"gpu", "user", "accelerator", "device", "worker", "interactivity", "goodput"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One recognised column.

    Attributes:
        index: position in the row.
        header: as written.
        role: an attribute of `RawLevel`, "latency", "conditions.<name>", one of the roles above,
            "ignored" (known, and no setting), "unread" (a statistic of something unknown), or "other".
        metric, statistic: of a latency; the statistic is None where the header names none.
        unit: of the header, None where it names none.
        inverse: True where the cells hold 1 / metric; the statistic is that of the metric already.
    """

    index: int
    header: str
    role: str
    metric: Metric | None = None
    statistic: str | None = None
    unit: str | None = None
    inverse: bool = False


def column_of(index: int, header: str) -> Column:
    """Return what a header says.

    >>> found = column_of(0, "P99 TTFT [s]")
    >>> found.role, found.metric.value, found.statistic, found.unit, found.inverse
    ('latency', 'ttft', 'p99', 's', False)
    >>> column_of(0, "max_concurrency").role, column_of(0, "batch_size").role, column_of(0, "payload").role
    ('asked_concurrency', 'batch', 'other')
    """
    found = _meaning(header[: LIMITS.name_chars])
    return replace(found, index=index) if index else found


@lru_cache(maxsize=16_384)
def _meaning(header: str) -> Column:
    head = parsed(header)
    if head.words in _INVERSE or head.phrase in _INVERSE_BY_PHRASE:
        return _inverse_rtf(header, head.statistic)
    metric = _METRIC_BY_WORDS.get(head.words) or _METRIC_BY_PHRASE.get(head.phrase)
    role = _BY_WORDS.get(head.stated) or _BY_WORDS.get(head.words) or _role_of_phrase(head) or _role_of_rate(head)
    if metric and role is None:
        # "total time" is a request's where a statistic stands beside it, else the benchmark's.
        unread = head.statistic in ("min", "max") or (head.words == _TOTAL_TIME and not head.statistic)
        return Column(
            index=0,
            header=header,
            role="ignored" if unread else "latency",
            metric=metric,
            statistic=head.statistic,
            unit=head.unit,
        )
    if role == "requests_failed" and head.unit == "%":
        role = "error_rate"
    if role and head.statistic and (head.statistic[1:2].isdigit() or role == "throughput"):
        role = "ignored"  # a percentile of a rate, a length or a load: known, and nothing that is read
    return Column(index=0, header=header, role=role or _unknown(head.words, head.statistic), unit=head.unit)


def _role_of_phrase(head: Header) -> str | None:
    """The role of a Korean or Chinese header; a throughput of requests is a rate, a mean of the load is measured."""
    bare = head.phrase.removesuffix("tps").removesuffix("rps")
    role = _BY_PHRASE.get(head.phrase) or _BY_PHRASE.get(bare)
    if role == "throughput" and head.phrase.endswith("rps"):
        return DONE_RATE
    if role == ASKED and head.statistic == "mean":
        return MEASURED
    return role


def _role_of_rate(head: Header) -> str | None:
    """The role of a rate whose unit stands beside its name: "Asked request rate (req/s)", "Load (rps)"."""
    if "rps" not in head.words:
        return None
    bare = head.words - {"rps"}
    role = RATE if bare == {"load"} else _BY_WORDS.get(bare)
    return role if role in (RATE, ASKED_RATE, DONE_RATE, "applied_rate") else None


def columns_of(header: tuple[str, ...]) -> tuple[Column, ...]:
    """Return what every header of a table says, in order."""
    return tuple(column_of(index, text) for index, text in enumerate(header))


def _inverse_rtf(header: str, statistic: str | None) -> Column:
    """Return a percentile of RTFx as the RTF that it means: the slowest 5 % of one are the highest 5 % of the other.

    Without a percentile it is a mean or a rate of the whole run, and neither can be turned round.
    """
    q = fraction(statistic) if statistic and statistic.startswith("p") else None
    if q is None:
        return Column(index=0, header=header, role=INVERSE_MEAN)
    turned = quantile_name(round(1.0 - q, 8))
    return Column(index=0, header=header, role="latency", metric=Metric.RTF, statistic=turned, inverse=True)


def _unknown(words: frozenset[str], statistic: str | None) -> str:
    rate = {"tps", "rps", "throughput"} & words
    if not words or rate or words & _SHARES:
        return IGNORED
    return UNREAD if statistic else OTHER
