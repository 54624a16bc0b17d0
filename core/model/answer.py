"""What Plimsoll answers: numbers with their doubt. Meanings: contracts of the command line, docs/method.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.i18n import Text
from core.letters import clean_text, flatten
from core.model.admission import Admission
from core.model.cause import Cause
from core.model.difference import Difference
from core.model.finding import Finding
from core.model.run import Run
from core.model.target import Target
from core.model.traffic import Traffic
from core.model.workload import Verdict, Workload


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
        beyond: where `concurrency` is open above although the highest level misses, or passes within its noise: the
            95 % quantile with the curve continued beyond that level. Not measured, so never shown: chances alone count
            by it how unlikely more is. None where nothing tells, and in what was saved before there was one.
    """

    status: Status
    concurrency: Interval | None
    safe: int | None
    binding: Target | None
    reasons: tuple[str, ...] = ()
    doubt: Doubt | None = None
    supported: Capacity | None = None
    beyond: float | None = None


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
        audio_s_s: seconds of sound per second of the system (requests in flight over their mean RTF); None without RTF.
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
    audio_s_s: Interval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Money at one load. `upper_bound_of_good` is True where tokens outside the limits are counted too.

    `per_request` is money for one answered request inside the limits, None in what was saved before there was one.
    """

    currency: str
    per_hour: float
    per_million_output: Interval | None
    per_million_total: Interval | None
    per_million_weighted_output: Interval | None
    per_million_weighted_input: Interval | None
    upper_bound_of_good: bool = True
    per_request: Interval | None = None

    def __post_init__(self) -> None:
        flatten(self, "currency")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCommand:
    """How one load generator measures one level.

    Attributes:
        tool: the format that its results are read as, such as "vllm_bench".
        version: that the options are written for.
        command: text to paste into a shell, several lines where the tool reads a configuration.
        caution: what may not fit, None where the files record this very version and it was checked.
    """

    tool: str
    version: str
    command: str
    caution: Text | None = None

    def __post_init__(self) -> None:
        flatten(self, "tool", "version")
        object.__setattr__(self, "command", clean_text(self.command))


@dataclass(frozen=True, slots=True, kw_only=True)
class NextMeasurement:
    """The one run that would narrow the answer most.

    Attributes:
        concurrency: requests in flight.
        requests: to send.
        command: of the tool that made the files, None where that is none known here.
        rate: requests/s to ask for where the sweep was sent at rates.
        commands: of every tool known here, first the one that made the files.
        duration_s: about how long it takes, warm-up aside; None where no level tells.
        width_now: upper over lower end of the range; None where the range is open, or not worked out.
        width_after: the same as expected after this run.
    """

    concurrency: float
    requests: int
    why: Text
    command: str | None
    rate: float | None = None
    commands: tuple[ToolCommand, ...] = ()
    duration_s: float | None = None
    width_now: float | None = None
    width_after: float | None = None

    def __post_init__(self) -> None:
        if self.command is not None:
            object.__setattr__(self, "command", clean_text(self.command))


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
class Throughput:
    """The highest rate of the loads measured that keep the targets, where there are any.

    Attributes:
        status: WITHIN where the rate has stopped rising or the targets stop the load; AT_LEAST where it
            still rises at the largest load; BELOW where no load keeps the targets; else CANNOT_TELL.
        rate_name: the rate that is highest there: output_tok_s, total_tok_s or req_s; None where none is known.
        at: load of the highest rate, concurrent requests.
        rate: the highest rate; `high` is None where the status is AT_LEAST.
        point: every fitted value at that load.
        enough: smallest load that reaches `ENOUGH` of the highest rate; None where it still rises.
        limited_by: the target that stops the load before the rate stops rising, None where none does.
        reasons: stable codes of what weakens it (docs/codes.md).
    """

    status: Status
    rate_name: str | None = None
    at: float | None = None
    rate: Interval | None = None
    point: LoadPoint | None = None
    enough: Interval | None = None
    limited_by: Target | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAnswer:
    """How long a job takes at the load of the highest rate.

    Attributes:
        completion_s: seconds, None where it cannot be told.
        deadline: whether it is done in time, None where there is no deadline.
        cost: money for the whole job, None where no price or no time is known. currency: its label.
        reasons: stable codes (docs/codes.md).
    """

    completion_s: Interval | None
    deadline: Verdict | None = None
    cost: Interval | None = None
    currency: str | None = None
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        flatten(self, "currency")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchAnswer:
    """What leads for a batch workload: the highest rate, the job, and what tokens cost at that load."""

    throughput: Throughput
    job: JobAnswer | None = None
    cost: Cost | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficAnswer:
    """The answer for the service's own traffic, which is not the one that was measured (docs/traffic.md).

    Attributes:
        differences: every condition that the run or the service states, side by side.
        capacity: the mean number in flight that is carried, all targets together; `mid` may be None.
        widened: share of the range's variance (squared ln width) that the difference adds, None where open.
        next_measurement: the level to measure with the service's own requests, None where nothing differs.
    """

    traffic: Traffic
    differences: tuple[Difference, ...]
    capacity: Capacity
    per_target: tuple[TargetAnswer, ...]
    widened: float | None = None
    findings: tuple[Finding, ...] = ()
    next_measurement: NextMeasurement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAnswer:
    """Everything that is said about one run.

    Attributes:
        for_traffic: the answer for the service's own traffic, None where nothing is said of it.
        workload: what it was asked for, None where nobody said. batch: of a batch workload only.
        admission: the limit to configure; None in what was saved before there was one.
        sensitivity: one for each target whose limit can be moved; empty where nobody asked for it.
        cause: what stops it; None without targets, and in what was saved before there was one.
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
    workload: Workload | None = None
    batch: BatchAnswer | None = None
    for_traffic: TrafficAnswer | None = None
    cause: Cause | None = None
