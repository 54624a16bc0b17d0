"""Exact copies: a file given twice, a level filed twice. They say nothing new, so they are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest.raw import RawFile
from core.model.finding import Finding, Severity
from core.normalise.level import Level


def without_copied_files(files: Sequence[RawFile]) -> tuple[list[RawFile], dict[str, list[Finding]]]:
    """Return each content once, and the findings about its copies by sha256.

    Which of several names is kept does not depend on their order: the first in the alphabet.
    """
    names: dict[str, list[str]] = {}
    for file in files:
        names.setdefault(file.sha256, []).append(file.name)
    kept = []
    seen: set[str] = set()
    for file in files:
        if file.sha256 not in seen and file.name == min(names[file.sha256]):
            seen.add(file.sha256)
            kept.append(file)
    findings = {
        sha256: [_copied_file(name, sorted(same)[0]) for name in sorted(same)[1:]]
        for sha256, same in names.items()
        if len(same) > 1
    }
    return kept, findings


def without_copied_levels(levels: Sequence[Level]) -> tuple[list[Level], list[Finding]]:
    """Return levels of one configuration without exact copies of another of them; what is kept answers to both keys."""
    kept: dict[object, Level] = {}
    dropped: list[tuple[Level, Level]] = []
    for level in sorted(levels, key=lambda level: (level.file.name, str(level.stage.where))):
        key = _content(level)
        if key is not None and key in kept:
            dropped.append((kept[key], level))
        else:
            kept[key if key is not None else len(kept)] = level
    keys = {id(level): level.keys for level in kept.values()}
    for first, copy in dropped:
        keys[id(first)] = (*keys[id(first)], *(key for key in copy.keys if key not in keys[id(first)]))
    remaining = [replace(level, keys=keys[id(level)]) for level in levels if id(level) in keys]
    return remaining, [_copied_level(*pair) for pair in dropped]


def _content(level: Level) -> object | None:
    """What has to be equal for a copy: the load, the counts and every statistic to the last digit."""
    stage = level.stage
    if not stage.statistics:
        return None
    statistics = tuple(
        (metric, found.mean, found.sd, tuple(sorted(found.quantiles.items())))
        for metric, found in sorted(stage.statistics.items())
    )
    counts = (stage.requests_sent, stage.requests_good, stage.duration_s, stage.achieved_rate, stage.output_tok_s)
    return level.load_key, counts, statistics


def _copied_file(name: str, kept: str) -> Finding:
    return Finding(
        code="ingest.duplicate_file",
        severity=Severity.INFO,
        where=Place(name),
        what=t("{name} is an exact copy of {kept}", name=name, kept=kept),
        consequence=t("It is counted once"),
    )


def _copied_level(kept: Level, dropped: Level) -> Finding:
    return Finding(
        code="pool.duplicate_level",
        severity=Severity.INFO,
        where=dropped.stage.where,
        what=t(
            "{dropped} repeats every figure of {kept}",
            dropped=str(dropped.stage.where) or dropped.file.name,
            kept=str(kept.stage.where) or kept.file.name,
        ),
        consequence=t("It is counted once"),
    )
