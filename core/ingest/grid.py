"""A sheet as it stands: rows of text, before anybody knows which of them is the header."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from core.errors import RefusedFileError
from core.ingest.columns import NOTHING, column_of
from core.ingest.table import DELIMITERS, Row, delimiter_of, records
from core.settings import LIMITS

_LOOK = 40
_MOST_ROWS = LIMITS.levels + 200
"""Rows that are kept: as many levels as are read, and some for what stands around them."""


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Rows of text as they follow each other.

    Attributes:
        name: of the file.
        rows: a blank row has no cells.
        sheet: of a workbook.
        title: headings that stand above it.
        delimiter: between cells, "" where cells are set apart otherwise.
        complete: False where the last line has no line end.
        is_even: every row is as wide as the sheet, as in a workbook; a short row then says nothing.
        is_cut: there are more rows than these.
    """

    name: str
    rows: tuple[Row, ...]
    sheet: str | None = None
    title: str = ""
    delimiter: str = ""
    complete: bool = True
    is_even: bool = False
    is_cut: bool = False


def text_grid(text: str, name: str, limit: int = _MOST_ROWS) -> Grid:
    """Return the rows of a delimited text; the delimiter is the one under which most headers are recognised.

    Raises:
        RefusedFileError: "ingest.bad_table" at a quote that is not closed or stands astray; with the line.
    """
    delimiter = _delimiter(text, name)
    found = list(islice(records(text, delimiter, name, every=True), limit + 1))
    return Grid(
        name=name,
        rows=tuple(Row(line, cells) for line, cells in found[:limit]),
        delimiter=delimiter,
        complete=text.endswith(("\n", "\r")),
        is_cut=len(found) > limit,
    )


def is_recognised(header: str) -> bool:
    """Return whether a header says something that is known."""
    return bool(header.strip()) and column_of(0, header).role not in NOTHING


def _delimiter(text: str, name: str) -> str:
    first = delimiter_of(text)
    return max((first, *DELIMITERS), key=lambda delimiter: _recognised(text, delimiter, name))


def _recognised(text: str, delimiter: str, name: str) -> int:
    """The most headers that one row or the first column holds under a delimiter."""
    rows: list[tuple[str, ...]] = []
    with suppress(RefusedFileError):
        rows += (cells for _, cells in islice(records(text, delimiter, name, every=True), _LOOK) if len(cells) > 1)
    across = max((sum(map(is_recognised, cells[: LIMITS.csv_columns])) for cells in rows), default=0)
    down = sum(is_recognised(cells[0]) for cells in rows)
    return max(across, down)
