"""The numbers that runs are compared by, each with its unit, and what an answer lets one believe of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from core.compare.belief import UNKNOWN, Belief, belief_in, belief_of, scaled
from core.model.answer import Capacity, Interval, RunAnswer, Status
from core.model.price import Price
from core.model.scenario import Demand
from core.model.stage import FloatArray
from core.price.count import accelerators
from core.price.hourly import per_hour
from core.price.replicas import Replicas, carried_at_limit, replicas_for, response_time


class Quantity(StrEnum):
    """What is compared. Each is a multiple of its own, none implied by another. Printed: never rename one.

    capacity: concurrent requests of one deployment within the targets. users_per_money: those requests, or the active
    users that keep them in flight, for each unit of money and hour. cost: money per million output tokens at the safe
    number. accelerators: whole ones for the demand. per_user: tokens/s of one user, throughput: output tokens/s of the
    system for each accelerator (prefill and decode), both at the safe number.
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
    """What the quantities depend on beside the answers. None is unsaid."""

    price: Price | None = None
    demand: Demand | None = None
    think_s: float | None = None


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
    """Return whole accelerators for the demand, and what is drawn: so many for all that one carries at its limit."""
    each = counted(answer, asked.price)
    untold = Figure(shown=None, belief=replace(UNKNOWN))
    if asked.demand is None or not each:
        return untold
    found = replicas_for(answer, asked.demand, asked.think_s)
    wanted, carried = _carried(answer, asked.demand, asked.think_s, found)
    if found.count is None or wanted is None:
        return untold
    ends = (None if n is None else float(n * each) for n in (found.fewest, found.count, found.most))
    low, mid, high = ends

    def needed(log_load: FloatArray) -> FloatArray:
        """Return minus ln of whole accelerators at each load that was drawn: the more one carries, the fewer."""
        with np.errstate(over="ignore"):
            replicas = np.maximum(np.ceil(np.round(wanted * np.exp(-log_load), 9)), 1.0)
        found: FloatArray = -np.log(replicas * each)
        return found

    return Figure(shown=Interval(low=low, mid=mid, high=high), belief=replace(carried, steps=needed))


def _carried(answer: RunAnswer, demand: Demand, think_s: float | None, found: Replicas) -> tuple[float | None, Belief]:
    """Return the demand, and what is believed of how much of it one replica carries; both in the same unit.

    From the same ends as the range of `replicas_for`, so that nothing is drawn surer than the row reads.
    """
    capacity = _capacity(answer)
    is_within = capacity.status is Status.WITHIN
    limit = carried_at_limit(answer, demand, think_s)
    if limit is not None:
        return demand.peak, Belief(low=limit.low, mid=limit.mid if is_within else None, high=limit.high)
    each, wanted = capacity.concurrency, found.in_flight
    if each is None or wanted is None:
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
