"""The memo as PDF: one page, tagged, the same bytes for the same memo."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from enum import StrEnum
from functools import cache
from typing import Any

import typst

from core.errors import UsageError
from core.i18n import t
from core.present.report.chart import Paper
from core.present.report.chart_letters import without_pictures
from core.present.report.chart_svg import chart_svg
from core.present.report.fonts import letters
from core.present.report.logo import logo_of
from core.present.report.memo_conditions import halves
from core.present.report.memo_cut import ROOMS, TIGHT, Room, cut, filled, unranked
from core.present.report.memo_parts import Memo, Saying, Table
from core.present.report.memo_widths import breakable, in_column
from core.settings import DATA

TEMPLATE = DATA / "report" / "memo.typ"
CHART_MM = 104.0
"""Width of the column that the chart stands in."""
LEAST_AIR = -1.0
"""No room has less air."""
LABEL_LETTERS = 17.0
"""Letters that the column with the names of the runs holds beside their sentences."""


class PaperSize(StrEnum):
    """Sizes of paper, by the typesetter's names."""

    A4 = "a4"
    LETTER = "us-letter"


def memo_pdf(memo: Memo, paper: PaperSize = PaperSize.A4) -> bytes:
    """Return the memo as a PDF of one page; what does not fit is left off and said to be.

    Raises:
        UsageError: "report.not_set" where the typesetter fails.
    """
    data = _data(*fitted(memo, paper), paper)
    stamp = int(memo.saved_at.timestamp()) if memo.saved_at else 0
    shared: dict[str, Any] = {"font_paths": _fonts(), "sys_inputs": {"memo": data}, "timestamp": stamp}
    try:
        # Accessible as PDF/UA-1 asks, wherever the letters can show every sign of a name.
        return bytes(typst.compile(_template(), root=str(TEMPLATE.parent), pdf_standards=["ua-1"], **shared))
    except typst.TypstError:
        pass
    try:
        return bytes(typst.compile(_template(), root=str(TEMPLATE.parent), **shared))
    except typst.TypstError as error:
        raise _not_set() from error


def memo_png(memo: Memo, paper: PaperSize = PaperSize.A4, dots_per_inch: int = 130) -> bytes:
    """Return the same page as a picture (PNG), to be looked at before it is sent.

    Raises:
        UsageError: "report.not_set" where the typesetter fails.
    """
    data = _data(*fitted(memo, paper), paper)
    shared: dict[str, Any] = {"font_paths": _fonts(), "sys_inputs": {"memo": data}, "ppi": float(dots_per_inch)}
    try:
        drawn = typst.compile(_template(), root=str(TEMPLATE.parent), format="png", **shared)
    except typst.TypstError as error:
        raise _not_set() from error
    return bytes(drawn[0] if isinstance(drawn, list) else drawn)


def fitted(
    memo: Memo, paper: PaperSize = PaperSize.A4, *, spare_mm: float = 0.0, least_air: float = LEAST_AIR
) -> tuple[Memo, Room]:
    """Return what of the memo fits on one page, and the room that it then has; `spare_mm` of the page stay free.

    Things stand no nearer to each other than `least_air` says: a page whose spaces are fixed asks for its own.

    A ranking goes before a warning does: without everything that it stands on it may not be printed.
    """

    def fits(one: Memo, room: Room) -> bool:
        airy = replace(room, air=max(room.air, least_air))
        return _pages(_data(cut(one, airy), airy, paper, blank=True, spare_mm=spare_mm)) == 1

    plain = unranked(memo)
    for one, rooms in ((memo, ROOMS), *(((plain, ROOMS),) if plain is not memo else ()), (plain, TIGHT)):
        first, last = 0, len(rooms)
        while first < last:
            middle = (first + last) // 2
            first, last = (first, middle) if fits(one, rooms[middle]) else (middle + 1, last)
        if first < len(rooms):
            room = filled(one, rooms[first], fits)
            return cut(one, room), room
    return cut(plain, TIGHT[-1]), TIGHT[-1]


def _pages(data: str) -> int:
    try:
        told = typst.query(
            str(TEMPLATE),
            "<last>",
            field="value",
            one=True,
            root=str(TEMPLATE.parent),
            font_paths=_fonts(),
            sys_inputs={"memo": data},
        )
    except typst.TypstError as error:
        raise _not_set() from error
    return int(json.loads(told))


def _data(memo: Memo, room: Room, paper: PaperSize, *, blank: bool = False, spare_mm: float = 0.0) -> str:
    """Return everything on the page as JSON, nothing of which becomes part of the template.

    `blank` puts an empty frame in the place of the chart: it takes the same room.
    """
    logo = logo_of(memo.brand)
    chart = None
    if memo.chart:
        size = Paper(width=CHART_MM, height=room.chart_mm)
        chart = {
            "title": memo.chart.title,
            "note": memo.chart.note,
            "alt": memo.chart.figure.alt,
            "svg": _frame(size) if blank else chart_svg(memo.chart.figure.chart, size),
        }
    kept = ("language", "kind", "when", "title", "asked", "more_runs", "reading", "chart_absent", "conditions_title")
    return without_pictures(
        json.dumps(
            {
                **{name: getattr(memo, name) for name in (*kept, "footer", "link", "link_label", "assumptions_beside")},
                "sayings": [asdict(_saying(one)) for one in memo.sayings],
                "tables": [asdict(_table(one)) for one in memo.tables],
                "beside": asdict(memo.beside) if memo.beside else None,
                **{name: asdict(getattr(memo, name)) for name in ("assumptions", "changes", "notes", "choice")},
                "conditions": [[asdict(one) for one in half] for half in halves(memo.conditions)],
                "chart": chart,
                "paper": paper.value,
                "spare_mm": spare_mm,
                "air": room.air,
                "family": letters().family,
                "accent": memo.brand.on_white,
                "logo": list(logo.png),
                "logo_alt": logo.alt.render(memo.language),
                "logo_size": logo.fit(width=42.0, height=11.0),
            },
            ensure_ascii=False,
        )
    )


def _table(table: Table) -> Table:
    """Return a table in which no word reaches into the next column."""

    def fit(cells: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(in_column(cell, wide) for cell, wide in zip(cells, table.widths, strict=True))

    return replace(table, headers=fit(table.headers), rows=tuple(map(fit, table.rows)))


def _saying(saying: Saying) -> Saying:
    return replace(saying, label=saying.label and breakable(saying.label, LABEL_LETTERS))


def _frame(size: Paper) -> str:
    box = f'viewBox="0 0 {size.width} {size.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width}mm" height="{size.height}mm" {box}/>'


@cache
def _template() -> bytes:
    return TEMPLATE.read_bytes()


@cache
def _fonts() -> typst.Fonts:
    """Return the letters of this machine; the typesetter's own stand in for signs that they lack."""
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(letters().folder)])


def _not_set() -> UsageError:
    return UsageError(
        "report.not_set",
        t("The page could not be set as PDF"),
        fix=t("Take the HTML file instead, and please report it"),
    )
