"""Where measured points cross a limit, in the words of the contract: within, at least, below, cannot tell."""

from __future__ import annotations

import math

import numpy as np

from core.decide.evidence import Evidence, evidence_of
from core.fit.curve import Curve
from core.fit.fit import Fit
from core.fit.points import Points
from core.model.answer import Capacity, Interval, Status
from core.model.metric import Metric
from core.model.target import Target

NOISE_REFUSED = 0.20
"""Noise between levels, or within one, above which no crossing is claimed."""

NOISE_WITH_SPREAD, SPREAD = 0.10, 0.25
"""Noise between levels above which none is claimed where TPOT also differs this much from request to request."""

WIDE_INTERVAL = 3.0
"""Ratio of its ends above which a range is called wide."""

_ROUNDING = 1e-9
_FEWEST = 3


def answer_points(fit: Fit, target: Target, points: Points, read: Target) -> Capacity:
    """Return the capacity within one target.

    Args:
        fit: the run.
        target: as the person gave it, for the answer's `binding`.
        points: what was measured of it, by ascending load.
        read: the target on what `points` hold: latencies, or a lost share.
    """
    if not points.load.size:
        return _untold(target, (_why_no_points(fit, read),))
    curve = fit.curve_of(points, read.statistic)
    seen = evidence_of(fit, points, curve, read)
    if not seen.passes.any():
        if _disturbed(fit) and not seen.all_fail:
            return _untold(target, ("noise.sweep_wide", *seen.reasons))
        return _below(target, points, seen)
    if not seen.passes[0] or seen.reach == 0.0:
        return _untold(target, ("order.lowest_fails", *seen.reasons))
    if seen.unsupported:
        return _untold(target, ("sample.too_few_for_quantile", *seen.reasons))
    if _disturbed(fit) and not seen.all_clear:
        return _untold(target, ("noise.sweep_wide", *seen.reasons), seen.bracket)
    if seen.all_clear:
        return _at_least(target, points, seen)
    if curve is None or points.load.size < _FEWEST:
        return _untold(target, ("levels.bracket_only", *seen.reasons), seen.bracket)
    return _crossing(target, curve, read.limit, seen)


def _disturbed(fit: Fit) -> bool:
    """Return True where the machine was too restless to claim a crossing, by levels, by requests or by both."""
    scattered = fit.uneven > NOISE_WITH_SPREAD and fit.spread > SPREAD
    return max(fit.uneven, fit.wobble) > NOISE_REFUSED or scattered


def _why_no_points(fit: Fit, read: Target) -> str:
    """Return why no level tells the statistic: it is in no file, or only at levels that carried nothing."""
    if read.metric is Metric.SUCCESS_RATE:
        return "sample.failures_unknown"
    if read.metric is Metric.GOODPUT or not np.isfinite(fit.sweep.values(read.metric, read.statistic)).any():
        return "sample.no_such_statistic"
    return "load.saturated" if fit.sweep.saturated.any() else "sample.failed_requests"


def _below(target: Target, points: Points, seen: Evidence) -> Capacity:
    return Capacity(
        status=Status.BELOW,
        concurrency=Interval(low=None, mid=None, high=float(points.load[0])),
        safe=None,
        binding=target,
        reasons=seen.sample_reasons,
    )


def _untold(target: Target, reasons: tuple[str, ...], bracket: Interval | None = None) -> Capacity:
    unique = tuple(dict.fromkeys(reasons))
    return Capacity(status=Status.CANNOT_TELL, concurrency=bracket, safe=None, binding=target, reasons=unique)


def _at_least(target: Target, points: Points, seen: Evidence) -> Capacity:
    top = float(points.load[-1])
    return Capacity(
        status=Status.AT_LEAST,
        concurrency=Interval(low=top, mid=None, high=None),
        safe=_whole(top),
        binding=target,
        reasons=seen.reasons,
    )


def _crossing(target: Target, curve: Curve, limit: float, seen: Evidence) -> Capacity:
    """Read the curve at the limit and keep the answer within what was measured."""
    low, risky, mid, high = (float(row[0]) for row in curve.capacity(np.array([limit])))
    top = seen.reach
    codes = list(seen.reasons)
    # The lowest level passes, so the estimate is no lower: below it nothing was measured.
    mid, low = min(max(mid, float(curve.points.load[0])), top), min(low, top)
    if low < curve.points.load[0] * (1.0 - _ROUNDING):
        codes.append("load.bottom_within_noise")
    end = _upper_end(high, curve, seen)
    if end is None:
        codes.append("load.top_within_noise")
    safe = max(min(_whole(min(risky, mid)), seen.clear_of_failure), 0)
    low = min(low, float(safe))
    codes += _weak_interval(low, end)
    return Capacity(
        status=Status.WITHIN,
        concurrency=Interval(low=low, mid=mid, high=end),
        safe=safe,
        binding=target,
        reasons=tuple(dict.fromkeys(codes)),
        doubt=curve.doubt(limit),
        # Nothing above a level that clearly passes was measured: how much more it is, nothing tells.
        beyond=high if end is None and not seen.top_passes else None,
    )


def _upper_end(high: float, curve: Curve, seen: Evidence) -> float | None:
    """Return the upper end, never above what was measured; None where the top level leaves it open.

    A saturated level bounds the rate. What was in flight there grew with the run, so that a short one may hold less
    than a lower rate does in the long run: the end is the farther of the two.
    """
    if high <= seen.reach:
        return high
    if curve.points.ceiling is not None:
        return max(curve.points.ceiling, high) if seen.saturated else curve.points.ceiling
    return seen.reach if seen.top_fails else None


def _weak_interval(low: float, high: float | None) -> list[str]:
    return ["interval.wide"] if high is None or low <= 0.0 or high / low > WIDE_INTERVAL else []


def _whole(load: float) -> int:
    """Return the floor, forgiving rounding errors of a whole number."""
    return math.floor(load * (1.0 + _ROUNDING))
