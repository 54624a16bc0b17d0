"""What a table's columns mean once their cells and their neighbours are looked at.

A header alone does not tell whether "gpu" is a name or a count, or whether "qps" was asked or
reached. Nothing is settled by taste: what stays open is refused with the columns named.
"""

from __future__ import annotations

from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest.cells import cell_of
from core.ingest.columns import (
    ASKED,
    ASKED_RATE,
    DONE_RATE,
    INVERSE_MEAN,
    LATENCY,
    LOADS,
    MEASURED,
    NOTHING,
    PEAK,
    RATE,
    SETTING,
    Column,
    columns_of,
)
from core.ingest.decode import refusal
from core.ingest.fields import MISSING, UNLIMITED
from core.ingest.header import parsed
from core.ingest.table import Table
from core.model.finding import Finding, Severity
from core.model.metric import Metric

_ONCE = frozenset(
    {ASKED, MEASURED, ASKED_RATE, "applied_rate", DONE_RATE, "requests_sent", "requests_good", "requests_failed",
     "requests_cut_off", "error_rate", "success_rate", "duration_s", "output_tok_s", "total_tok_s", "latency"}
)  # fmt: skip
_MANY = NOTHING | {"batch", "throughput", INVERSE_MEAN, SETTING}
NEAR = 0.1
"""How near two sides of an identity have to be to settle a question (10 %)."""


def number_at(table: Table, row: int, index: int) -> float | None:
    """Return a cell's number without its unit, None where it is missing or is none."""
    return cell_of(table.rows[row].cells[index], table.decimal_marks[index]).number


def numbers(table: Table, index: int) -> list[float | None]:
    """Return a column's numbers from top to bottom, None where a cell is missing or is none."""
    return [number_at(table, row, index) for row in range(len(table.rows))]


def is_text(table: Table, index: int) -> bool:
    """True where some cell of a column says something that is no number."""
    mark = table.decimal_marks[index]
    return any(cell_of(cell, mark).is_words for cell in table.column(index) if cell.strip().lower() not in UNLIMITED)


def meanings(
    table: Table, said: tuple[Column, ...] | None = None, *, load_is_known: bool = False
) -> tuple[tuple[Column, ...], tuple[Finding, ...]]:
    """Return the columns of a table with their final roles, and what was noticed.

    Args:
        table: header and cells.
        said: what a person said the columns are, None to recognise them.
        load_is_known: True where something else than a column tells the load.

    Raises:
        RefusedFileError: no load or no latency, two columns of one meaning, a rate that may be
            the asked or the reached one.
    """
    columns, findings = (said, ()) if said is not None else _rates(table, recognised(table))
    columns = _without_doubles(table, columns)
    _enough(table, columns, load_is_known=load_is_known)
    unsaid = [c for c in columns if c.role == "latency" and c.statistic is None and c.metric is not Metric.RTF]
    named = tuple(replace(c, statistic="mean") if c.role == "latency" and c.statistic is None else c for c in columns)
    named = _without_doubles(table, named)
    turned = tuple(_not_turned(table, column) for column in named if column.role == INVERSE_MEAN)
    return named, (*findings, *(_unsaid(table, column) for column in unsaid), *turned)


def recognised(table: Table) -> tuple[Column, ...]:
    """Return what headers and cells say, before columns are held against each other."""
    columns = tuple(_by_cells(table, column) for column in columns_of(table.header))
    roles = {column.role for column in columns}
    return tuple(_peak(column, roles) for column in columns)


def find(columns: tuple[Column, ...], role: str, metric: Metric | None = None) -> Column | None:
    """Return the column of one role; for a latency, the mean of one metric."""
    hits = (c for c in columns if c.role == role and (metric is None or (c.metric is metric and c.statistic == "mean")))
    return next(hits, None)


def _by_cells(table: Table, column: Column) -> Column:
    if column.role == "gpu":
        return replace(column, role=f"conditions.accelerator{'' if is_text(table, column.index) else '_count'}")
    # A column "error" or "success" of texts holds messages or yes and no, not counts.
    if column.role in ("requests_failed", "requests_good") and len(parsed(column.header).words) == 1:
        return replace(column, role="ignored") if is_text(table, column.index) else column
    return column


def _peak(column: Column, roles: set[str]) -> Column:
    """The highest count in flight is the asked concurrency only where nothing better stands there."""
    if column.role != PEAK:
        return column
    return replace(column, role="ignored" if roles & {ASKED, MEASURED} else ASKED)


