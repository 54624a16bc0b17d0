"""The only module that knows the order of the steps: files to runs, runs and targets to answers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.check.checks import check_run, excluded_by_rule
from core.check.copies import with_copies
from core.compare.compare import Comparison, compare
from core.compare.quantity import Question
from core.decide.admission import admission_limit
from core.decide.at_limit import at_limit
from core.decide.batch_next import next_for_batch
from core.decide.cause import cause_of
from core.decide.decide import Decision, decide
from core.decide.job import job_answer
from core.decide.meaning import with_meaning
from core.decide.measure import next_measurement, with_widths
from core.decide.point import point_at
from core.decide.sensitivity import sensitivities
from core.decide.throughput import at_highest, best_throughput, unbound
from core.decide.traffic import answer_traffic
from core.errors import Place, RefusedFileError
from core.fit.fit import Fit, fit_run
from core.i18n import t
from core.ingest.containers import expanded
from core.ingest.raw import RawFile, Upload
from core.ingest.read import read_file
from core.ingest.redact import settings_told_apart
from core.ingest.same_names import told_apart
from core.ingest.source import OnDisk, Watch
from core.ingest.trial import kept_table
from core.model.answer import (
    BatchAnswer,
    Capacity,
    Cost,
    LoadPoint,
    NextMeasurement,
    RunAnswer,
    Sensitivity,
    Status,
)
from core.model.mapping import TableMapping
from core.model.price import Price
from core.model.refusal import Refusal
from core.model.run import Run
from core.model.target import Target
from core.model.traffic import Traffic
from core.model.workload import Workload, WorkloadKind
from core.normalise.condense import condensed
from core.normalise.doubts import GroupingDoubt
from core.normalise.partings import Way
from core.normalise.regrouping import Members, Regrouping
from core.normalise.runs import arranged
from core.price.cost import cost_at
from core.price.findings import price_findings
from core.price.job import job_cost
from core.price.worth import priced

Progress = Callable[[float, int, str], None]
"""Called before each file with its position from 0, the number of files, and its name; and while a large one is
read, with the share of it that is done added to its position. Whatever it raises ends the reading."""

TOLD_EVERY_S = 0.2
"""How long a person who wants to stop the reading may have to wait, about."""

ABOUT_NOTHING = "ingest.about_nothing"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What an upload came to.

    Attributes:
        runs: usable, checked.
        refused: every file that was not used.
        files: those that were, as read.
        members: by run id, for each stage the keys of the raw levels that it was made of.
        doubts: where the files could be read as other runs too.
        ways: by run id, how it can be split.
        tables: the new files, read or refused, whose columns a person may say something of.
    """

    runs: tuple[Run, ...]
    refused: tuple[Refusal, ...]
    files: tuple[RawFile, ...] = ()
    members: Members = field(default_factory=dict)
    doubts: tuple[GroupingDoubt, ...] = ()
    ways: Mapping[str, tuple[Way, ...]] = field(default_factory=dict)
    tables: tuple[Upload, ...] = ()


def load(
    uploads: Sequence[Upload | OnDisk],
    progress: Progress | None = None,
    held: Sequence[RawFile] = (),
    mappings: Sequence[TableMapping] = (),
    decided: Regrouping | None = None,
) -> Loaded:
    """Read, normalise and check files; a bad one is refused and the others still count.

    `held` are files of an earlier upload that the new ones join: levels of one run may arrive one by one.
    `mappings` say what the columns of tables are, for every table with the same headers.
    `decided` is what a person said about which levels are one run.
    """
    files: list[RawFile] = list(held)
    drop = expanded(uploads)
    refused = [_refusal(name, error) for name, error in drop.refused]
    tables: list[Upload | None] = []
    arrived = told_apart(drop.uploads, {file.name: file.sha256 for file in held})
    for position, upload in enumerate(arrived):
        if progress:
            progress(position, len(arrived), upload.name)
        watch = _watching(progress, position, len(arrived), upload.name) if progress else None
        raw: RawFile | None = None
        try:
            raw = settings_told_apart(condensed(read_file(upload, mappings, watch), watch))
            files.append(raw)
        except RefusedFileError as error:
            refused.append(_refusal(upload.name, error))
        except Exception as error:  # a fault of ours in one file must not lose the others
            log.exception("importer fault in %s", upload.name)
            refused.append(_refusal(upload.name, _fault(upload.name, error)))
        tables.append(kept_table(upload, raw))
    loaded = arrange(files, decided)
    return replace(loaded, refused=(*refused, *loaded.refused), tables=tuple(filter(None, tables)))


def _watching(progress: Progress, position: int, count: int, name: str) -> Watch:
    """Return what tells a person of the share of a file that is read, a few times a second."""
    told = time.monotonic()

    def watch(share: float) -> None:
        nonlocal told
        if time.monotonic() - told >= TOLD_EVERY_S:
            told = time.monotonic()
            progress(position + min(share, 1.0), count, name)

    return watch


def arrange(files: Sequence[RawFile], decided: Regrouping | None = None) -> Loaded:
    """Return the runs of files that have been read, after what a person decided; nothing is read again."""
    found = arranged(files, decided)
    runs = with_copies(tuple(checked(run) for run in found.runs))
    return Loaded(
        runs=runs,
        refused=tuple(_refusal(file.name, _about_nothing(file.name)) for file in _unused(files, runs)),
        files=tuple(files),
        members=found.members,
        doubts=found.doubts,
        ways=found.ways,
    )


