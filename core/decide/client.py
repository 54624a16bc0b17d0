"""Was it the load generator that stopped, not the server?"""

from __future__ import annotations

from core.check.units import factor_1000, little_ratio
from core.decide import evidence_text as say
from core.model.cause import Sign
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage

APPLIED = 0.95
"""A generator that sends less than this share of the rate it was asked for is the limit (docs/checks.md)."""

IN_FLIGHT = 0.8
"""A level holds less than this share of its concurrency, where a lower level held it."""

ENOUGH_PER_SLOT = 4.0
"""Requests per slot below which filling and draining alone explain that a level was not full."""

PATIENT = 1.25
"""A queue lengthens E2E with the load; a client that sends no more leaves it as it was, within this factor."""


def client_sign(run: Run, load: float, *, stopped: bool) -> Sign | None:
    """Return the evidence that the load generator limits a run at a load, None where there is none.

    Args:
        run: with the levels that a rule keeps out of the fit: it is those that tell.
        load: where the target is reached, or the highest usable level.
        stopped: True where a target is missed at that load. The load generator is the cause only if
            no target is reached before it gives out.
    """
    stages = sorted((s for s in run.stages if s.load is not None), key=lambda s: s.load or 0.0)
    behind = [s for s in stages if s.asked_rate and s.applied_rate and s.applied_rate < APPLIED * s.asked_rate]
    if behind and (not stopped or (behind[0].load or 0.0) <= load):
        return say.rate_not_sent(behind[0])
    first = _first_unfilled(stages)
    if first and (not stopped or (first.asked_concurrency or 0.0) <= load):
        return say.not_in_flight(first, little_ratio(first) or 0.0)
    return None


def _first_unfilled(stages: list[Stage]) -> Stage | None:
    """Return the first level that was not filled although one below was, and whose requests were no slower."""
    held: Stage | None = None
    for stage in stages:
        ratio = little_ratio(stage)
        if ratio is None or factor_1000(ratio):
            continue
        if ratio >= IN_FLIGHT:
            held = stage
        elif held and _enough(stage) and _no_slower(held, stage):
            return stage
    return None


def _enough(stage: Stage) -> bool:
    good, asked = stage.requests_good, stage.asked_concurrency
    return good is None or asked is None or good >= ENOUGH_PER_SLOT * asked * stage.replicates


def _no_slower(below: Stage, stage: Stage) -> bool:
    before, after = below.value(Metric.E2E, "mean"), stage.value(Metric.E2E, "mean")
    growth = (stage.load or 1.0) / (below.load or 1.0)
    # A server that is full answers at the same rate, so E2E grows as the load does.
    return before is None or after is None or after < before * max(PATIENT, growth * IN_FLIGHT)
