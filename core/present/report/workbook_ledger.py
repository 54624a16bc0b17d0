"""Rows of the cost sheet: cells to type into, each with a name, and formulas over those names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.worksheet import Worksheet

from core.i18n import Text, t
from core.model.answer import Interval
from core.present.report.workbook_page import NUMBER, UNKNOWN, Book

LABEL, LOW, MIDDLE, HIGH, UNIT = range(5)
ENDS = {"low": LOW, "mid": MIDDLE, "high": HIGH}
CURRENCY = 'IF(ISBLANK(currency),"",currency)'
"""The label of every amount, from the cell where it is typed."""

MONEY = "="
"""The unit of an amount: the label of the currency."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A formula that stands somewhere: its address with the sheet, and what it comes to; None is "unknown"."""

    place: str
    value: float | str | None

    @property
    def here(self) -> str:
        """Return the address as formulas of its own sheet write it."""
        return self.place.rsplit("!", 1)[1]


@dataclass(slots=True)
class Ledger:
    """The sheet as far as it is written.

    Attributes:
        currency: label of all amounts, "" where there is none.
        row: of the next line, from 0.
    """

    book: Book
    sheet: Worksheet
    currency: str = ""
    row: int = 0

    def line(self, text: str, style: str = "text", **more: object) -> None:
        """Write words alone in their row."""
        self.book.put(self.sheet, self.row, LABEL, text, style, **more)
        self.row += 1

    def heading(self, text: str) -> None:
        """Write the title of a block over its whole width."""
        for column in range(LABEL, UNIT + 1):
            self.book.put(self.sheet, self.row, column, text if column == LABEL else None, "heading")
        self.row += 1

    def ends(self, text: str) -> None:
        """Write the heads of a block with ranges."""
        heads = (text, *(self.book.say(name) for name in (t("Low"), t("Middle"), t("High"), t("Unit"))))
        for column, head in enumerate(heads):
            align: dict[str, object] = {"indent": 1, "align": "left"} if column == UNIT else {}
            align |= {} if column in (LABEL, UNIT) else {"align": "right"}
            self.book.put(self.sheet, self.row, column, head, "head", **align)
        self.row += 1

    def given(self, name: str, label: Text, value: float | str | None, *, unit: str = "", number: str = NUMBER) -> None:
        """Write one cell to type into, under a name that formulas use; unknown stays empty."""
        self._label(label, unit)
        self._input(name, MIDDLE, value, number)
        self.row += 1

    def choice(self, name: str, label: Text, value: str, choices: Sequence[str]) -> None:
        """Write one cell in which one of a few words is chosen."""
        self.sheet.data_validation(self.row, MIDDLE, self.row, MIDDLE, {"validate": "list", "source": list(choices)})
        self.given(name, label, value)

    def given_range(self, name: str, label: Text, found: Interval | None, *, unit: str, number: str = NUMBER) -> None:
        """Write three cells to type into, NAME_low, NAME_mid and NAME_high."""
        self._label(label, unit)
        for end, column in ENDS.items():
            self._input(f"{name}_{end}", column, getattr(found, end) if found else None, number)
        self.row += 1

    def worked_out(self, label: Text, formula: str, value: float | None, *, unit: str, number: str = NUMBER) -> Cell:
        """Write one formula; `value` is what it comes to, None "unknown"."""
        return self.worked_out_range(label, {"mid": formula}, {"mid": value}, unit=unit, number=number)["mid"]

    def worked_out_range(
        self,
        label: Text,
        formulas: Mapping[str, str],
        values: Mapping[str, float | None],
        *,
        unit: str,
        number: str = NUMBER,
    ) -> dict[str, Cell]:
        """Write a formula for each end, "low", "mid" and "high"."""
        self._label(label, unit)
        cells = {}
        for end, formula in formulas.items():
            value = values[end] if math.isfinite(values[end] or 0.0) else None
            write_formula(self.book, self.sheet, (self.row, ENDS[end]), formula, value, number)
            cells[end] = Cell(self._place(self.row, ENDS[end]), value)
        self.row += 1
        return cells

    def _label(self, label: Text, unit: str) -> None:
        self.book.put(self.sheet, self.row, LABEL, self.book.say(label))
        if unit == MONEY:
            self.sheet.write_formula(self.row, UNIT, f"={CURRENCY}", self.book.style("unit"), self.currency)
        else:
            self.book.put(self.sheet, self.row, UNIT, unit, "unit")

    def _input(self, name: str, column: int, value: float | str | None, number: str) -> None:
        self.book.put(self.sheet, self.row, column, value, "input", num_format=number)
        self.book.file.define_name(name, f"={self._place(self.row, column)}")

    def _place(self, row: int, column: int) -> str:
        return f"'{self.sheet.get_name()}'!{xl_rowcol_to_cell(row, column, row_abs=True, col_abs=True)}"


def write_formula(
    book: Book, sheet: Worksheet, at: tuple[int, int], formula: str, value: float | str | None, number: str
) -> None:
    """Write a formula with what it comes to beside it, for programs that do not compute."""
    shown = book.say(UNKNOWN) if value is None else value
    sheet.write_formula(*at, f"={formula}", book.style("result", num_format=number), shown)
