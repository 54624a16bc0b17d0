"""What gives way where a page is full: lists and notes are cut, and say how much was left off and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.i18n import Text, t
from core.present.report.memo_parts import Memo, Section
from core.present.report.memo_table import clipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much a page may hold.

    Attributes:
        changes, assumptions: lines. line_chars: letters of one of them.
        notes_chars: letters of the notes in all.
        chart_mm: height of the chart in millimetres.
        air: how much space stands between things, from 0 to 2.
    """

    changes: int
    assumptions: int
    line_chars: int
    notes_chars: int
    chart_mm: float
    air: float


def _room(changes: int, assumptions: int, line_chars: int, notes_chars: int, chart_mm: float, air: float) -> Room:
    return Room(
        changes=changes,
        assumptions=assumptions,
        line_chars=line_chars,
        notes_chars=notes_chars,
        chart_mm=chart_mm,
        air=air,
    )


ROOMS = (
    _room(12, 12, 420, 900, 84.0, 2.0),
    _room(12, 12, 420, 900, 78.0, 1.5),
    _room(11, 11, 420, 900, 72.0, 1.2),
    _room(10, 10, 420, 900, 66.0, 1.0),
    _room(9, 9, 380, 700, 62.0, 0.8),
    _room(8, 8, 340, 600, 58.0, 0.6),
    _room(7, 8, 300, 500, 56.0, 0.5),
    _room(6, 7, 260, 400, 54.0, 0.4),
    _room(6, 6, 220, 300, 52.0, 0.3),
    _room(5, 5, 190, 240, 50.0, 0.2),
    _room(5, 4, 160, 180, 48.0, 0.1),
    _room(4, 4, 140, 140, 46.0, 0.0),
    _room(4, 3, 120, 100, 44.0, 0.0),
    _room(3, 2, 100, 80, 42.0, 0.0),
    _room(2, 2, 80, 60, 40.0, 0.0),
    _room(2, 1, 70, 40, 36.0, 0.0),
)
"""From roomy to tight; a page takes the first that fits."""


def cut(memo: Memo, room: Room) -> Memo:
    """Return a memo that takes no more room than given."""
    return replace(
        memo,
        changes=_cut(memo.changes, room.changes, room.line_chars, memo),
        assumptions=_cut(memo.assumptions, room.assumptions, room.line_chars, memo),
        notes=_cut_notes(memo.notes, room.notes_chars, memo),
    )


def _cut(section: Section, most: int, chars: int, memo: Memo) -> Section:
    left = len(section.lines) - most
    # One that is left off would take the line that says so.
    kept = section.lines if left <= 1 else section.lines[:most]
    lines = tuple(clipped(line, chars) for line in kept)
    more = t("{count} more: {where}", count=left, where=memo.where)
    return replace(section, lines=lines, more=_said(more, memo) if left > 1 else None)


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
