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

MONEY = (Part.COST, Part.JOB_COST)
_RANGES: Mapping[Part, Part] = {
    Part.SAFE: Part.ESTIMATE,
    Part.ESTIMATE: Part.ESTIMATE,
    Part.COST: Part.COST,
    Part.TRAFFIC_SAFE: Part.TRAFFIC_ESTIMATE,
    Part.TRAFFIC_ESTIMATE: Part.TRAFFIC_ESTIMATE,
    Part.RATE: Part.RATE,
    Part.JOB_TIME: Part.JOB_TIME,
    Part.JOB_COST: Part.JOB_COST,
}
"""Parts that are numbers, each with the part whose 90 % range is its doubt."""


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
    if unit_of(part, before) != unit_of(part, after):
        return Word.CHANGED
    if isinstance(old, Target) and isinstance(new, Target):
        return Word.SAME if (old.metric, old.statistic) == (new.metric, new.statistic) else Word.CHANGED
    if same(old, new):
        return Word.SAME
    if isinstance(old, Interval) and isinstance(new, Interval):
        return _of_ranges(old, new, old.mid, new.mid)
    if part in _RANGES and isinstance(old, int) and isinstance(new, int):
        return _of_ranges(*_ranges(part, before, after), old, new)
    return Word.CHANGED


def beyond_doubt(part: Part, before: RunAnswer | None, after: RunAnswer | None) -> bool:
    """Return True where a number differs by more than its doubt: both 90 % ranges are known, and do not meet."""
    if before is None or after is None or part not in _RANGES or unit_of(part, before) != unit_of(part, after):
        return False
    old, new = _ranges(part, before, after)
    return old is not None and new is not None and not _meet(old, new)


def is_number(part: Part) -> bool:
    """Return True for a part that is a number with a doubt."""
    return part in _RANGES


def unit_of(part: Part, answer: RunAnswer) -> str | None:
    """Return what a part is counted in where that may differ: a currency, a kind of rate; "" for the others."""
    if part is Part.JOB_COST:
        return answer.batch.job.currency if answer.batch and answer.batch.job else None
    if part is Part.RATE:
        return answer.batch.throughput.rate_name if answer.batch else None
    if part is Part.COST:
        return answer.cost.currency if answer.cost else None
    return ""


def _ranges(part: Part, before: RunAnswer, after: RunAnswer) -> tuple[Interval | None, Interval | None]:
    """Return the ranges that are the doubt of a number on both sides."""
    old, new = (VALUES[_RANGES[part]](answer) for answer in (before, after))
    return (old if isinstance(old, Interval) else None, new if isinstance(new, Interval) else None)


def _of_ranges(old: Interval | None, new: Interval | None, was: float | None, now: float | None) -> Word:
    """Say whether two numbers differ by more than their ranges, lie within each other's, or neither for certain."""
    if old is None or new is None:
        return Word.UNTOLD
    if not _meet(old, new):
        return Word.CHANGED
    if was is not None and now is not None and _holds(new, was) and _holds(old, now):
        return Word.WITHIN
    return Word.UNTOLD


def _meet(old: Interval, new: Interval) -> bool:
    (low, high), (other_low, other_high) = _ends(old), _ends(new)
    return low <= other_high and other_low <= high


def _holds(found: Interval, value: float) -> bool:
    low, high = _ends(found)
    return low <= value <= high


def _ends(found: Interval) -> tuple[float, float]:
    return (
        -math.inf if found.low is None else found.low,
        math.inf if found.high is None else found.high,
    )
