"""The rows of a tool's table as fields: for tables whose columns are known by name."""

from __future__ import annotations

from core.errors import Place
from core.ingest.fields import Fields
from core.ingest.table import Table, number_text


def fields_of(table: Table) -> list[Fields]:
    """Return one `Fields` per row, each with its line; numbers as Python writes them, other text as it stands."""
    rows = []
    for row in table.rows:
        cells = zip(table.header, row.cells, table.decimal_marks, strict=True)
        rows.append(Fields({name: _text(cell, mark) for name, cell, mark in cells}, Place(table.name, row.line)))
    return rows


def _text(cell: str, mark: str) -> str:
    number, unit = number_text(cell, mark)
    # "7b" is a name, not the number 7.
    return cell.strip() if unit else number
