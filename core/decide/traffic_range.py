"""Readings of all extremes put together: one range and one safe number, never better than the measured ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.model.answer import Capacity, Interval, Status

ANSWERED = frozenset({Status.WITHIN, Status.AT_LEAST})


def untold(measured: Capacity, code: str) -> Capacity:
    """Return that nothing can be told for the service's traffic, and why."""
    return Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=measured.binding, reasons=(code,))


def between(measured: Capacity, worst: Sequence[Capacity], best: Sequence[Capacity]) -> Capacity:
    """Put the readings of all extremes together: the lowest of the low ends, the highest of the high ones."""
    if measured.status is Status.BELOW:
        slower = all(each.status is Status.BELOW for each in best)
        return measured if slower else untold(measured, "traffic.not_measured")
    failed = [each for each in worst if each.status not in ANSWERED]
    if failed:
        return untold(measured, "traffic.not_measured")
    highs = [end_of(each, "high") for each in best]
    mids = [end_of(each, "mid") for each in (*worst, *best)]
    high = None if None in highs else max(each for each in highs if each is not None)
    mid = None if None in mids else math.sqrt(min(m for m in mids if m) * max(m for m in mids if m))
    low, lowest = _lower_ends(measured, worst, best)
    safe = math.floor(lowest * (1.0 + 1e-9))
    reasons = (*measured.reasons, "traffic.widened")
    ends = [each.beyond if end is None else end for each, end in zip(best, highs, strict=True)]
    beyond = None if high is not None or None in ends else max(each for each in ends if each is not None)
    still = all(each.status is Status.AT_LEAST for each in worst)
    return replace(
        measured,
        status=Status.AT_LEAST if still else Status.WITHIN,
        concurrency=_no_narrower(Interval(low=min(low, float(safe)), mid=mid, high=high), measured),
        safe=safe,
        reasons=tuple(dict.fromkeys(reasons)),
        beyond=beyond,
    )


def _lower_ends(measured: Capacity, worst: Sequence[Capacity], best: Sequence[Capacity]) -> tuple[float, float]:
    """Return the low end and the safe number before it is rounded, never above the measured ones.

    What the difference does and what the measurement leaves open are apart, so their distances from the
    middle are added as squares, in logarithms.
    """
    own = (end_of(measured, "low") or 0.0, float(measured.safe or 0))
    ends = [(end_of(each, "low") or 0.0, float(each.safe or 0)) for each in worst]
    lowest = (min(low for low, _ in ends), min(safe for _, safe in ends))
    mids = [end_of(each, "mid") for each in worst]
    most = max((mid for each in best if (mid := end_of(each, "mid"))), default=None)
    if None in mids or not most or min(lowest) <= 0.0:
        return min(lowest[0], own[0]), min(lowest[1], own[1])
    at = int(np.argmin([mid or math.inf for mid in mids]))
    least = mids[at] or 0.0
    middle = 0.5 * (math.log(least) + math.log(max(most, least)))
    low, safe = (
        min(math.exp(middle - math.hypot(middle - math.log(least), math.log(least / end))), bound)
        for end, bound in zip(ends[at], own, strict=True)
    )
    return low, safe


def _no_narrower(found: Interval, measured: Capacity) -> Interval:
    """Return the range, as wide as the measured one at least: a reading elsewhere on the curve may be narrower."""
    own = measured.concurrency
    if own is None or not own.low or not own.high or not found.low or found.high is None:
        return found
    return replace(found, high=max(found.high, found.low * own.high / own.low))


def end_of(capacity: Capacity, name: str) -> float | None:
    """Return "low", "mid" or "high" of the range, None where it is open or there is no range."""
    return getattr(capacity.concurrency, name) if capacity.concurrency else None
