"""What two scenarios differ in: the inputs that a person set, and the answers that came of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from core.model.answer import RunAnswer

Value = str | int | float | bool | None


class Aspect(StrEnum):
    """What kind of input a change is about. Printed: never rename one."""

    NAME = "name"
    NOTES = "notes"
    RUN = "run"
    RUN_NAME = "run_name"
    FILE = "file"
    FILE_NAME = "file_name"
    CONDITION = "condition"
    BY_HAND = "by_hand"
    LEVEL = "level"
    EXCLUDED = "excluded"
    NUMBERS = "numbers"
    GPU_BUSY = "gpu_busy"
    MEMORY = "memory"
    READING = "reading"
    TARGET = "target"
    PRICE = "price"
    COUNT = "count"
    THINK_TIME = "think_time"
    TRAFFIC = "traffic"
    WORKLOAD = "workload"
    DEMAND = "demand"
    FLEET = "fleet"
    ACCEPTED = "accepted"
    STUDY = "study"
    COLUMN = "column"
    CELL = "cell"
    ORDER = "order"
    VERSION = "version"


ASKED = frozenset(
    {
        Aspect.TARGET,
        Aspect.PRICE,
        Aspect.COUNT,
        Aspect.THINK_TIME,
        Aspect.TRAFFIC,
        Aspect.WORKLOAD,
        Aspect.DEMAND,
        Aspect.FLEET,
    }
)
"""Inputs that are part of the question."""

_BESIDE = frozenset(
    {
        Aspect.NAME,
        Aspect.NOTES,
        Aspect.RUN_NAME,
        Aspect.ACCEPTED,
        Aspect.STUDY,
        Aspect.COLUMN,
        Aspect.CELL,
        Aspect.ORDER,
    }
)
"""Inputs that no answer depends on."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a run is called on both sides; None where it is not there."""

    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One input that differs.

    Attributes:
        about: what kind of input.
        name: which of its kind: a file, a condition's field, a target such as "ttft p99", a column; "" where
            there is one only.
        run: whose input it is, None where it is the whole scenario's.
        at: load of the level that it is about.
        before, after: as the model holds them, in its units (a limit in seconds); None is "not there".
    """

    about: Aspect
    name: str = ""
    run: Names | None = None
    at: float | None = None
    before: Value = None
    after: Value = None

    @property
    def swapped(self) -> Change:
        """The same change the other way round."""
        run = self.run and Names(self.run.after, self.run.before)
        return replace(self, run=run, before=self.after, after=self.before)


class Word(StrEnum):
    """How sure it is that a number of an answer changed. Printed: never rename one.

    WITHIN: each lies within the other's range, so that both may be the same. UNTOLD: the ranges meet, or one is not
    known. CHANGED: the ranges do not meet, or what changed is no number, or counts in another unit.
    ADDED and REMOVED: only one side has it.
    """

    SAME = "same"
    WITHIN = "within_the_doubt"
    CHANGED = "changed"
    UNTOLD = "cannot_tell"
    ADDED = "added"
    REMOVED = "removed"

    @property
    def swapped(self) -> Word:
        """The word for the same change the other way round."""
        return {Word.ADDED: Word.REMOVED, Word.REMOVED: Word.ADDED}.get(self, self)


class Part(StrEnum):
    """A part of an answer that is compared. Printed: never rename one."""

    STATUS = "status"
    SAFE = "safe"
    ESTIMATE = "estimate"
    BINDING = "binding"
    COST = "cost"
    TRAFFIC_SAFE = "traffic_safe"
    TRAFFIC_ESTIMATE = "traffic_estimate"
    RATE = "highest_rate"
    JOB_TIME = "job_time"
    JOB_COST = "job_cost"
    DEADLINE = "deadline"
    REST = "rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChange:
    """The answers for one run on both sides, with a word for each part that either of them has.

    Attributes:
        before, after: None where that side has no such run.
    """

    run: Names
    before: RunAnswer | None
    after: RunAnswer | None
    words: Mapping[Part, Word] = field(default_factory=dict)

    @property
    def swapped(self) -> AnswerChange:
        """The same change the other way round."""
        return AnswerChange(
            run=Names(self.run.after, self.run.before),
            before=self.after,
            after=self.before,
            words={part: word.swapped for part, word in self.words.items()},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Everything that two scenarios differ in.

    Attributes:
        inputs: what a person set, read or uploaded, and what answered it.
        answers: of each run whose answer is not the same.
    """

    inputs: tuple[Change, ...] = ()
    answers: tuple[AnswerChange, ...] = ()

    @property
    def empty(self) -> bool:
        """True where both say the same."""
        return not self.inputs and not self.answers

    @property
    def asked_otherwise(self) -> bool:
        """True where the same measurements answer another question: then no noise lies between the two answers."""
        about = {change.about for change in self.inputs}
        return bool(about & ASKED) and about <= ASKED | _BESIDE
