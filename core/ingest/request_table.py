"""A table with one request per row: its columns as arrays, for tools whose columns are known by name."""

from __future__ import annotations

import math

import numpy as np

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.fields import MISSING
from core.ingest.table import Table, number_text
from core.model.stage import FloatArray

UNKNOWN = math.nan
_ABSURD = 1e30
"""No time, in whatever unit, and no count of tokens is this large; sums and differences below it stay finite."""


def numbers_in(table: Table, column: str) -> FloatArray:
    """Return a column as numbers, shape (rows,); NaN where a cell is missing, infinite, or the column is absent.

    Raises:
        RefusedFileError: "ingest.not_a_number", with line and column.
    """
    if column not in table.header:
        return np.full(len(table.rows), UNKNOWN)
    index = table.header.index(column)
    cells = table.column(index)
    try:
        found = np.array(cells, dtype=np.float64)
    except ValueError:
        mark = table.decimal_marks[index]
        found = np.array([_number(table, column, row, cell, mark) for row, cell in enumerate(cells)])
    return known(found)


def known(values: FloatArray) -> FloatArray:
    """Return values of any shape with NaN in place of what no clock or counter gives."""
    return np.where(np.abs(values) <= _ABSURD, values, UNKNOWN)


def texts_in(table: Table, column: str) -> frozenset[str]:
    """Return the different texts of a column that say something, shortened; empty where it is absent."""
    if column not in table.header:
        return frozenset()
    cells = {cell.strip()[:300] for cell in table.column(table.header.index(column))}
    return frozenset(cell for cell in cells if cell.lower() not in MISSING)


def list_in(table: Table, column: str, row: int) -> list[float]:
    """Return the numbers of one cell that holds a list, such as "[12, 13.5]"; of a missing one, none.

    Raises:
        RefusedFileError: "ingest.not_a_number" where the list is open or holds something else.
    """
    cell = table.rows[row].cells[table.header.index(column)].strip()
    if cell.lower() in MISSING:
        return []
    if not (cell.startswith("[") and cell.endswith("]")):
        raise _wrong(table, column, row, cell)
    inside = cell[1:-1].strip()
    try:
        return [float(part) for part in inside.split(",")] if inside else []
    except ValueError:
        raise _wrong(table, column, row, cell) from None


def _number(table: Table, column: str, row: int, cell: str, mark: str) -> float:
    if cell.strip().lower() in MISSING:
        return UNKNOWN
    try:
        return float(number_text(cell, mark)[0])
    except ValueError:
        raise _wrong(table, column, row, cell) from None


def _wrong(table: Table, column: str, row: int, cell: str) -> RefusedFileError:
    return RefusedFileError(
        "ingest.not_a_number",
        t('{field} should be a number and is "{value}"', field=column, value=cell.strip()[:40]),
        fix=t("Check the file: it may have been edited or mixed with another"),
        place=Place(table.name, table.rows[row].line, column),
    )
