"""The levels that a check looks at, and how findings name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from core.errors import Place
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage

NONE_COMPLETED = "sample.none_completed"
LITTLES_LAW = "load.littles_law"
NEVER_REACHED = "load.never_reached"
WARM_UP = "sweep.warm_up"
UNKNOWN_LOAD = "load.unknown"
UNBOUNDED = "load.unbounded"

RULES = frozenset({NONE_COMPLETED, LITTLES_LAW, NEVER_REACHED, WARM_UP, UNKNOWN_LOAD, UNBOUNDED})
"""Codes with which a rule keeps a level out of the fit; any other text is a person's reason."""


Measured = list[tuple[Stage, float]]
"""Levels with the figure that a finding is about."""


def judged(run: Run) -> list[Stage]:
    """Return the levels of a run that have a load and that no person has taken out, ascending.

    Levels that a rule has taken out are among them, so that its finding can be made again; a
    burst of everything at once is not, since no law of a steady load holds for it.
    """
    seen = RULES - {UNBOUNDED}
    chosen = [s for s in run.stages if s.load is not None and (s.excluded is None or s.excluded in seen)]
    return sorted(chosen, key=lambda stage: stage.load or 0.0)


def in_use(run: Run) -> list[Stage]:
    """Return the judged levels that no rule has taken out."""
    return [stage for stage in judged(run) if stage.excluded is None]


def pairs_with(stages: Sequence[Stage], metric: Metric) -> list[tuple[Stage, Stage]]:
    """Return neighbouring levels that both have a mean of the metric above zero."""
    known = [stage for stage in stages if (stage.value(metric, "mean") or 0.0) > 0.0]
    return list(pairwise(known))


def mean(stage: Stage, metric: Metric) -> float:
    """Return a mean that is known to be there, as in `pairs_with`."""
    return stage.value(metric, "mean") or 0.0


def listed(stages: Iterable[Stage]) -> str:
    """Return loads for a sentence, "4, 8, 16": at most eight, then how many more."""
    loads = [f"{stage.load:.4g}" for stage in stages if stage.load is not None]
    shown = ", ".join(loads[:8])
    return f"{shown} … (+{len(loads) - 8})" if len(loads) > 8 else shown


def stages(members: Iterable[tuple[Stage, object]]) -> list[Stage]:
    """Return the levels of pairs, each once, in order (a stage has no hash)."""
    once = {id(stage): stage for stage, _ in members}
    return list(once.values())


def place(stage: Stage, field: str) -> Place:
    """Return where a field of a level was read."""
    return Place(stage.where.file, stage.where.line, field)


def quotient(numerator: float, denominator: float) -> float | None:
    """Return a ratio of figures above zero, None where it is none: hostile figures under- and overflow."""
    if not numerator > 0.0 or not denominator > 0.0:
        return None
    ratio = numerator / denominator
    return ratio if 0.0 < ratio < float("inf") else None


def percent(share: float) -> str:
    """Return a share as whole or tenth per cent.

    >>> percent(0.256), percent(0.031)
    ('26 %', '3.1 %')
    """
    return f"{100 * share:.0f} %" if abs(share) >= 0.1 else f"{100 * share:.1f} %"
