"""Rows that were copied: one level's figures under another load, or under another configuration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from core.check.levels import judged, listed, place
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.run import Kind, Run
from core.model.stage import Stage

FIGURES = 4
"""So many measured figures never agree to the last digit by chance; two rounded ones may."""

Figures = tuple[object, ...]


def check_copies(run: Run) -> tuple[Finding, ...]:
    """Return a finding about levels of one run that repeat another level's figures."""
    by_figures: dict[Figures, list[Stage]] = defaultdict(list)
    for stage in _measured(run):
        by_figures[_figures(stage)].append(stage)
    return tuple(
        Finding(
            code="copy.between_levels",
            severity=Severity.ERROR,
            where=place(same[1], "ttft"),
            what=t("The levels {levels} have the same figures to the last digit", levels=listed(same)),
            consequence=t("At most one of them was measured; the curve between them is made up"),
            fix=t("Keep out the ones that were copied, and send their own results"),
        )
        for same in by_figures.values()
        if len(same) > 1
    )


def with_copies(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return runs with a finding where a level repeats the figures of a level of another run."""
    owners: dict[Figures, dict[str, Stage]] = defaultdict(dict)
    for run in runs:
        for stage in _measured(run):
            owners[_figures(stage)].setdefault(run.id, stage)
    labels = {run.id: run.label for run in runs}
    shared: dict[str, dict[str, list[Stage]]] = defaultdict(lambda: defaultdict(list))
    for owner in owners.values():
        for mine, stage in owner.items():
            for other in owner.keys() - {mine}:
                shared[mine][other].append(stage)
    return tuple(
        replace(
            run, findings=(*run.findings, *(_copied(s, labels[other]) for other, s in sorted(shared[run.id].items())))
        )
        if run.id in shared
        else run
        for run in runs
    )


def _measured(run: Run) -> list[Stage]:
    if run.kind is Kind.SIMULATED:
        return []
    return [stage for stage in judged(run) if sum(len(f.quantiles) for f in stage.statistics.values()) >= FIGURES]


def _figures(stage: Stage) -> Figures:
    found = sorted(stage.statistics.items())
    return tuple((metric, s.mean, s.sd, tuple(sorted(s.quantiles.items()))) for metric, s in found)


def _copied(stages: Sequence[Stage], other: str) -> Finding:
    return Finding(
        code="copy.between_runs",
        severity=Severity.WARNING,
        where=place(stages[0], "ttft"),
        what=t("At load {levels}, every figure equals one of {other}", levels=listed(stages), other=other),
        consequence=t("One of the two was not measured: comparing them says nothing at these levels"),
        fix=t("Find out which configuration the figures belong to, and leave the other one out"),
    )
