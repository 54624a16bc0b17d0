"""How many concurrent requests are carried within a set of targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.decide.single import answer_target
from core.fit.fit import Fit
from core.model.answer import Capacity, Interval, Status, TargetAnswer
from core.model.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The answer for the whole set and for each of its targets, in their order."""

    capacity: Capacity
    per_target: tuple[TargetAnswer, ...]


def decide(fit: Fit, targets: Sequence[Target]) -> Decision:
    """Answer every target and the set: the tightest target rules.

    Raises:
        ValueError: no targets.
    """
    if not targets:
        raise ValueError("an answer needs one target or more")
    answers = tuple(TargetAnswer(target=target, capacity=answer_target(fit, target, targets)) for target in targets)
    return Decision(capacity=combined(answers), per_target=answers)


def combined(answers: Sequence[TargetAnswer]) -> Capacity:
    """Combine answers of several targets by the rules of the contract."""
    if len(answers) == 1:
        return answers[0].capacity
    capacities = [answer.capacity for answer in answers]
    reasons = tuple(dict.fromkeys(code for capacity in capacities for code in capacity.reasons))
    tightest = _tightest([c for c in capacities if c.status is not Status.CANNOT_TELL] or capacities)
    if tightest.status is Status.BELOW:
        return replace(tightest, reasons=reasons)
    untold = [c for c in capacities if c.status is Status.CANNOT_TELL]
    if untold:
        high = tightest.concurrency.high if tightest.concurrency and len(untold) < len(capacities) else None
        return Capacity(
            status=Status.CANNOT_TELL,
            concurrency=None if high is None else Interval(low=None, mid=None, high=high),
            safe=None,
            binding=untold[0].binding,
            reasons=reasons,
            supported=_supported(answers),
        )
    close = ("bind.close_second",) if _has_close_second(tightest, capacities) else ()
    return replace(tightest, reasons=(*reasons, *close))


def _tightest(capacities: Sequence[Capacity]) -> Capacity:
    """Return the lowest of each bound, with what belongs to the target that has the lowest estimate."""
    below = [c for c in capacities if c.status is Status.BELOW]
    if below:
        return min(below, key=lambda c: _bound(c, "high"))
    binding = min(capacities, key=_rank)
    safe = [c.safe for c in capacities if c.safe is not None]
    return replace(
        binding,
        concurrency=Interval(
            low=_least(capacities, "low"), mid=_least(capacities, "mid"), high=_least(capacities, "high")
        ),
        safe=min(safe) if safe else None,
        beyond=_beyond(capacities),
    )


def _rank(capacity: Capacity) -> tuple[float, float, float]:
    """Order answers by estimate; one that is open above comes after one that is not."""
    return _bound(capacity, "mid"), _bound(capacity, "high"), _bound(capacity, "low")


def _bound(capacity: Capacity, name: str) -> float:
    value = getattr(capacity.concurrency, name) if capacity.concurrency else None
    return math.inf if value is None else float(value)


def _least(capacities: Sequence[Capacity], name: str) -> float | None:
    value = min(_bound(capacity, name) for capacity in capacities)
    return None if value == math.inf else value


def _beyond(capacities: Sequence[Capacity]) -> float | None:
    """Return the lowest of what the curves continue to, None where an end was measured or no curve tells it."""
    if _least(capacities, "high") is not None:
        return None
    return min((c.beyond for c in capacities if c.beyond is not None), default=None)


def _supported(answers: Sequence[TargetAnswer]) -> Capacity | None:
    """Return the set's answer with each untold quantile replaced by the highest that can be told."""
    parts: list[Capacity] = []
    for answer in answers:
        untold = answer.capacity.status is Status.CANNOT_TELL
        part = answer.capacity.supported if untold else answer.capacity
        if part is None:
            return None
        parts.append(part)
    reasons = tuple(dict.fromkeys(code for part in parts for code in part.reasons))
    return replace(_tightest(parts), reasons=reasons, supported=None)


def _has_close_second(combined: Capacity, capacities: Sequence[Capacity]) -> bool:
    """Return True where another target may bind as well: its range begins below the estimate."""
    mid = combined.concurrency.mid if combined.concurrency else None
    if mid is None:
        return False
    others = [c for c in capacities if c.binding != combined.binding]
    return any(_bound(c, "low") <= mid for c in others)
