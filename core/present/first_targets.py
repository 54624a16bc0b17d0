"""The targets that a person meets first: those that the files can answer."""

from __future__ import annotations

from collections.abc import Sequence

from core.model.metric import Metric
from core.model.run import Run
from core.model.target import Target

STATISTICS = ("p99", "p95", "p90", "p50", "mean")
"""From the strictest promise to the weakest."""

LIMITS = {Metric.TTFT: 0.5, Metric.TPOT: 0.05, Metric.E2E: 10.0}
"""Seconds."""


def first_targets(runs: Sequence[Run]) -> tuple[Target, ...]:
    """Return targets to start from, each on the highest statistic that the runs hold.

    TTFT and TPOT; where no run holds either, E2E. Of several runs the statistic counts that most of
    those with the metric hold at every level in use, the highest first.

    Args:
        runs: with stages in any order; left-out levels are not looked at.

    Returns:
        At most two targets; TTFT p99 and TPOT p99 where the runs hold none of the three metrics.
    """
    found = _held(runs, (Metric.TTFT, Metric.TPOT)) or _held(runs, (Metric.E2E,))
    return found or tuple(Target(metric, STATISTICS[0], LIMITS[metric]) for metric in (Metric.TTFT, Metric.TPOT))


def _held(runs: Sequence[Run], metrics: Sequence[Metric]) -> tuple[Target, ...]:
    found = []
    for metric in metrics:
        counts = {name: sum(_holds(run, metric, name) for run in runs) for name in STATISTICS}
        best = max(STATISTICS, key=counts.__getitem__)
        if counts[best]:
            found.append(Target(metric, best, LIMITS[metric]))
    return tuple(found)


def _holds(run: Run, metric: Metric, statistic: str) -> bool:
    """Tell whether every level in use that knows the metric at all knows this statistic."""
    values = [s.value(metric, statistic) for s in run.stages if s.excluded is None and metric in s.statistics]
    return bool(values) and None not in values
