"""Files to runs: convert, merge what is the same, group, regroup as a person decided, pool, sort and name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.i18n import t
from core.ingest.raw import RawFile
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import FileRef, Run
from core.model.stage import Stage
from core.normalise.about import with_about
from core.normalise.conditions import conditions_of
from core.normalise.copies import without_copied_files, without_copied_levels
from core.normalise.doubtful import doubts_of
from core.normalise.doubts import GroupingDoubt
from core.normalise.level import Level, family, level_of
from core.normalise.merge import merged
from core.normalise.names import Unnamed, named
from core.normalise.partings import Way
from core.normalise.parts import Part, parts_of, shared_identity
from core.normalise.pool import executions, pooled
from core.normalise.pooled_records import with_pooled_records
from core.normalise.regrouping import (
    Members,
    Regrouping,
    kept_out,
    key_of,
    left_out,
    name_of,
    reason_of,
    regrouped,
    ways_to_split,
)
from core.normalise.same_run import one_per_execution

FROM_NAME = "ingest.from_file_name"
LOADS = frozenset({"asked_concurrency", "concurrency", "asked_rate", "request_rate"})
"""Fields that a finding about a file's name marks, where they are the load."""

Calls = Mapping[Metric, str]
Keyed = tuple[Stage, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """Files as runs, and what a person may decide about that.

    Attributes:
        runs: in the order of their first file.
        members: by run id, for each stage the keys of the raw levels that it was made of.
        doubts: where the files could be read in another way too, whether decided or not.
        ways: by run id, how a person could split it.
    """

    runs: tuple[Run, ...] = ()
    members: Members = field(default_factory=dict)
    doubts: tuple[GroupingDoubt, ...] = ()
    ways: Mapping[str, tuple[Way, ...]] = field(default_factory=dict)


def runs_of(files: Sequence[RawFile]) -> tuple[Run, ...]:
    """Return the runs that files hold, in the order of their first file.

    Args:
        files: what importers read, in any order; the same file may be there twice.

    Returns:
        Runs with stages in ascending order of load; a stage without any load comes last and is
        excluded. Findings of the files and of the conversion are attached. Bad data never raises.
    """
    return arranged(files).runs


def arranged(files: Sequence[RawFile], decided: Regrouping | None = None) -> Arranged:
    """Return the runs that files hold after what a person decided, as `runs_of` where nothing was.

    Every level of the files is in one run, once, whatever was decided.
    """
    decided = decided or Regrouping()
    unique, copies = without_copied_files(files)
    unique = with_pooled_records(unique)
    told = with_about([_level(file, number) for file in unique for number in range(len(file.levels))], unique)
    fresh = parts_of(one_per_execution(told))
    parts = regrouped(fresh, decided.steps)
    notes = {file.sha256: [*file.findings, *copies.get(file.sha256, [])] for file in unique}
    calls = {file.sha256: file.calls for file in unique if file.calls}
    built = [_built(part, decided, notes, calls) for part in parts]
    formats = {file.sha256: file.format_id for file in files}
    runs = named(
        [replace(each, run=_with_formats(each.run, formats)) for each, _ in built],
        [name_of(part.keys, decided.names) for part in parts],
    )
    position = {sha256: i for i, sha256 in reversed(list(enumerate(file.sha256 for file in files)))}
    return Arranged(
        runs=tuple(sorted(runs, key=lambda run: (min(position[file.sha256] for file in run.files), run.id))),
        members={run.id: keys for run, (_, keys) in zip(runs, built, strict=True)},
        doubts=doubts_of(fresh, parts, decided.steps),
        ways={run.id: ways_to_split(part, fresh) for run, part in zip(runs, parts, strict=True)},
    )


def _level(file: RawFile, number: int) -> Level:
    level = level_of(file.levels[number], file)
    named = any(_names_load(finding) for finding in (*level.findings, *file.findings))
    return replace(level, stage=replace(level.stage, load_from_name=named), keys=(key_of(file.sha256, number),))


def _names_load(finding: Finding) -> bool:
    """Return True for the finding that marks a load which only the file's name told."""
    told = (finding.where.field or "").split(", ")
    return finding.code == FROM_NAME and not LOADS.isdisjoint(told)


def _built(
    part: Part, decided: Regrouping, notes: Mapping[str, Sequence[Finding]], calls: Mapping[str, Calls]
) -> tuple[Unnamed, tuple[tuple[str, ...], ...]]:
    levels, copied = without_copied_levels([kept_out(level, decided.excluded) for level in part.levels])
    shared = shared_identity(levels)
    backend = shared.get("backend")
    run, keys = _run(levels, [*part.findings, *copied], notes)
    told = left_out((stage, reason_of(own, decided.excluded)) for stage, own in zip(run.stages, keys, strict=True))
    run = replace(run, findings=(*run.findings, *told))
    run = replace(run, backend=backend if isinstance(backend, str) else None, calls=_called(run, levels, calls))
    return Unnamed(run=run, folder=part.folder, identity=shared), keys


def _with_formats(run: Run, formats: Mapping[str, str]) -> Run:
    """Return a run whose files say what each was recognised as: a run may hold several formats."""
    return replace(run, files=tuple(replace(file, format_id=formats.get(file.sha256)) for file in run.files))


def _called(run: Run, levels: Sequence[Level], calls: Mapping[str, Calls]) -> dict[Metric, str]:
    """Return the tool's words for our metrics: of the files in the run's own family of formats."""
    found: dict[Metric, str] = {}
    for level in levels:
        if family(level.format_id) == family(run.format_id):
            for file in (level.file, *level.also):
                found |= calls.get(file.sha256, {})
    return found


def _run(
    levels: Sequence[Level], findings: Sequence[Finding], notes: Mapping[str, Sequence[Finding]]
) -> tuple[Run, tuple[tuple[str, ...], ...]]:
    stages, repeated = pooled(levels)
    keys = [tuple(key for level in same for key in level.keys) for same in executions(levels)]
    placed, unplaced = _sorted(list(zip(stages, keys, strict=True)))
    files = sorted({file for level in levels for file in (level.file, *level.also)}, key=lambda f: (f.name, f.sha256))
    fullest = min(levels, key=lambda level: (level.stage.requests is None, level.file.name))
    versions = {level.format_version for level in levels if level.format_version is not None}
    own = [finding for level in levels for finding in level.findings]
    of_files = [finding for file in files for finding in notes.get(file.sha256, ())]
    run = Run(
        id="",
        label="",
        kind=fullest.kind,
        format_id=fullest.format_id,
        format_version=next(iter(versions)) if len(versions) == 1 else None,
        files=tuple(FileRef(file.name, file.sha256) for file in files),
        conditions=conditions_of(levels),
        stages=tuple(stage for stage, _ in placed),
        findings=merged([*of_files, *own, *findings, *repeated, *unplaced]),
    )
    return run, tuple(keys for _, keys in placed)


def _sorted(stages: Sequence[Keyed]) -> tuple[list[Keyed], list[Finding]]:
    """Return stages with their keys in order of load, those without any last and kept out."""
    placed: list[Keyed] = []
    unplaced: list[Keyed] = []
    for stage, keys in stages:
        if stage.load is None or not stage.load > 0.0:
            unplaced.append((replace(stage, excluded=stage.excluded or "load.unknown"), keys))
        else:
            placed.append((stage, keys))
    placed.sort(key=lambda pair: (pair[0].load, pair[0].excluded is not None, str(pair[0].where)))
    return [*placed, *unplaced], [_unknown_load(stage) for stage, _ in unplaced]


def _unknown_load(stage: Stage) -> Finding:
    return Finding(
        code="load.unknown",
        severity=Severity.WARNING,
        where=stage.where,
        what=t("The file does not say how many requests were in flight"),
        consequence=t("The level is shown but cannot be used"),
        fix=t("Name the file after its level, such as c16.json, or send the file that holds the setting"),
    )
