"""Any table with one row per load level, recognised by its headers (CSV, TSV, semicolons).

Source: tables that people and scripts write, and summaries of tools without an importer of their
own, such as FMBench's all_metrics_summary.csv and InferenceX's multi-turn summary.csv
(docs/formats/generic_csv.md). One row is one level; rows that differ in a setting are told apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest.columns import ASKED, ASKED_RATE, DONE_RATE, LOADS, MEASURED, Column, columns_of
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.formats import aiconfigurator
from core.ingest.grouping import identities
from core.ingest.header import TIME_UNITS, UNITS
from core.ingest.latency_unit import SECONDS, unit_of_cell, with_units
from core.ingest.mapping import columns_said, mapping_for
from core.ingest.meaning import find, meanings
from core.ingest.notices import none_completed
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.ingest.row_facts import conditions_of, counts_of, lengths_of, number_of, shares, throughput_of
from core.ingest.table import Row, Table, header_of, number_text
from core.ingest.tables import tables_of
from core.model.finding import Finding, Severity
from core.model.mapping import TableMapping
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = "generic_csv"
LABEL = "CSV table with one row per load level"

_SURE, _TO_EXPLAIN = 0.3, 0.05
_HEADER_CHARS = 100
_MAY_BE_ZERO = (Metric.QUEUE, Metric.RTF)
_NO_SPEED = 1e-9
"""An RTFx below this is none: its RTF would be longer than any audio."""
_OF_COLUMNS = frozenset({"ingest.length_asked", "ingest.column_unclear"})
_LONG = {"m": 60.0, "min": 60.0, "minutes": 60.0, "h": 3600.0, "hours": 3600.0}
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
    header = header_of(head)
    names = {cell.casefold() for cell in header}
    prose = any(len(cell) > _HEADER_CHARS for cell in header)
    if len(header) < 2 or prose or aiconfigurator.claims(header) or any(one <= names for one in _FOREIGN):
        return 0.0
    columns = columns_of(header)
    roles = {column.role for column in columns}
    load = bool(roles & (LOADS | {"batch"}))
    latency, named = "latency" in roles, any(c.role == "latency" and c.statistic for c in columns)
    if roles & LOADS and latency:
        return _SURE
    return _TO_EXPLAIN if named or (load and (latency or roles & LOADS)) else 0.0


def read(upload: Upload, mappings: Sequence[TableMapping] = ()) -> RawFile:
    """Return one level per row.

    Args:
        upload: the file, unpacked.
        mappings: what persons said of tables; one whose headers are the table's stands above recognition.

    Raises:
        RefusedFileError: a damaged table, no load or no latency column, two columns of one meaning, a
            latency without a unit, a cell that is not a number; with line and column.
    """
    (table,) = tables_of(upload)
    mapping = mapping_for(table, mappings)
    columns, findings = meanings(table, columns_said(table, mapping) if mapping else None)
    columns, more = with_units(table, columns)
    facts = [Fields(_values(table, columns, row), Place(table.name, row.line)) for row in table.rows]
    conditions = [conditions_of(columns, values) for values in facts]
    loads = [_load(columns, values) for values in facts]
    settings, told = identities(table, columns, loads, [tuple(c.items()) for c in conditions])
    if len(set(loads)) > 1:
        # A table that holds a sweep stands for itself: nothing says that a second one is the same deployment.
        settings = [{"file": table.name, **row} for row in settings]
    share = shares(table, columns)
    levels = tuple(
        _level(table, columns, row, values, known, identity, share)
        for row, values, known, identity in zip(table.rows, facts, conditions, settings, strict=True)
    )
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(replace(level, findings=_own(level)) for level in levels),
        findings=(*findings, *more, *told, *_of_columns(levels), *_end(table)),
    )


def _own(level: RawLevel) -> tuple[Finding, ...]:
    return tuple(finding for finding in level.findings if finding.code not in _OF_COLUMNS)


def _of_columns(levels: tuple[RawLevel, ...]) -> tuple[Finding, ...]:
    """Return what is true of a whole column once, at the first row that shows it."""
    first: dict[tuple[str, str | None], Finding] = {}
    for level in levels:
        for finding in level.findings:
            if finding.code in _OF_COLUMNS:
                first.setdefault((finding.code, finding.where.field), finding)
    return tuple(first.values())


def _values(table: Table, columns: tuple[Column, ...], row: Row) -> dict[str, object]:
    """Return a row by header: numbers as Python writes them, a text in a numeric column as it stands."""
    values: dict[str, object] = {}
    for column in columns:
        cell, mark = row.cells[column.index], table.decimal_marks[column.index]
        text, unit = number_text(cell, mark)
        known = not unit or unit in UNITS or not column.role.startswith("latency")
        values[column.header] = text if known and not _is_words(column) else cell.strip()
    return values


def _is_words(column: Column) -> bool:
    return column.role in ("other", "ignored") or column.role.startswith("conditions.")


def _load(columns: tuple[Column, ...], values: Fields) -> tuple[float | None, ...]:
    """Return what one row was loaded with.

    Raises:
        RefusedFileError: none of the load columns has a value, or it is 0.
    """
    asked = [column for column in columns if column.role in (ASKED, ASKED_RATE, MEASURED)]
    found = tuple(values.rate(column.header) for column in asked)
    unlimited = any(values.values.get(c.header) for c in asked if c.role == ASKED_RATE)
    wrong = next((c for c, v in zip(asked, found, strict=True) if v is not None and v <= 0.0), None)
    if wrong or (not unlimited and all(value is None for value in found)):
        raise refusal(
            "ingest.no_load_value",
            t("The row has no load above zero"),
            values.place.file or "",
            t("Give every row its concurrency or request rate, or remove the row"),
            line=values.place.line,
            field=(wrong or asked[0]).header,
        )
    return found


def _level(
    table: Table,
    columns: tuple[Column, ...],
    row: Row,
    values: Fields,
    conditions: dict[str, Scalar],
    identity: dict[str, Scalar],
    share: dict[str, float],
) -> RawLevel:
    counts = counts_of(columns, values, share)
    rate = _rate(columns, values)
    lengths = lengths_of(columns, values, counts)
    output, total = throughput_of(columns, values, rate, lengths)
    asked, asked_rate = find(columns, ASKED), find(columns, ASKED_RATE)
    readings = _readings(table, columns, row, values, counts["requests_good"])
    return RawLevel(
        place=values.place,
        asked_concurrency=values.rate(asked.header) if asked else None,
        asked_rate=values.rate(asked_rate.header) if asked_rate else None,
        applied_rate=number_of(columns, values, "applied_rate"),
        measured_concurrency=number_of(columns, values, MEASURED),
        requests_sent=counts["requests_sent"],
        requests_good=counts["requests_good"],
        requests_failed=counts["requests_failed"],
        requests_cut_off=counts["requests_cut_off"],
        duration_s=_duration(table, columns, row, values),
        request_rate=rate,
        input_tokens_mean=lengths[0],
        output_tokens_mean=lengths[1],
        output_tok_s=output,
        total_tok_s=total,
        cache_hit_rate=number_of(columns, values, "cache_hit_rate", share),
        kv_used_fraction=number_of(columns, values, "kv_used_fraction", share),
        acceptance_length=number_of(columns, values, "acceptance_length"),
        readings=readings,
        conditions=conditions,
        identity=identity,
        findings=tuple(values.findings),
    )


def _rate(columns: tuple[Column, ...], values: Fields) -> float | None:
    """Return requests per second that were reached."""
    column, value = find(columns, DONE_RATE), number_of(columns, values, DONE_RATE)
    return value / 60.0 if column and column.unit == "/min" and value is not None else value


def _readings(
    table: Table, columns: tuple[Column, ...], row: Row, values: Fields, good: int | None
) -> tuple[Reading, ...]:
    if good == 0:
        # Where nothing came through, the zeros beside it are no latencies.
        values.findings.append(none_completed(values.place))
        return ()
    found = []
    for column in columns:
        if column.role != "latency" or column.metric is None or column.statistic is None:
            continue
        value = values.not_negative(column.header)
        if value is None:
            continue
        if column.inverse:
            value = 1.0 / value if value > _NO_SPEED else 0.0
        may_be_zero = column.statistic == "sd" or (column.metric in _MAY_BE_ZERO and not column.inverse)
        if value == 0.0 and not may_be_zero:
            values.findings.append(_zero(values, column))
            continue
        unit = unit_of_cell(row.cells[column.index], table.decimal_marks[column.index]) or column.unit
        unit = "ratio" if column.metric is Metric.RTF else unit if unit in TIME_UNITS else None
        if unit:
            found.append(Reading(column.metric, column.statistic, value, unit, column.header))
    return tuple(found)


def _duration(table: Table, columns: tuple[Column, ...], row: Row, values: Fields) -> float | None:
    """Return seconds; a duration without a unit is left out, with a finding."""
    column = find(columns, "duration_s")
    value = values.not_negative(column.header) if column else None
    if column is None or value is None:
        return None
    mark = table.decimal_marks[column.index]
    unit = unit_of_cell(row.cells[column.index], mark) or column.unit or ""
    scale = _LONG.get(number_text(row.cells[column.index], mark)[1]) or SECONDS.get(unit)
    if scale is None:
        values.findings.append(_no_unit(values, column))
        return None
    return value * scale


def _zero(values: Fields, column: Column) -> Finding:
    return Finding(
        code="ingest.zero_latency",
        severity=Severity.WARNING,
        where=values.at(column.header),
        what=t("{column} is 0: no request is answered in no time", column=column.header),
        consequence=t("It is treated as unknown"),
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


def _no_unit(values: Fields, column: Column) -> Finding:
    return Finding(
        code="ingest.column_unclear",
        severity=Severity.INFO,
        where=values.at(column.header),
        what=t('"{column}" names no unit and is not used', column=column.header),
        fix=t("Add s to the header"),
    )
