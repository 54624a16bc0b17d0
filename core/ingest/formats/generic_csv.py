"""Any table with one row per load level, recognised by its headers: CSV, TSV, semicolons, XLSX, Markdown.

Source: tables that people and scripts write, and summaries of tools without an importer of their own
(docs/formats/generic_csv.md). One row is one level; rows that differ in a setting are told apart.
What the columns mean is recognised (`core.ingest.meaning`) or was said by a person (`core.ingest.mapping`).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest import request_columns
from core.ingest.columns import LATENCY, LOADS, NOTHING, Column, columns_of
from core.ingest.decode import refusal
from core.ingest.grouping import identities
from core.ingest.latency_unit import with_units
from core.ingest.layout import DOUBLE
from core.ingest.mapping import columns_said, mapped
from core.ingest.markdown import is_markdown
from core.ingest.meaning import meanings
from core.ingest.names import concurrency_in, from_name, rate_in
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.ingest.row_facts import shares
from core.ingest.speech import per_request_rtf
from core.ingest.table import Table, start_of
from core.ingest.table_level import OF_COLUMNS, RowFacts, level_of, row_facts
from core.ingest.tables import headers_of, tables_of
from core.ingest.workbook import is_workbook
from core.model.finding import Finding, Severity
from core.model.mapping import TableMapping
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "generic_csv"
LABEL = "table in CSV, XLSX or Markdown with one row per load level"
GENERIC = True

_SURE, _TO_EXPLAIN = 0.3, 0.05
_SPEEDS = frozenset({"throughput", "output_tok_s", "total_tok_s"})
_HEADER_CHARS = 100
_PAIR = re.compile(r":\s*\d")
"""A log line of names and values is no header."""
_ROWS_OF_REQUESTS = 20
"""So many rows of one load and one configuration, none with a statistic named, are requests."""
_NO_LEVELS = ("ingest.no_load_column", "ingest.no_latency_column", "ingest.rtf_of_system")
"""Why a table of several may be left out while the others are read."""
# Tables whose rows are requests or chunks, not levels, and AIPerf's sweep, which stacks tables and
# calls a mean gap per request "inter token latency".
_FOREIGN = (
    frozenset({"endpointname", "s3uri"}),
    frozenset({"request_id"}),
    frozenset({"launch_time", "finish_time"}),
    frozenset({"model_id", "num_prompts", "completed", "total_input_tokens"}),
    frozenset({"request count", "failure count", "average response time"}),
    frozenset({"total request count", "total failure count", "user count"}),
    frozenset({"metric_name", "timestamp", "metric_value"}),
    frozenset({"concurrency", "inter_token_latency_mean", "inter_token_latency_cv"}),
)


def match(head: Head) -> float:
    """0.3 for a load and a latency; a trace where one is missing, so that the refusal can say which."""
    if is_workbook(head.sample):
        return _SURE
    found = [_match(header) for header in headers_of(head)]
    prose = is_markdown(start_of(head.sample)) if not found or max(found) == 0.0 else False
    return max((_TO_EXPLAIN if prose else 0.0, *found))


def read(upload: Upload, mappings: Sequence[TableMapping] = ()) -> RawFile:
    """Return one level per row of every table that has load and latency.

    Args:
        upload: the file, unpacked.
        mappings: what persons said of tables; one whose headers are the table's stands above recognition.

    Raises:
        RefusedFileError: a damaged table, no load or no latency column, two columns of one meaning, a
            latency without a unit, a cell that is not a number; with line and column.
    """
    found: list[tuple[Table, list[RawLevel], tuple[Finding, ...]]] = []
    left: list[tuple[Table, RefusedFileError]] = []
    tables = [mapped(table, mappings) for table in tables_of(upload)]
    for table, mapping in tables:
        try:
            found.append((table, *_levels(table, mapping)))
        except RefusedFileError as error:
            if not _may_be_left_out(table, error) or (mapping and not mapping.leaves_out):
                raise
            left.append((table, error))
    if not found:
        raise _worst(left)
    several = len(found) > 1
    names = _names([table for table, _, _ in found])
    levels = [
        replace(level, identity={**level.identity, **({"table": name} if several else {})})
        for (_, rows, _), name in zip(found, names, strict=True)
        for level in rows
    ]
    noticed = [finding for _, _, findings in found for finding in findings]
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(replace(level, findings=_own(level)) for level in levels),
        findings=(*noticed, *_of_columns(levels), *(_unread(table, error) for table, error in left)),
    )


def _match(header: tuple[str, ...]) -> float:
    names = {cell.strip().casefold() for cell in header}
    prose = any(len(cell) > _HEADER_CHARS or cell.count(": ") > 1 for cell in header)
    prose = prose or sum(map(bool, map(_PAIR.search, header))) > 1
    if len(header) < 2 or prose or request_columns.claims(header) or any(one <= names for one in _FOREIGN):
        return 0.0
    columns = columns_of(header)
    roles = {column.role for column in columns}
    load = bool(roles & (LOADS | {"batch"}))
    latency, named = LATENCY in roles, any(c.role == LATENCY and c.statistic for c in columns)
    if roles & LOADS and latency:
        return _SURE
    static = "batch" in roles and bool(roles & _SPEEDS)
    return _TO_EXPLAIN if named or static or (load and (latency or roles & LOADS)) else 0.0


def _levels(table: Table, mapping: TableMapping | None) -> tuple[list[RawLevel], tuple[Finding, ...]]:
    """The levels of one table, and what was noticed about it."""
    named = None if any(c.role in LOADS for c in columns_of(table.header)) else _load_in_name(table.name)
    if table.fault and table.fault.code == DOUBLE:
        raise table.fault
    said = columns_said(table, mapping) if mapping else None
    columns, findings = meanings(table, said, load_is_known=named is not None)
    if table.fault:
        raise table.fault
    if table.is_cut or len(table.rows) > LIMITS.levels:
        raise _too_long(table)
    unnamed = frozenset(c.index for c in said or columns_of(table.header) if c.statistic is None)
    columns, of_system = per_request_rtf(table, columns, unnamed)
    columns, more = with_units(table, columns)
    rows = [row_facts(table, columns, index) for index in range(len(table.rows))]
    settings, told = _settings(table, columns, rows)
    share = shares(table, columns)
    levels = [level_of(table, columns, row, identity, share) for row, identity in zip(rows, settings, strict=True)]
    if named:
        levels = [_with_load(level, *named) for level in levels]
    return levels, (*table.notices, *findings, *of_system, *more, *told, *_end(table))


def _settings(
    table: Table, columns: tuple[Column, ...], rows: list[RowFacts]
) -> tuple[list[dict[str, Scalar]], tuple[Finding, ...]]:
    """What tells the configuration of each row apart.

    Raises:
        RefusedFileError: "ingest.rows_are_requests" where the rows cannot be levels.
    """
    loads = [row.load for row in rows]
    settings, told = identities(table, columns, loads, [tuple(row.conditions.items()) for row in rows])
    settings = [{**found, **row.notes} for found, row in zip(settings, rows, strict=True)]
    keys = Counter(
        (row.load, *row.conditions.items(), *found.items()) for row, found in zip(rows, settings, strict=True)
    )
    named = any(c.role == LATENCY and c.statistic for c in columns_of(table.header))
    if not named and len(rows) >= _ROWS_OF_REQUESTS * len(keys):
        raise _requests(table)
    if len(set(loads)) > 1:
        # A table that holds a sweep stands for itself: nothing says that a second one is the same deployment.
        settings = [{"file": table.name, **row} for row in settings]
    return settings, told


def _load_in_name(name: str) -> tuple[str, float] | None:
    concurrency, rate = concurrency_in(name), rate_in(name)
    if concurrency is not None:
        return "asked_concurrency", concurrency
    return ("asked_rate", rate) if rate is not None else None


def _with_load(level: RawLevel, name: str, value: float) -> RawLevel:
    findings = (*level.findings, from_name(level.place, name, value))
    if name == "asked_rate":
        return replace(level, asked_rate=value, findings=findings)
    return replace(level, asked_concurrency=value, findings=findings)


def _names(tables: Sequence[Table]) -> list[str]:
    """What tells several tables of a file apart: sheet and title; equal ones are counted."""
    names = [" > ".join(part for part in (table.sheet, table.title) if part) for table in tables]
    counts = Counter(names)
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} #{seen[name]}".strip() if counts[name] > 1 else name or "#1")
    return found


def _may_be_left_out(table: Table, error: RefusedFileError) -> bool:
    """Whether a table holds no levels; one without rows is cut off, but for a sheet that nobody filled in."""
    return error.code in _NO_LEVELS or (error.code == "ingest.no_rows" and table.sheet is not None)


def _own(level: RawLevel) -> tuple[Finding, ...]:
    return tuple(finding for finding in level.findings if finding.code not in OF_COLUMNS)


def _of_columns(levels: Sequence[RawLevel]) -> tuple[Finding, ...]:
    """Return what is true of a whole column once, at the first row that shows it."""
    first: dict[tuple[str, str], Finding] = {}
    for level in levels:
        for finding in level.findings:
            if finding.code in OF_COLUMNS:
                column = finding.what.values.get("column", finding.where.field)
                first.setdefault((finding.code, str(column)), finding)
    return tuple(first.values())


def _worst(left: Sequence[tuple[Table, RefusedFileError]]) -> RefusedFileError:
    """The refusal that helps most: of the table of which most was recognised."""

    def known(table: Table) -> int:
        return sum(column.role not in NOTHING for column in columns_of(table.header))

    return max(left, key=lambda one: known(one[0]))[1]


def _unread(table: Table, error: RefusedFileError) -> Finding:
    return Finding(
        code="ingest.table_left_out",
        severity=Severity.INFO,
        where=Place(table.name, table.line, table.sheet),
        what=t("Another table of the file is not used: {reason}", reason=error.what),
    )


def _requests(table: Table) -> RefusedFileError:
    return refusal(
        "ingest.rows_are_requests",
        t("The rows look like single requests, not like load levels"),
        table.name,
        t("Send the requests of each level as a file of their own, or one row per level with its statistics"),
        line=table.line,
    )


def _too_long(table: Table) -> RefusedFileError:
    return refusal(
        "ingest.too_large",
        t("The table has more than {limit} rows", limit=LIMITS.levels),
        table.name,
        t("Send the tool's summary file instead of its per-request log"),
    )


def _end(table: Table) -> tuple[Finding, ...]:
    if table.complete:
        return ()
    return (
        Finding(
            code="ingest.no_line_end",
            severity=Severity.INFO,
            where=Place(table.name, table.rows[-1].line),
            what=t("The last row has no line end: the file may be cut off there"),
            fix=t("Compare its last number with the original"),
        ),
    )
