"""The numbers that runs are compared by, each with its unit, and what an answer lets one believe of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.compare.belief import UNKNOWN, Belief, belief_in, belief_of, scaled
from core.fleet.answer import Pool, Whole
from core.fleet.pools import bought, hourly, paid_at, pools_of
from core.fleet.served import Served
from core.fleet.size import HOURS_PER_MONTH, copies_at
from core.model.answer import Capacity, Interval, RunAnswer, Status
from core.model.fleet import Fleet
from core.model.metric import Metric
from core.model.price import Price
from core.model.scenario import Demand
from core.model.stage import FloatArray, Stage
from core.price.count import accelerators
from core.price.formula import scaled as in_months
from core.price.good import near
from core.price.hourly import per_hour
from core.price.replicas import Untold, carried_at_limit, is_own_time, response_time


class Quantity(StrEnum):
    """What is compared. Each is a multiple of its own, none implied by another. Printed: never rename one.

    capacity: concurrent requests of one deployment within the targets. replicas, accelerators, cost_per_month: those of
    the fleet that one run alone needs for the demand, and its bill of 730 hours. users_per_money: the requests of the
    capacity, or the active users that keep them in flight, for each unit of money and hour. cost: money per million
    output tokens at the safe number. per_user: tokens/s of one user, throughput: output tokens/s of the system for each
    accelerator (prefill and decode), both at the safe number.
    """

    CAPACITY = "capacity"
    REPLICAS = "replicas"
    ACCELERATORS = "accelerators"
    MONTH = "cost_per_month"
    USERS_PER_MONEY = "users_per_money"
    COST = "cost"
    PER_USER = "per_user"
    THROUGHPUT = "throughput"


OF_FLEET = frozenset({Quantity.REPLICAS, Quantity.ACCELERATORS, Quantity.MONTH})
"""What the demand needs of each run."""

LOWER = OF_FLEET | {Quantity.COST}
"""Less is better."""

AT_SAFE = frozenset({Quantity.COST, Quantity.PER_USER, Quantity.THROUGHPUT})
"""What was measured at the safe number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One quantity of one run.

    Attributes:
        shown: as it is read: the number with the ends of its range; None where not even a bound is known.
        belief: what is drawn from.
    """

    shown: Interval | None
    belief: Belief


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the quantities depend on beside the answers. None is unsaid; without a fleet no caution is added."""

    price: Price | None = None
    demand: Demand | None = None
    think_s: float | None = None
    fleet: Fleet | None = None


def figure_of(answer: RunAnswer, quantity: Quantity, asked: Question) -> Figure:
    """Return one quantity of one run with its doubt; all that is told of a run is of one traffic."""
    if quantity in AT_SAFE and not is_of_one_load(answer):
        return Figure(shown=None, belief=replace(UNKNOWN, lower_is_better=quantity in LOWER))
    match quantity:
        case Quantity.CAPACITY:
            belief = belief_of(_capacity(answer))
            return Figure(shown=_interval(belief), belief=belief)
        case Quantity.USERS_PER_MONEY:
            belief = scaled(belief_of(_capacity(answer)), _users_per_money(answer, asked))
            return Figure(shown=_interval(belief), belief=belief)
        case Quantity.COST:
            found = answer.cost.per_million_output if answer.cost else None
            return Figure(shown=found, belief=belief_in(found, lower_is_better=True))
        case Quantity.REPLICAS | Quantity.ACCELERATORS | Quantity.MONTH:
            return _of_fleet(answer, quantity, asked)
        case Quantity.PER_USER:
            found = speed_of_user(answer)
            return Figure(shown=found, belief=belief_in(found))
        case Quantity.THROUGHPUT:
            count = counted(answer, asked.price)
            found = answer.at_capacity.output_tok_s if answer.at_capacity else None
            belief = scaled(belief_in(found), 1.0 / count if count else None)
            return Figure(shown=_interval(belief), belief=belief)


def counted(answer: RunAnswer, price: Price | None) -> int | None:
    """Return how many accelerators one deployment has, prefill and decode together; None where nobody said."""
    return accelerators(answer.run, price or Price(amount=1.0, per_accelerator=True))


def users_per_request(answer: RunAnswer, think_s: float | None) -> float | None:
    """Return active users for each request in flight, (R + Z) / R; 1 where no think time is given, None if unknown."""
    if not think_s:
        return 1.0
    time = response_time(answer) if is_own_time(answer) else None
    return (time.mid + think_s) / time.mid if time and time.mid else None


def is_of_one_load(answer: RunAnswer) -> bool:
    """Return True where what was measured at the safe number belongs to the safe number that is told.

    That is the one for the service's own traffic, where something was said of it: its requests have to be those that
    were measured, and the same number has to be safe for them.
    """
    own = answer.for_traffic
    return own is None or (own.capacity.safe == answer.capacity.safe and is_own_time(answer))


def is_of_other_traffic(answer: RunAnswer, quantity: Quantity, asked: Question) -> bool:
    """Return True where a number is unknown because it was measured with other requests than the service's own."""
    if quantity in AT_SAFE:
        return not is_of_one_load(answer)
    if quantity is Quantity.USERS_PER_MONEY:
        return bool(asked.think_s) and not is_own_time(answer)
    pool = pool_of(answer, asked) if quantity in OF_FLEET else None
    return pool is not None and pool.untold is Untold.OWN_TRAFFIC


def _capacity(answer: RunAnswer) -> Capacity:
    return (answer.for_traffic or answer).capacity


def _users_per_money(answer: RunAnswer, asked: Question) -> float | None:
    hourly = per_hour(answer.run, asked.price) if asked.price else None
    users = users_per_request(answer, asked.think_s)
    return users / hourly if hourly and users else None


