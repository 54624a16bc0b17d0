"""The only module that knows the order of the steps: files to runs, runs and targets to answers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.check.checks import check_run, excluded_by_rule
from core.decide.admission import admission_limit
from core.decide.decide import decide
from core.decide.measure import next_measurement
from core.decide.point import point_at
from core.errors import Place, RefusedFileError
from core.fit.fit import Fit, fit_run
from core.i18n import t
from core.ingest.raw import RawFile, Upload
from core.ingest.read import read_file
from core.model.answer import Cost, LoadPoint, Refusal, RunAnswer
from core.model.price import Price
from core.model.run import Run
from core.model.target import Target
from core.normalise.runs import runs_of
from core.price.cost import cost_at, price_findings

Progress = Callable[[int, int, str], None]
"""Called before each file with its position from 0, the number of files, and its name."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What an upload came to: usable runs, every file that was not used, and those that were, as read."""

    runs: tuple[Run, ...]
    refused: tuple[Refusal, ...]
    files: tuple[RawFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What a person changed in one run by hand.

    Attributes:
        excluded: why a level is kept out of the fit, by its load.
        conditions: values for fields of `Conditions` that the files leave unknown.
    """

    excluded: Mapping[float, str] = field(default_factory=dict)
    conditions: Mapping[str, str | int | float] = field(default_factory=dict)


def load(uploads: Sequence[Upload], progress: Progress | None = None, held: Sequence[RawFile] = ()) -> Loaded:
    """Read, normalise and check files; a bad one is refused and the others still count.

    `held` are files of an earlier upload that the new ones join: levels of one run may arrive one by one.
    """
    files: list[RawFile] = list(held)
    refused: list[Refusal] = []
    for position, upload in enumerate(uploads):
        if progress:
            progress(position, len(uploads), upload.name)
        try:
            files.append(read_file(upload))
        except RefusedFileError as error:
            refused.append(_refusal(upload.name, error))
        except Exception as error:  # a fault of ours in one file must not lose the others
            log.exception("importer fault in %s", upload.name)
            refused.append(_refusal(upload.name, _fault(upload.name, error)))
    return Loaded(runs=tuple(checked(run) for run in runs_of(files)), refused=tuple(refused), files=tuple(files))


def checked(run: Run) -> Run:
    """Return the run with its levels sorted out by rule and every finding attached."""
    sorted_out = excluded_by_rule(run)
    return replace(sorted_out, findings=(*sorted_out.findings, *check_run(sorted_out)))


def edited(run: Run, edits: Edits) -> Run:
    """Return a checked run with a person's changes, checked anew. What a rule excluded stays out."""
    if not edits.excluded and not edits.conditions:
        return run
    unknown: dict[str, Any] = {
        name: value for name, value in edits.conditions.items() if getattr(run.conditions, name, 0) is None
    }
    changed = replace(
        run,
        stages=tuple(
            replace(stage, excluded=stage.excluded or edits.excluded.get(stage.load or 0.0)) for stage in run.stages
        ),
        conditions=replace(run.conditions, **unknown),
        asked=(*run.asked, *(name for name in unknown if name not in run.asked)),
    )
    outdated = check_run(run)
    kept = tuple(finding for finding in run.findings if finding not in outdated)
    return replace(changed, findings=(*kept, *check_run(changed)))


def answer_run(run: Run, targets: Sequence[Target], price: Price | None, fit: Fit | None = None) -> RunAnswer:
    """Answer one run. `fit` may be passed in where it is kept: a moved target does not refit."""
    fit = fit or fit_run(run)
    decision = decide(fit, targets)
    capacity = decision.capacity
    estimate = capacity.concurrency.mid if capacity.concurrency else None
    at_capacity = point_at(fit, float(capacity.safe), targets) if capacity.safe else None
    at_estimate = point_at(fit, estimate, targets) if estimate else None

    def cost(point: LoadPoint | None) -> Cost | None:
        return cost_at(point, run, price, targets) if point and price else None

    return RunAnswer(
        run=run,
        levels=fit.levels,
        findings=(*run.findings, *(price_findings(run, price) if price else ())),
        capacity=capacity,
        per_target=decision.per_target,
        at_capacity=at_capacity,
        at_estimate=at_estimate,
        cost=cost(at_capacity),
        cost_at_estimate=cost(at_estimate),
        next_measurement=next_measurement(run, fit, decision, targets),
        admission=admission_limit(run, fit, capacity),
    )


def plan(runs: Sequence[Run], targets: Sequence[Target], price: Price | None) -> tuple[RunAnswer, ...]:
    """Answer every run for the same targets and price, in the order of the runs."""
    return tuple(answer_run(run, targets, price) for run in runs)


def _refusal(name: str, error: RefusedFileError) -> Refusal:
    return Refusal(
        file=name,
        code=error.code,
        what=error.what,
        fix=error.fix,
        line=error.place.line,
        field=error.place.field,
    )


def _fault(name: str, error: Exception) -> RefusedFileError:
    return RefusedFileError(
        "ingest.fault",
        t("Plimsoll failed on this file: {kind}", kind=type(error).__name__),
        fix=t("Please report it with the file; the other files are not affected"),
        place=Place(name),
    )
