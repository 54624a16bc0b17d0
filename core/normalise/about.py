"""What a settings file or a server's log says of the results beside it, given to those results.

A file that is about others holds conditions, not levels: genai-bench's metadata, a start-up log.
It speaks for its own folder and every folder below. What a result says itself comes first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from core.errors import Place
from core.i18n import t
from core.ingest.raw import RawFile, Scalar
from core.model.finding import Finding, Severity
from core.model.run import FileRef
from core.normalise.level import Level, family
from core.normalise.measured import with_measured
from core.normalise.signature import known_conditions


def with_about(levels: Sequence[Level], files: Sequence[RawFile]) -> list[Level]:
    """Return levels with what files beside them say of them.

    The nearest folder wins; two files of one folder that contradict each other say nothing about that.
    """
    about = sorted((file for file in files if file.about), key=lambda file: -len(_folder(file.name)))
    told = [_told(level, about) for level in levels] if about else list(levels)
    return with_measured(told, files)


def _told(level: Level, about: Sequence[RawFile]) -> Level:
    above = [file for file in about if _speaks_for(file, level)]
    own = known_conditions(level.conditions)
    said: dict[str, Scalar] = {}
    by: dict[str, list[RawFile]] = {}
    findings: list[Finding] = []
    for depth in sorted({len(_folder(file.name)) for file in above}, reverse=True):
        nearest = [file for file in above if len(_folder(file.name)) == depth]
        for name in sorted({name for file in nearest for name in known_conditions(file.about)} - said.keys()):
            telling = [file for file in nearest if name in known_conditions(file.about)]
            values = {known_conditions(file.about)[name] for file in telling}
            if len(values) > 1:
                findings.append(_unclear(name, telling))
            elif name not in own:
                said[name], by[name] = values.pop(), telling
            elif own[name] not in values:
                findings.append(_contradicts(level, name, own, telling[0]))
    used = {file.sha256: FileRef(file.name, file.sha256) for files in by.values() for file in files}
    also = tuple(ref for ref in used.values() if ref != level.file and ref not in level.also)
    return replace(
        level,
        conditions={**level.conditions, **said},
        also=(*level.also, *also),
        findings=(*level.findings, *findings, *(_told_by(file, by) for file in _each(by))),
    )


def _speaks_for(file: RawFile, level: Level) -> bool:
    if file.about_format is not None and family(file.about_format) != family(level.format_id):
        return False
    folder = _folder(file.name)
    return file.sha256 != level.file.sha256 and _folder(level.file.name)[: len(folder)] == folder


def _folder(name: str) -> tuple[str, ...]:
    return PurePosixPath(name).parts[:-1]


def _each(by: Mapping[str, Sequence[RawFile]]) -> list[RawFile]:
    return list({file.sha256: file for files in by.values() for file in files}.values())


def _told_by(file: RawFile, by: Mapping[str, Sequence[RawFile]]) -> Finding:
    names = sorted(name for name, files in by.items() if file in files)
    return Finding(
        code="ingest.from_beside",
        severity=Severity.INFO,
        where=Place(file.name, field=", ".join(names)),
        what=t("{file} says of the results beside it: {names}", file=file.name, names=", ".join(names)),
    )


def _unclear(name: str, files: Sequence[RawFile]) -> Finding:
    return Finding(
        code="ingest.beside_unclear",
        severity=Severity.WARNING,
        where=Place(files[0].name, field=name),
        what=t("{one} and {other} say different things of the same folder", one=files[0].name, other=files[1].name),
        consequence=t("{name} stays unknown", name=name),
        fix=t("Keep each with its own results in a folder of its own"),
    )


def _contradicts(level: Level, name: str, own: Mapping[str, Scalar], file: RawFile) -> Finding:
    return Finding(
        code="ingest.beside_disagrees",
        severity=Severity.WARNING,
        where=replace(level.stage.where, field=name),
        what=t(
            "The result says {name} {own}, {file} beside it says {other}",
            name=name,
            own=str(own[name]),
            file=file.name,
            other=str(known_conditions(file.about)[name]),
        ),
        consequence=t("The result's own word counts"),
        fix=t("Make sure that both belong to one run"),
    )
