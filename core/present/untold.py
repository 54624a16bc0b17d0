"""What is said where there is no answer: the cause, what can be told instead, what would tell it."""

from __future__ import annotations

import math

from core.i18n import t
from core.model.answer import Capacity, Interval, RunAnswer, Status
from core.model.bounding import bounding
from core.model.metric import fraction
from core.model.target import Target
from core.present.names import requests_text, target_name
from core.present.numbers import at_most, concurrency, exact_rate
from core.present.reasons import reason_text


def cannot_tell(answer: RunAnswer, language: str = "en") -> str:
    """Return the whole sentence, such as "Cannot tell TTFT p99: it rests on 40 requests … To know, run …"."""
    own = untold(answer)
    parts = (
        _cause(answer, own, language),
        bracket_text(own.concurrency, language),
        supported_text(own, language),
        _together(answer, own, language),
        bound_text(answer, own, language),
        to_know(answer, language),
    )
    return " ".join(part for part in parts if part)


def untold(answer: RunAnswer) -> Capacity:
    """Return the capacity of the target that cannot be told; that of the set where no target is named."""
    capacities = [each.capacity for each in answer.per_target if each.capacity.status is Status.CANNOT_TELL]
    named = [capacity for capacity in capacities if capacity.binding == answer.capacity.binding]
    return (named or capacities or [answer.capacity])[0]


def bracket_text(found: Interval | None, language: str = "en") -> str | None:
    """Return between which loads the limit lies, None where that is not known either."""
    if found is None or (found.low is None and found.high is None):
        return None
    low, high = (None if end is None else concurrency(end, language, decimals=1) for end in (found.low, found.high))
    if low is None:
        said = t("The limit is not above {requests}.", requests=requests_text(high or "", language))
    elif high is None:
        said = t("The limit is not below {requests}.", requests=requests_text(low, language))
    else:
        said = t("The limit lies between {low} and {high} concurrent requests.", low=low, high=high)
    return said.render(language)


def bound_text(answer: RunAnswer, own: Capacity, language: str = "en") -> str | None:
    """Return what another target allows at most, None where none does or the untold one's own bracket says more."""
    found = bounding(answer)
    high = found.capacity.concurrency.high if found and found.capacity.concurrency else None
    if found is None or high is None:
        return None
    if own.concurrency and own.concurrency.high is not None and own.concurrency.high <= high:
        return None
    return t(
        "No more than {requests} in any case, because of {target}.",
        requests=requests_text(at_most(high, language), language),
        target=target_name(found.target, language),
    ).render(language)


def supported_text(capacity: Capacity, language: str = "en") -> str | None:
    """Return what the highest quantile that can be told says, such as "TTFT p95 holds up to 12 concurrent …"."""
    found = capacity.supported
    if found is None or found.binding is None:
        return None
    name = target_name(found.binding, language)
    interval = found.concurrency
    match found.status:
        case Status.WITHIN if found.safe is not None:
            said = t("{metric} holds up to {requests}.", metric=name, requests=_requests(found.safe, language))
        case Status.AT_LEAST if interval and interval.low is not None:
            said = t(
                "{metric} holds up to at least {requests}.", metric=name, requests=_requests(interval.low, language)
            )
        case Status.BELOW if interval and interval.high is not None:
            said = t(
                "{metric} does not hold even at {requests}.", metric=name, requests=_requests(interval.high, language)
            )
        case _:
            return None
    return said.render(language)


def _requests(number: float, language: str) -> str:
    return requests_text(concurrency(number, language), language)


def _together(answer: RunAnswer, own: Capacity, language: str) -> str | None:
    """Return what the whole set carries with that lower quantile in place, where another target is tighter."""
    found = answer.capacity.supported
    if found is None or found.safe is None or found == own.supported:
        return None
    return t("With that, all targets hold up to {number}.", number=concurrency(found.safe, language)).render(language)


def to_know(answer: RunAnswer, language: str = "en") -> str | None:
    """Return what would tell it, such as "To know, run 400 requests at concurrency 8."."""
    wanted = answer.next_measurement
    if wanted is None:
        return None
    requests, level = concurrency(wanted.requests, language), concurrency(wanted.concurrency, language)
    if wanted.rate is None:
        said = t("To know, run {requests} requests at concurrency {level}.", requests=requests, level=level)
    else:
        said = t(
            "To know, run {requests} requests at {rate} requests/s, about {level} in flight.",
            requests=requests,
            rate=exact_rate(wanted.rate, language),
            level=level,
        )
    return said.render(language)


def _cause(answer: RunAnswer, capacity: Capacity, language: str) -> str:
    target = capacity.binding or answer.capacity.binding
    reasons = [reason_text(code) for code in capacity.reasons]
    if target is None:
        said = t("Cannot tell: {reason}.", reason=reasons[0]) if reasons else t("Cannot tell from these files.")
        return said.render(language)
    name = target_name(target, language)
    n = _thin_sample(answer, target) if "sample.too_few_for_quantile" in capacity.reasons else None
    if n is not None:
        said = t(
            "Cannot tell {metric}: it rests on {n} requests and is in effect the largest of them.", metric=name, n=n
        )
    elif reasons:
        said = t("Cannot tell {metric}: {reason}.", metric=name, reason=reasons[0])
    else:
        said = t("Cannot tell {metric} from these files.", metric=name)
    return said.render(language)


def _thin_sample(answer: RunAnswer, target: Target) -> int | None:
    """Return the fewest requests that an untold quantile rests on, None where every level has enough."""
    q = fraction(target.statistic)
    if q is None:
        return None
    # 1 - q is not exact in binary: 1 / (1 - 0.99) must be 100, not 99.99….
    needed = math.ceil(round(1 / (1 - q), 6))
    counts = [
        n
        for stage in answer.run.stages
        if stage.excluded is None and (found := stage.statistics.get(target.metric))
        if (n := found.n if found.n is not None else stage.requests_good) is not None and n < needed
    ]
    return min(counts) if counts else None
