"""The performance section of a benchmark report: latency, throughput and counts of one load level.

Shared by llm-d's reports (0.1, 0.2, 0.2.1) and the partial ones that inference-perf writes itself.
Which metric a field means depends on the tool whose numbers were copied into the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.raw import RawLevel, Reading
from core.ingest.statistic_block import readings_in
from core.model.metric import Metric

_METRICS = {
    "time_to_first_token": Metric.TTFT,
    "time_per_output_token": Metric.TPOT,
    "inter_token_latency": Metric.ITL,
    "request_latency": Metric.E2E,
}
# GuideLLM and AIPerf call a request's mean gap ITL; GuideLLM's TPOT has the wait for the first token in it.
_OF_REQUESTS = {
    "time_to_first_token": Metric.TTFT,
    "inter_token_latency": Metric.TPOT,
    "request_latency": Metric.E2E,
}
_TOOLS_OF_REQUESTS = ("guidellm", "aiperf")
UNITS = {"s": "s", "ms": "ms", "us": "us", "ns": "ns"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """What one report says of one level, in the units of the file; rates per second."""

    sent: int | None
    good: int | None
    failed: int | None
    cut_off: int | None
    request_rate: float | None
    input_tokens: float | None
    output_tokens: float | None
    output_tok_s: float | None
    total_tok_s: float | None
    readings: list[Reading]

    def level(self, place: Place, readings: Sequence[Reading]) -> RawLevel:
        """Return the level with these figures and the readings that hold; the caller adds load and settings."""
        return RawLevel(
            place=place,
            requests_sent=self.sent,
            requests_good=self.good,
            requests_failed=self.failed,
            requests_cut_off=self.cut_off,
            request_rate=self.request_rate,
            input_tokens_mean=self.input_tokens,
            output_tokens_mean=self.output_tokens,
            output_tok_s=self.output_tok_s,
            total_tok_s=self.total_tok_s,
            readings=tuple(readings),
            sample_n={reading.metric: self.good for reading in readings} if self.good is not None else {},
        )


def calls_gap_itl(tool: str | None) -> bool:
    """Return whether a tool's "ITL" is the mean gap of each request, which is TPOT here."""
    return (tool or "").lower() in _TOOLS_OF_REQUESTS


def performance_of(section: Fields, tool: str | None) -> Performance:
    """Return a report's figures.

    Args:
        section: holds `requests`, `latency` and `throughput` (0.1 calls its rates otherwise).
        tool: whose numbers they are.

    Raises:
        RefusedFileError: a value that is not a number, or a unit that is unknown.
    """
    requests, throughput, latency = (section.inner(key) for key in ("requests", "throughput", "latency"))
    total = requests.count("total")
    failed, cut_off = requests.count("failures"), requests.count("incomplete")
    metrics = _OF_REQUESTS if calls_gap_itl(tool) else _METRICS
    readings = [
        reading
        for key, metric in metrics.items()
        if latency.inner(key).values
        for reading in readings_in(latency.inner(key), metric, _unit(latency.inner(key)))
    ]
    return Performance(
        # vLLM's converter writes what was completed as the total, and no failures at all.
        sent=total if failed is not None else None,
        good=None if total is None else max(total - (failed or 0) - (cut_off or 0), 0),
        failed=failed,
        cut_off=cut_off,
        request_rate=_rate(throughput, "request_rate", "requests_per_sec"),
        input_tokens=requests.inner("input_length").not_negative("mean") or None,
        output_tokens=requests.inner("output_length").not_negative("mean") or None,
        output_tok_s=_rate(throughput, "output_token_rate", "output_tokens_per_sec"),
        total_tok_s=_rate(throughput, "total_token_rate", "total_tokens_per_sec"),
        readings=readings,
    )


def _unit(block: Fields) -> str:
    told = (block.text("units") or "").removesuffix("/token")
    if told not in UNITS:
        raise refusal(
            "ingest.unit_unknown",
            t(
                'The unit of {field} is "{unit}", neither seconds nor milliseconds',
                field=block.place.field or "",
                unit=told,
            ),
            block.place.file or "",
            t("Send the report as llm-d-benchmark wrote it"),
            field=f"{block.place.field}.units",
        )
    return UNITS[told]


def _rate(throughput: Fields, key: str, early: str) -> float | None:
    block = throughput.inner(key)
    return block.not_negative("mean") if block.values else throughput.not_negative(early)
