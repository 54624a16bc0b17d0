"""The copies of one run that its share of the demand needs, and what they cost an hour."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

import numpy as np

from core.fleet.answer import End, Pool, Whole
from core.fleet.served import Served, loads
from core.fleet.size import EVERY, Caution, Numbers, copies, nodes, nodes_at
from core.model.answer import Capacity, Interval, Status
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.scenario import Demand, DemandKind
from core.price.count import accelerators
from core.price.hourly import per_hour
from core.price.replicas import UNKNOWN, Untold, carried_at_limit, sure_share


def pools_of(
    served: Sequence[Served], demand: Demand, think_s: float | None, fleet: Fleet, price: Price | None
) -> tuple[Pool, ...]:
    """Return one pool for each run that serves a part of the demand."""
    asked = loads(served, demand, think_s)
    return tuple(
        _pool(one, load, _limit(one, demand, think_s, alone=len(served) == 1), fleet, price)
        for one, load in zip(served, asked, strict=True)
    )


def _limit(one: Served, demand: Demand, think_s: float | None, *, alone: bool) -> tuple[float, Interval] | None:
    """Return a run's part of the demand and what a replica carries of it at its limit, both as the demand counts.

    None where that is not known. What several runs have in flight hangs on the times of all of them, unless the
    demand is a rate.
    """
    if not alone and demand.kind is not DemandKind.REQ_S:
        return None
    carried = carried_at_limit(one.answer, demand, think_s)
    return (demand.peak * one.share, carried) if carried else None


def _pool(
    one: Served, load: Interval | Untold, limit: tuple[float, Interval] | None, fleet: Fleet, price: Price | None
) -> Pool:
    run = one.answer.run
    capacity = (one.answer.for_traffic or one.answer).capacity
    untold = _untold(capacity) or (load if isinstance(load, Untold) else None)
    # Nodes hold what runs, whether or not there is a price.
    each = accelerators(run, price or Price(amount=1.0, per_accelerator=True))
    wanted = load if isinstance(load, Interval) else UNKNOWN
    safe = capacity.safe or 0
    found = capacity.concurrency or UNKNOWN
    least = (limit[0], limit[1].high) if limit else (wanted.low, found.high)
    most = (limit[0], limit[1].low) if limit else (wanted.high, found.low)
    peak, carried = limit or (0.0, None)
    planned = safe * sure_share(wanted, safe, carried, peak or 1.0)
    count = Whole(count=None) if untold else replicas(wanted.mid, planned, (least, most), fleet)
    return Pool(
        answer=one.answer,
        share=one.share,
        kinds=one.kinds,
        untold=untold,
        in_flight=wanted,
        safe=safe,
        planned=planned,
        capacity=capacity.concurrency,
        least=least,
        most=most,
        replicas=count,
        accelerators=each,
        nodes=_nodes(count, each, fleet),
        each_hour=per_hour(run, price) if price else None,
    )


def _untold(capacity: Capacity) -> Untold | None:
    if capacity.safe is None or capacity.status not in (Status.WITHIN, Status.AT_LEAST):
        return Untold.NO_SAFE_NUMBER
    return Untold.NONE_PROMISED if capacity.safe == 0 else None


def replicas(wanted: float | None, planned: float, ends: tuple[End, End], fleet: Fleet) -> Whole:
    """Return whole replicas with every caution, and the range that the doubt about demand and capacity leaves.

    The count is made with what one is planned with; its ends are the least load over the most that one may carry, and
    the reverse, each with the same cautions.
    """
    if wanted is None:
        return Whole(count=None)
    count = copies(wanted, planned, fleet)
    fewest, most = (copies(load, each, fleet) if load is not None and each else None for load, each in ends)
    # Fewer than the smallest fleet there are not, however open the upper end is.
    least = copies(math.ulp(0.0), planned, fleet)
    fewest = least if count == least else fewest
    return Whole(
        count=count,
        fewest=None if fewest is None else min(fewest, count),
        most=None if most is None else max(most, count),
    )


def estimate(pool: Pool) -> float:
    """Return what one replica carries without any caution: the estimate, the largest load measured where none is."""
    found = pool.capacity
    return found.mid if found is not None and found.mid else float(pool.safe)


def paid(pool: Pool, count: float, fleet: Fleet, cautions: Collection[Caution] = EVERY) -> float:
    """Return for how many replicas is paid: whole nodes may hold more accelerators than the replicas use."""
    return float(paid_at(pool, np.array([float(count)]), fleet, cautions)[0])


def paid_at(pool: Pool, counts: Numbers, fleet: Fleet, cautions: Collection[Caution] = EVERY) -> Numbers:
    """Return `paid` for many counts at once, shape (n,)."""
    each, node = pool.accelerators, fleet.node
    if Caution.NODES not in cautions or node is None or each is None:
        return counts
    return nodes_at(counts, each, node) * node / each


def sized(pool: Pool, fleet: Fleet, cautions: Collection[Caution]) -> float:
    """Return the replicas that are paid for at the peak with some cautions only."""
    each = pool.planned if Caution.SAFE in cautions else estimate(pool)
    count = copies(pool.in_flight.mid or 0.0, each, fleet, cautions)
    return paid(pool, count, fleet, cautions)


def together(parts: Sequence[Whole]) -> Whole:
    """Return the sum of whole numbers; an end or a count that one of them lacks, the sum lacks."""

    def total(of: Callable[[Whole], int | None]) -> int | None:
        known = [of(part) for part in parts]
        return None if None in known else sum(each or 0 for each in known)

    return Whole(
        count=total(lambda part: part.count),
        fewest=total(lambda part: part.fewest),
        most=total(lambda part: part.most),
    )


def bought(pool: Pool, fleet: Fleet) -> Whole:
    """Return the accelerators that are paid for."""

    def held(count: int | None) -> int | None:
        if count is None or pool.accelerators is None:
            return None
        return (
            pool.accelerators * count
            if fleet.node is None
            else fleet.node * nodes(count, pool.accelerators, fleet.node)
        )

    found = pool.replicas
    return Whole(count=held(found.count), fewest=held(found.fewest), most=held(found.most))


def hourly(pools: Sequence[Pool], fleet: Fleet) -> Interval | None:
    """Return money per hour of all pools, None where one of them has no price."""
    if any(pool.each_hour is None for pool in pools):
        return None

    def total(of: Callable[[Whole], int | None]) -> float | None:
        known = [of(pool.replicas) for pool in pools]
        if None in known:
            return None
        return sum((pool.each_hour or 0.0) * paid(pool, n or 0, fleet) for pool, n in zip(pools, known, strict=True))

    return Interval(
        low=total(lambda whole: whole.fewest),
        mid=total(lambda whole: whole.count),
        high=total(lambda whole: whole.most),
    )


def _nodes(count: Whole, each: int | None, fleet: Fleet) -> Whole | None:
    node = fleet.node
    if node is None or each is None:
        return None

    def held(of: int | None) -> int | None:
        return None if of is None else nodes(of, each, node)

    return Whole(count=held(count.count), fewest=held(count.fewest), most=held(count.most))
