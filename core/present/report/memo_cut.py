"""What gives way where a page is full: lists and notes are cut, and say how much was left off and where it stands."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from core.i18n import Text, t
from core.present.names import SEPARATOR
from core.present.report.memo_parts import Condition, Memo, Saying, Section
from core.present.report.memo_table import ROWS, Narrow, clipped, narrowed
from core.present.report.memo_widths import width

ASKED, FEWER_ASKED = 99, (99, 6, 4, 2)
"""Lines of what else was asked of the fleet: all of them, and how many stand where some have to give way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much a page may hold.

    Attributes:
        changes, assumptions: lines. line_chars: letters of one of them.
        notes_chars: letters of the notes in all.
        label_chars: letters of a run's name.
        own_columns: the person's own, in a table of theirs. own_chars: letters of one of their cells.
        chart_mm: height of the chart in millimetres.
        air: how much space stands between things, from 0 to 2; below 0 where a page is at its end.
        rows: of a table.
        values: conditions of a group that are told with their values. value_chars: letters of such a value.
        must: lines that could change the answer and stand whole, beside `changes`.
        asked: lines of what else was asked of the fleet.
        bill: lines that make the bill and stand whole, beside `assumptions`. bill_chars: letters of one of them.
    """

    changes: int
    assumptions: int
    line_chars: int
    notes_chars: int
    label_chars: int
    own_columns: int
    own_chars: int
    chart_mm: float
    air: float
    rows: int = ROWS
    values: int = 30
    value_chars: int = 700
    must: int = 99
    bill: int = 99
    bill_chars: int = 700
    asked: int = ASKED

    @property
    def table(self) -> Narrow:
        """Return what a table may hold."""
        return Narrow(rows=self.rows, columns=self.own_columns, chars=self.own_chars, label_chars=self.label_chars)


_NAMES = tuple(each.name for each in fields(Room))
_STEPS: tuple[tuple[Any, ...], ...] = (
    (12, 12, 420, 900, 90, 6, 60, 96.0, 2.0),
    (12, 12, 420, 900, 90, 6, 60, 84.0, 2.0),
    (12, 12, 420, 900, 90, 6, 60, 78.0, 1.5),
    (11, 11, 420, 900, 90, 6, 60, 72.0, 1.2),
    (10, 10, 420, 900, 90, 6, 60, 66.0, 1.0),
    (9, 9, 380, 700, 90, 6, 60, 62.0, 0.8),
    (8, 8, 340, 600, 80, 6, 60, 58.0, 0.6),
    (7, 8, 300, 500, 80, 6, 50, 56.0, 0.5),
    (6, 7, 260, 400, 72, 6, 45, 54.0, 0.4),
    (6, 6, 220, 300, 64, 6, 40, 52.0, 0.3),
    (5, 5, 190, 240, 56, 5, 36, 50.0, 0.2),
    (5, 4, 160, 180, 52, 5, 32, 48.0, 0.1),
    (4, 4, 140, 140, 48, 5, 28, 46.0, 0.0, ROWS, 16, 400),
    (4, 3, 120, 100, 44, 4, 26, 44.0, 0.0, ROWS, 12, 240),
    (3, 2, 100, 80, 40, 4, 24, 42.0, 0.0, ROWS, 10, 160),
    (2, 2, 90, 60, 36, 4, 22, 40.0, 0.0, ROWS, 8, 120),
    (2, 1, 80, 40, 32, 3, 20, 38.0, 0.0, ROWS, 7, 90),
    (1, 1, 70, 40, 28, 3, 18, 36.0, 0.0, ROWS, 6, 70),
    (1, 1, 70, 40, 24, 3, 14, 35.0, 0.0, ROWS, 5, 60),
    (1, 1, 60, 30, 20, 2, 12, 34.0, 0.0, 8, 4, 50),
    (1, 1, 60, 30, 20, 2, 12, 34.0, 0.0, 6, 3, 40),
    (1, 1, 50, 20, 9, 1, 10, 32.0, 0.0, 8, 2, 30),
    (0, 0, 50, 20, 8, 1, 10, 29.0, -0.4, 8, 1, 20),
    (0, 0, 50, 20, 8, 1, 10, 26.0, -0.8, 8, 1, 20),
    (0, 0, 50, 20, 8, 1, 10, 26.0, -0.8, 6, 1, 20),
    (0, 0, 50, 20, 18, 1, 10, 29.0, -0.4, 4, 1, 20),
    (0, 0, 50, 20, 18, 1, 10, 26.0, -0.8, 4, 1, 20),
)
_TIGHTEST: tuple[tuple[Any, ...], ...] = (
    (1, 1, 50, 20, 18, 1, 10, 32.0, 0.0, 4, 1, 20, 12),
    (1, 1, 50, 20, 18, 1, 10, 30.0, 0.0, 3, 1, 20, 6),
    (1, 1, 50, 20, 18, 1, 10, 30.0, 0.0, 2, 1, 20, 3),
    (1, 1, 50, 20, 18, 1, 10, 30.0, 0.0, 1, 1, 20, 1),
    (1, 1, 50, 20, 18, 1, 10, 30.0, 0.0, 1, 1, 20, 1, 12, 240),
    (1, 1, 50, 20, 18, 1, 10, 30.0, 0.0, 1, 1, 20, 1, 8, 160),
    (1, 1, 50, 20, 18, 1, 10, 30.0, 0.0, 1, 1, 20, 1, 5, 100),
)

_LEFT, _RIGHT = 75.0, 49.0
"""Letters that a line of the two columns holds."""
_LINE_MM, _BETWEEN_MM, _HEADING_MM = 3.4, 0.9, 8.0


def _room(step: tuple[Any, ...]) -> Room:
    """Return a room; as few lines of what was asked as others are left of what could change the answer."""
    room = Room(**dict(zip(_NAMES, step, strict=False)))
    asked = {3: 6, 2: 4, 1: 2, 0: 0}.get(room.changes, ASKED)
    return replace(room, asked=asked)


ROOMS = tuple(map(_room, _STEPS))
"""From roomy to tight; a page takes the first that fits."""
TIGHT = tuple(replace(_room(step), asked=0) for step in _TIGHTEST)
"""Where even warnings are counted, and at last what makes the bill: of a page with more of them than it holds."""

_LARGER: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("must", (99,)),
    ("rows", (ROWS, 8, 7, 6, 5)),
    ("label_chars", (90, 52)),
    ("asked", FEWER_ASKED),
    ("chart_mm", (44.0, 36.0)),
    ("line_chars", (160, 110)),
    ("assumptions", (99, 4)),
    ("changes", (99, 6)),
    ("notes_chars", (400,)),
    ("values", (30, 10)),
    ("value_chars", (160,)),
)
"""What a page that is not full takes back, in this order."""


def filled(memo: Memo, room: Room, fits: Callable[[Memo, Room], bool]) -> Room:
    """Return the room in which a page holds as much as it can: nothing is only counted while there is space for it."""
    for name, values in _LARGER:
        failed: Memo | None = None
        for value in values:
            larger = _larger(room, name, value)
            short = cut(memo, larger)
            gains = memo.chart is not None if name == "chart_mm" else short != cut(memo, room)
            if value <= getattr(room, name) or not gains:
                break
            if name != "chart_mm" and short == failed:
                continue
            if fits(memo, larger):
                room = larger
                break
            failed = short
    return room


def _larger(room: Room, name: str, value: float) -> Room:
    given: dict[str, Any] = {name: value}
    return replace(room, **given)


def cut(memo: Memo, room: Room) -> Memo:
    """Return a memo that takes no more room than given."""
    short = replace(
        memo,
        sayings=tuple(_named(one, room.label_chars) for one in memo.sayings),
        tables=tuple(narrowed(one, room.table, memo.language, memo.where) for one in memo.tables),
        changes=_cut(memo.changes, room.changes, room.line_chars, memo, must=room.must),
        assumptions=_cut(_billed(memo.assumptions, room), room.assumptions, room.line_chars, memo, must=room.bill),
        choice=_fewer_asked(memo, room.asked),
        notes=_cut_notes(memo.notes, room.notes_chars, memo),
        conditions=tuple(_fewer(one, room, memo) for one in memo.conditions),
    )
    return replace(short, assumptions_beside=_beside(short, room))


def unranked(memo: Memo) -> Memo:
    """Return a memo without the ranking and multiples whose accepted differences do not fit: neither stands alone."""
    found = memo.beside
    if found is None or found.instead is None:
        return memo
    return replace(memo, beside=replace(found, first=None, lines=(found.instead,), accepted=None))


def _beside(memo: Memo, room: Room) -> bool:
    """Return True where the page is lower with the assumptions beside the chart than below it."""
    chart = _HEADING_MM + room.chart_mm if memo.chart else _LINE_MM
    right = _high(memo.changes, _RIGHT) + (_high(memo.notes, _RIGHT) if memo.notes.lines else 0.0)
    under, beside = _high(memo.assumptions, _LEFT), _high(memo.assumptions, _RIGHT)
    return max(chart, right + beside) < max(chart + under, right)


def _high(section: Section, letters: float) -> float:
    """Return about how high a list stands in a column that holds so many letters, millimetres."""
    lines = [math.ceil(width(line) / letters) for line in (*section.lines, *filter(None, (section.more,)))]
    return _HEADING_MM + sum(lines) * _LINE_MM + len(lines) * _BETWEEN_MM


def _named(saying: Saying, chars: int) -> Saying:
    return replace(saying, label=None if saying.label is None else clipped(saying.label, chars))


def _billed(section: Section, room: Room) -> Section:
    """Return the assumptions with the longest sources of prices cut."""
    first = tuple(clipped(line, room.bill_chars) for line in section.lines[: section.must])
    return replace(section, lines=(*first, *section.lines[section.must :]))


def _cut(section: Section, most: int, chars: int, memo: Memo, *, must: int = 0) -> Section:
    """Return a list cut to its first lines; those that must stand are neither cut nor counted among the `most`."""
    stands = section.lines[: min(section.must, must)]
    others = section.lines[len(stands) :]
    left = len(others) - most
    # One that is left off would take the line that says so.
    kept = others if left <= 1 else others[:most]
    lines = (*stands, *(clipped(line, chars) for line in kept))
    grave = section.must - len(stands) if section is memo.changes else 0
    more = t("{count} more: {where}", count=left, where=memo.where)
    if grave > 0:
        more = t("{count} more, {grave} of them warnings: {where}", count=left, grave=grave, where=memo.where)
    return replace(section, lines=lines, more=_said(more, memo) if left > 1 else None)


def _fewer_asked(memo: Memo, most: int) -> Section:
    """Return what else was asked of the fleet, its first lines; what is left off is counted and named."""
    left = len(memo.choice.lines) - most
    if left <= 1:
        return memo.choice
    more = t("Of budget, autoscaling, other ways to pay and growth {count} more: {where}", count=left, where=memo.where)
    return replace(memo.choice, lines=memo.choice.lines[:most], more=_said(more, memo))


def _fewer(group: Condition, room: Room, memo: Memo) -> Condition:
    """Return a group of conditions with long values cut, and those that are left off counted among its last words."""
    left = len(group.known) - room.values
    # One that is left off would take the words that say so.
    known = group.known if left <= 1 else group.known[: room.values]
    short = replace(group, known=tuple((name, clipped(value, room.value_chars)) for name, value in known))
    if left <= 1:
        return short
    more = _said(t("{count} more: {where}", count=left, where=memo.where), memo)
    return replace(short, unknown=SEPARATOR.join(filter(None, (group.unknown, more))))


def _cut_notes(section: Section, chars: int, memo: Memo) -> Section:
    lines: list[str] = []
    taken = 0
    for line in section.lines:
        if taken >= chars:
            break
        lines.append(clipped(line, max(chars - taken, 1)))
        taken += len(line)
    left = sum(len(line) for line in section.lines) - sum(len(line) for line in lines)
    if len(lines) == len(section.lines) and lines == list(section.lines):
        return section
    more = t("{count} more characters: {where}", count=left, where=memo.where)
    return replace(section, lines=tuple(lines), more=_said(more, memo))


def _said(text: Text, memo: Memo) -> str:
    return text.render(memo.language)
