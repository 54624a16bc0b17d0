"""What a column of a table of requests means, by its name.

A table of requests has a mark that no table of load levels has: an id per row, or when a request began
and ended. A mean gap between tokens of one request is its TPOT with us, whatever the tool calls it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from core.ingest.columns import ASKED, ASKED_RATE, DONE_RATE, MEASURED, RATE, column_of
from core.ingest.header import TIME_UNITS, parsed
from core.model.metric import Metric
from core.settings import LIMITS

TIMES = ("ttft", "e2e", "tpot")
MOMENTS = ("start", "end", "time")
NUMBERS = frozenset({*TIMES, "itl", "input_tokens", "output_tokens", "concurrency", "rate", "speed"})
OUTCOMES = ("success", "error", "status", "cancelled")
LABELS = frozenset({*OUTCOMES, "phase", "setting"})

_WORDS = {
    "id": ("request id", "id", "request index", "uuid", "trace id", "correlation id", "request uuid",
           "x request id", "index", "요청 id", "请求id"),
    "start": ("start", "start time", "start timestamp", "start ts", "request start", "request start time", "started at",
              "send time", "sent at", "sent time", "request sent", "launch time", "arrival", "arrival time", "begin",
              "begin time", "issued at", "dispatch time", "시작 시간", "시작 시각", "开始时间"),
    "end": ("end", "end time", "end timestamp", "end ts", "request end", "request end time", "ended at", "finish",
            "finish time", "finish timestamp", "finished at", "completed at", "종료 시간", "종료 시각", "结束时间"),
    "time": ("timestamp", "time", "ts", "datetime", "date time", "created at", "시각", "时间"),
    "success": ("successful", "is successful", "ok", "passed", "성공", "성공 여부", "成功"),
    "error": ("error", "error message", "error msg", "error type", "error code", "exception", "failed", "failure",
              "is error", "오류", "错误"),
    "status": ("status", "status code", "http status", "http status code", "http code", "response code",
               "response status", "상태", "状态"),
    "cancelled": ("cancelled", "canceled", "was cancelled", "aborted", "incomplete", "cut off", "is cancelled"),
    "phase": ("phase", "benchmark phase", "warmup", "is warmup", "warm up"),
    "itl": ("itls", "inter token latency list", "itl list", "token latency", "token interval", "inter token interval"),
    "e2e": ("duration", "elapsed", "elapsed time", "total duration"),
    "input_tokens": ("num prompt token", "num input token", "prompt token num"),
    "output_tokens": ("token output", "num output token", "output token num", "num generated token"),
    "setting": ("workload", "dataset", "scenario", "config", "configuration", "experiment", "deployment", "variant",
                "setting", "case", "test", "test name", "run name", "label", "tag", "profile", "워크로드"),
}  # fmt: skip
_BY_WORDS = {frozenset(phrase.split()): role for role, phrases in _WORDS.items() for phrase in phrases}
# One word that may as well be a name of who sent a request.
_WHO = frozenset(frozenset({word}) for word in ("user", "client", "stream", "connection", "session", "thread"))
_CHARACTERS = frozenset({"prompt", "length"})
_ASKED_OUTPUT = (frozenset({"max", "token"}), frozenset({"max", "output", "token"}))
_OF_LEVELS = frozenset(
    {DONE_RATE, MEASURED, "applied_rate", "error_rate", "success_rate", "input_total", "output_total", "total_tok_s"}
)
_METRICS = {Metric.TTFT: "ttft", Metric.TPOT: "tpot", Metric.ITL: "itl", Metric.E2E: "e2e"}
_LENGTHS = {
    "input_tokens_mean": "input_tokens",
    "input_asked": "input_tokens",
    "output_tokens_mean": "output_tokens",
    "output_asked": "output_tokens",
}
# Requests that a tool of its own writes; its importer knows more of them than their headers say.
_FOREIGN = (
    {"launch_time", "finish_time", "generation_time"},
    {"queuing_delay"},
    {"queued_ts", "scheduled_ts"},
    {"request_e2e_time"},
    {"prefill_e2e_time"},
    {"terminal_status"},
    {"s3uri"},
)


@dataclass(frozen=True, slots=True)
class RequestColumn:
    """One column: its name as written, and what it means.

    Attributes:
        name: as written.
        role: one of `TIMES`, `MOMENTS`, `NUMBERS` or `LABELS`, "id", "conditions.<name>", "summary" for a
            statistic of many requests, or "other".
        unit: of time, None where the name states none.
        settled: whether the unit needs no further look at the numbers.
    """

    name: str
    role: str
    unit: str | None = None
    settled: bool = False


def request_column(name: str) -> RequestColumn:
    """Return what a column says by its name.

    >>> [request_column(name).role for name in ("ttft_ms", "itl_mean_ms", "tokens_generated", "p99_ttft")]
    ['ttft', 'itl', 'output_tokens', 'summary']
    >>> request_column("request_start_ns")
    RequestColumn(name='request_start_ns', role='start', unit='ns', settled=False)
    """
    head = parsed(name)
    unit = head.unit if head.unit in TIME_UNITS else None
    own = _BY_WORDS.get(head.words)
    if own and head.statistic is None:
        return RequestColumn(name, own, unit)
    found = column_of(0, name)
    if head.statistic not in (None, "mean") and (found.metric or head.statistic[1:2].isdigit()):
        return RequestColumn(name, "summary")
    if found.metric in _METRICS and not found.inverse:
        return RequestColumn(name, _METRICS[found.metric], unit)
    return RequestColumn(name, _role(found.role, head.words), unit)


def request_columns(names: Iterable[str]) -> tuple[RequestColumn, ...]:
    """Return what every column of a table says, in order."""
    return tuple(request_column(name) for name in names)


def claims(names: Iterable[str]) -> bool:
    """Return whether rows with these columns are requests, not levels."""
    given = [name.strip() for name in islice(names, LIMITS.csv_columns)]
    if any(foreign <= {name.casefold() for name in given} for foreign in _FOREIGN):
        return False
    columns = request_columns(given)
    roles = {column.role for column in columns}
    if "summary" in roles or any(column_of(0, name).role in _OF_LEVELS for name in given):
        return False
    both = {"start", "end"} <= roles
    told = roles & {*OUTCOMES, "output_tokens"} and roles & {"start", "time"}
    return bool(roles & {*TIMES, "itl"} or both) and bool("id" in roles or both or told)


def _role(role: str, words: frozenset[str]) -> str:
    if role == "gpu":
        return "conditions.accelerator"
    if role.startswith("conditions."):
        return role
    if role == ASKED and words not in _WHO:
        return "concurrency"
    if role in (RATE, ASKED_RATE):
        return "rate"
    if role in _LENGTHS and words != _CHARACTERS and words not in _ASKED_OUTPUT:
        return _LENGTHS[role]
    return "speed" if role in ("throughput", "output_tok_s") and "tps" in words else "other"
