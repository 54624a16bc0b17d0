"""The numbers that runs are compared by, each with its unit, and what an answer lets one believe of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.compare.belief import UNKNOWN, Belief, belief_in, belief_of, scaled
from core.fleet.answer import Pool, Whole
from core.fleet.pools import bought, pools_of
from core.fleet.served import Served
from core.fleet.size import copies_at, nodes_at
from core.model.answer import Capacity, Interval, RunAnswer, Status
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.scenario import Demand
from core.model.stage import FloatArray
from core.price.count import accelerators
from core.price.hourly import per_hour
from core.price.replicas import carried_at_limit, response_time


class Quantity(StrEnum):
    """What is compared. Each is a multiple of its own, none implied by another. Printed: never rename one.

    capacity: concurrent requests of one deployment within the targets. users_per_money: those requests, or the active
    users that keep them in flight, for each unit of money and hour. cost: money per million output tokens at the safe
    number. accelerators: those of the fleet that one run alone needs for the demand. per_user: tokens/s of one user,
    throughput: output tokens/s of the system for each accelerator (prefill and decode), both at the safe number.
    """

    CAPACITY = "capacity"
    USERS_PER_MONEY = "users_per_money"
    COST = "cost"
    ACCELERATORS = "accelerators"
    PER_USER = "per_user"
    THROUGHPUT = "throughput"


LOWER = frozenset({Quantity.COST, Quantity.ACCELERATORS})
"""Less is better."""


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
    """Return one quantity of one run with its doubt."""
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
        case Quantity.ACCELERATORS:
            return _accelerators(answer, asked)
        case Quantity.PER_USER:
            found = answer.at_capacity.tok_s_user if answer.at_capacity else None
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
    time = response_time(answer)
    return (time.mid + think_s) / time.mid if time and time.mid else None


def _capacity(answer: RunAnswer) -> Capacity:
    return (answer.for_traffic or answer).capacity


def _users_per_money(answer: RunAnswer, asked: Question) -> float | None:
    hourly = per_hour(answer.run, asked.price) if asked.price else None
    users = users_per_request(answer, asked.think_s)
    return users / hourly if hourly and users else None


def _accelerators(answer: RunAnswer, asked: Question) -> Figure:
    """Return the accelerators of the fleet, and what is drawn: the same fleet for all that one carries at its limit."""
    untold = Figure(shown=None, belief=replace(UNKNOWN))
    if asked.demand is None:
        return untold
    fleet = asked.fleet or Fleet()
    (pool,) = pools_of((Served(answer=answer),), asked.demand, asked.think_s, fleet, asked.price)
    each, found = pool.accelerators, bought(pool, fleet)
    wanted, carried = _carried(answer, asked.demand, asked.think_s, pool)
    if pool.untold or each is None or found.count is None or wanted is None:
        return untold

    def needed(log_load: FloatArray) -> FloatArray:
        """Return minus ln of the accelerators at each load that was drawn: the more one carries, the fewer."""
        with np.errstate(over="ignore"):
            # A load without end still takes one replica.
            in_replicas = np.maximum(wanted * np.exp(-log_load), _SOME)
        counts = copies_at(in_replicas, 1.0, fleet)
        paid = counts * each if fleet.node is None else nodes_at(counts, each, fleet.node) * fleet.node
        drawn: FloatArray = -np.log(paid)
        return drawn

    return Figure(shown=_ends(found), belief=replace(carried, steps=needed))


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
        return demand.peak, Belief(low=limit.low, mid=limit.mid if is_within else None, high=limit.high)
    each, wanted = capacity.concurrency, pool.in_flight
    if each is None or wanted.mid is None:
        return None, UNKNOWN
    mid = _over(each.mid, wanted.mid) if is_within else None
    return 1.0, Belief(low=_over(each.low, wanted.high), mid=mid, high=_over(each.high, wanted.low))


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
