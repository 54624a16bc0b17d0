"""How two answers differ, and whether a change is more than their doubt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields

from core.model.answer import Capacity, Interval, RunAnswer
from core.model.change import AnswerChange, Part, Word
from core.model.same import same
from core.model.target import Target
from core.run_diff import names_of, paired_runs

Found = Interval | Target | int | str | None


def _traffic(answer: RunAnswer) -> Capacity | None:
    return answer.for_traffic.capacity if answer.for_traffic else None


def _safe(capacity: Capacity | None) -> int | None:
    return capacity.safe if capacity else None


def _range(capacity: Capacity | None) -> Interval | None:
    return capacity.concurrency if capacity else None


VALUES: Mapping[Part, Callable[[RunAnswer], Found]] = {
    Part.STATUS: lambda answer: answer.capacity.status.value,
    Part.SAFE: lambda answer: _safe(answer.capacity),
    Part.ESTIMATE: lambda answer: _range(answer.capacity),
    Part.BINDING: lambda answer: answer.capacity.binding,
    Part.COST: lambda answer: answer.cost.per_million_output if answer.cost else None,
    Part.TRAFFIC_SAFE: lambda answer: _safe(_traffic(answer)),
    Part.TRAFFIC_ESTIMATE: lambda answer: _range(_traffic(answer)),
    Part.RATE: lambda answer: answer.batch.throughput.rate if answer.batch else None,
    Part.JOB_TIME: lambda answer: answer.batch.job.completion_s if answer.batch and answer.batch.job else None,
    Part.JOB_COST: lambda answer: answer.batch.job.cost if answer.batch and answer.batch.job else None,
    Part.DEADLINE: lambda answer: (
        answer.batch.job.deadline.value if answer.batch and answer.batch.job and answer.batch.job.deadline else None
    ),
}
"""Where each part of an answer stands; `Part.REST` is everything else."""


def answer_changes(
    before: Sequence[RunAnswer], after: Sequence[RunAnswer], *, unchanged: bool = False
) -> Iterator[AnswerChange]:
    """Give each run whose answer is not the same on both sides; with `unchanged` every run."""
    old = {id(answer.run): answer for answer in before}
    new = {id(answer.run): answer for answer in after}
    for pair in paired_runs([answer.run for answer in before], [answer.run for answer in after]):
        sides = (old[id(pair[0])] if pair[0] else None, new[id(pair[1])] if pair[1] else None)
        words = words_of(*sides)
        if unchanged or any(word is not Word.SAME for word in words.values()):
            yield AnswerChange(run=names_of(pair), before=sides[0], after=sides[1], words=words)


def words_of(before: RunAnswer | None, after: RunAnswer | None) -> dict[Part, Word]:
    """Return a word for each part that either answer has."""
    words: dict[Part, Word] = {}
    for part, value in VALUES.items():
        pair = (value(before) if before else None, value(after) if after else None)
        if pair != (None, None):
            words[part] = _word(part, pair, before, after)
    told = all(word is Word.SAME for word in words.values())
    if before and after and told and not _same_rest(before, after):
        words[Part.REST] = Word.CHANGED
    return words


def _same_rest(before: RunAnswer, after: RunAnswer) -> bool:
    """Return whether everything else is the same; runs and questions are inputs, and findings follow from them."""
    names = (f.name for f in fields(RunAnswer) if f.name not in ("run", "findings", "workload"))
    return all(same(getattr(before, name), getattr(after, name), frozenset({"where"})) for name in names)


def _word(part: Part, pair: tuple[Found, Found], before: RunAnswer | None, after: RunAnswer | None) -> Word:
    old, new = pair
    if old is None or new is None:
        return Word.ADDED if old is None else Word.REMOVED
    if before is None or after is None:  # never: a side without an answer has no value
        return Word.CHANGED
    money = part in (Part.COST, Part.JOB_COST)
    if money and _currency(part, before) != _currency(part, after):
        return Word.CHANGED
    if isinstance(old, Target) and isinstance(new, Target):
        return Word.SAME if (old.metric, old.statistic) == (new.metric, new.statistic) else Word.CHANGED
    if same(old, new):
        return Word.SAME
    if isinstance(old, Interval) and isinstance(new, Interval):
        return _of_ranges(old, new)
    if part in (Part.SAFE, Part.TRAFFIC_SAFE) and isinstance(old, int) and isinstance(new, int):
        where = (_traffic(before), _traffic(after)) if part is Part.TRAFFIC_SAFE else (before.capacity, after.capacity)
        ranges = [_range(capacity) for capacity in where]
        return Word.WITHIN if _holds(ranges[1], old) and _holds(ranges[0], new) else Word.CHANGED
    return Word.CHANGED


def _currency(part: Part, answer: RunAnswer) -> str | None:
    if part is Part.JOB_COST:
        return answer.batch.job.currency if answer.batch and answer.batch.job else None
    return answer.cost.currency if answer.cost else None


def _of_ranges(old: Interval, new: Interval) -> Word:
    """Say whether each estimate lies in the other's range; without both estimates, whether the ranges meet at all."""
    if old.mid is not None and new.mid is not None:
        return Word.WITHIN if _holds(new, old.mid) and _holds(old, new.mid) else Word.CHANGED
    (low, high), (other_low, other_high) = _ends(old), _ends(new)
    return Word.UNTOLD if low <= other_high and other_low <= high else Word.CHANGED


def _holds(found: Interval | None, value: float) -> bool:
    if found is None:
        return False
    low, high = _ends(found)
    return low <= value <= high


def _ends(found: Interval) -> tuple[float, float]:
    return (
        -math.inf if found.low is None else found.low,
        math.inf if found.high is None else found.high,
    )
