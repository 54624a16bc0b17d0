"""Where files could be read as other runs than they are: a question with its readings, never a guess in silence.

Doubts are of the files as grouped by themselves, so that a question does not change with its answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256

from core.model.metric import Metric
from core.normalise.parts import Part
from core.normalise.regrouping import Regrouping, Step, regrouped


class DoubtKind(StrEnum):
    """Why two readings are possible. Stored: never rename one."""

    FOLDERS = "folders"
    REPEATS = "repeats"
    SETTING = "setting"
    LENGTHS = "lengths"
    FORMATS = "formats"
    AXIS = "axis"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRun:
    """A run as one reading would have it.

    Attributes:
        name: what tells it from the others of the reading, "" where nothing has to.
        loads: of its levels, ascending, once each; those that are known.
        executions: how many measurements the levels were made of.
        requests: sent in all of them, None where a file does not say it.
    """

    name: str
    loads: tuple[float, ...]
    executions: int
    requests: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read the files in doubt.

    Attributes:
        runs: what they become.
        step: the decision that brings it about.
    """

    runs: tuple[ReadingRun, ...]
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """The largest difference at a load that both sides measured: what the readings disagree about.

    Attributes:
        low, high: the two values of the statistic, seconds; `lower` and `higher` are the sides' names.
    """

    load: float
    metric: Metric
    statistic: str
    low: float
    high: float
    lower: str
    higher: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupingDoubt:
    """A question about which levels are one run.

    Attributes:
        kind: why it is asked.
        about: the setting or the lengths in question, "" where the kind says all.
        files: names of the files concerned, sorted.
        levels: keys of the levels concerned, sorted.
        readings: two or more; the first is how the files are read by themselves.
        chosen: the reading that holds now, None where the person did something else with these levels.
        settled: True once a person chose, or did something else.
        contrast: None where no load was measured on both sides.
        ratio: of the mean lengths in question, None for other kinds.
        shared: conditions, settings and mean lengths on which all the levels concerned agree, as (name, value):
            what tells the configuration in question from others.
    """

    kind: DoubtKind
    about: str
    files: tuple[str, ...]
    levels: tuple[str, ...]
    readings: tuple[Reading, ...]
    chosen: int | None = 0
    settled: bool = False
    contrast: Contrast | None = None
    ratio: float | None = None
    shared: tuple[tuple[str, str], ...] = ()

    @property
    def id(self) -> str:
        """A name that lasts as long as the files do, of all that is asked: doubts may share some of their levels."""
        told = [self.kind.value, self.about, *(f"{each.act} {each.by} {' '.join(each.levels)}" for each in self._steps)]
        return f"{self.kind.value}-{sha256(chr(10).join([*told, *self.levels]).encode()).hexdigest()[:16]}"

    @property
    def _steps(self) -> tuple[Step, ...]:
        return tuple(reading.step for reading in self.readings)


def chosen(decided: Regrouping, doubt: GroupingDoubt, reading: int) -> Regrouping:
    """Return the decisions with this doubt settled so, in place of an earlier answer to it."""
    others = tuple(step for step in decided.steps if not _answers(step, doubt))
    return replace(decided, steps=(*others, doubt.readings[reading].step))


def with_state(
    doubt: GroupingDoubt, fresh: Sequence[Part], parts: Sequence[Part], steps: Sequence[Step]
) -> GroupingDoubt:
    """Return a doubt with the reading that holds among `parts`, which `steps` made of `fresh`."""
    concerned = frozenset(doubt.levels)
    now = _partition(parts, concerned)
    readings = [_partition(regrouped(fresh, [each.step]), concerned) for each in doubt.readings]
    holds = readings.index(now) if now in readings else None
    return replace(doubt, chosen=holds, settled=holds != 0 or any(_answers(step, doubt) for step in steps))


def _partition(parts: Iterable[Part], keys: frozenset[str]) -> frozenset[frozenset[str]]:
    return frozenset(inside for part in parts if (inside := keys.intersection(part.keys)))


def _answers(step: Step, doubt: GroupingDoubt) -> bool:
    return step.doubt == doubt.kind.value and not set(step.levels).isdisjoint(doubt.levels)
