"""What stands around a table and is true of all its rows: lines above it, its title, its sheet."""

from __future__ import annotations

from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest.columns import LOADS, column_of
from core.ingest.headings import load_in
from core.ingest.names import concurrency_in, rate_in
from core.ingest.table import Row, Table
from core.model.finding import Finding, Severity

_TOLD = LOADS | {"gpu", "input_asked", "output_asked"}


def completed(table: Table) -> Table:
    """Return a table with a column for each setting above it that no column of its own has, and for its load.

    "GPU, 8xH100" above a table is true of every row; so is the load of a sheet called "concurrency 16".
    """
    roles = {column_of(0, text).role for text in table.header}
    for name, value in table.settings.items():
        role = column_of(0, name).role
        if (role in _TOLD or role.startswith("conditions.")) and role not in roles and name not in table.header:
            table = _with_column(table, name, value)
            roles.add(role)
    if roles & LOADS:
        return table
    for text in (*reversed(table.title.split(" > ")), table.sheet or ""):
        told = load_in(text) or _named(text)
        if told:
            return replace(_with_column(table, *told), notices=(*table.notices, _notice(table, text)))
    return table


def _named(text: str) -> tuple[str, str] | None:
    name = text.replace(" ", "_")
    concurrency, rate = concurrency_in(name), rate_in(name)
    if concurrency is not None:
        return "concurrency", f"{concurrency:g}"
    return ("asked rate", f"{rate:g}") if rate is not None else None


def _with_column(table: Table, name: str, value: str) -> Table:
    rows = tuple(Row(row.line, (*row.cells, value)) for row in table.rows)
    return replace(table, header=(*table.header, name), rows=rows)


def _notice(table: Table, text: str) -> Finding:
    return Finding(
        code="ingest.load_from_title",
        severity=Severity.INFO,
        where=Place(table.name, table.line, table.sheet),
        what=t('The load is read from the title or the sheet: "{text}"', text=text[:80]),
    )
