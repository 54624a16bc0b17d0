"""Goodput: the share of sent requests that are within every other limit of the set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.decide.crossing import answer_points
from core.fit.fit import Fit
from core.fit.share import lost_points
from core.model.answer import Capacity, Interval, Status
from core.model.metric import Metric
from core.model.stage import Requests, Stage
from core.model.target import Target

_RECORDED = frozenset({Metric.TTFT, Metric.TPOT, Metric.E2E, Metric.TOK_S_USER})


@dataclass(frozen=True, slots=True)
class _Share:
    """What is known of the good share at one level: between two bounds."""

    load: float
    least: float
    most: float


def answer_goodput(fit: Fit, target: Target, targets: Sequence[Target]) -> Capacity:
    """Return the capacity within a goodput target.

    Exact where every level has its requests; else only bounds are known from the
    statistics of each limit by itself, and the crossing cannot be told.
    """
    limits = [other for other in targets if other.metric not in (Metric.GOODPUT, Metric.SUCCESS_RATE)]
    if not limits:
        return _untold(target, "goodput.no_other_limit")
    stages = fit.sweep.stages
    if all(stage.requests is not None for stage in stages) and all(t.metric in _RECORDED for t in limits):
        lost = np.array([_lost(stage, limits) for stage in stages], float)
        total = np.array([_sent(stage) for stage in stages], float)
        read = Target(Metric.GOODPUT, "value", max(1.0 - target.limit, 1e-12))
        return answer_points(fit, target, lost_points(Metric.GOODPUT, fit.sweep, lost, total), read)
    return _from_bounds(target, [_bounds(stage, limits) for stage in stages])


def _sent(stage: Stage) -> int:
    held = len(stage.requests) if stage.requests is not None else 0
    return max(held, stage.requests_sent or 0)


def _lost(stage: Stage, limits: Sequence[Target]) -> int:
    requests = stage.requests
    if requests is None:
        return _sent(stage)
    inside = requests.good.copy()
    for limit in limits:
        inside &= _within(requests, limit)
    return _sent(stage) - int(inside.sum())


def _within(requests: Requests, limit: Target) -> npt.NDArray[np.bool_]:
    """Return which requests keep one limit; a request of one token has no gap that could break it."""
    if limit.metric is Metric.TTFT:
        return requests.ttft_s <= limit.limit
    if limit.metric is Metric.E2E:
        return requests.e2e_s <= limit.limit
    most = 1.0 / limit.limit if limit.metric is Metric.TOK_S_USER else limit.limit
    return (requests.tpot_s <= most) | np.isnan(requests.tpot_s)


def _bounds(stage: Stage, limits: Sequence[Target]) -> _Share:
    """Return bounds of the share that keeps every limit (Frechet), from each metric's quantiles."""
    each = [_share_within(stage, limit) for limit in limits]
    least = max(0.0, 1.0 - sum(1.0 - low for low, _ in each))
    sent, good = stage.requests_sent or 0, stage.requests_good
    lost = (stage.requests_failed or 0) + (stage.requests_cut_off or 0)
    known = stage.requests_failed is not None and good is not None
    answered = (good or 0) / max((good or 0) + lost, sent, 1) if known else None
    most = min(high for _, high in each) * (1.0 if answered is None else answered)
    return _Share(stage.load or 0.0, least * (answered or 0.0), most)


def _share_within(stage: Stage, limit: Target) -> tuple[float, float]:
    """Return the least and the largest share of good requests that keep one limit."""
    metric = Metric.TPOT if limit.metric is Metric.TOK_S_USER else limit.metric
    most = 1.0 / limit.limit if limit.metric is Metric.TOK_S_USER else limit.limit
    found = stage.statistics.get(metric)
    if found is None:
        return 0.0, 1.0
    low = max((q for q, value in found.quantiles.items() if value <= most), default=0.0)
    high = min((q for q, value in found.quantiles.items() if value > most), default=1.0)
    return low, max(low, high)


def _from_bounds(target: Target, shares: Sequence[_Share]) -> Capacity:
    """Answer where every level is decided by its bounds; else say the bracket that they leave."""
    if not shares:
        return _untold(target, "sample.no_such_statistic")
    sure = [share.least >= target.limit for share in shares]
    lost = [share.most < target.limit for share in shares]
    if all(sure):
        return _end(target, Status.AT_LEAST, Interval(low=shares[-1].load, mid=None, high=None), int(shares[-1].load))
    if all(lost):
        return _end(target, Status.BELOW, Interval(low=None, mid=None, high=shares[0].load), None)
    first = sure.index(False)
    low = shares[first - 1].load if first else None
    high = next((share.load for share, is_lost in zip(shares, lost, strict=True) if is_lost), None)
    interval = None if low is None and high is None else Interval(low=low, mid=None, high=high)
    return _end(target, Status.CANNOT_TELL, interval, None)


def _end(target: Target, status: Status, interval: Interval | None, safe: int | None) -> Capacity:
    return Capacity(status=status, concurrency=interval, safe=safe, binding=target, reasons=("goodput.only_bounds",))


def _untold(target: Target, code: str) -> Capacity:
    return Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=target, reasons=(code,))
