"""The tables of a sheet of fleets about the ways to pay: what each costs a month, and where two cost the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from xlsxwriter.utility import xl_rowcol_to_cell

from core.fleet.answer import FleetAnswer, Whole
from core.i18n import Text, t
from core.model.answer import Interval
from core.present.dated import Dated
from core.present.fleet_files import ways_file
from core.present.fleet_tables import AUTOSCALED, PERFECT, WAYS
from core.present.report.workbook_blocks import Blocks
from core.present.report.workbook_cost import RunCells
from core.present.report.workbook_ledger import Cell
from core.present.report.workbook_live import MONTH, priced
from core.present.report.workbook_page import Book

ENDS = ("mid", "low", "high")
"""In the order of the columns of the numbers of a fleet."""

MONTH_ENDS = {"low": t("A month, from"), "mid": t("A month"), "high": t("A month, to")}
_SCALED = {"autoscale": AUTOSCALED, "perfect": PERFECT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The numbers of a fleet as they stand on its sheet: their table, and the row of its head from 0."""

    frame: pd.DataFrame
    top: int

    def place(self, name: str, end: str) -> str | None:
        """Return the address of a number, "mid", "low" or "high" of it; None where it is not in the table."""
        names = [str(each) for each in self.frame.iloc[:, 0]]
        if name not in names:
            return None
        row = self.top + 1 + names.index(name)
        return str(xl_rowcol_to_cell(row, 1 + ENDS.index(end), row_abs=True, col_abs=True))


def write_ways(blocks: Blocks, found: FleetAnswer, own: RunCells | None, numbers: Numbers, dated: Dated) -> None:
    """Write what each way costs, and which price is old by `dated`; what is rented follows the sheet of costs."""
    language = blocks.book.language
    frame = ways_file(found, language, dated)
    names = [str(name) for name in frame.iloc[:, 0]]
    cells: dict[tuple[int, str], Cell] = {}
    for way in found.ways:
        for end, amount in (_followed(way.name, found, own, numbers, blocks.book) if own else {}).items():
            cells[names.index(WAYS[way.name].render(language)), MONTH_ENDS[end].render(language)] = amount
    blocks.frame(frame, cells)


def _followed(name: str, found: FleetAnswer, own: RunCells, numbers: Numbers, book: Book) -> Mapping[str, Cell]:
    """Return the cells of the bill of a fleet that is rented: fixed, autoscaled, or by a perfect autoscaler."""
    if name == "rent":
        return own.monthly or {}
    over = found.over_time
    if name not in _SCALED or over is None:
        return {}
    mean = over.mean_scaled if name == "autoscale" else over.mean_needed
    cells = {}
    for end in ENDS:
        place, count = numbers.place(book.say(_SCALED[name]), end), getattr(mean, end)
        if place is not None:
            cells[end] = priced(place, count, own.bill, book, hours=MONTH)
    return cells


def break_even_file(found: FleetAnswer, language: str = "en") -> pd.DataFrame:
    """Return one row for each other way: from how many requests, which month and which share of the hours it turns."""
    rows = found.break_even

    def ends(one: Interval | Whole | None) -> tuple[float | None, float | None, float | None]:
        if isinstance(one, Whole):
            return (one.fewest, one.count, one.most)
        return (one.low, one.mid, one.high) if one else (None, None, None)

    def columns(names: Sequence[Text], cells: Sequence[Interval | Whole | None]) -> dict[str, pd.Series[float]]:
        spans = [ends(cell) for cell in cells]
        return {
            name.render(language): pd.Series([row[at] for row in spans], dtype="Float64")
            for at, name in enumerate(names)
        }

    volume = (t("Requests a month, from"), t("Requests a month"), t("Requests a month, to"))
    month = (t("Month, from"), t("Month"), t("Month, to"))
    frame = pd.DataFrame(
        {
            t("Against").render(language): pd.Series([WAYS[each.name].render(language) for each in rows], dtype="str"),
            **columns(volume, [each.volume for each in rows]),
            **columns(month, [each.month for each in rows]),
            t("Share of the hours").render(language): pd.Series([each.share for each in rows], dtype="Float64"),
        }
    )
    return frame.drop(columns=[name for name in frame.columns[1:] if frame[name].isna().all()])
