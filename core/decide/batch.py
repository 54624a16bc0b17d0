"""Many questions of one sweep at once: the fit is made once."""

from __future__ import annotations

from collections.abc import Sequence

from core.decide.decide import decide
from core.fit.constants import Constants
from core.fit.fit import fit_stages
from core.model.answer import Capacity
from core.model.stage import Stage
from core.model.target import Target


def answer_sweep(
    stages: Sequence[Stage], target_sets: Sequence[Sequence[Target]], constants: Constants | None = None
) -> list[Capacity]:
    """Return the capacity of one sweep within each set of targets.

    Args:
        stages: levels of one sweep, in any order.
        target_sets: one or more targets each.
        constants: of the method; the shipped ones by default.
    """
    fit = fit_stages(stages, constants)
    return [decide(fit, targets).capacity for targets in target_sets]
