"""The bill of each month as the demand grows: replicas are bought in stages, in the month that needs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.fleet.answer import End, GrownMonth, Numbers, Pool, Purchases, Whole
from core.fleet.pools import paid_at
from core.fleet.size import HOURS_PER_MONTH, copies_at, nodes_at
from core.model.answer import Interval
from core.model.fleet import Fleet
from core.model.scenario import Demand

MONTHS = 36
"""Months that are billed. Fixed: a horizon that hung on the growth could make a bill smaller for more of it."""

YEAR = 12


@dataclass(frozen=True, slots=True)
class _Ends:
    """One number for every month at the low end, in the middle and at the high end, shape (n,); NaN is not known."""

    low: Numbers
    mid: Numbers
    high: Numbers


def purchases(pools: Sequence[Pool], fleet: Fleet, demand: Demand) -> Purchases | None:
    """Return replicas and bill of every month from today on, None without growth.

    Month m has max(N, copies of the demand of that month): N is the fleet as planned, room for growth with it, and
    copies keeps every caution but that room. So the fleet stays until it is exceeded, then grows by what each month
    needs, and nothing is given back. Each end of the range grows by its own need, from its own end today.

    Args:
        pools: all told.
        fleet: growth and cautions.
        demand: at its peak, today.

    Returns:
        `MONTHS` months, or the whole years behind those that the fleet is built ahead for; bills None without a price.
    """
    if fleet.growth <= 0.0:
        return None
    count = max(MONTHS, YEAR * (fleet.ahead // YEAR + 1))
    times = (1.0 + fleet.growth) ** np.arange(count, dtype=np.float64)
    held = [_replicas(pool, times, fleet) for pool in pools]
    bills = _bills(pools, held, fleet)
    so_far = _map(bills, np.cumsum) if bills else None
    replicas, accelerators = _total(held), _accelerators(pools, held, fleet)
    months = tuple(
        GrownMonth(
            month=month,
            demand=demand.peak * float(times[month]),
            replicas=_whole(replicas, month),
            accelerators=_whole(accelerators, month) if accelerators else Whole(count=None),
            bill=_interval(bills, month) if bills else None,
            so_far=_interval(so_far, month) if so_far else None,
        )
        for month in range(count)
    )
    return Purchases(months=months, total=months[-1].so_far)


def _replicas(pool: Pool, times: Numbers, fleet: Fleet) -> _Ends:
    """Return the replicas of one pool at multiples of today's demand."""
    today, found = replace(fleet, ahead=0), pool.replicas
    planned = float(found.count or 0)

    def end(first: int | None, ends: End) -> Numbers:
        """Return an end of the range: that of today, or what its load needs where that is more; NaN is open."""
        load, each = ends
        if first is None:
            return np.full_like(times, np.nan)
        if load is None or not each:
            # The end of today was known without it: the fleet cannot be smaller. It says nothing of a larger one.
            return np.where(mid > planned, np.nan, float(first))
        return np.maximum(copies_at(load * times, each, today), float(first))

    mid = np.maximum(copies_at((pool.in_flight.mid or 0.0) * times, pool.planned, today), planned)
    return _Ends(
        low=np.minimum(end(found.fewest, pool.least), mid), mid=mid, high=np.maximum(end(found.most, pool.most), mid)
    )


def _accelerators(pools: Sequence[Pool], held: Sequence[_Ends], fleet: Fleet) -> _Ends | None:
    """Return the accelerators that are paid for, None where nobody said how many a replica has."""

    def of(pool: Pool, counts: Numbers) -> Numbers:
        each, node = pool.accelerators or 0, fleet.node
        return counts * each if node is None else nodes_at(counts, each, node) * node

    if any(pool.accelerators is None for pool in pools):
        return None
    return _total([_each(pool, ends, of) for pool, ends in zip(pools, held, strict=True)])


def _bills(pools: Sequence[Pool], held: Sequence[_Ends], fleet: Fleet) -> _Ends | None:
    """Return money a month, None where one of the pools has no price."""

    def of(pool: Pool, counts: Numbers) -> Numbers:
        return (pool.each_hour or 0.0) * paid_at(pool, counts, fleet)

    if any(pool.each_hour is None for pool in pools):
        return None
    hourly = _total([_each(pool, ends, of) for pool, ends in zip(pools, held, strict=True)])
    return _map(hourly, lambda amounts: amounts * HOURS_PER_MONTH)


def _each(pool: Pool, ends: _Ends, of: Callable[[Pool, Numbers], Numbers]) -> _Ends:
    return _map(ends, lambda counts: of(pool, counts))


def _map(ends: _Ends, of: Callable[[Numbers], Numbers]) -> _Ends:
    return _Ends(low=of(ends.low), mid=of(ends.mid), high=of(ends.high))


def _total(parts: Sequence[_Ends]) -> _Ends:
    """Return the sum; an end that one of the parts lacks, the sum lacks."""
    return _Ends(
        low=np.sum([part.low for part in parts], axis=0),
        mid=np.sum([part.mid for part in parts], axis=0),
        high=np.sum([part.high for part in parts], axis=0),
    )


def _whole(ends: _Ends, month: int) -> Whole:
    low, mid, high = (float(part[month]) for part in (ends.low, ends.mid, ends.high))
    return Whole(count=int(mid), fewest=None if np.isnan(low) else int(low), most=None if np.isnan(high) else int(high))


def _interval(ends: _Ends, month: int) -> Interval:
    low, mid, high = (float(part[month]) for part in (ends.low, ends.mid, ends.high))
    return Interval(low=None if np.isnan(low) else low, mid=mid, high=None if np.isnan(high) else high)
