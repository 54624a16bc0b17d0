"""The statistics of one FMBench row: seconds, means; its percentiles are means over groups of requests."""

from __future__ import annotations

import re

from core.ingest.fields import Fields
from core.ingest.raw import Reading
from core.model.metric import Metric

METRICS = {"latency": Metric.E2E, "TTFT": Metric.TTFT, "TPOT": Metric.TPOT}
"""TPOT is the mean gap of one request, so it is ours. TTLT repeats the latency of streamed requests."""

PERCENTILES = re.compile(r"(?:latency|TTFT|TPOT)_p\d{1,2}")


def readings(row: Fields, concurrency: float) -> tuple[Reading, ...]:
    """Return what a row says of all requests: means, and the percentiles of groups that are means.

    A percentile of the table is the mean over groups of each group's percentile. Of a group of one
    request every percentile is that request's value, and the median of two is their mean: over groups
    these are means over requests. Any other is a statistic of none of ours.

    Args:
        row: one row, or the means over the groups of one level.
        concurrency: requests per group.
    """
    found: dict[Metric, Reading] = {}
    for column in row.values:
        word, _, statistic = column.partition("_")
        metric = METRICS.get(word)
        percentile = PERCENTILES.fullmatch(column)
        of_one = concurrency == 1.0 or (concurrency == 2.0 and statistic == "p50")
        if metric is None or not (statistic == "mean" or (percentile and of_one)):
            continue
        value = row.not_negative(column)
        # No request is answered in no time: FMBench writes 0 where nothing was measured.
        if value and (metric not in found or statistic == "mean"):
            found[metric] = Reading(metric, "mean", value, "s", column)
    return tuple(found.values())
