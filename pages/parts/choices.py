"""What may be chosen for a target: metrics, statistics, units, and where a new target starts."""

from __future__ import annotations

from core.model.metric import Metric
from pages.parts.links import Row

METRICS = tuple(Metric)
STATISTICS = ("mean", "p50", "p90", "p95", "p99", "p99.9")

_FIRST = {
    Metric.TTFT: (500.0, "ms"),
    Metric.TPOT: (50.0, "ms"),
    Metric.ITL: (50.0, "ms"),
    Metric.E2E: (10.0, "s"),
    Metric.QUEUE: (100.0, "ms"),
    Metric.RTF: (1.0, ""),
    Metric.TOK_S_USER: (20.0, ""),
    Metric.SUCCESS_RATE: (99.0, "%"),
    Metric.GOODPUT: (95.0, "%"),
}


def statistics_of(metric: Metric, current: str = "") -> tuple[str, ...]:
    """Return the statistics that a target on `metric` may judge, with the current one among them."""
    if metric in (Metric.SUCCESS_RATE, Metric.GOODPUT):
        return ("value",)
    return STATISTICS if current in (*STATISTICS, "", "value") else (*STATISTICS, current)


def units_of(metric: Metric) -> tuple[str, ...]:
    """Return the units that a limit on `metric` may be typed in."""
    return ("ms", "s") if metric.is_time else (_FIRST[metric][1],)


def first_row(metric: Metric) -> Row:
    """Return the row that a new target on `metric` starts from."""
    value, unit = _FIRST[metric]
    return Row(metric=metric, statistic=statistics_of(metric)[-2:][0], value=value, unit=unit)


def changed_row(row: Row, metric: Metric, statistic: str, unit: str) -> Row:
    """Return the row with another metric, statistic or unit; its limit stays the same promise."""
    if metric != row.metric:
        return first_row(metric)
    value = row.target.limit_in(unit) if unit in units_of(metric) else row.value
    return Row(metric=metric, statistic=statistic, value=value, unit=unit)


def next_metric(rows: tuple[Row, ...]) -> Metric:
    """Return the first metric that has no target yet, for "add"."""
    used = {row.metric for row in rows}
    return next((metric for metric in METRICS if metric not in used), Metric.TTFT)
