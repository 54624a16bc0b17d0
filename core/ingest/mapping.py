"""Tables as a person sees them while saying what each column is, and that said, put to use.

`preview_of` proposes; a person edits the proposal and saves it (`core.model.mapping.TableMapping`);
`core.ingest.read.read_file` takes the saved ones and uses the one whose headers are the table's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import RefusedFileError
from core.i18n import Text, t
from core.ingest.columns import LATENCY, SETTING, Column
from core.ingest.decode import refusal, unpacked
from core.ingest.latency_unit import is_undecided, with_units
from core.ingest.layout import turned
from core.ingest.meaning import is_text, meanings, recognised
from core.ingest.raw import Head, Upload
from core.ingest.roles import IGNORED, ROLES
from core.ingest.table import Table
from core.ingest.tables import tables_of, tables_shown
from core.ingest.workbook import is_workbook
from core.model.mapping import ColumnMeaning, TableMapping, column_key, plain_header, same_headers

_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedColumn:
    """One column with the meaning that is proposed for it.

    Attributes:
        key: its name in a mapping (`core.model.mapping.column_key`).
        header: as written; "" where it has none.
        meaning: the proposal.
        unclear: why a person should look at it, as a sentence; None where nothing is open.
    """

    key: str
    header: str
    meaning: ColumnMeaning
    unclear: Text | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePreview:
    """One table of a file as it is about to be read.

    Attributes:
        file, sheet, title, line: where it stands; the line is that of its header.
        headers: of every column, in order.
        rows: the first rows, as text.
        row_count: of the whole table.
        columns: one per header.
        transposed: it was turned, so that each load level is a row.
        problem: why it cannot be read as proposed, None where it can.
    """

    file: str
    sheet: str | None
    title: str
    line: int
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_count: int
    columns: tuple[ProposedColumn, ...]
    transposed: bool
    problem: RefusedFileError | None

    def mapping(self, name: str) -> TableMapping:
        """Return the proposal as a mapping of that name, for this table and every one with the same headers."""
        return TableMapping(
            name=name,
            headers=self.headers,
            columns={column.key: column.meaning for column in self.columns},
            transposed=self.transposed,
        )


def preview_of(upload: Upload, *, transposed: bool = False, where_possible: bool = False) -> tuple[TablePreview, ...]:
    """Return every table of a CSV, TSV, XLSX or Markdown file with a proposal for each column.

    Args:
        upload: name and bytes, packed or not.
        transposed: turn each table that is not turned already, as a person asks for.
        where_possible: leave a table as it lies that cannot be turned, such as one whose first column repeats.

    Raises:
        RefusedFileError: no table at all, or a damaged one; with the place.
    """
    tables = tables_of(unpacked(upload))
    if transposed and where_possible:
        return tuple(_preview(_turned(table) or table) for table in tables)
    return tuple(_preview(turned(table) if transposed and not table.transposed else table) for table in tables)


def mapped(table: Table, mappings: Sequence[TableMapping]) -> tuple[Table, TableMapping | None]:
    """Return a table as the first mapping that is for it has it, turned where it says so, and that mapping.

    A table that no mapping is for comes back as it is, with None.
    """
    for mapping in mappings:
        seen = _turned(table) if mapping.transposed else table
        if seen and same_headers(mapping.headers, seen.header) and mapping.sheet in (None, table.sheet):
            return seen, mapping
    return table, None


def is_mapped(upload: Upload, mappings: Sequence[TableMapping]) -> bool:
    """Return whether a file, unpacked already, holds a table that one of the mappings is for. Never raises."""
    try:
        return any(mapped(table, mappings)[1] for table in tables_of(upload))
    except RefusedFileError:
        return False


def may_be_mapped(head: Head, mappings: Sequence[TableMapping]) -> bool:
    """Return whether the first bytes of a file show a table that a mapping is for, or may hide one. Never raises."""
    return is_workbook(head.sample) or any(mapped(table, mappings)[1] for table in tables_shown(head))


def columns_said(table: Table, mapping: TableMapping) -> tuple[Column, ...]:
    """Return the columns of a table as a mapping says they are; those that it does not name are ignored.

    Raises:
        RefusedFileError: "ingest.mapping_contradicts" where a role is unknown, a latency names no metric,
            or its unit is another one than the header's; with the column.
    """
    said = {plain_header(key): meaning for key, meaning in mapping.columns.items()}
    columns = []
    for found in recognised(table):
        key = column_key(table.header, found.index)
        meaning = said.get(plain_header(key), ColumnMeaning(role=IGNORED))
        _possible(table, found, meaning, key)
        columns.append(
            Column(
                index=found.index,
                header=found.header or key,
                role=meaning.role,
                metric=meaning.metric,
                statistic=meaning.statistic,
                unit=meaning.unit or found.unit,
                inverse=meaning.inverse,
            )
        )
    return tuple(columns)


def _turned(table: Table) -> Table | None:
    """A table with its load levels as rows, None where it cannot be turned: no mapping of turned tables is for it."""
    if table.transposed:
        return table
    try:
        return turned(table)
    except RefusedFileError:
        return None


def _preview(table: Table) -> TablePreview:
    columns, unclear, problem = _proposed(table)
    return TablePreview(
        file=table.name,
        sheet=table.sheet,
        title=table.title,
        line=table.line,
        headers=table.header,
        rows=tuple(row.cells for row in table.rows[:_SHOWN]),
        row_count=len(table.rows),
        columns=tuple(
            ProposedColumn(
                key=column_key(table.header, column.index),
                header=column.header,
                meaning=_meaning(table, column),
                unclear=unclear.get(column.header) or _doubt(table, column),
            )
            for column in columns
        ),
        transposed=table.transposed,
        problem=problem,
    )


def _proposed(table: Table) -> tuple[tuple[Column, ...], dict[str, Text], RefusedFileError | None]:
    """Columns, what was noticed about each by its header, and what stands against reading the table."""
    columns = recognised(table)
    try:
        columns, findings = meanings(table)
        columns, more = with_units(table, columns)
    except RefusedFileError as error:
        return columns, {error.place.field: error.what} if error.place.field else {}, error
    return columns, {f.where.field: f.what for f in (*findings, *more) if f.where.field}, None


def _meaning(table: Table, column: Column) -> ColumnMeaning:
    """A column's meaning in the words of a mapping; what nobody recognises is a setting if it is text."""
    role = column.role
    if role not in ROLES:
        text = role == "other" and column.header and is_text(table, column.index)
        return ColumnMeaning(role=SETTING if text else IGNORED)
    if role != LATENCY:
        # What a header says beside that, such as the minimum of a latency, means nothing in such a role.
        return ColumnMeaning(role=role, unit=column.unit if role != IGNORED else None)
    return ColumnMeaning(
        role=role,
        metric=column.metric,
        statistic=column.statistic,
        unit=column.unit,
        inverse=column.inverse,
    )


