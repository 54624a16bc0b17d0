"""Files to runs: convert, merge what is the same, group, pool, sort and name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.i18n import t
from core.ingest.raw import RawFile, Scalar
from core.model.finding import Finding, Severity
from core.model.run import FileRef, Run
from core.model.stage import Stage
from core.normalise.about import with_about
from core.normalise.conditions import conditions_of
from core.normalise.copies import without_copied_files, without_copied_levels
from core.normalise.folders import split_by_folder
from core.normalise.group import Group, grouped
from core.normalise.lengths import split_by_length
from core.normalise.level import Level, level_of
from core.normalise.merge import merged
from core.normalise.names import Unnamed, named
from core.normalise.one_sweep import as_one_sweep
from core.normalise.pool import pooled
from core.normalise.same_run import one_per_execution


def runs_of(files: Sequence[RawFile]) -> tuple[Run, ...]:
    """Return the runs that files hold, in the order of their first file.

    Args:
        files: what importers read, in any order; the same file may be there twice.

    Returns:
        Runs with stages in ascending order of load; a stage without any load comes last and is
        excluded. Findings of the files and of the conversion are attached. Bad data never raises.
    """
    unique, copies = without_copied_files(files)
    told = with_about([level_of(raw, file) for file in unique for raw in file.levels], unique)
    levels = one_per_execution(told)
    notes = {file.sha256: [*file.findings, *copies.get(file.sha256, [])] for file in unique}
    unnamed = [part for group in grouped(as_one_sweep(levels)) for part in _parts(group, notes)]
    position = {sha256: i for i, sha256 in reversed(list(enumerate(file.sha256 for file in files)))}
    return tuple(sorted(named(unnamed), key=lambda run: (min(position[file.sha256] for file in run.files), run.id)))


def _parts(group: Group, notes: Mapping[str, Sequence[Finding]]) -> Iterable[Unnamed]:
    for part in split_by_length(group.levels):
        kept, copied = without_copied_levels(part)
        by_folder = split_by_folder(kept)
        for folder, levels in sorted(by_folder.items()):
            split = [_split_by_folder(levels, by_folder)] if len(by_folder) > 1 else []
            shared = _shared(levels)
            backend = shared.get("backend")
            run = _run(levels, [*group.findings, *copied, *split], notes)
            run = replace(run, backend=backend if isinstance(backend, str) else None)
            yield Unnamed(run=run, folder=folder, identity=shared)


def _shared(levels: Sequence[Level]) -> dict[str, Scalar]:
    first, *others = (level.identity for level in levels)
    return {name: value for name, value in first.items() if all(o.get(name) == value for o in others)}


def _run(levels: Sequence[Level], findings: Sequence[Finding], notes: Mapping[str, Sequence[Finding]]) -> Run:
    stages, repeated = pooled(levels)
    stages, unplaced = _sorted(stages)
    files = sorted({file for level in levels for file in (level.file, *level.also)}, key=lambda f: (f.name, f.sha256))
    fullest = min(levels, key=lambda level: (level.stage.requests is None, level.file.name))
    versions = {level.format_version for level in levels if level.format_version is not None}
    own = [finding for level in levels for finding in level.findings]
    of_files = [finding for file in files for finding in notes.get(file.sha256, ())]
    return Run(
        id="",
        label="",
        kind=fullest.kind,
        format_id=fullest.format_id,
        format_version=next(iter(versions)) if len(versions) == 1 else None,
        files=tuple(FileRef(file.name, file.sha256) for file in files),
        conditions=conditions_of(levels),
        stages=tuple(stages),
        findings=merged([*of_files, *own, *findings, *repeated, *unplaced]),
    )


def _sorted(stages: Iterable[Stage]) -> tuple[list[Stage], list[Finding]]:
    placed: list[Stage] = []
    unplaced: list[Stage] = []
    for stage in stages:
        (unplaced if stage.load is None or not stage.load > 0.0 else placed).append(stage)
    placed.sort(key=lambda stage: (stage.load, str(stage.where)))
    kept_out = [replace(stage, excluded="load.unknown") for stage in unplaced]
    return [*placed, *kept_out], [_unknown_load(stage) for stage in unplaced]


def _unknown_load(stage: Stage) -> Finding:
    return Finding(
        code="load.unknown",
        severity=Severity.WARNING,
        where=stage.where,
        what=t("The file does not say how many requests were in flight"),
        consequence=t("The level is shown but cannot be used"),
        fix=t("Name the file after its level, such as c16.json, or send the file that holds the setting"),
    )


def _split_by_folder(levels: Sequence[Level], parts: Mapping[str, Sequence[Level]]) -> Finding:
    return Finding(
        code="group.by_folder",
        severity=Severity.WARNING,
        where=levels[0].stage.where,
        what=t(
            "The same levels with different results lie in {count} folders, and nothing in the files tells them apart",
            count=len(parts),
        ),
        consequence=t("Each folder is a run of its own"),
        fix=t("If they are repetitions of one run, put them into one folder, or name the folders run1, run2"),
    )
