"""The seven conditions on one page: what is known once, where runs differ by number, what is unknown by name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from core.i18n import t
from core.model.run import Run
from core.present.conditions import ASKED_FIRST, Known, conditions_of
from core.present.names import SEPARATOR
from core.present.report.memo_parts import Condition
from core.present.report.memo_table import clipped
from core.present.report.memo_widths import width

VALUE_CHARS = 70
UNKNOWN_NAMED = 4
"""Unknown conditions of a group that are named; the rest is counted."""


def conditions(runs: Sequence[Run], language: str) -> tuple[Condition, ...]:
    """Return the seven groups of conditions over all runs."""
    unknown = t("unknown").render(language)
    rows = list(zip(*(conditions_of(run, language) for run in runs), strict=True))
    found = []
    for title, members in groupby(rows, key=lambda row: row[0].group):
        every = list(members)
        known = tuple((row[0].name.render(language), _values(row, unknown)) for row in every if _is_known(row))
        missing = [row[0] for row in every if not _is_known(row)]
        found.append(Condition(name=title.render(language), known=known, unknown=_missing(missing, language)))
    return tuple(found)


def _is_known(row: Sequence[Known]) -> bool:
    return any(each.value is not None for each in row)


def _values(row: Sequence[Known], unknown: str) -> str:
    """Return one value where all runs share it, else each with the number of its run."""
    values = [unknown if each.value is None else clipped(each.value, VALUE_CHARS) for each in row]
    if len(set(values)) == 1:
        return values[0]
    alike: dict[str, list[str]] = {}
    for place, value in enumerate(values, start=1):
        alike.setdefault(value, []).append(str(place))
    return SEPARATOR.join(f"({', '.join(places)}) {value}" for value, places in alike.items())


def _missing(missing: Sequence[Known], language: str) -> str | None:
    """Return the unknown conditions: those that a comparison needs first are named first."""
    if not missing:
        return None
    first = sorted(missing, key=lambda each: each.field not in ASKED_FIRST)
    named = ", ".join(each.name.render(language) for each in first[:UNKNOWN_NAMED])
    left = len(first) - UNKNOWN_NAMED
    if left <= 0:
        return t("unknown: {names}", names=named).render(language)
    if left == 1:
        return t("unknown: {names} and 1 more", names=named).render(language)
    return t("unknown: {names} and {count} more", names=named, count=left).render(language)


def halves(found: Sequence[Condition]) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    """Return the conditions in two columns of about the same height."""
    heights = [_letters(each) for each in found]
    at = min(range(1, len(found) + 1), key=lambda i: max(sum(heights[:i]), sum(heights[i:])))
    return tuple(found[:at]), tuple(found[at:])


def _letters(found: Condition) -> float:
    said = [found.name, *(f"{name} {value} · " for name, value in found.known), found.unknown or ""]
    return sum(map(width, said)) + _LINE


_LINE = 30.0
"""Half a line: the last one of a paragraph is rarely full."""
