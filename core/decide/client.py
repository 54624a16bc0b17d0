"""Was it the load generator that stopped, not the server?"""

from __future__ import annotations

import math

from core.check.units import factor_1000, little_ratio
from core.decide import evidence_text as say
from core.model.cause import Sign
from core.model.run import Run
from core.model.stage import Stage

APPLIED = 0.95
"""A generator that sends less than this share of the rate it was asked for is the limit (docs/checks.md)."""

IN_FLIGHT = 0.8
"""A level holds less than this share of its concurrency. Filling and draining cost a short level as much."""

FOLLOWS = 0.4
"""d ln(in flight) / d ln(asked) from the level below on, under which the requests in flight no longer follow."""

GROWS_AGAIN = 1.3
"""Where a higher level holds this much more, the generator was not at its end."""


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
    first = _first_capped(stages)
    if first and (not stopped or (first.asked_concurrency or 0.0) <= load):
        return say.not_in_flight(first, little_ratio(first) or 0.0)
    return None


def _first_capped(stages: list[Stage]) -> Stage | None:
    """Return the first level whose requests in flight follow the asked concurrency no more, nor above it."""
    held = [(s, r * s.asked_concurrency) for s in stages if (r := _ratio(s)) and s.asked_concurrency]
    for place, (stage, flight) in enumerate(held):
        asked = stage.asked_concurrency or 0.0
        most = max(other for _, other in held[place:])
        if place == 0 or flight >= IN_FLIGHT * asked or most > GROWS_AGAIN * flight:
            continue
        below, before = held[place - 1]
        growth = (
            math.log(asked / (below.asked_concurrency or asked)) if asked > (below.asked_concurrency or asked) else 0.0
        )
        if growth > 0.0 and math.log(flight / before) < FOLLOWS * growth:
            return stage
    return None


def _ratio(stage: Stage) -> float | None:
    """Return requests in flight over those asked for, None where unknown or the unit is mistaken."""
    ratio = little_ratio(stage)
    return None if ratio is None or factor_1000(ratio) else ratio
