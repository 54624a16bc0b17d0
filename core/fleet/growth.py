"""How much more than today's demand a fleet carries, and in which month growth has used that up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from core.fleet.answer import Growth, Pool, Whole
from core.fleet.size import at_work, carried
from core.model.answer import Interval
from core.model.fleet import Fleet

MOST_MONTHS = 1200
"""A hundred years: what lasts longer is not exceeded."""


def growth_of(pools: Sequence[Pool], fleet: Fleet) -> Growth:
    """Return the headroom of the fleet as it is planned, and the month in which the demand passes it.

    Room for growth is what is asked for here, so it counts as none of the cautions. The fleet stays as planned while
    the demand and what one replica carries lie anywhere in their ranges.

    Args:
        pools: all told; of several the one that is full first decides.
        fleet: growth and cautions.
    """
    today = replace(fleet, ahead=0)

    def room(pool: Pool, load: float | None, each: float | None) -> float | None:
        if load is None or not each or load <= 0.0:
            return None
        return carried(pool.replicas.count or 0, each, today) / load - 1.0

    mids = [room(pool, pool.in_flight.mid, pool.planned) for pool in pools]
    lows = [room(pool, *pool.most) for pool in pools]
    highs = [room(pool, *pool.least) for pool in pools]
    low, mid, high = _least(lows), _least(mids), _least(highs)
    room_of = Interval(
        low=None if low is None or mid is None else min(low, mid),
        mid=mid,
        high=None if high is None or mid is None else max(high, mid),
    )
    return Growth(
        headroom=room_of,
        month=Whole(
            count=exceeded(room_of.mid, fleet.growth),
            fewest=exceeded(room_of.low, fleet.growth),
            most=exceeded(room_of.high, fleet.growth),
        ),
    )


def exceeded(headroom: float | None, growth: float) -> int | None:
    """Return the first whole month in which the demand is beyond the headroom, None where that never comes.

    The first m with (1 + g)^m > 1 + h; today is 0.

    >>> exceeded(0.0, 0.05), exceeded(0.21, 0.1), exceeded(0.2, 0.1), exceeded(-0.1, 0.1), exceeded(0.5, 0.0)
    (1, 3, 2, 0, None)
    """
    if headroom is None:
        return None
    if headroom < 0.0:
        return 0
    if growth <= 0.0:
        return None
    months = math.log1p(headroom) / math.log1p(growth)
    return math.floor(round(months, 9)) + 1 if months < MOST_MONTHS else None


def reached(times: float, growth: float) -> int | None:
    """Return whole months until the demand has grown to a multiple of today's, None where it never does.

    >>> reached(1.21, 0.1), reached(0.9, 0.0), reached(1.5, 0.0), reached(1.2, 0.1)
    (2, 0, None, 2)
    """
    if times <= 1.0:
        return 0
    months = math.log(times) / math.log1p(growth) if growth > 0.0 else math.inf
    return math.ceil(round(months, 9)) if months < MOST_MONTHS else None


def working(pools: Sequence[Pool], fleet: Fleet) -> int:
    """Return how many replicas of the fleet are at work at the peak, the others standing by."""
    return sum(at_work(pool.replicas.count or 0, fleet) for pool in pools)


def _least(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return min(known) if known and len(known) == len(values) else None