def _rates(table: Table, columns: tuple[Column, ...]) -> tuple[tuple[Column, ...], tuple[Finding, ...]]:
    """Settle whether a plain rate was asked of the load generator or reached by the server."""
    doubtful = [column for column in columns if column.role == RATE]
    if not doubtful:
        return columns, ()
    worded = [column for column in doubtful if "rate" in parsed(column.header).words]
    if 0 < len(worded) < len(doubtful):
        # A "rate" beside a plain "req/s": the first was asked, the second reached.
        columns = tuple(replace(c, role=ASKED_RATE) if c in worded else c for c in columns)
        doubtful = [column for column in doubtful if column not in worded]
    roles = {column.role for column in columns}
    if ASKED_RATE in roles:
        role = DONE_RATE
    elif ASKED not in roles or DONE_RATE in roles or all(_unlimited(table, c.index) for c in doubtful):
        role = ASKED_RATE
    elif worded and not _littles_law_holds(table, columns):
        raise refusal(
            "ingest.rate_unclear",
            t('"{column}" may be the rate that was asked or the one that was reached', column=doubtful[0].header),
            table.name,
            t('Call it "asked rate" or "request throughput"'),
            line=table.line,
            field=doubtful[0].header,
        )
    else:
        role = DONE_RATE
    settled = tuple(replace(column, role=role) if column.role == RATE else column for column in columns)
    if role == ASKED_RATE and not worded and not roles & {ASKED, DONE_RATE}:
        return settled, tuple(_asked(table, c) for c in doubtful)
    return settled, tuple(_reached(table, c) for c in doubtful) if role == DONE_RATE and ASKED in roles else ()


def _unlimited(table: Table, index: int) -> bool:
    return {cell.strip().lower() for cell in table.column(index)} <= MISSING | UNLIMITED


def _littles_law_holds(table: Table, columns: tuple[Column, ...]) -> bool:
    """Whether concurrency = rate x mean e2e in the middle row, whatever the unit of the latency is."""
    parts = (find(columns, ASKED), find(columns, RATE), find(columns, "latency", Metric.E2E))
    if not all(parts):
        return False
    asked, rate, e2e = (numbers(table, part.index) for part in parts if part)
    ratios = sorted(r * e / a for a, r, e in zip(asked, rate, e2e, strict=True) if a and r and e)
    middle = ratios[len(ratios) // 2] if ratios else 0.0
    return any(abs(middle / scale - 1.0) <= NEAR for scale in (1.0, 1e3, 1e6))


def _without_doubles(table: Table, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Refuse two columns of one meaning; a second name of a condition is just another setting."""
    seen: dict[tuple[object, ...], Column] = {}
    kept = []
    for column in columns:
        key = (column.role, column.metric, column.statistic)
        first = seen.setdefault(key, column)
        if first is column or column.role in _MANY:
            kept.append(column)
        elif column.role not in _ONCE:
            kept.append(replace(column, role="other"))
        else:
            raise refusal(
                "ingest.same_meaning",
                t('The columns "{one}" and "{other}" mean the same', one=first.header, other=column.header),
                table.name,
                t("Keep one of them, or rename the one that means something else"),
                line=table.line,
                field=column.header,
            )
    return tuple(kept)


def _enough(table: Table, columns: tuple[Column, ...], *, load_is_known: bool) -> None:
    """Refuse a table that lacks the load or every latency, and say what it has."""
    roles = {column.role for column in columns}
    load, latency = load_is_known or bool(roles & LOADS), LATENCY in roles
    if load and latency:
        return
    batch = next((column.header for column in columns if column.role == "batch"), None)
    if load:
        code, lack = "ingest.no_latency_column", t("no column with a latency such as ttft_p99_ms")
    else:
        code, lack = "ingest.no_load_column", t("no column with the load such as concurrency or request rate")
    known = ", ".join(c.header for c in columns if c.role not in NOTHING)
    fix = t("Add that column, or check the spelling of its header")
    if not load and not batch:
        fix = t("Add that column, or name the file after the load, such as {example}", example="concurrency_16.csv")
    if not load and batch:
        lack = t(
            'no load: "{column}" is a batch that is sent at once, not requests that are held in flight', column=batch
        )
        fix = t('If "{column}" is the number of requests held in flight, call it concurrency', column=batch)
    what = t("The table has {lack}; recognised were: {columns}", lack=lack, columns=known[:300])
    if not known:
        what = t("The table has {lack}, and no other column was recognised", lack=lack)
    raise refusal(code, what, table.name, fix, line=table.line)


def _reached(table: Table, column: Column) -> Finding:
    return Finding(
        code="ingest.rate_is_result",
        severity=Severity.INFO,
        where=Place(table.name, table.line, column.header),
        what=t('"{column}" beside a concurrency is read as the rate that was reached', column=column.header),
    )


def _asked(table: Table, column: Column) -> Finding:
    return Finding(
        code="ingest.rate_is_load",
        severity=Severity.INFO,
        where=Place(table.name, table.line, column.header),
        what=t('"{column}" is read as the rate that was asked: no column says another load', column=column.header),
        fix=t('Call it "request throughput" if it is what the server reached'),
    )


def _not_turned(table: Table, column: Column) -> Finding:
    return Finding(
        code="ingest.rtfx_mean",
        severity=Severity.WARNING,
        where=Place(table.name, table.line, column.header),
        what=t('"{column}" is no percentile of RTFx', column=column.header),
        consequence=t("It is not used: only a percentile can be turned round to RTF, a mean or a total cannot"),
        fix=t("Add a low percentile of RTFx such as p5, or RTF itself"),
    )


def _unsaid(table: Table, column: Column) -> Finding:
    return Finding(
        code="ingest.statistic_not_named",
        severity=Severity.WARNING,
        where=Place(table.name, table.line, column.header),
        what=t('"{column}" does not say which statistic it is', column=column.header),
        consequence=t("It is read as the mean; a target on a percentile does not use it"),
        fix=t("Add mean, median or a percentile such as p99 to the header"),
    )
