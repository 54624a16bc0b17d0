"""One change, measured before and after it: what moved beyond noise, and the verdict on the target.

The walk is target, profile, layer changed, remeasure, verdict. Levels are compared at one load that both runs have;
capacities by the chance that the run after leads. Conditions that the change is not about have to match.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.compare.belief import belief_of
from core.compare.compare import LEADS_FROM
from core.compare.conditions import Line, State, matrix_of
from core.compare.lead import Lead, leads
from core.compare.quantity import counted
from core.compare.shared import HOST, together_of
from core.fit.noise import relative_error
from core.model.answer import Interval, RunAnswer
from core.model.compared import Layer, Study
from core.model.counted import counted_run
from core.model.metric import Metric, fraction
from core.model.price import Price
from core.model.run import Run
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


HIGHER = frozenset({Measure.THROUGHPUT, Measure.HIT_RATE})

LAYER_FIELDS: dict[Layer, frozenset[str]] = {
    Layer.MODEL: frozenset({"model", "model_revision", "precision", "kv_precision", "quality"}),
    Layer.ENGINE: frozenset({"engine", "engine_version", "graph_replay"}),
    Layer.BATCHING: frozenset({"max_num_seqs"}),
    Layer.KERNELS: frozenset({"graph_replay", "engine_version"}),
    Layer.CACHE: frozenset({"cache_hit_rate"}),
    Layer.ROUTING: frozenset({"cache_hit_rate"}),
    Layer.PARALLELISM: frozenset({"tp", "pp", "ep", "dp", "replicas", "accelerator_count"}),
    Layer.DISAGGREGATION: frozenset(
        {"serving_mode", "prefill_accelerators", "decode_accelerators"}
        | {"accelerator_count", "replicas", "tp", "dp", "ep"}
    ),
    Layer.SPECULATION: frozenset({"speculation", "proposer", "acceptance_length", "verification", "quality"}),
    Layer.HARDWARE: frozenset(
        {"accelerator", "accelerator_count", "accelerator_memory_gb", "interconnect", "measured_at"}
    ),
    Layer.NETWORK: frozenset({"network", "interconnect"}),
}
"""Conditions that a change of a layer is about: they may differ, and are named with the verdict."""

TOGETHER: dict[Layer, tuple[Measure, ...]] = {
    Layer.ROUTING: (Measure.HIT_RATE, Measure.WORKER_LOAD, Measure.TTFT, Measure.ITL),
    Layer.DISAGGREGATION: (Measure.TTFT, Measure.ITL, Measure.THROUGHPUT, Measure.KV_TRANSFER),
}
"""What a change of a layer is judged on together: one of them unknown, and the verdict is "cannot tell"."""

USUAL = (Measure.RTF, Measure.TTFT, Measure.ITL, Measure.THROUGHPUT)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a study comes to.

    Attributes:
        load: concurrent requests at which levels are compared, None where both runs share no such level.
        rate: requests/s sent, where both were sent requests at a rate: what is in flight then differs, and is a result.
        evidence: one row for each measure that applies.
        chance: that the run after carries more within the targets.
        capacity: which way the capacity went.
        verdict: on the change as a whole. missing: measures that it needs and nobody knows.
        changed: conditions that the change is about and that differ. disturbing: others that differ or are unknown.
        beside: others that differ and may stand: what moved may be of theirs.
        quality_untold: precision or verification changed and no quality result says what that did.
    """

    before: RunAnswer
    after: RunAnswer
    layer: Layer | None
    load: float | None
    rate: float | None
    evidence: tuple[Evidence, ...]
    chance: Lead
    capacity: Judged
    verdict: Judged
    missing: tuple[Measure, ...] = ()
    changed: tuple[Line, ...] = ()
    disturbing: tuple[Line, ...] = ()
    beside: tuple[Line, ...] = ()
    quality_untold: bool = False


