"""One row of a table to one load level: its numbers, and what its cells say beside numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import Place
from core.i18n import t
from core.ingest.cells import Cell, cell_of
from core.ingest.columns import ASKED, ASKED_RATE, DONE_RATE, LATENCY, MEASURED, NOTHING, SETTING, Column
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.header import TIME_UNITS, UNITS, parsed
from core.ingest.latency_unit import SECONDS, unit_of_cell
from core.ingest.meaning import find
from core.ingest.notices import none_completed
from core.ingest.raw import RawLevel, Reading, Scalar
from core.ingest.row_facts import conditions_of, counts_of, lengths_of, number_of, throughput_of
from core.ingest.table import Table
from core.model.finding import Finding, Severity
from core.model.metric import Metric

LOAD_ROLES = (ASKED, ASKED_RATE, MEASURED)
_MAY_BE_ZERO = (Metric.QUEUE, Metric.RTF)
_NO_SPEED = 1e-9
"""An RTFx below this is none: its RTF would be longer than any audio."""
_LONG = {"m": 60.0, "min": 60.0, "minutes": 60.0, "h": 3600.0, "hours": 3600.0, "분": 60.0, "分钟": 60.0}
_WORDS = NOTHING | {SETTING}
OF_COLUMNS = frozenset({"ingest.length_asked", "ingest.column_unclear", "ingest.cell_remark", "ingest.spread_unclear"})
"""Codes of findings that hold for a whole column; the first row that shows one stands for all."""


@dataclass(frozen=True, kw_only=True)
class RowFacts:
    """One row on its way to a level.

    Attributes:
        index: of the row.
        cells: what each cell says, by column index; columns of words are not in it.
        values: the same by header, for `Fields`.
        load: what it was loaded with, one entry per load column.
        conditions: what it states of them.
        notes: words in brackets behind a load, by header.
    """

    index: int
    cells: Mapping[int, Cell]
    values: Fields
    load: tuple[float | None, ...]
    conditions: dict[str, Scalar]
    notes: dict[str, Scalar] = field(default_factory=dict)


def row_facts(table: Table, columns: tuple[Column, ...], index: int) -> RowFacts:
    """Return what one row says.

    Raises:
        RefusedFileError: a cell that is not a number, or no load above zero; with line and column.
    """
    row = table.rows[index]
    cells = {
        column.index: cell_of(row.cells[column.index], table.decimal_marks[column.index])
        for column in columns
        if column.role not in _WORDS and not column.role.startswith("conditions.")
    }
    values = Fields(
        {column.header: _value(column, row.cells[column.index], cells.get(column.index)) for column in columns},
        table.place(index),
    )
    values.findings += _remarks(table, columns, index, cells)
    load = _load(columns, values)
    notes = {c.header: cells[c.index].note for c in columns if c.role in LOAD_ROLES and cells[c.index].note}
    return RowFacts(
        index=index,
        cells=cells,
        values=values,
        load=load,
        conditions=conditions_of(columns, values),
        notes=dict(notes),
    )


def level_of(
    table: Table,
    columns: tuple[Column, ...],
    row: RowFacts,
    identity: dict[str, Scalar],
    share: dict[str, float],
) -> RawLevel:
    """Return the level of one row.

    Args:
        table: it is a row of.
        columns: with their final roles.
        row: what the row says.
        identity: settings that tell its configuration apart.
        share: factors of columns that hold shares (`core.ingest.row_facts.shares`).
    """
    values = row.values
    counts = counts_of(columns, values, share)
    rate = _rate(columns, values)
    lengths = lengths_of(columns, values, counts)
    output, total = throughput_of(columns, values, rate, lengths)
    asked, asked_rate = find(columns, ASKED), find(columns, ASKED_RATE)
    readings = _readings(table, columns, row, counts["requests_good"])
    failed = _failed(table, columns, row, readings)
    if failed and not readings and counts["requests_good"] is None:
        counts["requests_good"] = 0
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
        duration_s=_duration(columns, row),
        request_rate=rate,
        input_tokens_mean=lengths[0],
        output_tokens_mean=lengths[1],
        output_tok_s=output,
        total_tok_s=total,
        cache_hit_rate=number_of(columns, values, "cache_hit_rate", share),
        kv_used_fraction=number_of(columns, values, "kv_used_fraction", share),
        acceptance_length=number_of(columns, values, "acceptance_length"),
        readings=readings,
        conditions=row.conditions,
        identity=identity,
        findings=(*values.findings, *failed),
    )


def _value(column: Column, text: str, cell: Cell | None) -> str:
    """A cell as `Fields` takes it: the number without what stands around it, "" where there is none."""
    if cell is None:
        return text.strip()
    if cell.failed or cell.bound:
        return ""
    known = not cell.unit or cell.unit in UNITS or column.role != LATENCY
    return cell.text if known else text.strip()


def _load(columns: tuple[Column, ...], values: Fields) -> tuple[float | None, ...]:
    """Return what one row was loaded with.

    Raises:
        RefusedFileError: none of the load columns has a value, or it is 0.
    """
    asked = [column for column in columns if column.role in LOAD_ROLES]
    found = tuple(values.rate(column.header) for column in asked)
    unlimited = any(values.values.get(c.header) for c in asked if c.role == ASKED_RATE)
    wrong = next((c for c, v in zip(asked, found, strict=True) if v is not None and v <= 0.0), None)
    if asked and (wrong or (not unlimited and all(value is None for value in found))):
        raise refusal(
            "ingest.no_load_value",
            t("The row has no load above zero"),
            values.place.file or "",
            t("Give every row its concurrency or request rate, or remove the row"),
            line=values.place.line,
            field=values.at((wrong or asked[0]).header).field,
        )
    return found


def _rate(columns: tuple[Column, ...], values: Fields) -> float | None:
    """Return requests per second that were reached."""
    column, value = find(columns, DONE_RATE), number_of(columns, values, DONE_RATE)
    return value / 60.0 if column and column.unit == "/min" and value is not None else value


def _readings(table: Table, columns: tuple[Column, ...], row: RowFacts, good: int | None) -> tuple[Reading, ...]:
    values = row.values
    if good == 0:
        # Where nothing came through, the zeros beside it are no latencies.
        values.findings.append(none_completed(values.place))
        return ()
    found: list[Reading] = []
    spreads: list[Reading] = []
    for column in columns:
        if column.role != LATENCY or column.metric is None or column.statistic is None:
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
        unit = _unit(table, column, row)
        if unit is None:
            continue
        found.append(Reading(column.metric, column.statistic, value, unit, column.header))
        if row.cells[column.index].spread and _says_sd(column):
            spreads.append(Reading(column.metric, "sd", float(row.cells[column.index].spread), unit, column.header))
    known = {(reading.metric, reading.statistic) for reading in found}
    return (*found, *(spread for spread in spreads if (spread.metric, "sd") not in known))


def _unit(table: Table, column: Column, row: RowFacts) -> str | None:
    if column.metric is Metric.RTF:
        return "ratio"
    cell = table.rows[row.index].cells[column.index]
    unit = unit_of_cell(cell, table.decimal_marks[column.index]) or column.unit
    return unit if unit in TIME_UNITS else None


def _says_sd(column: Column) -> bool:
    """Whether a header such as "TTFT mean ± sd" says what stands behind the ±: it could be an error of the mean."""
    return column.statistic == "mean" and bool(parsed(column.header).stated & {"sd", "std", "stddev", "stdev"})


def _duration(columns: tuple[Column, ...], row: RowFacts) -> float | None:
    """Return seconds; a duration without a unit is left out, with a finding."""
    column = find(columns, "duration_s")
    value = row.values.not_negative(column.header) if column else None
    if column is None or value is None:
        return None
    written = row.cells[column.index].unit
    scale = _LONG.get(written) or SECONDS.get(UNITS.get(written) or column.unit or "")
    if scale is None:
        row.values.findings.append(_no_unit(row.values, column))
        return None
    return value * scale


def _remarks(table: Table, columns: tuple[Column, ...], index: int, cells: Mapping[int, Cell]) -> list[Finding]:
    """What cells say beside their number: bounds, rough numbers, notes, a ± that does not say what it is."""
    found: list[Finding] = []
    for column in columns:
        cell = cells.get(column.index)
        if cell is None or column.role in _WORDS or not cell.text:
            continue
        where, text = table.place(index, column.header), table.rows[index].cells[column.index].strip()[:40]
        if cell.bound:
            found.append(_bound(where, text))
        elif cell.rough or (cell.note and column.role not in LOAD_ROLES):
            found.append(_remark(where, column, text, cell))
        elif cell.spread and not _says_sd(column):
            found.append(_spread(where, column, text))
    return found


def _failed(
    table: Table, columns: tuple[Column, ...], row: RowFacts, readings: tuple[Reading, ...]
) -> tuple[Finding, ...]:
    """The finding of a level that says "OOM" or "timeout" where a latency should stand."""
    said = next((c for c in columns if c.role == LATENCY and row.cells[c.index].failed), None)
    if said is None:
        return ()
    return (
        Finding(
            code="ingest.level_failed",
            severity=Severity.WARNING if readings else Severity.ERROR,
            where=table.place(row.index, said.header),
            what=t('The table says "{cell}" where a latency should stand', cell=row.cells[said.index].text[:40]),
            consequence=t("That value is unknown: the server may not carry this load")
            if readings
            else t("Nothing was measured at this level: the server may not carry this load"),
            fix=t("Look into the server's log and measure this level again"),
        ),
    )


def _bound(where: Place, text: str) -> Finding:
    return Finding(
        code="ingest.only_a_bound",
        severity=Severity.WARNING,
        where=where,
        what=t('"{cell}" says only that the value lies above or below a number', cell=text),
        consequence=t("It is treated as unknown"),
    )


def _remark(where: Place, column: Column, text: str, cell: Cell) -> Finding:
    return Finding(
        code="ingest.cell_remark",
        severity=Severity.INFO,
        where=where,
        what=t('"{column}" has numbers with a remark: "{cell}" is read as {value}', column=column.header, cell=text,
               value=cell.text),
    )  # fmt: skip


def _spread(where: Place, column: Column, text: str) -> Finding:
    return Finding(
        code="ingest.spread_unclear",
        severity=Severity.INFO,
        where=where,
        what=t('"{column}" does not say what stands behind ±, as in "{cell}"', column=column.header, cell=text),
        consequence=t("It is not used: it may be a deviation of requests, of repeats, or an error of the mean"),
        fix=t('Write "mean ± sd" into the header if it is the standard deviation over requests'),
    )


def _zero(values: Fields, column: Column) -> Finding:
    return Finding(
        code="ingest.zero_latency",
        severity=Severity.WARNING,
        where=values.at(column.header),
        what=t("{column} is 0: no request is answered in no time", column=column.header),
        consequence=t("It is treated as unknown"),
    )


def _no_unit(values: Fields, column: Column) -> Finding:
    return Finding(
        code="ingest.column_unclear",
        severity=Severity.INFO,
        where=values.at(column.header),
        what=t('"{column}" names no unit and is not used', column=column.header),
        fix=t("Add s to the header"),
    )
