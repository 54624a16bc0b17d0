"""Every unit of one bill: the same money per hour over tokens, requests, people, jobs and sound, each on its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.model.answer import Cost, Interval, LoadPoint, RunAnswer
from core.model.price import Price, price_for
from core.model.workload import WorkloadKind
from core.price.cost import cached_share, total_tok_s
from core.price.count import accelerators
from core.price.formula import HOURS_PER_MONTH, MILLION, SECONDS_PER_HOUR, over, per_request, scaled


class Unit(StrEnum):
    """What the money is divided by. Printed: never rename one."""

    MILLION_OUTPUT = "million_output_tokens"
    MILLION_TOTAL = "million_tokens"
    MILLION_WEIGHTED_OUTPUT = "million_output_tokens_weighted"
    MILLION_WEIGHTED_INPUT = "million_input_tokens_weighted"
    MILLION_WEIGHTED_CACHED = "million_cached_input_tokens_weighted"
    REQUEST = "request"
    USER_MONTH = "user_month"
    JOB = "job"
    AUDIO_HOUR = "audio_hour"


class Gap(StrEnum):
    """Why an amount is unknown. Printed: never rename one."""

    PRICE = "price"
    COUNT = "count"
    LOAD = "load"
    OUTPUT = "output_rate"
    INPUT = "input_rate"
    CACHED = "hit_rate"
    REQUESTS = "request_rate"
    THINK_TIME = "think_time"
    USERS = "users"
    JOB = "job"
    AUDIO = "rtf"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCost:
    """Money for one unit at the safe number (a batch: at its highest throughput).

    Attributes:
        amount: None where it is unknown, `gap` says why.
        rate: what the bill per hour is divided by, per second; for a user and month the users, for a job the seconds.
    """

    unit: Unit
    amount: Interval | None
    gap: Gap | None = None
    rate: Interval | None = None


_TOKENS = (
    Unit.MILLION_OUTPUT,
    Unit.MILLION_TOTAL,
    Unit.MILLION_WEIGHTED_OUTPUT,
    Unit.MILLION_WEIGHTED_INPUT,
    Unit.MILLION_WEIGHTED_CACHED,
)

ORDER: Mapping[WorkloadKind | None, tuple[Unit, ...]] = {
    None: (*_TOKENS, Unit.REQUEST, Unit.USER_MONTH),
    WorkloadKind.CHAT: (*_TOKENS, Unit.REQUEST, Unit.USER_MONTH),
    WorkloadKind.API: (*_TOKENS, Unit.REQUEST, Unit.USER_MONTH),
    WorkloadKind.BATCH: (Unit.JOB, *_TOKENS, Unit.REQUEST),
    WorkloadKind.VOICE: (Unit.AUDIO_HOUR, Unit.REQUEST, Unit.USER_MONTH, *_TOKENS),
}
"""Units by kind of workload, the one that leads first."""


def unit_costs(answer: RunAnswer, price: Price | None, think_s: float | None = None) -> tuple[UnitCost, ...]:
    """Return the money for every unit that the workload has, the leading one first.

    Args:
        answer: its cost and throughput at the safe number are read, of a batch those at its highest throughput.
        price: as it was given; None says "unknown" of every unit.
        think_s: pause of a user between an answer and the next request, seconds.

    Returns:
        One for each unit of `ORDER`; voice without any tokens leaves the token units out.
    """
    found = _Found.of(answer, price, think_s)
    kind = answer.workload.kind if answer.workload else None
    wanted = ORDER[kind]
    if kind is WorkloadKind.VOICE and not (found.point and found.point.output_tok_s):
        wanted = tuple(unit for unit in wanted if unit not in _TOKENS)
    return tuple(found.unit(unit) for unit in wanted)


def jobs_per_accelerator_hour(answer: RunAnswer, price: Price | None) -> Interval | None:
    """Return how many such jobs one accelerator does in an hour, None where time or count are unknown."""
    job = answer.batch.job if answer.batch else None
    count = accelerators(answer.run, price or Price(amount=1.0, per_accelerator=True))
    if job is None or job.completion_s is None or not count:
        return None
    return over(SECONDS_PER_HOUR / count, job.completion_s)


def inside_share(found: UnitCost, cost: Cost | None) -> float | None:
    """Return the share of a rate that an amount counts, read back from the amount itself; None where it has none.

    So a saved amount tells the share that it was saved with, whatever a later method would count.
    """
    amount, rate = found.amount, found.rate
    if cost is None or amount is None or rate is None or not amount.mid or not rate.mid:
        return None
    units = 1.0 if found.unit is Unit.REQUEST else MILLION
    return float(f"{cost.per_hour * units / (SECONDS_PER_HOUR * rate.mid * amount.mid):.9g}")


def users_at(answer: RunAnswer, think_s: float) -> Interval | None:
    """Return the people whose requests are the safe number in flight, with the doubt of their pace.

    Sources:
        Denning and Buzen 1978, the interactive response time law N = X (R + Z); docs/cost.md.
    """
    point, safe = answer.at_capacity, answer.capacity.safe
    if point is None or not safe or think_s < 0:
        return None
    whole = point.metrics.get("e2e mean")
    if whole and whole.mid:
        paused = over(safe * think_s, whole)
    elif point.req_s and point.req_s.mid:
        paused = scaled(point.req_s, think_s)
    else:
        return None
    low, mid, high = (None if end is None else safe + end for end in (paused.low, paused.mid, paused.high))
    return Interval(low=low, mid=mid, high=high, level=paused.level)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What the units of one answer are worked out from."""

    answer: RunAnswer
    price: Price | None
    point: LoadPoint | None
    cost: Cost | None
    think_s: float | None = None

    @classmethod
    def of(cls, answer: RunAnswer, price: Price | None, think_s: float | None) -> _Found:
        batch = answer.batch
        point = batch.throughput.point if batch else answer.at_capacity
        cost = batch.cost if batch else answer.cost
        return cls(answer=answer, price=price, point=point, cost=cost, think_s=think_s)

    def unit(self, unit: Unit) -> UnitCost:
        amount, rate = self._amount(unit)
        if amount is None or amount.mid is None:
            return UnitCost(unit=unit, amount=None, gap=self._gap(unit), rate=rate)
        return UnitCost(unit=unit, amount=amount, rate=rate)

    def _amount(self, unit: Unit) -> tuple[Interval | None, Interval | None]:
        """Return the money for one unit, and the rate that the bill was divided by."""
        cost, point = self.cost, self.point
        if cost is None or point is None:
            return None, None
        if unit in _TOKENS:
            return self._tokens(unit, cost, point), _rate_of(unit, point)
        match unit:
            case Unit.REQUEST:
                return cost.per_request or per_request(cost.per_hour, point.req_s), point.req_s
            case Unit.USER_MONTH:
                users = None if self.think_s is None else users_at(self.answer, self.think_s)
                return (over(cost.per_hour * HOURS_PER_MONTH, users) if users else None), users
            case Unit.JOB:
                job = self.answer.batch.job if self.answer.batch else None
                return (job.cost, job.completion_s) if job else (None, None)
            case _:
                sound = point.audio_s_s
                return (over(cost.per_hour, sound) if sound else None), sound

    def _tokens(self, unit: Unit, cost: Cost, point: LoadPoint) -> Interval | None:
        known = {
            Unit.MILLION_OUTPUT: cost.per_million_output,
            Unit.MILLION_TOTAL: cost.per_million_total,
            Unit.MILLION_WEIGHTED_OUTPUT: cost.per_million_weighted_output,
            Unit.MILLION_WEIGHTED_INPUT: cost.per_million_weighted_input,
        }
        return known[unit] if unit in known else self._cached(cost, point)

    def _cached(self, cost: Cost, point: LoadPoint) -> Interval | None:
        into = cost.per_million_weighted_input
        if into is None or self.price is None or cached_share(self.answer.run, point.at) is None:
            return None
        return scaled(into, self.price.cached_weight)

    def _gap(self, unit: Unit) -> Gap:
        if price_for(self.price, self.answer.run.id) is None:
            return Gap.PRICE
        if self.point is None:
            return Gap.LOAD
        if self.cost is None:
            return Gap.COUNT
        if unit is Unit.MILLION_WEIGHTED_CACHED and self.cost.per_million_weighted_input:
            return Gap.CACHED
        if unit is Unit.USER_MONTH and self.think_s is not None:
            return Gap.USERS
        if unit not in _GAPS and self.point.output_tok_s is None:
            return Gap.OUTPUT
        return _GAPS.get(unit, Gap.INPUT)


def _rate_of(unit: Unit, point: LoadPoint) -> Interval | None:
    """Return the token rate that a unit is divided by alone; the weighted ones weigh several."""
    if unit is Unit.MILLION_OUTPUT:
        return point.output_tok_s
    return total_tok_s(point) if unit is Unit.MILLION_TOTAL else None


_GAPS = {
    Unit.MILLION_OUTPUT: Gap.OUTPUT,
    Unit.REQUEST: Gap.REQUESTS,
    Unit.USER_MONTH: Gap.THINK_TIME,
    Unit.JOB: Gap.JOB,
    Unit.AUDIO_HOUR: Gap.AUDIO,
}
