"""Ways to part the levels of one run: by file, folder, name, setting, length, or as a person chose."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import PurePosixPath

from core.ingest.names import without_load
from core.ingest.raw import Scalar
from core.normalise.folders import REPETITION
from core.normalise.lengths import input_length, output_length
from core.normalise.level import Level
from core.normalise.signature import LOAD_DEPENDENT, folder, known_conditions


class Parting(StrEnum):
    """How levels are told apart. Stored: never rename one."""

    FOUND = "found"
    FILE = "file"
    FOLDER = "folder"
    NAME = "name"
    SETTING = "setting"
    INPUT = "input"
    OUTPUT = "output"
    CHOSEN = "chosen"


_ALONE = re.compile(r"(?<![a-z\d])\d[\d.]*(?![a-z\d])", re.IGNORECASE)
_SIGNS = re.compile(r"[\s_\-.=#()]+")


def parted(
    levels: Sequence[Level],
    by: Parting,
    *,
    setting: str = "",
    chosen: frozenset[str] = frozenset(),
) -> list[tuple[str, list[Level]]]:
    """Return (what tells a part apart, its levels), sorted; one part where nothing tells.

    Args:
        levels: of one run.
        by: the way; `Parting.FOUND` is `core.normalise.regrouping`'s own, and nothing tells here.
        setting: name of the setting or condition for `Parting.SETTING`.
        chosen: keys of the levels that become a part for `Parting.CHOSEN`.
    """
    if by in (Parting.INPUT, Parting.OUTPUT):
        return _by_length(levels, input_length if by is Parting.INPUT else output_length)
    told = _ways(setting, chosen)[by]
    parts: dict[str, list[Level]] = defaultdict(list)
    for level in levels:
        parts[told(level)].append(level)
    # A file or a folder names its part; conditions and settings come into the name by themselves.
    named = by in (Parting.FILE, Parting.FOLDER, Parting.NAME)
    return [(_name(name) if named else "", parts[name]) for name in sorted(parts)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way in which a run can be split.

    Attributes:
        by: how.
        setting: of `Parting.SETTING`, "" for the others.
        parts: how many runs it makes, 2 or more.
    """

    by: Parting
    setting: str = ""
    parts: int


def ways_to_part(levels: Sequence[Level]) -> tuple[Way, ...]:
    """Return every way by name, folder, file or setting that makes more than one run of these levels."""
    tries = [(Parting.FOLDER, ""), (Parting.NAME, ""), (Parting.FILE, "")]
    names = {name for level in levels for name in (*level.identity, *known_conditions(level.conditions))}
    tries += [(Parting.SETTING, name) for name in sorted(names - LOAD_DEPENDENT)]
    counted = ((by, setting, len(parted(levels, by, setting=setting))) for by, setting in tries)
    return tuple(Way(by=by, setting=setting, parts=parts) for by, setting, parts in counted if parts > 1)


def telling_name(level: Level) -> str:
    """Return what the name of a level's file says beyond its load, counters and dates."""
    return _telling(PurePosixPath(level.file.name).name.split(".")[0])


def setting_of(level: Level, name: str) -> str:
    """Return the value of a setting or condition as text, "" where the file does not say it."""
    value = known_conditions(level.conditions).get(name, level.identity.get(name))
    return "" if value is None else value_said(value)


def value_said(value: Scalar) -> str:
    """Return the value of a setting as text: a whole number has no point in it.

    >>> value_said(1024.0), value_said(0.25), value_said("1.0"), value_said(True)
    ('1024', '0.25', '1.0', 'True')
    """
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _ways(setting: str, chosen: frozenset[str]) -> dict[Parting, Callable[[Level], str]]:
    return {
        Parting.FILE: lambda level: f"{level.file.name}\n{level.file.sha256}",
        Parting.FOLDER: lambda level: "/".join(folder(level)),
        Parting.NAME: telling_name,
        Parting.SETTING: lambda level: setting_of(level, setting),
        Parting.CHOSEN: lambda level: str(not chosen.isdisjoint(level.keys)),
        Parting.FOUND: lambda _: "",
    }


def _telling(stem: str) -> str:
    """Return what a name says beyond a load, counters and dates.

    >>> _telling("h100_conc16_20260102"), _telling("a4-100"), _telling("c8-run2"), _telling("tp4 (2)")
    ('h100', 'a4', '', 'tp4')
    """
    bare = REPETITION.sub("", without_load(stem))
    bare = re.sub(r"(?<![a-z0-9])c\d+(?![a-z0-9])", "", bare, flags=re.IGNORECASE)
    return _SIGNS.sub(" ", _ALONE.sub("", bare)).strip()


def _name(told: str) -> str:
    """Return what tells a part apart without the hash and the ending that a file has."""
    name, of_file, _ = told.partition("\n")
    return PurePosixPath(name).name.split(".")[0] if of_file else name


def _by_length(levels: Sequence[Level], length: Callable[[Level], float | None]) -> list[tuple[str, list[Level]]]:
    """Part levels in two where neighbouring mean lengths lie furthest apart; unknown ones go with the shorter."""
    known = sorted(
        ((value, level) for level in levels if (value := length(level)) is not None),
        key=lambda pair: (pair[0], pair[1].keys),
    )
    ratios = [after / before for (before, _), (after, _) in pairwise(known)]
    if not ratios or max(ratios) <= 1.0:
        return [("", list(levels))]
    longer = {id(level) for _, level in known[ratios.index(max(ratios)) + 1 :]}
    return [("", [level for level in levels if (id(level) in longer) is late]) for late in (False, True)]
