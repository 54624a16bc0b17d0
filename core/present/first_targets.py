"""The targets that a person meets first: those that the files can answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.model.metric import Metric
from core.model.run import Run
from core.model.target import Target
from core.model.workload import WorkloadKind

STATISTICS = ("p99", "p95", "p90", "p50", "mean")
"""From the strictest promise to the weakest."""

LIMITS = {Metric.TTFT: 0.5, Metric.TPOT: 0.05, Metric.E2E: 10.0}
"""Seconds."""

VOICE_LIMITS = {Metric.RTF: 1.0, Metric.TTFT: 0.3}
"""A ratio, and seconds to the first sound (data/presets/targets.csv)."""


def first_kind(runs: Sequence[Run]) -> WorkloadKind | None:
    """Return voice where some run holds a real-time factor, None where nothing tells a kind."""
    stages = [stage for run in runs for stage in run.stages]
    return WorkloadKind.VOICE if any(Metric.RTF in stage.statistics for stage in stages) else None


def targets_for(kind: WorkloadKind | None, runs: Sequence[Run]) -> tuple[Target, ...]:
    """Return targets to start from for a kind of workload: none for a batch, RTF and first sound for voice."""
    if kind is WorkloadKind.BATCH:
        return ()
    if kind is not WorkloadKind.VOICE:
        return first_targets(runs)
    found = _held(runs, tuple(VOICE_LIMITS), VOICE_LIMITS)
    return found or tuple(Target(metric, STATISTICS[0], limit) for metric, limit in VOICE_LIMITS.items())


def first_targets(runs: Sequence[Run]) -> tuple[Target, ...]:
    """Return targets to start from, each on the highest statistic that the runs hold.

    TTFT and TPOT; where no run holds either, E2E. Of several runs the statistic counts that most of
    those with the metric hold at every level in use, the highest first.

    Args:
        runs: with stages in any order; left-out levels are not looked at.

    Returns:
        At most two targets; TTFT p99 and TPOT p99 where the runs hold none of the three metrics.
    """
    found = _held(runs, (Metric.TTFT, Metric.TPOT), LIMITS) or _held(runs, (Metric.E2E,), LIMITS)
    return found or tuple(Target(metric, STATISTICS[0], LIMITS[metric]) for metric in (Metric.TTFT, Metric.TPOT))


def _held(runs: Sequence[Run], metrics: Sequence[Metric], limits: Mapping[Metric, float]) -> tuple[Target, ...]:
    found = []
    for metric in metrics:
        counts = {name: sum(_holds(run, metric, name) for run in runs) for name in STATISTICS}
        best = max(STATISTICS, key=counts.__getitem__)
        if counts[best]:
            found.append(Target(metric, best, limits[metric]))
    return tuple(found)


def _holds(run: Run, metric: Metric, statistic: str) -> bool:
    """Tell whether every level in use that knows the metric at all knows this statistic."""
    values = [s.value(metric, statistic) for s in run.stages if s.excluded is None and metric in s.statistics]
    return bool(values) and None not in values
