"""A sheet of several tables below each other, with sentences between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd
from xlsxwriter.worksheet import Worksheet

from core.present.report.workbook_ledger import Cell, write_formula
from core.present.report.workbook_page import LINE, NUMBER, WHOLE, Book, lines_of

_ACROSS, _FIRST, _OTHERS, _WORDS = 7, 44, 15, 30
"""Columns of a sentence; widths of the first column, of numbers and of words, in digits."""


@dataclass(slots=True)
class Blocks:
    """The sheet as far as it is written; `row` is the next line from 0."""

    book: Book
    sheet: Worksheet
    row: int = 0
    _widths: dict[int, int] = field(default_factory=dict)

    def title(self, text: str) -> None:
        """Write what the sheet is called."""
        self._wide(0, _FIRST)
        self.book.put(self.sheet, self.row, 0, text, "title")
        self.row += 1

    def heading(self, text: str) -> None:
        """Write the title of a table."""
        self.row += 1
        self.book.put(self.sheet, self.row, 0, text, "heading")
        self.row += 1

    def words(self, text: str | None, style: str = "wrapped") -> None:
        """Write a sentence over the width of the page; nothing for None."""
        if not text:
            return
        self.sheet.merge_range(self.row, 0, self.row, _ACROSS - 1, "", self.book.style(style, text_wrap=True))
        self.book.put(self.sheet, self.row, 0, text, style, text_wrap=True)
        self.sheet.set_row(self.row, LINE * min(lines_of(text, _FIRST + (_ACROSS - 1) * _OTHERS), 25))
        self.row += 1

    def frame(self, frame: pd.DataFrame, cells: Mapping[tuple[int, str], Cell] | None = None) -> None:
        """Write a table: numbers as numbers, unknown as empty cells; `cells` by row and column point elsewhere."""
        given = cells or {}
        names = [str(name) for name in frame.columns]
        widths = [self._width(frame[name], place) for place, name in enumerate(names)]
        for place, name in enumerate(names):
            self.book.head(self.sheet, self.row, place, name, number=_is_number(frame[name]))
        self.book.tall(self.sheet, self.row, names, widths)
        for row in range(len(frame)):
            at = self.row + 1 + row
            texts = ["" if _is_number(frame[name]) else str(frame[name].iloc[row] or "") for name in names]
            self.book.tall(self.sheet, at, texts, widths)
            for place, name in enumerate(names):
                self._cell(at, place, frame[name], row, given.get((row, name)))
        self.row += len(frame) + 1

    def _cell(self, at: int, place: int, column: pd.Series, row: int, cell: Cell | None) -> None:
        if cell is not None:
            write_formula(self.book, self.sheet, (at, place), cell.place, cell.value, NUMBER)
            return
        value = column.iloc[row]
        style = "text" if _is_number(column) else "cell"
        # Of one column some numbers are whole ones and others not: a table of a fleet counts and measures.
        whole = _is_number(column) and not pd.isna(value) and float(value).is_integer()
        shown = WHOLE if whole else NUMBER
        self.book.put(self.sheet, at, place, None if pd.isna(value) else value, style, num_format=shown)

    def _width(self, column: pd.Series, place: int) -> int:
        return self._wide(place, _FIRST if place == 0 else _OTHERS if _is_number(column) else _WORDS)

    def _wide(self, place: int, least: int) -> int:
        """Return how wide a column is now: tables below each other share the widest."""
        self._widths[place] = max(least, self._widths.get(place, 0))
        self.sheet.set_column(place, place, self._widths[place])
        return self._widths[place]


def _is_number(cells: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(cells))
