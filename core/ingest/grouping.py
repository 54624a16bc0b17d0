"""Which columns of a table tell configurations apart, and which only label rows.

Rows of different configurations must never share a curve, and rows of one must not be torn
apart by a serial number: `identities` returns, per row, the settings that are neither.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.errors import Place
from core.i18n import t
from core.ingest.columns import OTHER, SETTING, UNREAD, Column
from core.ingest.meaning import is_text
from core.ingest.raw import Scalar
from core.ingest.table import Table
from core.model.finding import Finding, Severity

Key = tuple[object, ...]
_LENGTHS = frozenset({"input_asked", "output_asked"})
_MAYBE = frozenset({"other", "batch", "input_tokens_mean", "output_tokens_mean"})
# So many rows may share load and settings without their label: repeats. More, and it is a setting.
_REPEATS = 0.2


def identities(
    table: Table, columns: tuple[Column, ...], loads: Sequence[Key], conditions: Sequence[Key]
) -> tuple[list[dict[str, Scalar]], tuple[Finding, ...]]:
    """Return the identity of every row and what was noticed.

    Args:
        table: the rows.
        columns: with their final roles.
        loads: what each row was loaded with.
        conditions: the recognised conditions of each row.

    Returns:
        One dict of header to text per row, and findings about labels, settings and unused columns.
    """
    texts = [c for c in columns if c.role == "other" and c.header and is_text(table, c.index)]
    plain = [c for c in columns if c.role in _MAYBE and c.header and not is_text(table, c.index)]
    lengths = [c for c in columns if c.role in _LENGTHS]
    labels = [c for c in texts if len(set(table.column(c.index))) == len(table.rows)]
    crossed = [c for c in plain if _crossed(table, c, loads)]
    said = [c for c in columns if c.role == SETTING]
    rows: list[dict[str, Scalar]] = [{} for _ in table.rows]
    for column in (*said, *(c for c in texts if c not in labels), *lengths, *crossed):
        for row, cell in zip(rows, table.column(column.index), strict=True):
            row[column.header] = cell.strip()[:300] or None
    findings = [_label(table, column, rows, loads, conditions) for column in labels]
    findings += [_by_values(table, column) for column in crossed if column.role == "other"]
    unused = [c.header for c in columns if c.role == UNREAD or (c in plain and c not in crossed and c.role == OTHER)]
    findings += [_note(table, unused)] if unused else []
    return rows, tuple(finding for finding in findings if finding)


def _crossed(table: Table, column: Column, loads: Sequence[Key]) -> bool:
    """Whether a number is a setting: each value at several loads, and some load with several values.

    Results hardly ever repeat to the last digit, settings always do.
    """
    pairs = set(zip((cell.strip() for cell in table.column(column.index)), loads, strict=True))
    by_value, by_load = Counter(value for value, _ in pairs), Counter(load for _, load in pairs)
    return min(by_value.values()) > 1 and max(by_load.values()) > 1


def _label(
    table: Table, column: Column, rows: list[dict[str, Scalar]], loads: Sequence[Key], conditions: Sequence[Key]
) -> Finding | None:
    """Use a text that differs on every row without its load level; where it still does, leave it out."""
    cells = table.column(column.index)
    masked = [_without(cell.strip(), load) for cell, load in zip(cells, loads, strict=True)]
    settings = [(*key, *row.items()) for key, row in zip(conditions, rows, strict=True)]
    repeats = len(rows) - len(set(zip(loads, settings, strict=True)))
    if len(rows) > 1 and len(set(masked)) > len(rows) / 2 and repeats <= _REPEATS * len(rows):
        return _left_out(table, column, repeats)
    for row, text in zip(rows, masked, strict=True):
        row[column.header] = text[:300] or None
    return None


def _without(label: str, load: Key) -> str:
    for part in load:
        if isinstance(part, float) and part == int(part):
            label = re.sub(rf"(?<!\d){int(part)}(?!\d)", "#", label)
    return label


def _left_out(table: Table, column: Column, repeats: int) -> Finding:
    return Finding(
        code="ingest.row_label",
        severity=Severity.WARNING if repeats else Severity.INFO,
        where=Place(table.name, table.line, column.header),
        what=t('"{column}" is different on every row and is read as a label of the row', column=column.header),
        consequence=t("{count} rows of equal load and settings are taken for repeats", count=repeats)
        if repeats
        else None,
        fix=t("Give every setting a column of its own") if repeats else None,
    )


def _by_values(table: Table, column: Column) -> Finding:
    return Finding(
        code="ingest.setting_by_values",
        severity=Severity.INFO,
        where=Place(table.name, table.line, column.header),
        what=t('"{column}" was not recognised; its values repeat, so it is taken for a setting', column=column.header),
        consequence=t("Rows that differ in it are different configurations"),
    )


def _note(table: Table, unused: list[str]) -> Finding:
    return Finding(
        code="ingest.columns_unused",
        severity=Severity.INFO,
        where=Place(table.name, table.line),
        what=t("These columns were not recognised and are not used: {columns}", columns=", ".join(unused)[:300]),
    )
