"""A fleet over its curve: fixed, autoscaled, and scaled by somebody who knows what comes and waits for nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.fleet.answer import Numbers, OverTime, Pool
from core.fleet.pools import paid_at
from core.fleet.size import EVERY, HOURS_PER_MONTH, NONE, Caution, copies_at
from core.model.answer import Interval
from core.model.demand_curve import Curve
from core.model.fleet import Fleet

AUTOSCALED = EVERY - {Caution.GROWTH}
"""Cautions of an autoscaler: it follows the demand, so that it needs no room for growth ahead of time."""


@dataclass(frozen=True, slots=True)
class _Followed:
    """Replicas of one pool that are paid for at the beginning of each step, and in the mean."""

    counts: Numbers
    mean: float


@dataclass(frozen=True, slots=True)
class _End:
    """Both fleets of one pool at one end of what is known of demand and capacity."""

    needed: _Followed
    scaled: _Followed


Ends = tuple[_End | None, _End, _End | None]


def over_time(pools: Sequence[Pool], fleet: Fleet, curve: Curve) -> OverTime:
    """Return the fleet step by step.

    The perfect autoscaler has ceil(demand / capacity at the targets) replicas in every step: no caution, no start-up
    time, no floor. The real one has every caution but the room for growth, never fewer than its floor, and pays for a
    replica from the moment that it starts, which is its start-up time before it is needed.

    Args:
        pools: all told.
        fleet: cautions, floor and start-up time.
        curve: shape of the demand.
    """
    shape = np.array(curve.shape)
    rows = [_ends(pool, shape, fleet, curve.step_s) for pool in pools]
    needed = np.sum([row[1].needed.counts for row in rows], axis=0)
    scaled = np.sum([row[1].scaled.counts for row in rows], axis=0)
    fixed = sum(pool.replicas.count or 0 for pool in pools)
    rates = [pool.each_hour for pool in pools]
    known = [rate for rate in rates if rate is not None]

    def month(of: Callable[[_End], _Followed]) -> Interval | None:
        return _summed(rows, of, [HOURS_PER_MONTH * rate for rate in known]) if len(known) == len(rates) else None

    once = [1.0 for _ in pools]
    return OverTime(
        step_s=curve.step_s,
        in_flight=shape * sum(pool.in_flight.mid or 0.0 for pool in pools),
        needed=needed,
        scaled=scaled,
        fixed=fixed,
        mean_needed=_summed(rows, _needed_of, once),
        mean_scaled=_summed(rows, _scaled_of, once),
        month_scaled=month(_scaled_of),
        month_needed=month(_needed_of),
        rise=int(np.max(np.roll(scaled, -1) - scaled, initial=0.0)),
        above=float(np.mean(scaled < fixed)),
    )


def _needed_of(end: _End) -> _Followed:
    return end.needed


def _scaled_of(end: _End) -> _Followed:
    return end.scaled


def _ends(pool: Pool, shape: Numbers, fleet: Fleet, step_s: float) -> Ends:
    """Return the least, the planned and the most: the low end of the demand over the highest capacity, and so on."""

    def end(load: float | None, most: float | None, each: float | None) -> _End | None:
        if load is None or not most or not each:
            return None
        needed = copies_at(shape * load, most, Fleet(), NONE)
        return _End(
            needed=_Followed(needed, float(needed.mean())), scaled=_scaled(shape * load, each, pool, fleet, step_s)
        )

    planned = end(pool.in_flight.mid or 0.0, float(pool.safe), pool.planned)
    (least, highest), (most, lowest) = pool.least, pool.most
    return (end(least, highest, highest), planned or _nothing(shape), end(most, lowest, lowest))


def _nothing(shape: Numbers) -> _End:
    none = _Followed(np.zeros_like(shape), 0.0)
    return _End(needed=none, scaled=none)


def _scaled(loads: Numbers, each: float, pool: Pool, fleet: Fleet, step_s: float) -> _Followed:
    """Return what an autoscaler pays for: the most that is needed from now until a replica ordered now would serve."""
    whole = np.maximum(copies_at(loads, each, fleet, AUTOSCALED), float(fleet.floor))
    counts = paid_at(pool, whole, fleet)
    steps, rest = divmod(fleet.start_s, step_s)
    ahead = counts
    for step in range(1, min(int(steps), len(counts)) + 1):
        ahead = np.maximum(ahead, np.roll(counts, -step))
    # In the last part of a step, the step after the next ones is within reach too.
    later = np.maximum(ahead, np.roll(counts, -min(int(steps) + 1, len(counts))))
    share = rest / step_s
    return _Followed(ahead, float(((1.0 - share) * ahead + share * later).mean()))


def _summed(rows: Sequence[Ends], of: Callable[[_End], _Followed], weights: Sequence[float]) -> Interval:
    """Return the weighted sum of the means of all pools, the planned one inside its range."""

    def total(place: int) -> float | None:
        means = [of(end).mean for row in rows if (end := row[place]) is not None]
        return math.fsum(w * mean for w, mean in zip(weights, means, strict=True)) if len(means) == len(rows) else None

    low, mid, high = total(0), total(1) or 0.0, total(2)
    return Interval(low=None if low is None else min(low, mid), mid=mid, high=None if high is None else max(high, mid))
