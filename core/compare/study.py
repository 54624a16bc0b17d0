"""One change, measured before and after it: what moved beyond noise, and the verdict on the target.

The walk is target, profile, layer changed, remeasure, verdict. Levels are compared at one load that both runs have;
capacities by the chance that the run after leads. Conditions that the change is not about have to match.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.compare.belief import belief_of
from core.compare.compare import LEADS_FROM
from core.compare.conditions import Line, State, matrix_of
from core.compare.lead import Lead, leads
from core.compare.measures import Evidence, Judged, Measure, evidence_of, promised
from core.compare.shared import together_of
from core.model.answer import RunAnswer
from core.model.compared import Layer, Study
from core.model.counted import counted_run
from core.model.price import Price
from core.model.run import Kind, Run
from core.model.stage import Stage

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
        quality_untold: precision or verification changed, or may have, and no quality result says what that did.
        unsaid: of these, conditions that one run says and the other does not.
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
    unsaid: tuple[str, ...] = ()

    @property
    def simulated(self) -> tuple[str, ...]:
        """Return which of "before" and "after" nobody measured: no verdict rests on a measurement then."""
        sides = (("before", self.before), ("after", self.after))
        return tuple(name for name, answer in sides if answer.run.kind is Kind.SIMULATED)


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
        for measure in dict.fromkeys((*promised(before, stages), *wanted, *USUAL))
        if (each := evidence_of(measure, before, after, stages, study, price)) and _applies(each, wanted)
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
        unsaid=matrix.unsaid,
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