def still_refused(before: Sequence[Refusal], loaded: Loaded) -> tuple[Refusal, ...]:
    """Return every refusal that stands after files were added: what was repaired, or found its results, is gone."""
    used = {file.name for file in loaded.files}
    kept = [each for each in before if each.code != ABOUT_NOTHING and each.file not in used]
    told = {(each.file, each.code, each.line, each.field): each for each in (*kept, *loaded.refused)}
    return tuple(told.values())


def _unused(files: Sequence[RawFile], runs: Sequence[Run]) -> list[RawFile]:
    """Return files that hold no level and told nothing of any result."""
    used = {file.sha256 for run in runs for file in run.files}
    return [file for file in files if not file.levels and file.sha256 not in used]


def _about_nothing(name: str) -> RefusedFileError:
    return RefusedFileError(
        ABOUT_NOTHING,
        t("The file describes results, and none of them lie beside it or below it"),
        fix=t("Send it together with the results, in their folder"),
        place=Place(name),
    )


def checked(run: Run) -> Run:
    """Return the run with its levels sorted out by rule and every finding attached."""
    sorted_out = excluded_by_rule(run)
    return replace(sorted_out, findings=(*sorted_out.findings, *check_run(sorted_out)))


def answer_run(
    run: Run,
    targets: Sequence[Target],
    price: Price | None,
    fit: Fit | None = None,
    *,
    workload: Workload | None = None,
    traffic: Traffic | None = None,
) -> RunAnswer:
    """Answer one run; `fit` may be passed in where it is kept: a moved target does not refit.

    Raises:
        ValueError: no targets, where `workload` is no batch.
    """
    fit = fit or fit_run(run)
    asked = workload if workload and workload.kind is WorkloadKind.BATCH else None
    decision = unbound(fit) if asked and not targets else with_meaning(run, decide(fit, targets))
    capacity = decision.capacity
    batch = _batch(run, fit, capacity, targets, price, asked) if asked else None
    for_traffic = answer_traffic(run, fit, decision, targets, traffic)
    # What is let in is the service's own traffic, where that is known.
    admitted = for_traffic.capacity if for_traffic else capacity
    at_capacity = point_at(fit, float(capacity.safe), targets) if capacity.safe else None
    at_estimate = at_limit(fit, capacity, targets)

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
        next_measurement=_next(run, fit, decision, targets, batch),
        admission=admission_limit(run, fit, admitted if targets or not batch else at_highest(capacity, batch)),
        workload=workload,
        batch=batch,
        for_traffic=for_traffic,
        cause=cause_of(run, fit, decision) if targets else None,
    )


def _batch(
    run: Run, fit: Fit, capacity: Capacity, targets: Sequence[Target], price: Price | None, workload: Workload
) -> BatchAnswer:
    """Answer what leads for a batch: the highest rate, then the job at that load, then the money."""
    best = best_throughput(fit, capacity, targets)
    job = job_answer(fit, best, workload.job) if workload.job else None
    if job and job.completion_s and price:
        job = replace(job, cost=job_cost(job.completion_s, run, price), currency=price.currency)
    cost = cost_at(best.point, run, price, targets) if best.point and price else None
    return BatchAnswer(throughput=best, job=job, cost=cost)


def _next(
    run: Run, fit: Fit, decision: Decision, targets: Sequence[Target], batch: BatchAnswer | None
) -> NextMeasurement | None:
    """Return what to measure next: for a batch what tells more of its rate, where targets do not forbid that."""
    if batch is None or (targets and batch.throughput.status in (Status.BELOW, Status.CANNOT_TELL)):
        return next_measurement(run, fit, decision, targets)
    return next_for_batch(run, fit, batch.throughput, batch.job, targets)


def plan(
    runs: Sequence[Run],
    targets: Sequence[Target],
    price: Price | None,
    *,
    workload: Workload | None = None,
    traffic: Traffic | None = None,
) -> tuple[RunAnswer, ...]:
    """Answer every run for the same targets, price, workload and traffic, in the order of the runs."""
    found = []
    for run in runs:
        fit = fit_run(run)
        answer = answer_run(run, targets, price, fit, workload=workload, traffic=traffic)
        found.append(
            replace(answer, sensitivity=sensitivity_of(answer, fit, price), next_measurement=foreseen(answer, fit))
        )
    return tuple(found)


def compared(
    runs: Sequence[Run], targets: Sequence[Target], asked: Question, accepted: Collection[str] = ()
) -> Comparison:
    """Answer every run for the same targets, and compare the answers; `accepted` are conditions that may differ."""
    found = []
    for run in runs:
        fit = fit_run(run)
        answer = answer_run(run, targets, asked.price, fit)
        found.append(replace(answer, next_measurement=foreseen(answer, fit)))
    return compare(found, asked, accepted)


def sensitivity_of(answer: RunAnswer, fit: Fit, price: Price | None) -> tuple[Sensitivity, ...]:
    """Return what each target's limit decides, with the cost of relaxing it: the fit of the same run, read again."""
    found = sensitivities(fit, Decision(capacity=answer.capacity, per_target=answer.per_target))
    targets = tuple(each.target for each in answer.per_target)
    return priced(found, fit, answer.run, targets, price) if price else found


def foreseen(answer: RunAnswer, fit: Fit) -> NextMeasurement | None:
    """Return the next measurement with the width expected after it: some refits, so for the run in view only."""
    wanted = answer.next_measurement
    if wanted is None or answer.batch is not None:
        return wanted
    decision = Decision(capacity=answer.capacity, per_target=answer.per_target)
    return with_widths(answer.run, fit, decision, tuple(each.target for each in answer.per_target), wanted)


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
