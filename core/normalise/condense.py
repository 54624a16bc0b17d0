"""Requests that are too many to keep: to exact statistics, part by part.

What comes out is what the same requests give when they are kept (`core.normalise.records`), but for the
rounding of sums, and more percentiles on top, because nobody can compute others later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.raw import RawFile, RawLevel, RawRequests, SpilledRequests
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.stage import FloatArray, Requests
from core.normalise.counts import counts_with
from core.normalise.records import (
    QUANTILES,
    exact_of,
    gap_statistics,
    implausible,
    impossible,
    requests_of,
    sketched,
)
from core.normalise.units import seconds

EVERY = tuple(sorted({*QUANTILES, *(n / 20 for n in range(1, 20)), 0.01, 0.96, 0.97, 0.98, 0.985, 0.995, 0.9999}))
"""Quantiles of requests that are not kept: those that a target is likely to name."""

COLUMNS = ("start", "ttft", "e2e", "tpot", "input_tokens", "output_tokens", "state")
_GOOD, _CUT_OFF = 0.0, 2.0
_METRICS = (Metric.TTFT, Metric.TPOT, Metric.E2E)

Watch = Callable[[float], None]


def condensed(file: RawFile, watch: Watch | None = None) -> RawFile:
    """Return a file without requests on disk, with what they came to; the disk is given back in any case.

    Args:
        file: as read.
        watch: hears the share of the levels that is done, and may raise.
    """
    spilled = [level.spilled for level in file.levels if level.spilled]
    if not spilled:
        return file
    levels, rows = [], 0
    try:
        for done, level in enumerate(file.levels):
            if watch:
                watch(done / len(file.levels))
            if level.spilled is None:
                levels.append(level)
                continue
            totals = _totals(level.spilled, level.place)
            levels.append(_summary(level, level.spilled, totals))
            rows += totals.rows
    finally:
        for each in spilled:
            each.close()
    return replace(file, levels=tuple(levels), findings=(*file.findings, _told(file.name, rows)))


@dataclass(slots=True)
class _Totals:
    """What adds up over the parts of one level."""

    values: dict[Metric, list[FloatArray]] = field(default_factory=lambda: {metric: [] for metric in _METRICS})
    rows: int = 0
    good: int = 0
    cut_off: int = 0
    impossible: int = 0
    first: float = np.inf
    last: float = -np.inf
    stay: float = 0.0
    tokens: dict[str, tuple[float, int]] = field(default_factory=lambda: {"input": (0.0, 0), "output": (0.0, 0)})

    def add(self, raw: RawRequests, requests: Requests) -> None:
        """Take in one part."""
        good = requests.good
        self.rows += good.size
        self.good += int(good.sum())
        self.cut_off += int(raw.cut_off.sum()) if raw.cut_off is not None else 0
        self.impossible += impossible(raw, requests)
        for metric, column in zip(_METRICS, (requests.ttft_s, requests.tpot_s, requests.e2e_s), strict=True):
            self.values[metric].append(column[good & np.isfinite(column)])
        for side, column in (("input", requests.input_tokens), ("output", requests.output_tokens)):
            known = column[good & np.isfinite(column)]
            total, count = self.tokens[side]
            self.tokens[side] = (total + float(known.sum()), count + known.size)
        both = np.isfinite(requests.start_s) & np.isfinite(requests.e2e_s)
        if both.any():
            start, stay = requests.start_s[both], requests.e2e_s[both]
            self.first = min(self.first, float(start.min()))
            self.last = max(self.last, float((start + stay).max()))
            self.stay += float(stay.sum())

    def mean_tokens(self, side: str) -> float | None:
        """Return mean input or output tokens of the good requests that tell."""
        total, count = self.tokens[side]
        return total / count if count else None

    @property
    def span_s(self) -> float | None:
        """Seconds from the first send to the last end."""
        return self.last - self.first if self.last > self.first else None


def _totals(spilled: SpilledRequests, place: Place) -> _Totals:
    totals = _Totals()
    for start, ttft, e2e, tpot, input_tokens, output_tokens, state in spilled.parts(COLUMNS):
        raw = RawRequests(
            unit=spilled.unit,
            good=state == _GOOD,
            cut_off=state == _CUT_OFF,
            start=start,
            ttft=ttft,
            e2e=e2e,
            tpot=tpot if spilled.has_tpot else None,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
        )
        requests, _, _ = requests_of(raw, place)
        if requests is not None:
            totals.add(raw, requests)
    return totals


def _summary(level: RawLevel, spilled: SpilledRequests, totals: _Totals) -> RawLevel:
    """Return a level with what its requests came to in place of the requests."""
    gaps_s = seconds(spilled.gaps, spilled.unit)
    found = {Metric.ITL: gap_statistics(gaps_s, spilled.sketch, spilled.unit, totals.good)}
    for metric in _METRICS:
        parts = totals.values.pop(metric)
        values = np.concatenate(parts) if parts else np.empty(0)
        parts.clear()
        found[metric] = exact_of(values, quantiles=EVERY)
    counts = counts_with(level, totals.rows, totals.good, totals.cut_off)
    duration_s = level.duration_s if level.duration_s and level.duration_s > 0.0 else totals.span_s
    in_flight = totals.stay / totals.span_s if totals.span_s and totals.stay > 0.0 else None
    means = totals.mean_tokens("input"), totals.mean_tokens("output")
    return replace(
        level,
        spilled=None,
        exact={metric: statistics for metric, statistics in found.items() if statistics},
        requests_sent=counts.sent,
        requests_good=counts.good,
        requests_failed=counts.failed,
        requests_cut_off=counts.cut_off,
        duration_s=duration_s,
        # As for requests that are kept: their own count over their own time.
        request_rate=None if duration_s else level.request_rate,
        measured_concurrency=in_flight or level.measured_concurrency,
        input_tokens_mean=level.input_tokens_mean if means[0] is None else means[0],
        output_tokens_mean=level.output_tokens_mean if means[1] is None else means[1],
        findings=(
            *level.findings,
            *implausible(totals.impossible, totals.good, level.place),
            *([sketched(level.place)] if spilled.sketch else []),
        ),
    )


def _told(name: str, rows: int) -> Finding:
    return Finding(
        code="records.condensed",
        severity=Severity.INFO,
        where=Place(name),
        what=t("The file holds {count} requests: their exact percentiles are kept, the requests are not", count=rows),
        consequence=t("What needs single requests, such as a share of requests within several limits, is bounded only"),
        fix=t("Send one file per load level, or fewer requests, to keep them"),
    )