def speed_of_user(answer: RunAnswer) -> Interval | None:
    """Return tokens/s of one user at the safe number: with its range from the fit, else between the levels around it.

    Levels tell it by the TPOT that the trade-off charts draw, and leave its range open.
    """
    fitted = answer.at_capacity.tok_s_user if answer.at_capacity else None
    safe = answer.capacity.safe
    if fitted is not None or not safe:
        return fitted
    between = near(answer.run, float(safe), lambda stage: told[1] if (told := user_speed(stage)) else None)
    return Interval(low=None, mid=between, high=None) if between else None


def user_speed(stage: Stage) -> tuple[str, float] | None:
    """Return tokens/s of one user at a level, 1 / TPOT, behind the statistic that tells it: the mean, else the median.

    None where the level gives neither.
    """
    for statistic in ("mean", "p50"):
        value = stage.value(Metric.TPOT, statistic)
        if value and value > 0.0:
            return statistic, 1.0 / value
    return None


def pool_of(answer: RunAnswer, asked: Question) -> Pool | None:
    """Return the copies of a run that the demand needs of it alone, None where no demand was said."""
    if asked.demand is None:
        return None
    (pool,) = pools_of((Served(answer=answer),), asked.demand, asked.think_s, asked.fleet or Fleet(), asked.price)
    return pool


def _of_fleet(answer: RunAnswer, quantity: Quantity, asked: Question) -> Figure:
    """Return a number of the fleet, and what is drawn: the same fleet for all that one carries at its limit."""
    pool, fleet = pool_of(answer, asked), asked.fleet or Fleet()
    shown = _shown(pool, quantity, fleet) if pool and not pool.untold else None
    if pool is None or asked.demand is None or shown is None or not shown.mid:
        return Figure(shown=None, belief=replace(UNKNOWN))
    wanted, carried = _carried(answer, asked.demand, asked.think_s, pool)
    if wanted is None:
        return Figure(shown=None, belief=replace(UNKNOWN))

    def needed(log_load: FloatArray) -> FloatArray:
        """Return minus ln of the number at each load that was drawn: the more one carries, the fewer."""
        with np.errstate(over="ignore"):
            # A load without end still takes one replica.
            in_replicas = np.maximum(wanted * np.exp(-log_load), _SOME)
        drawn: FloatArray = -np.log(_number(pool, quantity, copies_at(in_replicas, 1.0, fleet), fleet))
        return drawn

    return Figure(shown=shown, belief=replace(carried, steps=needed))


def _shown(pool: Pool, quantity: Quantity, fleet: Fleet) -> Interval | None:
    """Return a number of the fleet as the Fleet page gives it, None where a count or a price that it needs lacks."""
    if quantity is Quantity.MONTH:
        hour = hourly((pool,), fleet)
        return in_months(hour, HOURS_PER_MONTH) if hour else None
    if quantity is Quantity.REPLICAS:
        return _ends(pool.replicas)
    return None if pool.accelerators is None else _ends(bought(pool, fleet))


def _number(pool: Pool, quantity: Quantity, counts: FloatArray, fleet: Fleet) -> FloatArray:
    """Return the number for so many replicas, shape (n,)."""
    if quantity is Quantity.REPLICAS:
        return counts
    paid = paid_at(pool, counts, fleet)
    if quantity is Quantity.MONTH:
        return paid * (pool.each_hour or 1.0) * HOURS_PER_MONTH
    # Nodes are paid for in parts of a replica: as whole accelerators again, two runs that need as many stay equal.
    return np.round(paid * (pool.accelerators or 1))


_SOME = 1e-12
"""Part of a replica that is more than none."""


def _ends(found: Whole) -> Interval:
    low, mid, high = (None if n is None else float(n) for n in (found.fewest, found.count, found.most))
    return Interval(low=low, mid=mid, high=high)


def _carried(answer: RunAnswer, demand: Demand, think_s: float | None, pool: Pool) -> tuple[float | None, Belief]:
    """Return the demand, and what is believed of how much of it one replica carries; both in the same unit.

    From the same ends as the range of the fleet, so that nothing is drawn surer than the row reads.
    """
    capacity = _capacity(answer)
    is_within = capacity.status is Status.WITHIN
    limit = carried_at_limit(answer, demand, think_s)
    if limit is not None:
        return demand.peak, _beyond(
            Belief(low=limit.low, mid=limit.mid if is_within else None, high=limit.high), capacity
        )
    each, wanted = capacity.concurrency, pool.in_flight
    if each is None or wanted.mid is None:
        return None, UNKNOWN
    mid = _over(each.mid, wanted.mid) if is_within else None
    belief = Belief(low=_over(each.low, wanted.high), mid=mid, high=_over(each.high, wanted.low))
    return 1.0, _beyond(belief, capacity)


def _beyond(belief: Belief, capacity: Capacity) -> Belief:
    """Return a belief with the end that the curve of the capacity continues to.

    Requests/s and users rise no faster than the requests in flight, since more of these take longer each.
    """
    found = capacity.concurrency
    if belief.high or not belief.mid or not capacity.beyond or not found or not found.mid:
        return belief
    return replace(belief, beyond=belief.mid * capacity.beyond / found.mid)


def _over(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None


def _interval(belief: Belief) -> Interval | None:
    if belief.is_unknown:
        return None
    return Interval(low=belief.low, mid=belief.mid, high=belief.high)


def is_answered(answer: RunAnswer) -> bool:
    """Return True where the answer holds a number to promise."""
    return _capacity(answer).status in (Status.WITHIN, Status.AT_LEAST)


def money_per_hour(answer: RunAnswer, price: Price | None) -> float | None:
    """Return what an hour of one deployment costs, None where unknown."""
    found = per_hour(answer.run, price) if price else None
    return found if found is not None and math.isfinite(found) else None
