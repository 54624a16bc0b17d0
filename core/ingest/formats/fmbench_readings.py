"""The statistics of one FMBench row: seconds, and percentiles that are means over groups."""

from __future__ import annotations

import re

from core.ingest.fields import Fields
from core.ingest.raw import Reading
from core.model.metric import Metric

METRICS = {"latency": Metric.E2E, "TTFT": Metric.TTFT, "TPOT": Metric.TPOT}
"""TPOT is the mean gap of one request, so it is ours. TTLT repeats the latency of streamed requests."""

PERCENTILES = re.compile(r"(?P<metric>latency|TTFT|TPOT)_p(?P<q>\d{1,2})")


def readings(row: Fields, concurrency: float) -> tuple[Reading, ...]:
    """Return what a row says; of a group of one request, every percentile is that request's value, so a mean.

    Args:
        row: one row, or the means over the groups of one level.
        concurrency: requests per group.
    """
    found: dict[tuple[Metric, str], Reading] = {}
    for column in row.values:
        word, _, statistic = column.partition("_")
        metric = METRICS.get(word)
        percentile = PERCENTILES.fullmatch(column)
        if metric is None or not (percentile or statistic == "mean"):
            continue
        value = row.not_negative(column)
        # No request is answered in no time: FMBench writes 0 where nothing was measured.
        if value:
            name = "mean" if percentile is None or concurrency == 1.0 else f"p{float(percentile['q']):g}"
            found.setdefault((metric, name), Reading(metric, name, value, "s", column))
    return tuple(found.values())