def studied(
    before: RunAnswer, after: RunAnswer, study: Study, price: Price | None = None, accepted: Collection[str] = ()
) -> Finding:
    """Return what one change did.

    Args:
        before: answer to the targets.
        after: answer to the same targets.
        study: the layer, times to move the KV cache, and loads of workers where the files do not tell them.
        price: tells how many accelerators are paid for where the files do not.
        accepted: conditions that may differ or be unknown.
    """
    matrix = matrix_of([counted_run(each.run, price) for each in (before, after)], accepted)
    about = LAYER_FIELDS[study.layer] if study.layer else frozenset[str]()
    changed = tuple(line for line in matrix.lines if line.field in about and line.state is State.DIFFERENT)
    disturbing = tuple(line for line in matrix.lines if _disturbs(line, about, study.layer))
    stages = _shared_level(before, after)
    wanted = TOGETHER.get(study.layer, ()) if study.layer else ()
    evidence = tuple(
        each
        for measure in dict.fromkeys((*wanted, *USUAL))
        if (each := _evidence(measure, before, after, stages, study, price)) and _applies(each, wanted)
    )
    pair = (after, before)
    chance, _ = leads([belief_of(each.capacity) for each in pair], [together_of(each) for each in pair])
    capacity = _of_chance(chance)
    missing = tuple(each.measure for each in evidence if each.measure in wanted and each.judged is Judged.CANNOT_TELL)
    judged = [each.judged for each in evidence if each.measure in wanted] if wanted else [capacity]
    unsure = bool(missing or disturbing) or matrix.quality_untold or study.layer is None
    return Finding(
        before=before,
        after=after,
        layer=study.layer,
        load=stages[0].load if stages and not _sent(stages[0]) else None,
        rate=_sent(stages[0]) if stages else None,
        evidence=evidence,
        chance=chance,
        capacity=capacity,
        verdict=Judged.CANNOT_TELL if unsure else _together(judged),
        missing=missing,
        changed=changed,
        disturbing=disturbing,
        beside=tuple(
            line for line in matrix.lines if line.accepted and line.field not in about and line.state is State.DIFFERENT
        ),
        quality_untold=matrix.quality_untold,
    )


def _disturbs(line: Line, about: Collection[str], layer: Layer | None) -> bool:
    """Return True where a condition keeps a verdict from being said.

    Prefill and decode apart send the KV cache over the network: another one, or an unknown one, cannot stand there.
    """
    if layer is Layer.DISAGGREGATION and line.field == "network":
        return line.state is not State.EQUAL
    return line.is_open and line.field not in about


def _applies(each: Evidence, wanted: Sequence[Measure]) -> bool:
    return each.measure in wanted or each.before is not None or each.after is not None


def _shared_level(before: RunAnswer, after: RunAnswer) -> tuple[Stage, Stage] | None:
    """Return the levels of both runs under one demand: the largest that both promise, else the smallest they share.

    The demand is what the load generator was told: requests in flight, or requests/s where it sent them at a rate.
    """
    found = [
        {_demand(s): s for s in a.run.stages if s.load is not None and s.excluded is None} for a in (before, after)
    ]
    common = sorted(set(found[0]) & set(found[1]))
    if not common:
        return None
    within = [at for at in common if _promised(before, found[0][at]) and _promised(after, found[1][at])]
    at = within[-1] if within else common[0]
    return found[0][at], found[1][at]


def _demand(stage: Stage) -> tuple[bool, float]:
    """Return whether a level was sent requests at a rate, and that rate or its load: levels with the same are alike."""
    sent = _sent(stage)
    return sent is not None, sent or stage.load or 0.0


def _sent(stage: Stage) -> float | None:
    return stage.asked_rate if stage.open_loop else None


def _promised(answer: RunAnswer, stage: Stage) -> bool:
    return not answer.capacity.safe or (stage.load or 0.0) <= answer.capacity.safe


def _evidence(
    measure: Measure,
    before: RunAnswer,
    after: RunAnswer,
    stages: tuple[Stage, Stage] | None,
    study: Study,
    price: Price | None,
) -> Evidence:
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
    metrics = {Measure.RTF: (Metric.RTF,), Measure.TTFT: (Metric.TTFT,), Measure.ITL: (Metric.ITL, Metric.TPOT)}.get(
        measure, ()
    )
    if not metrics or stages is None:
        return (metrics[0] if metrics else None), ""
    for metric in metrics:
        asked = [each.target.statistic for each in before.per_target if each.target.metric is metric]
        for statistic in (*asked, "p99", "p95", "p90", "p50", "mean"):
            if all(stage.value(metric, statistic) is not None for stage in stages):
                return metric, statistic
    return metrics[0], ""


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


def _of_chance(chance: Lead) -> Judged:
    if chance.low >= LEADS_FROM:
        return Judged.BETTER
    return Judged.WORSE if chance.high <= 1.0 - LEADS_FROM else Judged.CANNOT_TELL


def _together(judged: Sequence[Judged]) -> Judged:
    """Return the verdict of several measures: better only where none is worse."""
    if Judged.CANNOT_TELL in judged:
        return Judged.CANNOT_TELL
    if Judged.BETTER in judged and Judged.WORSE in judged:
        return Judged.MIXED
    return next((each for each in (Judged.BETTER, Judged.WORSE) if each in judged), Judged.SAME)


def sources_of(run: Run) -> tuple[str, ...]:
    """Return the names of the files that a run rests on."""
    return tuple(file.name for file in run.files)
