"""Whether a scenario can be true: what is stored may be well typed and still say what nobody measured or answered.

Everything that this program reads, answers and saves keeps these rules; what breaks one was changed by something
else. Its numbers would look as good as any, so they are not shown at all. Percentiles out of order are none of this:
files have them, they are found and told of, and what was saved before that was checked still opens.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from itertools import pairwise
from typing import Any

from core.i18n import Text, t
from core.model.answer import Capacity, Cost, Doubt, Interval, LoadPoint, NextMeasurement, RunAnswer
from core.model.price import Price
from core.model.price_bounds import out_of_bounds
from core.model.run import Run
from core.model.scenario import NOTES_CHARS, Scenario
from core.model.stage import Requests, Stage, Statistics

MOST_LEVELS = 100_000
"""Of all runs together; an upload of 2,000 files with a level each is a large one."""

MOST_CHARS = 5 * NOTES_CHARS
"""Of any one text; the longest of ours is a command."""

LABEL_CHARS = 2_000
ID_CHARS = 500
MOST = 1e18
"""No count that a person promises or pays for comes near."""

MOST_SHARE = 1.5
"""Of memory in use, as files say it: some count what is reserved beyond what is there."""

_NEAR = 1e-6
"""Relative dust of sums and divisions."""

_SHARES = ("cache_hit_rate", "memory_used_fraction", "kv_used_fraction")


def untrue(scenario: Scenario) -> Text | None:
    """Return what of a scenario cannot be, None where nothing is seen to be wrong."""
    return next(_wrong(scenario), None)


def _wrong(scenario: Scenario) -> Iterator[Text]:
    yield from _names(scenario)
    if sum(len(run.stages) for run in scenario.runs) > MOST_LEVELS:
        yield t("it holds more than {most} levels", most=MOST_LEVELS)
        return
    if len(scenario.method_version) > ID_CHARS or len(scenario.app_version) > ID_CHARS:
        yield t("its method has no name that can be shown")
    for thing in _parts(scenario):
        if isinstance(thing, str):
            if len(thing) > MOST_CHARS:
                yield t("a text holds more than {most} characters", most=MOST_CHARS)
        elif isinstance(thing, float):
            if not math.isfinite(thing):
                yield t("a number is none")
        elif (rule := _RULES.get(type(thing))) is not None:
            yield from rule(thing)


def _names(scenario: Scenario) -> Iterator[Text]:
    """Runs are told apart by their ids: on the page, in a link, and between an answer and its run."""
    runs = [run.id for run in scenario.runs]
    answered = [answer.run.id for answer in scenario.answers]
    if any(len(set(ids)) < len(ids) for ids in (runs, answered)):
        yield t("two runs have one id")
    if not set(answered) <= set(runs):
        yield t("an answer is of a run that it does not hold")
    if any(not 0 < len(each) <= LABEL_CHARS or not each.isprintable() for each in runs):
        yield t("a run has an id that nothing of ours gives")


def _run(run: Run) -> Iterator[Text]:
    if len(run.label) > LABEL_CHARS:
        yield t("a run has a name of {count} characters", count=len(run.label))
    if run.gpu_busy is not None and not 0.0 < run.gpu_busy <= 1.0 + _NEAR:
        yield _share("gpu_busy")


def _stage(stage: Stage) -> Iterator[Text]:
    yield from _amounts(stage)
    for name in _SHARES[1:]:
        value = getattr(stage, name)
        if value is not None and value > MOST_SHARE:
            yield _share(name)


def _statistics(found: Statistics) -> Iterator[Text]:
    # Values below zero and percentiles out of order come from files too: a finding says so, and the rest is kept.
    if any(not 0.0 <= q <= 1.0 for q in found.quantiles):
        yield t("a percentile is of no share between 0 and 1")


def _answer(answer: RunAnswer) -> Iterator[Text]:
    if len(answer.levels) > len(answer.run.stages):
        yield t("an answer rests on more levels than its run has")
    if any(not level >= 0.0 for level in answer.levels):
        yield _amount("levels")


def _capacity(found: Capacity) -> Iterator[Text]:
    safe, range_ = found.safe, found.concurrency
    if safe is not None and not 0 <= safe <= MOST:
        yield _amount("safe")
    if range_ is None:
        return
    if any(end is not None and not end >= 0.0 for end in (range_.low, range_.mid, range_.high)):
        yield _amount("concurrency")
    if safe is not None and range_.high is not None and safe > range_.high * (1.0 + _NEAR):
        yield t("a safe number lies above its whole range")


def wrong_range(found: Interval) -> Text | None:
    """Return what is wrong with a range, None where nothing is."""
    return next(_interval(found), None)


def _interval(found: Interval) -> Iterator[Text]:
    known = [end for end in (found.low, found.mid, found.high) if end is not None]
    if any(high < low - _NEAR * abs(low) for low, high in pairwise(known)):
        yield t("a range ends before it begins")
    if not 0.0 < found.level < 1.0:
        yield t("a range is of no share between 0 and 1")


def _doubt(doubt: Doubt) -> Iterator[Text]:
    shares = (doubt.noise, doubt.levels, doubt.requests)
    if any(not -_NEAR <= share <= 1.0 + _NEAR for share in shares):
        yield _share("doubt")


def _point(point: LoadPoint) -> Iterator[Text]:
    if not point.at >= 0.0:
        yield _amount("at")
    yield from (_share(name) for name in _SHARES[1:] if (getattr(point, name) or 0.0) > MOST_SHARE)


def _price(price: Price) -> Iterator[Text]:
    if out_of_bounds(price):
        yield _amount("price")


def _amounts(thing: object) -> Iterator[Text]:
    """Counts, loads, rates and times of a measurement are never below zero."""
    for name in _fields(type(thing)):
        value = getattr(thing, name)
        if isinstance(value, int | float) and not isinstance(value, bool) and not value >= 0:
            yield _amount(name)


def _share(name: str) -> Text:
    return t("the share {name} is not between 0 and 1", name=name)


def _amount(name: str) -> Text:
    return t("the number {name} is not one that is measured or answered", name=name)


_RULES: Mapping[type, Callable[[Any], Iterator[Text]]] = {
    Run: _run,
    Stage: _stage,
    Statistics: _statistics,
    RunAnswer: _answer,
    Capacity: _capacity,
    Interval: _interval,
    Doubt: _doubt,
    LoadPoint: _point,
    Cost: _amounts,
    NextMeasurement: _amounts,
    Price: _price,
}


def _parts(thing: object) -> Iterator[object]:
    """Yield everything in a scenario, itself too, but for records: theirs may be unknown, and are many."""
    waiting: list[object] = [thing]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Requests):
            continue
        yield each
        if isinstance(each, tuple | list):
            waiting.extend(each)
        elif isinstance(each, Mapping):
            waiting.extend(each.keys())
            waiting.extend(each.values())
        elif is_dataclass(each) and not isinstance(each, type):
            waiting.extend(getattr(each, name) for name in _fields(type(each)))


def _fields(kind: type) -> Iterable[str]:
    fields: Mapping[str, object] = getattr(kind, "__dataclass_fields__", {})
    return fields
