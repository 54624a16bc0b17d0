"""Objects that hold one metric's statistics by name: {"mean": …, "median": …, "p99.9": …}."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.ingest.fields import Fields
from core.ingest.notices import not_measured
from core.ingest.raw import Reading
from core.model.metric import Metric, quantile_name

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_NAMED = {"mean": "mean", "median": "p50", "stddev": "sd", "std_dev": "sd", "std": "sd"}
_QUANTILE = re.compile(r"[pP](\d{1,2})(?:[.p](\d{1,6}))?")


def statistic_name(key: str) -> str | None:
    """Return our name of a statistic, None for what is none (min, max, units).

    >>> statistic_name("median"), statistic_name("p99.9"), statistic_name("p0p1"), statistic_name("P25")
    ('p50', 'p99.9', 'p0.1', 'p25')
    >>> statistic_name("max"), statistic_name("p0")
    (None, None)
    """
    if key in _NAMED:
        return _NAMED[key]
    found = _QUANTILE.fullmatch(key)
    q = float(f"{found[1]}.{found[2] or 0}") / 100 if found else 0.0
    return quantile_name(q) if q > 0.0 else None


def readings_in(block: Fields, metric: Metric, unit: str) -> list[Reading]:
    """Return every statistic of a block; zeros throughout are what nobody measured, with a finding.

    Raises:
        RefusedFileError: a value that is not a number.
    """
    found: dict[str, Reading] = {}
    for key in block.values:
        statistic = statistic_name(key)
        value = block.not_negative(key) if statistic is not None else None
        if statistic is not None and value is not None:
            found.setdefault(statistic, Reading(metric, statistic, value, unit, f"{block.place.field}.{key}"))
    if found and all(reading.value == 0.0 for reading in found.values()):
        block.findings.append(not_measured(block.place, metric))
        return []
    return list(found.values())


def mean_s(readings: Iterable[Reading], metric: Metric) -> float | None:
    """Return the mean of a metric in seconds, None where it is not there."""
    found = next((r for r in readings if (r.metric, r.statistic) == (metric, "mean")), None)
    return found.value * SECONDS[found.unit] if found else None
