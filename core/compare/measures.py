"""What a study looks at before and after a change: each measure of two levels, its change, and which way it went."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from core.compare.quantity import counted
from core.compare.shared import HOST
from core.decide.single import as_latency
from core.fit.noise import relative_error
from core.model.answer import Interval, RunAnswer
from core.model.compared import Study
from core.model.metric import Metric, fraction
from core.model.price import Price
from core.model.stage import Stage

BEYOND = 1.6448536269514722
"""Standard errors beyond which a level moved: the rule of every other answer."""

EVEN = 0.05
"""A load per worker, or a hit rate, that moves by less than this share of itself, did not move."""


class Measure(StrEnum):
    """What is looked at before and after. Printed: never rename one."""

    RTF = "rtf"
    TTFT = "ttft"
    ITL = "itl"
    TPOT = "tpot"
    E2E = "e2e"
    QUEUE = "queue"
    THROUGHPUT = "throughput_per_accelerator"
    HIT_RATE = "hit_rate"
    WORKER_LOAD = "worker_load"
    KV_TRANSFER = "kv_transfer"


class Judged(StrEnum):
    """Which way something went. Printed: never rename one."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same_within_noise"
    MIXED = "mixed"
    CANNOT_TELL = "cannot_tell"


METRICS: dict[Measure, tuple[Metric, ...]] = {
    Measure.RTF: (Metric.RTF,),
    Measure.TTFT: (Metric.TTFT,),
    Measure.ITL: (Metric.ITL, Metric.TPOT),
    Measure.TPOT: (Metric.TPOT,),
    Measure.E2E: (Metric.E2E,),
    Measure.QUEUE: (Metric.QUEUE,),
}
"""Metrics that a measure may be read from, the first that both levels hold."""

HIGHER = frozenset({Measure.THROUGHPUT, Measure.HIT_RATE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One measure before and after.

    Attributes:
        statistic: of a latency, such as "p99"; "" for others. metric: behind it, None for others.
        before, after: seconds, ratios or tokens/s; None is unknown.
        change: after over before with its 90 % range, None where either is unknown or 0.
    """

    measure: Measure
    statistic: str
    metric: Metric | None
    before: float | None
    after: float | None
    change: Interval | None
    judged: Judged

    @property
    def stands_in(self) -> bool:
        """Return True where TPOT is shown since both levels share no ITL: a mean over each request, not each gap."""
        return self.measure is Measure.ITL and self.metric is Metric.TPOT


def evidence_of(
    measure: Measure,
    before: RunAnswer,
    after: RunAnswer,
    stages: tuple[Stage, Stage] | None,
    study: Study,
    price: Price | None,
) -> Evidence:
    """Return one measure of both runs at the levels that they share, None where there are none."""
    metric, statistic = _statistic(measure, before, stages)
    values: list[float | None] = [None, None]
    error = HOST * math.sqrt(2.0)
    for place, answer in enumerate((before, after)):
        stage = stages[place] if stages else None
        values[place], own = _value(measure, metric, statistic, answer, stage, study, price)
        error = math.hypot(error, own)
    old, new = values
    change = None
    if old and new:
        mid = new / old
        change = Interval(low=mid * math.exp(-BEYOND * error), mid=mid, high=mid * math.exp(BEYOND * error))
    return Evidence(
        measure=measure,
        statistic=statistic,
        metric=metric,
        before=old,
        after=new,
        change=change,
        judged=_judged(measure, old, new, change),
    )


def _statistic(measure: Measure, before: RunAnswer, stages: tuple[Stage, Stage] | None) -> tuple[Metric | None, str]:
    """Return the statistic that is promised, else the highest quantile that both levels hold, else the mean."""
    metrics = METRICS.get(measure, ())
    if not metrics or stages is None:
        return (metrics[0] if metrics else None), ""
    limits = [as_latency(each.target) for each in before.per_target]
    for metric in metrics:
        asked = [limit.statistic for limit in limits if limit.metric is metric]
        for statistic in (*asked, *_STATISTICS):
            if all(stage.value(metric, statistic) is not None for stage in stages):
                return metric, statistic
    return metrics[0], ""


_STATISTICS = ("p99", "p95", "p90", "p50", "mean")


def promised(before: RunAnswer, stages: tuple[Stage, Stage] | None) -> tuple[Measure, ...]:
    """Return the measures that the targets are about, in their order: what was promised is looked at first.

    A promise of TPOT is looked at as ITL where both levels share no ITL: there TPOT stands in for it anyway.
    """
    found = []
    for each in before.per_target:
        metric = as_latency(each.target).metric
        if metric is Metric.TPOT and not _shares(Metric.ITL, stages):
            metric = Metric.ITL
        found += [measure for measure, metrics in METRICS.items() if metrics[0] is metric]
    return tuple(dict.fromkeys(found))


def _shares(metric: Metric, stages: tuple[Stage, Stage] | None) -> bool:
    """Return whether both levels hold one and the same statistic of a metric."""
    return stages is not None and any(
        all(stage.value(metric, statistic) is not None for stage in stages) for statistic in _STATISTICS
    )


def _value(
    measure: Measure,
    metric: Metric | None,
    statistic: str,
    answer: RunAnswer,
    stage: Stage | None,
    study: Study,
    price: Price | None,
) -> tuple[float | None, float]:
    """Return the value of one run and its relative standard error beside that of a run."""
    if measure is Measure.KV_TRANSFER:
        aggregated = answer.run.conditions.serving_mode == "aggregated"
        return (0.0 if aggregated else study.kv_transfer(answer.run.id)), 0.0
    if measure is Measure.HIT_RATE:
        found = stage.cache_hit_rate if stage and stage.cache_hit_rate is not None else None
        return (answer.run.conditions.cache_hit_rate if found is None else found), 0.0
    if measure is Measure.WORKER_LOAD:
        return _uneven((stage.active_load_by_worker if stage else None) or study.workers(answer.run.id)), 0.0
    if stage is None:
        return None, 0.0
    if measure is Measure.THROUGHPUT:
        count = counted(answer, price)
        return (stage.output_tok_s / count if stage.output_tok_s and count else None), 0.0
    if metric is None or not statistic:
        return None, 0.0
    own = stage.statistics.get(metric)
    n = (own.n if own else None) or stage.requests_good
    return stage.value(metric, statistic), relative_error(own, fraction(statistic), n) if own and n else 0.0


def _uneven(loads: tuple[float, ...] | None) -> float | None:
    """Return the busiest worker's load over the mean of all: 1 is even."""
    if not loads or not sum(loads) > 0.0:
        return None
    return max(loads) * len(loads) / sum(loads)


def _judged(measure: Measure, old: float | None, new: float | None, change: Interval | None) -> Judged:
    if old is None or new is None:
        return Judged.CANNOT_TELL
    if measure is Measure.KV_TRANSFER:
        # A time that comes with the change is shown; the latencies already hold it.
        return Judged.SAME
    if measure in (Measure.HIT_RATE, Measure.WORKER_LOAD):
        if abs(new - old) <= EVEN * max(abs(old), abs(new)):
            return Judged.SAME
        return Judged.BETTER if (new > old) == (measure in HIGHER) else Judged.WORSE
    if change is None or change.low is None or change.high is None:
        return Judged.CANNOT_TELL
    if change.low <= 1.0 <= change.high:
        return Judged.SAME
    return Judged.BETTER if (change.low > 1.0) == (measure in HIGHER) else Judged.WORSE
