"""All checks of one run, and the levels that a rule keeps out of its fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.check.column_meaning import EXPLAINED, check_column_meaning
from core.check.copies import check_copies
from core.check.floors import check_floors
from core.check.itl import check_itl
from core.check.levels import LITTLES_LAW, NEVER_REACHED, NONE_COMPLETED, WARM_UP
from core.check.load import check_load, never_reached
from core.check.memory import check_memory
from core.check.model_file import check_model_file
from core.check.physics import IDENTITY_CODE, breaks_little, check_physics
from core.check.rates import check_rates
from core.check.reasoning import check_reasoning
from core.check.samples import check_samples, none_completed
from core.check.sweep import check_sweep, warm_up
from core.check.units import check_units
from core.model.finding import Finding, Severity
from core.model.run import Kind, Run
from core.model.stage import Stage

CHECKS: tuple[Callable[[Run], tuple[Finding, ...]], ...] = (
    check_units,
    check_physics,
    check_load,
    check_samples,
    check_sweep,
    check_itl,
    check_reasoning,
    check_memory,
    check_model_file,
    check_floors,
    check_column_meaning,
    check_rates,
    check_copies,
)

KEEPS_OUT: tuple[tuple[str, Callable[[Stage], bool]], ...] = (
    (NONE_COMPLETED, none_completed),
    (NEVER_REACHED, never_reached),
    (LITTLES_LAW, breaks_little),
)
"""Rules that look at one level; the first that applies gives the reason."""

_ORDER = (Severity.ERROR, Severity.WARNING, Severity.INFO)


def check_run(run: Run) -> tuple[Finding, ...]:
    """Return the findings of one run beyond those that came with it, the gravest first.

    A level that a rule keeps out is still checked, one that a person took out is not; so the
    result is the same for `run` and for `excluded_by_rule(run)`.
    """
    ruled = excluded_by_rule(run)
    found = [finding for check in CHECKS for finding in check(ruled)]
    if any(finding.code in EXPLAINED for finding in found):
        found = [finding for finding in found if finding.code != IDENTITY_CODE]
    return tuple(sorted(found, key=lambda finding: _ORDER.index(finding.severity)))


def excluded_by_rule(run: Run) -> Run:
    """Return the run with `Stage.excluded` set to a code where a rule keeps a level out.

    A level that is out already, by a person or by a rule, keeps its reason.
    """
    if run.kind is Kind.SIMULATED:
        # A prediction has no client that fell behind and no warm-up: its rows are as good as its model.
        return run
    ruled = replace(run, stages=tuple(_judged(stage) for stage in run.stages))
    first = warm_up(ruled)
    if first is None or first.excluded is not None:
        return ruled
    kept = (replace(stage, excluded=WARM_UP) if stage is first else stage for stage in ruled.stages)
    return replace(ruled, stages=tuple(kept))


def _judged(stage: Stage) -> Stage:
    if stage.excluded is not None:
        return stage
    code = next((code for code, applies in KEEPS_OUT if applies(stage)), None)
    return replace(stage, excluded=code) if code else stage
