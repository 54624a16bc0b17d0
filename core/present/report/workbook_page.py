"""Cells, styles and pages of the workbook: text is never a formula, unknown is an empty cell, never 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real

import pandas as pd
from xlsxwriter.format import Format
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from core.i18n import Text, t
from core.letters import seen
from core.present.report.brand import ACCENT
from core.present.report.contrast import contrast
from core.present.tables import FORMULA_STARTS

WHOLE = "#,##0"
NUMBER = "[<1]0.000;[<100]0.00;#,##0"
"""About three significant digits, whatever the size; Excel allows two conditions in a format."""
LOAD = "[<10]0.0;#,##0"
"""Concurrent requests: whole where that says enough."""
SMALL_MONEY = "[<0.01]0.000000;[<1]0.0000;#,##0.00"

_LONGEST = 32_767
"""Characters of a cell, from the specification of the format."""
_SHEET_NAME = 31
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
_FONTS = {"ko": "Malgun Gothic"}
_WIDEST, _SENTENCES, _NUMBERS = 44, 46, 10
LINE = 15.5
"""Height of a line in points."""
_PAGE = 230
"""Digits across a page that can still be read; more go onto the next."""
_MOST_LINES = 25
"""A row can be 409 points high."""

STYLES: dict[str, dict[str, object]] = {
    "title": {"bold": True, "font_size": 16},
    "heading": {"bold": True, "font_size": 12, "bottom": 1, "bottom_color": "#9AA7B2"},
    "quiet": {"font_color": "#56636E", "valign": "top"},
    "wrapped": {"text_wrap": True, "valign": "top"},
    "first": {"bold": True, "text_wrap": True, "valign": "top", "font_size": 13},
    "text": {"valign": "top"},
    "cell": {"text_wrap": True, "valign": "top", "align": "left", "indent": 1},
    "italic": {"text_wrap": True, "valign": "top", "italic": True, "align": "left"},
    "known": {"text_wrap": True, "valign": "top", "align": "left"},
    "unknown": {"valign": "top", "align": "left", "font_color": "#6B7780"},
    "unit": {"font_color": "#56636E", "indent": 1},
    "badge": {"bold": True, "font_color": "#7A3E00", "bg_color": "#FFE9C7", "valign": "top"},
    "input": {"bg_color": "#FFF8DC", "font_color": "#0B3D91", "border": 1, "border_color": "#D8C98A", "align": "right"},
    "result": {"align": "right", "valign": "top"},
}
"""A cell to type into is yellow with blue letters, as spreadsheets of finance have it."""


@dataclass(frozen=True, kw_only=True)
class Book:
    """A workbook while it is written, in one language and one colour."""

    file: Workbook
    language: str
    accent: str = ACCENT
    _made: dict[tuple[object, ...], Format] = field(default_factory=dict)

    def say(self, text: Text) -> str:
        """Return a sentence in the language of the workbook."""
        return text.render(self.language)

    def style(self, name: str, **more: object) -> Format:
        """Return a named style with more properties, made once."""
        key = (name, *sorted(more.items()))
        if key not in self._made:
            own = {"bold": True, "text_wrap": True, "valign": "top", "bg_color": self.accent}
            known = own | {"font_color": letters_on(self.accent)} if name == "head" else STYLES[name]
            self._made[key] = self.file.add_format({**known, **more})
        return self._made[key]

    def sheet(self, name: Text) -> Worksheet:
        """Add a sheet for landscape paper, as wide as the page."""
        taken = {sheet.get_name().casefold() for sheet in self.file.worksheets()}
        sheet = self.file.add_worksheet(sheet_name(self.say(name), taken))
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(left=0.4, right=0.4, top=0.6, bottom=0.6)
        sheet.set_footer("&L&A&R&P / &N")
        sheet.hide_gridlines(2)
        return sheet

    def put(self, sheet: Worksheet, row: int, column: int, value: object, style: str = "text", **more: object) -> None:
        """Write one value: a number as a number, text as text whatever it begins with, unknown as an empty cell."""
        if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
            sheet.write_number(row, column, float(value), self.style(style, **more))
        elif isinstance(value, str) and (said := seen(value)):
            # Without the mark a text that looks like a formula becomes one when somebody edits its cell.
            safe = {"quote_prefix": True} if said.startswith(FORMULA_STARTS) else {}
            text = said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
            sheet.write_string(row, column, text, self.style(style, **more, **safe))
        else:
            sheet.write_blank(row, column, None, self.style(style, **more))

    def data(self, sheet: Worksheet, frame: pd.DataFrame, *, wrap: Sequence[str] = (), frozen: int = 1) -> None:
        """Write a table from the first cell on: header in view, filter, widths, numbers as numbers.

        Args:
            sheet: an empty one.
            frame: the table.
            wrap: columns of sentences, which take the lines that they need.
            frozen: how many columns stay in view, and are printed again on every page.
        """
        widths = [_width(frame[name], str(name), wraps=name in wrap) for name in frame.columns]
        for column, name in enumerate(frame.columns):
            cells = frame[name]
            style = "cell" if name in wrap else "text"
            more: dict[str, object] = {"num_format": number_format(cells)}
            more |= {} if _is_number(cells) else {"indent": 1, "align": "left"}
            self.head(sheet, 0, column, str(name), number=_is_number(cells))
            sheet.set_column(column, column, widths[column])
            for row, value in enumerate(cells, start=1):
                self.put(sheet, row, column, None if pd.isna(value) else value, style, **more)
        self.tall(sheet, 0, list(map(str, frame.columns)), widths)
        for row in range(len(frame) if wrap else 0):
            cells = frame.iloc[row]
            self.tall(sheet, row + 1, ["" if pd.isna(cell) else str(cell) for cell in cells], widths)
        sheet.freeze_panes(1, frozen)
        sheet.autofilter(0, 0, max(len(frame), 1), len(frame.columns) - 1)
        sheet.repeat_rows(0)
        if sum(widths) > _PAGE:
            sheet.fit_to_pages(math.ceil(sum(widths) / _PAGE), 0)
            sheet.repeat_columns(0, frozen - 1)

    def head(self, sheet: Worksheet, row: int, column: int, name: str, *, number: bool) -> None:
        """Write the head of a column: above numbers to the right, above words apart from the numbers before them."""
        more: dict[str, object] = {"align": "right"} if number else {"indent": 1, "align": "left"}
        self.put(sheet, row, column, name, "head", **more)

    def tall(self, sheet: Worksheet, row: int, texts: Sequence[str], widths: Sequence[float]) -> None:
        """Give a row the height that its words need: not every program finds it out by itself."""
        lines = max((lines_of(text, int(width)) for text, width in zip(texts, widths, strict=True)), default=1)
        sheet.set_row(row, LINE * min(lines, _MOST_LINES))


def options(language: str) -> dict[str, object]:
    """Return how a workbook is to be opened: in memory, nothing read into texts, letters that the language has."""
    return {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "nan_inf_to_errors": False,
        "default_format_properties": {"font_name": _FONTS.get(language, "Calibri"), "font_size": 11},
    }


def sheet_name(name: str, taken: set[str]) -> str:
    """Return a name that a sheet may have: at most 31 characters, none of those forbidden, unlike the others.

    >>> sheet_name("a/b", set()), sheet_name("x" * 40, set()) == "x" * 31, sheet_name("Cost", {"cost"})
    ('a b', True, 'Cost (2)')
    """
    plain = name.translate(_FORBIDDEN).strip()[:_SHEET_NAME] or "Sheet"
    number, own = 1, plain
    while own.casefold() in taken:
        number += 1
        end = f" ({number})"
        own = plain[: _SHEET_NAME - len(end)] + end
    return own


def width_of(text: str) -> int:
    """Return about how many digits wide a text is; Korean letters take two.

    >>> width_of("abc"), width_of("비용")
    (3, 4)
    """
    return sum(2 if ord(letter) >= 0x1100 else 1 for letter in text)


def lines_of(text: str, width: int) -> int:
    """Return in about how many lines a text stands in a cell of a width."""
    return sum(max(1, math.ceil(width_of(line) * 1.1 / width)) for line in text.split("\n"))


def letters_on(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour.

    >>> letters_on("#0072b2"), letters_on("#ffee88")
    ('#ffffff', '#000000')
    """
    return max("#ffffff", "#000000", key=lambda letters: contrast(letters, colour))


def number_format(cells: pd.Series) -> str:
    """Return how a column of numbers is shown: whole ones whole, others with about three digits."""
    if pd.api.types.is_integer_dtype(cells):
        return WHOLE
    known = cells.dropna() if pd.api.types.is_float_dtype(cells) else ()
    return NUMBER if any(not float(value).is_integer() for value in known) else "General"


def _is_number(cells: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(cells))


def wide(head: str, cells: Sequence[object], *, number: bool) -> int:
    """Return how wide a column is: its words, the longest word of its head with room for the filter's button."""
    least = max((width_of(word) for word in head.split()), default=0) + 3
    if number:
        return max(least, _NUMBERS)
    return max(least, min(max((width_of(str(cell)) + 3 for cell in cells if cell is not None), default=0), _WIDEST))


def _width(cells: pd.Series, name: str, *, wraps: bool) -> int:
    return _SENTENCES if wraps else wide(name, list(cells.dropna().drop_duplicates()), number=_is_number(cells))


UNKNOWN = t("unknown")
"""What a formula says where something that it needs is not known."""
