"""XLSX workbooks: every visible sheet as rows of text, merged cells filled."""

from __future__ import annotations

import datetime as dt
import io

import python_calamine

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.grid import Grid
from core.ingest.raw import Upload
from core.ingest.table import Row
from core.ingest.workbook_parts import Sheet, damaged, sheets_in
from core.settings import LIMITS

_START = b"PK\x03\x04"
_MARKS = (b"xl/", b"[Content_Types].xml", b"_rels/.rels", b"docProps/")
_MOST_SHEETS = 100
_MOST_MERGED = 2_000_000
_MOST_ROWS = LIMITS.levels + 200

Value = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta


def is_workbook(data: bytes) -> bool:
    """Return whether bytes, or the first of them, are an XLSX workbook."""
    return data.startswith(_START) and any(mark in data[:65_536] for mark in _MARKS)


def workbook_grids(upload: Upload) -> tuple[Grid, ...]:
    """Return every visible sheet with at least one cell.

    Raises:
        RefusedFileError: damaged, locked, or beyond a limit.
    """
    held = sheets_in(upload)
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(upload.data))
        names = [
            each.name
            for each in book.sheets_metadata
            if each.typ is python_calamine.SheetTypeEnum.WorkSheet
            and each.visible is python_calamine.SheetVisibleEnum.Visible
            and each.name in held
        ]
        read = [(name, book.get_sheet_by_name(name)) for name in names[:_MOST_SHEETS]]
        return tuple(_grid(upload, name, sheet, held[name]) for name, sheet in read)
    except RefusedFileError:
        raise
    except BaseException as error:
        # A fault inside the reader arrives as a panic, which is no Exception.
        if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
            raise
        raise damaged(upload) from error


def _grid(upload: Upload, name: str, sheet: python_calamine.CalamineSheet, held: Sheet) -> Grid:
    if held.unfilled and not held.filled:
        raise _unfilled(upload, name, held)
    values = sheet.to_python(skip_empty_area=False)
    rows = [
        [_shown(value, in_percent=(line, column) in held.percent) for column, value in enumerate(cells)]
        for line, cells in enumerate(values[:_MOST_ROWS])
    ]
    filled = 0
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or []:
        filled += _fill(rows, (top, left, bottom, right))
        if filled > _MOST_MERGED:
            raise damaged(upload)
    return Grid(
        name=upload.name,
        rows=tuple(Row(line, tuple(cells) if any(cells) else ()) for line, cells in enumerate(rows, start=1)),
        sheet=name,
        is_even=True,
        is_cut=len(values) > _MOST_ROWS,
    )


def _fill(rows: list[list[str]], block: tuple[int, int, int, int]) -> int:
    """Give every cell of a merged block its text; a title over the whole width stays one cell.

    Returns:
        The number of cells that the block has.
    """
    top, left, bottom, right = block
    text = rows[top][left] if top < len(rows) and left < len(rows[top]) else ""
    below = rows[bottom + 1] if bottom + 1 < len(rows) else []
    title = left == 0 and top == bottom and not any(rows[top][right + 1 :]) and sum(map(bool, below)) > 1
    if not text or title:
        return 0
    for row in rows[top : bottom + 1]:
        row[left : right + 1] = [text] * len(row[left : right + 1])
    return sum(len(row[left : right + 1]) for row in rows[top : bottom + 1])


def _shown(value: Value, *, in_percent: bool) -> str:
    """A cell as text."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return f"{_number(float(f'{value * 100.0:.12g}'))}%" if in_percent else _number(float(value))
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value).strip()


def _number(value: float) -> str:
    """A number as text whose point can be nothing but a decimal point."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    whole, point, decimals = repr(value).partition(".")
    # Three decimals could be thousands.
    return f"{whole}.{decimals}0" if point and len(decimals) == 3 and decimals.isdigit() else repr(value)


def _unfilled(upload: Upload, name: str, held: Sheet) -> RefusedFileError:
    return refusal(
        "ingest.no_values",
        t('The formulas of sheet "{sheet}" have no values', sheet=name),
        upload.name,
        t("Open the workbook in a spreadsheet program and save it, so that it holds the results of its formulas"),
        line=held.unfilled[0] + 1 if held.unfilled else None,
    )