def _doubt(table: Table, column: Column) -> Text | None:
    if column.role == LATENCY and is_undecided(table, column):
        return t('"{column}" says neither seconds nor milliseconds', column=column.header)
    if column.role == LATENCY and column.statistic is None:
        return t('"{column}" does not say which statistic it is', column=column.header)
    if column.role not in ROLES and column.role != IGNORED and column.header:
        return t('"{column}" was not recognised', column=column.header)
    return None


def _possible(table: Table, found: Column, meaning: ColumnMeaning, key: str) -> None:
    """Refuse a meaning that cannot be, or that the header itself denies."""
    if meaning.role not in ROLES:
        what = t('The mapping gives "{column}" the role "{role}", which does not exist', column=key, role=meaning.role)
    elif meaning.role == LATENCY and meaning.metric is None:
        what = t('The mapping calls "{column}" a latency and does not say which', column=key)
    elif meaning.unit and found.unit and meaning.unit != found.unit:
        what = t(
            'The mapping says that "{column}" is in {said}, and its header says {found}',
            column=key,
            said=meaning.unit,
            found=found.unit,
        )
    else:
        return
    raise refusal(
        "ingest.mapping_contradicts",
        what,
        table.name,
        t("Correct the mapping, or read the file without it"),
        line=table.line,
        field=key,
    )
