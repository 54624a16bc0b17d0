"""From which volume on a fleet stays cheaper than somebody's API: a staircase of whole replicas against a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.fleet.answer import BreakEven, End, Pool, Volume, Whole
from core.fleet.growth import reached
from core.fleet.pools import paid_at
from core.fleet.size import HOURS_PER_MONTH, Numbers, copies_at, paid_at_most, parts
from core.model.answer import Interval
from core.model.fleet import Fleet

MOST_STEPS = 200_000
"""Sizes of the fleet that are looked at one by one; beyond, what its bill is at most is held against the API's."""
_SAME = 1e-9
"""Share by which an API has to be dearer than full replicas for the fleet ever to pay."""


@dataclass(frozen=True, slots=True)
class _Crossings:
    """Multiples of today's demand: at the first one the fleet costs no more, from the lasting one on it never does."""

    first: float | None
    lasting: float | None


_NEVER = _Crossings(None, None)


def against_api(pools: Sequence[Pool], fleet: Fleet, volume: Volume, one: float) -> BreakEven:
    """Return from which volume on the fixed fleet stays cheaper than the API, with the range of its own doubt.

    Args:
        pools: each with a price, and requests.
        fleet: cautions and growth.
        volume: of today; its requests are known.
        one: what the API asks for one request, >= 0.
    """
    now = volume.requests.mid or 0.0
    mids = [(pool.in_flight.mid, pool.planned) for pool in pools]
    # The fewest requests from which the fleet stays cheaper are those of the least load over the highest capacity.
    rows = ([pool.least for pool in pools], mids, [pool.most for pool in pools])
    low, mid, high = (_crossings(pools, fleet, row, one * now) for row in rows)

    def at(times: float | None) -> float | None:
        return None if times is None else times * now

    if mid.lasting is None:
        return BreakEven(name="api", volume=Interval(low=at(low.lasting), mid=None, high=None), why="never")
    ends = Interval(
        low=None if low.lasting is None else min(low.lasting, mid.lasting),
        mid=mid.lasting,
        high=None if high.lasting is None else max(high.lasting, mid.lasting),
    )
    months = Whole(
        count=reached(mid.lasting, fleet.growth),
        fewest=None if ends.low is None else reached(ends.low, fleet.growth),
        most=None if ends.high is None else reached(ends.high, fleet.growth),
    )
    return BreakEven(
        name="api",
        volume=Interval(low=at(ends.low), mid=at(ends.mid), high=at(ends.high)),
        first=at(mid.first) if mid.first is not None and mid.first < mid.lasting * (1.0 - _SAME) else None,
        month=months,
        why="no_growth" if months.count is None else "",
    )


def _crossings(pools: Sequence[Pool], fleet: Fleet, ends: Sequence[End], api_now: float) -> _Crossings:
    """Return where the fleet's bill meets the API's, `api_now` times the multiple of today's demand.

    Between two sizes of the fleet its bill stands still and the API's grows, so that they meet at the bill over the
    API's price for one, if the fleet of that size carries as much. The bill lies between a line through 0, that of full
    replicas, and the same line and an amount: no cheaper API is ever dearer, and what is dearer stays so from some
    size on, up to which every size is looked at.
    """
    shares = [load * parts(each, fleet) for load, each in ends if load is not None and each]
    if len(shares) < len(ends) or api_now <= 0.0:
        return _NEVER
    slope, above = 0.0, 0.0
    for pool, share in zip(pools, shares, strict=True):
        for_one, beyond = paid_at_most(fleet, pool.accelerators)
        rate = HOURS_PER_MONTH * (pool.each_hour or 0.0)
        slope, above = slope + rate * share * for_one, above + rate * beyond
    if api_now <= slope * (1.0 + _SAME):
        return _NEVER
    bound = above / (api_now - slope)
    counts = [math.ceil(bound * share) + 1.0 for share in shares]
    known = sum(counts) <= MOST_STEPS
    counts = [min(count, MOST_STEPS / len(shares)) for count in counts]
    rows = [np.arange(1, count + 1) / share for count, share in zip(counts, shares, strict=True)]
    # Beyond the last step of one pool, those of the others are not all that there are.
    steps = np.unique(np.concatenate(rows))
    steps = steps[steps <= min(row[-1] for row in rows)]
    before = np.concatenate([[0.0], steps[:-1]])
    equal = _months_at(pools, fleet, ends, steps) / api_now
    pays, dearer = np.flatnonzero(equal <= steps), np.flatnonzero(equal > before * (1.0 + _SAME))
    first = max(float(before[pays[0]]), float(equal[pays[0]])) if pays.size else None
    last = float(equal[dearer[-1]]) if dearer.size else 0.0
    return _Crossings(first, min(last, bound) if known else bound)


def _months_at(pools: Sequence[Pool], fleet: Fleet, ends: Sequence[End], times: Numbers) -> Numbers:
    """Return money a month at multiples of today's demand, shape (n,)."""
    month = np.zeros_like(times)
    for pool, (load, each) in zip(pools, ends, strict=True):
        counts = copies_at(times * (load or 0.0), each or 1.0, fleet)
        month += HOURS_PER_MONTH * (pool.each_hour or 0.0) * paid_at(pool, counts, fleet)
    return month
