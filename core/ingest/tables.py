"""Every table of a file, whatever it is written in: CSV, TSV, semicolons, XLSX or Markdown."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.columns import LATENCY, LOADS, column_of
from core.ingest.decode import refusal, text_of
from core.ingest.grid import Grid, text_grid
from core.ingest.layout import tables_in
from core.ingest.markdown import is_markdown, markdown_grids
from core.ingest.raw import Head, Upload
from core.ingest.table import Table, start_of
from core.ingest.workbook import is_workbook, workbook_grids
from core.settings import LIMITS

DELIMITED = (".csv", ".tsv")


def tables_of(upload: Upload) -> tuple[Table, ...]:
    """Return the tables of a file that is unpacked already, in their order.

    Raises:
        RefusedFileError: no table, or a damaged one; with the place.
    """
    grids = _grids(upload)
    found = tuple(table for grid in grids for table in tables_in(grid))
    if not found:
        raise refusal(
            "ingest.no_table",
            t("There is no table in the file"),
            upload.name,
            t("Send a table with one row per load level, its headers in the first row"),
        )
    return found


@lru_cache(maxsize=16)
def tables_shown(head: Head) -> tuple[Table, ...]:
    """Return the tables that the first bytes of a text show, as far as they show them. Never raises."""
    try:
        text = start_of(head.sample)
        if not text:
            return ()
        cut = text[: text.rfind("\n") + 1] or text
        grids = markdown_grids(cut, head.name) if is_markdown(text) else (text_grid(cut, head.name, limit=80),)
    except (RefusedFileError, UnicodeError):
        return ()
    found: list[Table] = []
    for grid in grids:
        # Such a sheet is refused when it is read.
        if any(len(row.cells) > LIMITS.csv_columns for row in grid.rows):
            continue
        with suppress(RefusedFileError):
            found += tables_in(grid)
    return tuple(found)


def headers_of(head: Head) -> tuple[tuple[str, ...], ...]:
    """Return the headers of the tables that the first bytes show; () where they are none. Never raises."""
    # Any text with "latency: 5" in it looks like a turned table: such a one has to be whole.
    delimited = head.name.lower().endswith(DELIMITED)
    return tuple(
        table.header
        for table in tables_shown(head)
        if not table.transposed or (is_of_levels(table.header) and (delimited or table.fault is None))
    )


def is_of_levels(header: tuple[str, ...]) -> bool:
    """Return whether a header names a load and a latency."""
    roles = {column_of(0, text).role for text in header if text}
    return LATENCY in roles and bool(roles & LOADS)


def _grids(upload: Upload) -> tuple[Grid, ...]:
    if is_workbook(upload.data):
        return workbook_grids(upload)
    text = text_of(upload)
    return markdown_grids(text, upload.name) if is_markdown(text) else (text_grid(text, upload.name),)
