"""What stops a run: a cause with its evidence, or "cannot tell" with what is still possible (docs/causes.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.decide import evidence_text as say
from core.decide.client import client_sign
from core.decide.decide import Decision
from core.decide.relief import Relief, read_together, relief_of
from core.decide.signs import Signs, signs_at
from core.decide.single import as_latency
from core.fit.fit import Fit
from core.model.answer import Capacity, Status
from core.model.cause import Cause, CauseKind, Confidence, Sign
from core.model.metric import Metric
from core.model.run import Run
from core.model.target import Target

CLEAR = 0.55
"""Distance of the first cause from the second, in shares of what relief gains, from which on it is clear."""

LIKELY = 0.25
"""The same for "likely"; nearer ones cannot be told apart."""

NEAR_KNEE, MOSTLY_PROMPTS = 0.9, 0.5
"""From this share of the knee on bursts wait for a place; not where prompts take more than this share of the time."""

FULL_CACHE, ROOMY_CACHE = 0.85, 0.6
"""Share of the KV cache in use from which memory is the limit, and up to which it is not."""

AT_LIMIT, FAR_FROM_LIMIT = 0.85, 0.7
"""Knee over `max_num_seqs` from which that limit explains it, and up to which it does not."""

RATE_FALLS, TAIL_GROWS = 0.15, 1.3
"""Requests that are evicted and computed again: throughput lost beyond the knee, tail of TPOT grown."""

Shares = Mapping[CauseKind, float]


def cause_of(run: Run, fit: Fit, decision: Decision) -> Cause | None:
    """Return what stops a run where its target is reached.

    Args:
        run: its levels that are kept out tell of the load generator; `gpu_busy` is read too.
        fit: the same run, fitted.
        decision: the answer whose cause is wanted.

    Returns:
        None where there is no level to read.
    """
    if not fit.levels:
        return None
    capacity = decision.capacity
    load = load_of(capacity, fit)
    client = client_sign(run, load, stopped=capacity.status is not Status.AT_LEAST)
    if client:
        return Cause(kind=CauseKind.CLIENT, confidence=Confidence.CLEAR, at=load, evidence=(client,))
    if capacity.status is Status.AT_LEAST:
        return _untold(load, (say.nothing_missed(load),))
    target = _binding(capacity)
    signs = signs_at(fit, load, run.gpu_busy, apart=reads_apart(run))
    if not signs.idle:
        return _untold(load, (say.no_idle_level(signs),))
    if target and as_latency(target).metric is not Metric.TTFT and not signs.waiting_s and read_together(signs):
        return _untold(load, (say.prompts_together(signs),))
    if target and as_latency(target).metric is Metric.TTFT and _nears_knee(signs):
        both = (CauseKind.PREFILL, CauseKind.QUEUE_OR_KV_MEMORY)
        return replace(_untold(load, (say.near_knee(signs),)), also_possible=both)
    relief = relief_of(signs, as_latency(target)) if target else None
    if target is None or relief is None:
        return _untold(load, (say.too_little(),))
    found = _told(signs, relief, as_latency(target))
    guessed = capacity.status is Status.CANNOT_TELL and not _is_known(capacity)
    return replace(found, confidence=Confidence.LIKELY) if guessed and found.confidence is Confidence.CLEAR else found


def load_of(capacity: Capacity, fit: Fit) -> float:
    """Return the load that a cause is read at: the estimate, else what is known of it, inside the levels."""
    found = capacity.concurrency
    if (found is None or (found.mid or found.low or found.high) is None) and capacity.supported:
        found = capacity.supported.concurrency
    known = (found.mid or found.high or found.low) if found else None
    return min(max(known or fit.levels[-1], fit.levels[0]), fit.levels[-1])


def _nears_knee(signs: Signs) -> bool:
    """Return True where a first token may wait for prompts or, in bursts, for a place already."""
    knee, prompts = signs.knee, signs.prefill_share or 0.0
    return knee is not None and NEAR_KNEE * knee <= signs.load < knee and prompts < MOSTLY_PROMPTS


def reads_apart(run: Run) -> bool:
    """Return True where prompts are read on accelerators of their own."""
    known = run.conditions
    return known.prefill_accelerators is not None or "disagg" in (known.serving_mode or "").lower()


def _is_known(capacity: Capacity) -> bool:
    """Return True where some load is known that the limit lies at or beside."""
    found = [capacity.concurrency, capacity.supported.concurrency if capacity.supported else None]
    return any(each and (each.mid or each.low or each.high) for each in found)


def _binding(capacity: Capacity) -> Target | None:
    return (capacity.supported.binding if capacity.supported else None) or capacity.binding


def _told(signs: Signs, relief: Relief, target: Target) -> Cause:
    """Name the first cause where it is far enough from the second."""
    shares = _shares(signs, relief, target)
    (first, most), (second, next_most) = sorted(shares.items(), key=lambda pair: -pair[1])[:2]
    evidence = say.evidence(signs, relief, target)
    margin = most - next_most
    if margin < LIKELY:
        return replace(_untold(signs.load, evidence), also_possible=(first, second))
    sure = Confidence.CLEAR if margin >= CLEAR else Confidence.LIKELY
    found = Cause(kind=first, confidence=sure, at=signs.load, evidence=evidence)
    if first is CauseKind.QUEUE_OR_KV_MEMORY:
        return _places(signs, found)
    if margin < CLEAR:
        found = replace(found, also_possible=(second,))
    return found


def _shares(signs: Signs, relief: Relief, target: Target) -> dict[CauseKind, float]:
    """Split what is not waiting by the profile where there is one: what an idle accelerator waits for is the host."""
    busy = signs.gpu_busy
    if busy is None:
        return {
            CauseKind.QUEUE_OR_KV_MEMORY: relief.places,
            CauseKind.PREFILL: relief.prefill,
            CauseKind.BANDWIDTH_OR_LAUNCH: relief.decode,
        }
    # First tokens wait for bursts of prompts, of which a profile of the steady load says nothing.
    prompts = relief.prefill if target.metric is Metric.TTFT else relief.prefill * busy
    return {
        CauseKind.QUEUE_OR_KV_MEMORY: relief.places,
        CauseKind.PREFILL: prompts,
        CauseKind.BANDWIDTH: relief.decode * busy,
        CauseKind.LAUNCH: relief.decode * (1.0 - busy) + relief.prefill - prompts,
    }


def _places(signs: Signs, found: Cause) -> Cause:
    """Say which limit keeps requests waiting: the number of places or the memory, where something tells."""
    told = _limit(signs)
    if told is None:
        return replace(found, kind=CauseKind.QUEUE_OR_KV_MEMORY, evidence=_second(found.evidence, say.either_limit()))
    kind, sign, sure = told
    other = CauseKind.KV_MEMORY if kind is CauseKind.QUEUE else CauseKind.QUEUE
    confidence = found.confidence if sure else Confidence.LIKELY
    return replace(
        found,
        kind=kind,
        confidence=confidence,
        evidence=_second(found.evidence, sign),
        also_possible=() if sure else (other,),
    )


def _second(evidence: tuple[Sign, ...], sign: Sign) -> tuple[Sign, ...]:
    """Put a sign behind the first one: the wait, then what it is for."""
    return (*evidence[:1], sign, *evidence[1:])


def _limit(signs: Signs) -> tuple[CauseKind, Sign, bool] | None:
    """Return which of the two it is, what shows it, and whether that is direct evidence."""
    if signs.kv_used is not None and signs.kv_used >= FULL_CACHE:
        return CauseKind.KV_MEMORY, say.cache_used(signs.kv_used), True
    limit = signs.max_num_seqs
    near = (signs.knee or 0.0) / limit if limit else None
    if near is not None and near >= AT_LIMIT:
        return CauseKind.QUEUE, say.knee_at_limit(signs), True
    if near is not None and near <= FAR_FROM_LIMIT:
        return CauseKind.KV_MEMORY, say.knee_below_limit(signs), True
    if signs.kv_used is not None and signs.kv_used <= ROOMY_CACHE:
        return CauseKind.QUEUE, say.cache_used(signs.kv_used), True
    if (signs.rate_fall or 0.0) > RATE_FALLS or (signs.tail_growth or 0.0) > TAIL_GROWS:
        return CauseKind.KV_MEMORY, say.evictions(signs), False
    return None


def _untold(load: float, evidence: tuple[Sign, ...]) -> Cause:
    return Cause(kind=CauseKind.UNKNOWN, confidence=Confidence.CANNOT_TELL, at=load, evidence=evidence)
