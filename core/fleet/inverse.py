"""The question the other way round: with this budget and this demand, which promise can be kept, and on which run.

The fitted curve is read at more limits (`core.decide.sensitivity`); nothing is fitted again.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.decide.at_limit import at_limit
from core.decide.point import point_at
from core.decide.sensitivity import read_at
from core.decide.single import as_latency
from core.fit.fit import Fit
from core.fleet.amounts import amounts
from core.fleet.answer import Whole
from core.fleet.pools import hourly, pools_of
from core.fleet.served import Served
from core.fleet.size import HOURS_PER_MONTH, carried
from core.model.answer import Interval, RunAnswer, Sensitivity, Status, Step
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.scenario import Demand
from core.model.target import Target
from core.price.replicas import Untold


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """One target whose limit moves while the others stay.

    Attributes:
        target: as it is promised now.
        limit: the tightest limit whose bill is within the budget, as `fits` counts it, to a thirtieth of the step
            between two limits that are read; None where none is.
        open: True where no limit is, and the budget lies inside the range of the bill of some: that cannot be told.
        replicas, month: what that takes. safe: what one replica carries then.
        tighter: True where the limit is tighter than the present one, False where it has to be looser.
        end: True where a tighter limit was not measured: the budget may pay for more.
    """

    target: Target
    limit: float | None
    replicas: Whole
    month: Interval | None
    safe: int | None
    tighter: bool
    end: bool
    open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Affordable:
    """What a budget buys on one run.

    Attributes:
        answer: of the run. untold: why nothing can be told, None where it can.
        replicas, month: of the present promise. fits: whether its bill is within the budget: True where its upper end
            is, False where its lower end is not, None in between.
        bought: replicas that the budget pays for. demand: the peak that they carry within the present promise.
        promises: one for each target whose limit can be moved.
    """

    answer: RunAnswer
    untold: Untold | None
    replicas: Whole
    month: Interval | None
    fits: bool | None
    bought: int | None
    demand: float | None
    promises: tuple[Promise, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked of every run: a demand at its peak, the pause of a user, a fleet with a budget, and the price."""

    demand: Demand
    think_s: float | None
    fleet: Fleet
    price: Price


