"""The unit of a report's times where the one it names cannot be: "ms" beside numbers of seconds.

The published 0.1 example names milliseconds and holds 0.084 per token and 3.3 per request of 32 tokens.
As milliseconds one request would get 12,000 tokens a second, which no server gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.formats.llm_d_performance import Performance
from core.ingest.raw import Reading
from core.ingest.statistic_block import mean_s
from core.model.finding import Finding, Severity
from core.model.metric import Metric

FASTEST_TOKEN_S = 2e-4
"""Seconds per token below which no model server is: 5,000 tokens a second for one request."""

SLOWEST_TOKEN_S = 10.0
IDENTITY = 0.10


def in_their_unit(top: Fields, told: Performance, concurrency: float | None) -> list[Reading]:
    """Return readings in the unit that arithmetic allows, with a finding where it is not the named one.

    Args:
        top: takes the finding.
        told: the readings, the rate of requests and the mean length.
        concurrency: requests in flight where they were kept fixed.

    Raises:
        RefusedFileError: the named unit cannot be, and the figures do not agree on another.
    """
    readings = told.readings
    token = mean_s(readings, Metric.TPOT) or mean_s(readings, Metric.ITL)
    too_fast = token is not None and token < FASTEST_TOKEN_S and any(r.unit == "ms" for r in readings)
    too_few = _thousandth(told, concurrency)
    if not too_fast and not too_few:
        return readings
    if not _adds_up(told) or (token is not None and not FASTEST_TOKEN_S <= token * 1e3 <= SLOWEST_TOKEN_S):
        raise refusal(
            "ingest.unit_unknown",
            t("The times of the report are too short for the unit that it names, and do not agree on another"),
            top.place.file or "",
            t("Send the load generator's own report"),
            field="latency",
        )
    top.findings.append(_finding(top.place, readings))
    return [replace(reading, unit="s") if reading.unit == "ms" else reading for reading in readings]


def _thousandth(told: Performance, concurrency: float | None) -> bool:
    """Whether rate x E2E is a thousandth of the requests that were kept in flight."""
    e2e = mean_s(told.readings, Metric.E2E)
    if not concurrency or e2e is None or not told.request_rate:
        return False
    return 0.5e-3 < told.request_rate * e2e / concurrency < 2e-3


def _adds_up(told: Performance) -> bool:
    """Whether E2E = TTFT + (n - 1) x TPOT holds among the means as they are written."""
    e2e, ttft, tpot = (mean_s(told.readings, metric) for metric in (Metric.E2E, Metric.TTFT, Metric.TPOT))
    if e2e is None or ttft is None or tpot is None or not told.output_tokens:
        return False
    return abs(ttft + (told.output_tokens - 1.0) * tpot - e2e) <= IDENTITY * e2e


def _finding(place: Place, readings: Sequence[Reading]) -> Finding:
    token = mean_s(readings, Metric.TPOT) or mean_s(readings, Metric.ITL) or 0.0
    return Finding(
        code="llm_d.unit_by_arithmetic",
        severity=Severity.WARNING,
        where=Place(place.file, None, "metrics.latency"),
        what=t(
            "The report names milliseconds; {token} ms per token would be {rate} tokens a second for one request",
            token=f"{token * 1e3:.3g}",
            rate=f"{1.0 / token:,.0f}" if token else "?",
        ),
        consequence=t("Its times are read as seconds, on which E2E, TTFT, TPOT and the length of answers agree"),
        fix=t("Compare one of them with the load generator's own report"),
    )
