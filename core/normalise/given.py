"""A file's own statistics, in seconds and as given."""

from __future__ import annotations

import math
from collections import defaultdict

from core.i18n import t
from core.ingest.raw import RawLevel, Reading
from core.model.finding import Finding, Severity
from core.model.metric import Metric, fraction
from core.model.stage import Statistics
from core.normalise.units import known_unit, seconds


def given_statistics(raw: RawLevel) -> tuple[dict[Metric, Statistics], tuple[Finding, ...]]:
    """Return the statistics that a level's readings hold, and a finding for each that cannot be used.

    Nothing is filled in: a quantile that the file does not give stays absent. Where a field is
    given twice, the first reading counts.
    """
    values: dict[Metric, dict[str, float]] = defaultdict(dict)
    findings = []
    for reading in raw.readings:
        if not known_unit(reading.unit) or not math.isfinite(reading.value) or not _named(reading.statistic):
            findings.append(_unreadable(raw, reading))
            continue
        values[reading.metric].setdefault(reading.statistic, seconds(reading.value, reading.unit))
    return {metric: _statistics(raw, metric, found) for metric, found in values.items()}, tuple(findings)


def _statistics(raw: RawLevel, metric: Metric, values: dict[str, float]) -> Statistics:
    quantiles = {fraction(name): value for name, value in values.items() if name not in ("mean", "sd")}
    return Statistics(
        mean=values.get("mean"),
        sd=values.get("sd"),
        n=_sample(raw, metric),
        quantiles={q: quantiles[q] for q in sorted(q for q in quantiles if q is not None)},
        rule="given",
    )


def _sample(raw: RawLevel, metric: Metric) -> int | None:
    told, good = raw.sample_n.get(metric), raw.requests_good
    # Gaps between tokens come in clusters, one per request: the requests are the sample (fit.md 4.2).
    if metric is Metric.ITL and told is not None and good is not None:
        return min(told, good)
    return good if told is None else told


def _named(statistic: str) -> bool:
    if statistic in ("mean", "sd"):
        return True
    try:
        q = fraction(statistic)
    except ValueError:
        return False
    return q is not None and 0.0 < q < 1.0


def _unreadable(raw: RawLevel, reading: Reading) -> Finding:
    return Finding(
        code="statistic.unreadable",
        severity=Severity.WARNING,
        where=raw.place,
        what=t(
            "{field} = {value} {unit} is no statistic that Plimsoll knows",
            field=reading.field,
            value=str(reading.value),
            unit=reading.unit,
        ),
        consequence=t("It is left out"),
        fix=t("Check the name and the unit of this field"),
    )
