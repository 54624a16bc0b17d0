"""Goodput: the share of sent requests that are within every other limit of the set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.decide.crossing import answer_points
from core.decide.inside import COLUMNS, Share, sent_at, share_inside
from core.fit.fit import Fit
from core.fit.share import lost_points
from core.model.answer import Capacity, Interval, Status
from core.model.metric import Metric
from core.model.stage import Stage
from core.model.target import Target

_UNJUDGED = 0.1
"""Requests that nothing judges count as outside, up to this part of those that may be."""


def answer_goodput(fit: Fit, target: Target, targets: Sequence[Target]) -> Capacity:
    """Return the capacity within a goodput target.

    Exact where every level has its requests; else only bounds are known from the
    statistics of each limit by itself, and the crossing cannot be told.
    """
    limits = [other for other in targets if other.metric not in (Metric.GOODPUT, Metric.SUCCESS_RATE)]
    if not limits:
        return _untold(target, "goodput.no_other_limit")
    stages = fit.sweep.stages
    shares = [share_inside(stage, limits) for stage in stages]
    if not all(_is_counted(*each, target, limits) for each in zip(stages, shares, strict=True)):
        return _from_bounds(target, stages, shares)
    total = np.array([sent_at(stage) for stage in stages], float)
    lost = total - np.round(np.array([share.least for share in shares], float) * total)
    read = Target(Metric.GOODPUT, "value", max(1.0 - target.limit, 1e-12))
    return answer_points(fit, target, lost_points(Metric.GOODPUT, fit.sweep, lost, total), read)


def _is_counted(stage: Stage, share: Share, target: Target, limits: Sequence[Target]) -> bool:
    """Return True where the requests of a level are there, and hold what the limits judge."""
    if stage.requests is None or any(limit.metric not in COLUMNS for limit in limits):
        return False
    return share.most - share.least <= _UNJUDGED * (1.0 - target.limit)


def _from_bounds(target: Target, stages: Sequence[Stage], shares: Sequence[Share]) -> Capacity:
    """Answer where every level is decided by its bounds; else say the bracket that they leave."""
    if not shares:
        return _untold(target, "sample.no_such_statistic")
    loads = [stage.load or 0.0 for stage in stages]
    sure = [share.least >= target.limit for share in shares]
    lost = [share.most < target.limit for share in shares]
    if all(sure):
        return _end(target, Status.AT_LEAST, Interval(low=loads[-1], mid=None, high=None), int(loads[-1]))
    if all(lost):
        return _end(target, Status.BELOW, Interval(low=None, mid=None, high=loads[0]), None)
    first = sure.index(False)
    low = loads[first - 1] if first else None
    high = next((load for load, is_lost in zip(loads, lost, strict=True) if is_lost), None)
    interval = None if low is None and high is None else Interval(low=low, mid=None, high=high)
    return _end(target, Status.CANNOT_TELL, interval, None)


def _end(target: Target, status: Status, interval: Interval | None, safe: int | None) -> Capacity:
    return Capacity(status=status, concurrency=interval, safe=safe, binding=target, reasons=("goodput.only_bounds",))


def _untold(target: Target, code: str) -> Capacity:
    return Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=target, reasons=(code,))
