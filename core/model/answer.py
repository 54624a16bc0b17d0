"""What Plimsoll answers: numbers with their doubt. Meanings: contracts of the command line, docs/method.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.i18n import Text
from core.model.admission import Admission
from core.model.finding import Finding
from core.model.run import Run
from core.model.target import Target


class Status(StrEnum):
    """Where the crossing lies. Stored and printed: never rename one."""

    WITHIN = "within"
    AT_LEAST = "at_least"
    BELOW = "below"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """low and high are the 5 % and 95 % quantiles at level 0.9; None is open or unknown."""

    low: float | None
    mid: float | None
    high: float | None
    level: float = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Shares of the interval's variance by cause; they sum to 1."""

    noise: float
    levels: float
    requests: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """How many concurrent requests are carried within one target or all of them.

    Attributes:
        concurrency: the range; None where status is cannot_tell and no bracket is known.
        safe: whole number to promise (one chance in ten that it is too much),
            None where status is below or cannot_tell.
        binding: the target that stops it.
        reasons: stable codes of what weakens the answer (docs/codes.md).
        doubt: None where there is no interval.
        supported: answer of the highest quantile of the same metric that can be told,
            with its target as `binding`; only beside a quantile that cannot be told.
    """

    status: Status
    concurrency: Interval | None
    safe: int | None
    binding: Target | None
    reasons: tuple[str, ...] = ()
    doubt: Doubt | None = None
    supported: Capacity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetAnswer:
    """One target of the set and its own capacity."""

    target: Target
    capacity: Capacity


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadPoint:
    """Fitted values at one load.

    Attributes:
        at: concurrent requests.
        output_tok_s, total_tok_s, req_s: of the system. tok_s_user: 1 / mean tpot.
        metrics: interval by "metric statistic", such as "ttft p99", of every target.
        memory_used_fraction, kv_used_fraction: where the files record them, else None.
    """

    at: float
    output_tok_s: Interval | None = None
    total_tok_s: Interval | None = None
    req_s: Interval | None = None
    tok_s_user: Interval | None = None
    input_tok_s: Interval | None = None
    metrics: Mapping[str, Interval] = field(default_factory=dict)
    memory_used_fraction: float | None = None
    kv_used_fraction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Money at one load. `upper_bound_of_good` is True where tokens outside the limits are counted too."""

    currency: str
    per_hour: float
    per_million_output: Interval | None
    per_million_total: Interval | None
    per_million_weighted_output: Interval | None
    per_million_weighted_input: Interval | None
    upper_bound_of_good: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMeasurement:
    """The one run that would narrow the answer most; `rate` (requests/s) where the sweep was sent at rates."""

    concurrency: float
    requests: int
    why: Text
    command: str | None
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What is carried at one limit: the numbers of a `Capacity` without their reasons.

    Attributes:
        binding: the target that stops it there.
    """

    status: Status
    concurrency: Interval | None
    safe: int | None
    binding: Target | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One point of a sensitivity: a limit of one target, what that target allows alone, and what the whole set does."""

    limit: float
    alone: Reach
    whole: Reach


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxed:
    """What a looser limit is worth to the whole set.

    Attributes:
        factor: how much looser, 1.1 is ten per cent. limit: the limit then, in the target's unit.
        whole: what the set carries then.
        more_safe: requests that may be promised beyond today's, None where either number is not known.
        more: by how much the estimate grows, with its range; an open end is None.
        cost: money per million output tokens at the safe number then, None where not known.
    """

    factor: float
    limit: float
    whole: Reach
    more_safe: int | None
    more: Interval | None
    cost: Interval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """Capacity as one limit of the set moves and the others stay.

    Attributes:
        steps: by rising capacity: ascending limits, descending ones for floors.
        relaxed: the limit made looser by fixed factors.
        lowest: tightest limit that the smallest level meets; tighter ones are below what was measured.
        at_least_from: limit from which this target allows all loads measured, None where no limit is known to.
        free_from: limit from which another target stops the set, None where none does.
        then: the target that stops it from there.
    """

    target: Target
    steps: tuple[Step, ...]
    relaxed: tuple[Relaxed, ...] = ()
    lowest: float | None = None
    at_least_from: float | None = None
    free_from: float | None = None
    then: Target | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAnswer:
    """Everything that is said about one run.

    Attributes:
        admission: the limit to configure; None in what was saved before there was one.
        sensitivity: one for each target whose limit can be moved; empty where nobody asked for it.
    """

    run: Run
    levels: tuple[float, ...]
    findings: tuple[Finding, ...]
    capacity: Capacity
    per_target: tuple[TargetAnswer, ...]
    at_capacity: LoadPoint | None
    at_estimate: LoadPoint | None
    cost: Cost | None
    cost_at_estimate: Cost | None
    next_measurement: NextMeasurement | None
    sensitivity: tuple[Sensitivity, ...] = ()
    admission: Admission | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A file that was not used, and why."""

    file: str
    code: str
    what: Text
    fix: Text
    line: int | None = None
    field: str | None = None