def affordable(answer: RunAnswer, found: Sequence[Sensitivity], fit: Fit, wanted: Wanted) -> Affordable:
    """Return what the budget buys on one run.

    Args:
        answer: to the present promise; for other requests than the measured ones no limit is moved, since none of what
            is read is about those.
        found: its sensitivities; without them no promise is worked out.
        fit: its curves, which are read.
        wanted: the question; its fleet has a budget.
    """
    now = _bill(answer, wanted)
    budget = amounts(wanted.fleet, wanted.price).budget
    if now.untold or now.month is None or budget is None:
        return Affordable(
            answer=answer,
            untold=now.untold,
            replicas=now.replicas,
            month=now.month,
            fits=None,
            bought=None,
            demand=None,
        )
    bought = _bought(answer, wanted, budget)
    promises = () if answer.for_traffic else tuple(_promise(answer, one, fit, wanted, budget) for one in found)
    return Affordable(
        answer=answer,
        untold=None,
        replicas=now.replicas,
        month=now.month,
        fits=_fits(now.month, budget),
        bought=bought,
        demand=_demand(answer, bought, wanted),
        promises=promises,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bill:
    untold: Untold | None
    replicas: Whole
    month: Interval | None


def _bill(answer: RunAnswer, wanted: Wanted) -> _Bill:
    (pool,) = pools_of((Served(answer=answer),), wanted.demand, wanted.think_s, wanted.fleet, wanted.price)
    hour = None if pool.untold else hourly((pool,), wanted.fleet)

    def month(amount: float | None) -> float | None:
        return None if amount is None else amount * HOURS_PER_MONTH

    spread = Interval(low=month(hour.low), mid=month(hour.mid), high=month(hour.high)) if hour else None
    return _Bill(untold=pool.untold, replicas=pool.replicas, month=spread)


def _fits(month: Interval, budget: float) -> bool | None:
    if month.high is not None and month.high <= budget:
        return True
    if month.low is not None and month.low > budget:
        return False
    return None


def _bought(answer: RunAnswer, wanted: Wanted, budget: float) -> int:
    """Return how many replicas the budget pays for, whole nodes counted, by halving: more never cost less."""
    served = (Served(answer=answer),)
    (pool,) = pools_of(served, wanted.demand, wanted.think_s, wanted.fleet, wanted.price)

    def month(count: int) -> float:
        hour = hourly((replace(pool, replicas=Whole(count=count, fewest=count, most=count)),), wanted.fleet)
        return (hour.mid or 0.0) * HOURS_PER_MONTH if hour else 0.0

    low, high = 0, max(int(budget / ((pool.each_hour or 1.0) * HOURS_PER_MONTH)) + 1, 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if month(middle) <= budget else (low, middle - 1)
    return low


def _demand(answer: RunAnswer, bought: int, wanted: Wanted) -> float | None:
    """Return the peak that so many replicas carry: what is in flight is in proportion to it, whatever it counts."""
    served = (Served(answer=answer),)
    (pool,) = pools_of(served, wanted.demand, wanted.think_s, wanted.fleet, wanted.price)
    load = pool.in_flight.mid
    if not load:
        return None
    return wanted.demand.peak * carried(bought, pool.planned, wanted.fleet) / load


def _promise(answer: RunAnswer, one: Sensitivity, fit: Fit, wanted: Wanted, budget: float) -> Promise:
    """Return the tightest limit that the budget surely pays for.

    Steps rise in capacity, so that their bills fall: the first that fits is found by halving. The bill of a step is
    planned with the safe number there, as the fleet itself is.
    """
    steps = [step for step in one.steps if _is_told(step)]

    def fits(step: Step) -> bool | None:
        """Return whether the bill is within the budget, None where that cannot be told of one that is known."""
        month = _bill(_moved(answer, step, fit), wanted).month
        return False if month is None else _fits(month, budget)

    place = bisect_left(steps, True, key=lambda step: fits(step) is True)
    if place < len(steps):
        # Limits are read at some steps only: the tightest one may lie between this one and the one before.
        kept = _between(answer, one, fit, wanted, budget, (steps[place - 1], steps[place])) if place else steps[0]
        bill, higher = _bill(_moved(answer, kept, fit), wanted), one.target.metric.higher_is_better
        return Promise(
            target=one.target,
            limit=kept.limit,
            replicas=bill.replicas,
            month=bill.month,
            safe=kept.whole.safe,
            tighter=kept.limit >= one.target.limit if higher else kept.limit <= one.target.limit,
            end=place == 0,
        )
    return Promise(
        target=one.target,
        limit=None,
        replicas=Whole(count=None),
        month=None,
        safe=None,
        tighter=False,
        end=False,
        open=any(fits(step) is None for step in reversed(steps)),
    )


def _between(
    answer: RunAnswer, one: Sensitivity, fit: Fit, wanted: Wanted, budget: float, ends: tuple[Step, Step]
) -> Step:
    """Return the tightest limit that is within the budget between one that is not and one that is, by halving."""
    place = next(i for i, each in enumerate(answer.per_target) if each.target == one.target)
    found = ends[1]
    low, high = (as_latency(replace(one.target, limit=step.limit)).limit for step in ends)
    for _ in range(_HALVED):
        middle = math.sqrt(low * high) if low > 0.0 else (low + high) / 2.0
        step = read_at(fit, answer.per_target, place, middle)
        bill = _bill(_moved(answer, step, fit), wanted) if _is_told(step) else None
        if bill is not None and bill.month is not None and _fits(bill.month, budget):
            found, high = step, middle
        else:
            low = middle
    return found


_HALVED = 5


def _is_told(step: Step) -> bool:
    return bool(step.whole.safe) and step.whole.status in (Status.WITHIN, Status.AT_LEAST)


def _moved(answer: RunAnswer, step: Step, fit: Fit) -> RunAnswer:
    whole = step.whole
    capacity = replace(
        answer.capacity, status=whole.status, concurrency=whole.concurrency, safe=whole.safe, binding=whole.binding
    )
    targets = tuple(each.target for each in answer.per_target)
    return replace(
        answer,
        capacity=capacity,
        at_capacity=point_at(fit, float(whole.safe or 0), targets),
        at_estimate=at_limit(fit, capacity, targets),
    )
