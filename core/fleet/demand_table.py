"""A table of demand over time: which column is the time, which the demand, and in what unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.errors import Place, RefusedFileError
from core.fleet.moments import Clock, clock_of, moment_of
from core.i18n import Text, t
from core.ingest.cells import number_text
from core.ingest.decode import text_of, unpacked
from core.ingest.raw import Upload
from core.ingest.table import Table, delimiter_of, records, table_of
from core.model.scenario import DemandKind

MOST_ROWS = 600_000
"""A year of minutes, and some."""
SAMPLE_ROWS = 200
_HEAD_CHARS = 100_000


class Counts(StrEnum):
    """What a number of the demand's column counts. Stored: never rename one."""

    REQUESTS = "requests"
    PER_HOUR = "per_hour"
    PER_MINUTE = "per_minute"
    PER_SECOND = "per_second"
    USERS = "users"
    IN_FLIGHT = "in_flight"
    EACH_ROW = "each_row"

    @property
    def kind(self) -> DemandKind:
        """Return what a demand of it counts."""
        return {Counts.USERS: DemandKind.USERS, Counts.IN_FLIGHT: DemandKind.CONCURRENCY}.get(self, DemandKind.REQ_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a table is read.

    Attributes:
        time: place of the column that says when. hour: of one that holds the hour where that one holds only the day.
        value: of the column that says how much, None where each row is one request. counts: its unit.
    """

    time: int
    value: int | None
    counts: Counts
    hour: int | None = None


_HEADERS: tuple[tuple[Counts, re.Pattern[str]], ...] = (
    (Counts.PER_SECOND, re.compile(r"rps|qps|/ ?s(ec(ond)?)?\b|per.?sec(ond)?|초당")),
    (Counts.PER_MINUTE, re.compile(r"rpm|qpm|/ ?min(ute)?\b|per.?min(ute)?|분당")),
    (Counts.PER_HOUR, re.compile(r"rph|/ ?h(our)?\b|per.?hour|hourly|시간당")),
    (Counts.IN_FLIGHT, re.compile(r"concurren|in.?flight|동시")),
    (Counts.USERS, re.compile(r"users?\b|people|sessions?\b|사용자|유저")),
    (Counts.REQUESTS, re.compile(r"req(uest)?s?|queries|calls|hits|count|demand|load|traffic|volume|요청|건수|호출")),
)
"""Words in the header of the demand's column, the surer ones first."""
_HOURS = re.compile(r"\bh(ou)?rs?\b|hour|time|시")
_DAY_S = 86_400.0
_WHEN = re.compile(r"time|date|hour|when|period|minute|\bts\b|시각|시간|일시|날짜")


def demand_table(upload: Upload) -> Table:
    """Return the table of a file, gzip or zstd undone.

    Raises:
        RefusedFileError: "demand.not_a_table" for a picture, a workbook or any other file that is no text; and the
            codes of `core.ingest.table.table_of`.
    """
    whole = unpacked(upload)
    text = _text_of(whole)
    delimiter = delimiter_of(text)
    first = next(iter(records(text[:_HEAD_CHARS].rpartition("\n")[0] or text, delimiter, whole.name)), (1, ()))[1]
    if not _is_row(first):
        return table_of(whole, max_rows=MOST_ROWS)
    names = delimiter.join(f"column {at}" for at in range(1, len(first) + 1))
    table = table_of(Upload(whole.name, f"{names}\n{text}".encode()), max_rows=MOST_ROWS)
    return replace(table, rows=tuple(replace(row, line=row.line - 1) for row in table.rows))


def _text_of(whole: Upload) -> str:
    """Return a file as text; bytes that are none would only be said to have the wrong encoding."""
    if whole.data.startswith(_NO_TEXT):
        raise _no_text(whole.name)
    try:
        text = text_of(whole)
    except RefusedFileError as error:
        raise _no_text(whole.name) from error
    if "\0" in text:
        raise _no_text(whole.name)
    return text


_NO_TEXT = (b"PK\x03\x04", b"\x89PNG", b"%PDF-", b"\xd0\xcf\x11\xe0", b"\xff\xd8\xff", b"GIF8")
"""Beginnings of workbooks, pictures and documents: zeros in them pass for UTF-16."""


def _no_text(name: str) -> RefusedFileError:
    return RefusedFileError(
        "demand.not_a_table",
        t("The file is no table in plain text"),
        fix=t("Send a CSV in UTF-8 with a column of hours or times and one of requests; a spreadsheet can save one"),
        place=Place(file=name),
    )


def guessed(table: Table) -> Reading:
    """Return how a table seems to be read: by the words of its headers, then by what its cells are.

    Raises:
        RefusedFileError: "demand.no_time" where no column says when, "demand.no_value" where none is a number.
    """
    times = [at for at in range(len(table.header)) if clock_at(table, at) is not None]
    named = [at for at in times if _WHEN.search(table.header[at].casefold())]
    if not times:
        raise _refusal(
            table,
            "demand.no_time",
            t("No column says when: neither hours of a day nor dates with a time"),
            t("Add a column with the hours 0 to 23, or with times such as 2026-11-30 09:00"),
        )
    time = (named or times)[0]
    hour = _hour_beside(table, time)
    values = [at for at in range(len(table.header)) if at not in (time, hour) and _is_numbers(table, at)]
    if not values:
        # Several rows of times alone are requests, one by one; hours of a day alone say nothing of how many.
        if clock_at(table, time) is Clock.DATE and len(table.header) == 1:
            return Reading(time=time, value=None, counts=Counts.EACH_ROW)
        raise _refusal(
            table,
            "demand.no_value",
            t("No column beside the time holds numbers"),
            t("Add a column with the requests of each hour"),
        )
    rank, value = min((_rank(table.header[at]), at) for at in values)
    counts = _HEADERS[rank][0] if rank < len(_HEADERS) else Counts.REQUESTS
    return Reading(time=time, value=value, counts=counts, hour=hour)


def _hour_beside(table: Table, time: int) -> int | None:
    """Return the column of hours beside a column that holds days alone."""
    if clock_at(table, time) is not Clock.DATE:
        return None
    moments = [moment_of(cell) for cell in table.column(time)[:SAMPLE_ROWS] if cell.strip()]
    if any(moment is not None and moment % _DAY_S for moment in moments):
        return None
    hours = (at for at in range(len(table.header)) if at != time and clock_at(table, at) is Clock.HOUR)
    return next((at for at in hours if _HOURS.search(table.header[at].casefold())), None)


def clock_at(table: Table, column: int) -> Clock | None:
    """Return how a column says when, None where it does not."""
    return clock_of(table.column(column)[:SAMPLE_ROWS])


def numbers_of(table: Table, column: int) -> list[float]:
    """Return the numbers of a column.

    Raises:
        RefusedFileError: "demand.not_a_number" at the first cell that is none, or one below 0, with its line.
    """
    mark, found = table.decimal_marks[column], []
    for row in table.rows:
        value = _number(row.cells[column], mark)
        if value is None or not 0.0 <= value < 1e15:
            raise RefusedFileError(
                "demand.not_a_number",
                t('"{cell}" is no number from 0 up', cell=row.cells[column].strip()[:40] or "–"),
                fix=t("Give every row a number, 0 where nothing was asked, or leave the row out where nobody knows"),
                place=Place(table.name, row.line, table.header[column] or None),
            )
        found.append(value)
    return found


def value_columns(table: Table, time: int) -> tuple[int, ...]:
    """Return the columns that may hold the demand."""
    return tuple(at for at in range(len(table.header)) if at != time and _is_numbers(table, at))


def time_columns(table: Table) -> tuple[int, ...]:
    """Return the columns that may say when."""
    return tuple(at for at in range(len(table.header)) if clock_at(table, at) is not None)


def _rank(header: str) -> int:
    words = header.casefold().replace("_", " ")
    return next((rank for rank, (_, pattern) in enumerate(_HEADERS) if pattern.search(words)), len(_HEADERS))


def _is_numbers(table: Table, column: int) -> bool:
    mark = table.decimal_marks[column]
    cells = table.column(column)[:SAMPLE_ROWS]
    known = [cell for cell in cells if cell.strip()]
    return bool(known) and sum(_number(cell, mark) is not None for cell in known) > len(known) // 2


def _number(cell: str, mark: str) -> float | None:
    text, unit = number_text(cell, mark)
    try:
        value = float(text)
    except ValueError:
        return None
    return value if not unit else None


def _is_row(cells: Sequence[str]) -> bool:
    """Return True where the first line holds a time and numbers, as every other does: the file has no header."""
    known = [cell for cell in cells if cell.strip()]
    return bool(known) and clock_of(known[:1]) is not None and all(_number(cell, ".") is not None for cell in known[1:])


def _refusal(table: Table, code: str, what: Text, fix: Text) -> RefusedFileError:
    return RefusedFileError(code, what, fix=fix, place=Place(table.name))


def headers(table: Table, columns: Sequence[int]) -> tuple[str, ...]:
    """Return the names of columns; one without a name is called by its place."""
    return tuple(table.header[at] or f"column {at + 1}" for at in columns)
