"""Levels to the parts that become one run each, as the files alone tell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.i18n import t
from core.ingest.raw import Scalar
from core.model.finding import Finding, Severity
from core.normalise.copies import without_copied_levels
from core.normalise.folders import split_by_folder
from core.normalise.group import grouped
from core.normalise.lengths import split_by_length
from core.normalise.level import Level
from core.normalise.one_sweep import as_one_sweep


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """The levels of one run on their way.

    Attributes:
        levels: never empty, no exact copies among them.
        findings: of grouping; those of the levels and their files are not among them.
        folder: what tells it from its siblings where neither conditions nor settings do, "" where nothing has to.
        group, length: which configuration and which lengths of it; parts of equal both differ in their folder only.
        could_join: numbers of the other configurations that it contradicts as little; it fits several or none.
    """

    levels: tuple[Level, ...]
    findings: tuple[Finding, ...] = ()
    folder: str = ""
    group: int = 0
    length: int = 0
    could_join: tuple[int, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key of every level, those of merged files and copies too."""
        return tuple(key for level in self.levels for key in level.keys)


def parts_of(levels: Sequence[Level]) -> list[Part]:
    """Return the parts of levels, one per configuration, lengths and telling folder."""
    groups = grouped(as_one_sweep(levels))
    parts = []
    for number, group in enumerate(groups):
        could_join = tuple(i for i, other in enumerate(groups) if any(other is each for each in group.could_join))
        by_length = split_by_length(group.levels)
        for length, members in enumerate(by_length):
            kept, copied = without_copied_levels(members)
            by_folder = split_by_folder(kept)
            for folder, inside in sorted(by_folder.items()):
                split = [_split_by_folder(inside, by_folder)] if len(by_folder) > 1 else []
                split += [_split_by_length(inside)] if len(by_length) > 1 else []
                parts.append(
                    Part(
                        levels=tuple(inside),
                        findings=(*group.findings, *copied, *split),
                        folder=folder,
                        group=number,
                        length=length,
                        could_join=could_join,
                    )
                )
    return parts


def shared_identity(levels: Sequence[Level]) -> dict[str, Scalar]:
    """Return the settings on which all levels agree, by the file's name for them."""
    first, *others = (level.identity for level in levels)
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}


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


def _split_by_length(levels: Sequence[Level]) -> Finding:
    return Finding(
        code="group.by_length",
        severity=Severity.INFO,
        where=levels[0].stage.where,
        what=t("Other levels of this configuration have clearly longer or shorter prompts or answers"),
        consequence=t("They are other work, and a run of their own"),
        fix=t("If they were meant to be one sweep, measure all levels with the same requests"),
    )
