"""What a file without levels measured of the one run in its folder, given to that run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from core.errors import Place
from core.i18n import t
from core.ingest.raw import RawFile
from core.model.finding import Finding, Severity
from core.model.run import FileRef
from core.normalise.level import Level, family


def with_measured(levels: Sequence[Level], files: Sequence[RawFile]) -> list[Level]:
    """Return levels with what was measured beside them, where a folder holds levels of one load only.

    A figure belongs to one run; where a folder holds several loads, nobody can say to which.
    """
    told = list(levels)
    for file in (each for each in files if each.measured):
        beside = [index for index, level in enumerate(told) if _is_beside(file, level)]
        loads = {(told[i].stage.asked_concurrency, told[i].stage.asked_rate) for i in beside} - {(None, None)}
        if len(loads) <= 1:
            for index in beside:
                told[index] = _filled(told[index], file)
    return told


def _is_beside(file: RawFile, level: Level) -> bool:
    if file.about_format is not None and family(file.about_format) != family(level.format_id):
        return False
    return PurePosixPath(level.file.name).parent == PurePosixPath(file.name).parent


def _filled(level: Level, file: RawFile) -> Level:
    new: dict[str, Any] = {
        name: value for name, value in file.measured.items() if getattr(level.stage, name, 0.0) is None
    }
    if not new:
        return level
    reference = FileRef(file.name, file.sha256)
    finding = Finding(
        code="ingest.from_beside",
        severity=Severity.INFO,
        where=Place(file.name, field=", ".join(sorted(new))),
        what=t("{file} says of the results beside it: {names}", file=file.name, names=", ".join(sorted(new))),
    )
    return replace(
        level,
        stage=replace(level.stage, **new),
        findings=(*level.findings, finding),
        also=level.also if reference in level.also else (*level.also, reference),
    )
