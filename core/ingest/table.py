"""Text tables: bytes to a header and rows of text, with exact line numbers.

Cells stay text until a column's meaning is known, because only that says whether "1,146" is a
number, and of what. The decimal mark is found per column: a version "0.24" and a latency
"12,5" may stand side by side.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal, text_of
from core.ingest.raw import Head, Upload
from core.settings import LIMITS

DELIMITERS = (",", ";", "\t")
DECIMAL_MARKS = (",", ".")
_SEND_AGAIN = t("Send the file again as the tool wrote it")
_NUMBER = re.compile(r"([+-]?[\d.,]*\d[\d.,]*(?:e[+-]?\d+)?)\s*([^\d\s.,+-][^\d]*)?", re.IGNORECASE)
_GROUPED = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:\{mark}\d{{3}})+(?:[.,]\d+)?") for mark in ",."}
# Three digits after the only mark can be thousands; any other count, or a leading zero, cannot.
_DECIMAL = {
    mark: re.compile(
        rf"[+-]?(?:(?:\d+|\d{{1,3}}(?:\{other}\d{{3}})+)\{mark}(?:\d{{1,2}}|\d{{4,}})|0*\{mark}\d+|\d{{4,}}\{mark}\d+"
        rf"|\d{{1,3}}(?:\{other}\d{{3}})+\{mark}\d+)(?:e[+-]?\d+)?",
        re.IGNORECASE,
    )
    for mark, other in ((",", "."), (".", ","))
}

# A cell may hold a list of every request's latency; a line's limit stands anyway.
csv.field_size_limit(LIMITS.line_bytes)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line of the file it starts on, and one text per column."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A header and its rows, every row as wide as the header.

    Attributes:
        name: of the file.
        header: as written, without outer blanks; an unnamed column is "".
        line: of the header.
        delimiter: the one that was found.
        complete: False where the last line has no line end, as in a file that was cut off.
        sheet: of a workbook, None elsewhere.
        title: headings and notes that stand above the table, the nearest last; "" where there are none.
        transposed: True where it was turned: load levels were columns. A row's line is then its column.
    """

    name: str
    header: tuple[str, ...]
    line: int
    rows: tuple[Row, ...]
    delimiter: str
    complete: bool
    sheet: str | None = None
    title: str = ""
    transposed: bool = False

    @cached_property
    def decimal_marks(self) -> tuple[str, ...]:
        """Decimal mark of each column, "," or "."."""
        columns = list(zip(*(row.cells for row in self.rows), strict=True)) or [()] * len(self.header)
        seen = [_marks_in(cells) for cells in columns]
        every = set().union(*seen)
        if self.delimiter == ";":
            default = "," if "," in every or "." not in every else "."
        else:
            default = "," if every == {","} else "."
        return tuple("," if marks == {","} else "." if marks else default for marks in seen)

    def column(self, index: int) -> tuple[str, ...]:
        """Return the cells of one column, from top to bottom."""
        return tuple(row.cells[index] for row in self.rows)


def table_of(upload: Upload, max_rows: int = LIMITS.csv_rows) -> Table:
    """Return the table of a text file; blank lines are skipped.

    Raises:
        RefusedFileError: unreadable text, too many rows or columns, an open quote, two columns of
            one name, a row that is shorter or longer than the header; with the line.
    """
    text = text_of(upload)
    _within_limits(text, max_rows, upload.name)
    delimiter = _delimiter(text)
    header: tuple[str, ...] = ()
    header_line = 0
    rows: list[Row] = []
    for line, cells in _records(text, delimiter, upload.name):
        if not header:
            header, header_line = _header(cells, line, upload.name), line
        else:
            rows.append(Row(line, _as_wide(cells, header, line, upload.name)))
    if not rows:
        raise refusal("ingest.no_rows", t("The table has a header and no rows"), upload.name, _SEND_AGAIN)
    complete = text.endswith(("\n", "\r"))
    return Table(
        name=upload.name, header=header, line=header_line, rows=tuple(rows), delimiter=delimiter, complete=complete
    )


def header_of(head: Head) -> tuple[str, ...]:
    """Return the header cells that the first bytes show, () where they are no table. Never raises."""
    try:
        text = _start_of(head.sample)
        cells = next((cells for _, cells in _records(text, _delimiter(text), head.name)), ())
    except (RefusedFileError, UnicodeError):
        return ()
    return tuple(cell.strip() for cell in cells) if len(cells) > 1 else ()


def number_text(cell: str, mark: str) -> tuple[str, str]:
    """Return a number as Python writes it, and the unit behind it; other text comes back as it is.

    >>> number_text("1,146.31", "."), number_text("1.146,31 ms", ","), number_text("OOM", ".")
    (('1146.31', ''), ('1146.31', 'ms'), ('OOM', ''))
    """
    bare = cell.strip().replace("\u00a0", "").replace("\u202f", "")
    found = _NUMBER.fullmatch(bare)
    if not found:
        return cell.strip(), ""
    digits, unit = found[1], (found[2] or "").strip().lower()
    other = "." if mark == "," else ","
    if _GROUPED[other].fullmatch(digits):
        digits = digits.replace(other, "")
    elif other in digits:
        return cell.strip(), ""
    return digits.replace(mark, "."), unit


def _within_limits(text: str, max_rows: int, name: str) -> None:
    lines = text.count("\n") + text.count("\r") - text.count("\r\n")
    if lines > max_rows:
        raise refusal(
            "ingest.too_large",
            t("The table has more than {limit} rows", limit=max_rows),
            name,
            t("Send the tool's summary file instead of its per-request log"),
        )


def _start_of(sample: bytes) -> str:
    """Decode the first bytes of a file, which may end inside a character; no text for JSON and markup."""
    if sample.lstrip()[:1] in (b"{", b"[", b"<"):
        return ""
    utf_16 = sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return codecs.getincrementaldecoder("utf-16" if utf_16 else "utf-8-sig")().decode(sample)
    except UnicodeDecodeError:
        return codecs.getincrementaldecoder("cp949")().decode(sample)


def _delimiter(text: str) -> str:
    lines = (line for line in io.StringIO(text) if line.strip() and not line.startswith("#"))
    bare = re.sub(r'"[^"]*"', "", next(lines, ""))
    return max(DELIMITERS, key=bare.count)


def _records(text: str, delimiter: str, name: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (first line, cells) of every record that is not blank and no comment above the header."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    started, end = False, 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise refusal(
                "ingest.bad_table",
                t("The table breaks off or has a stray quote"),
                name,
                t("Send the file again; a quote that is opened has to be closed"),
                line=end + 1,
            ) from error
        if cells is None:
            return
        line, end = end + 1, reader.line_num
        if any(cell.strip() for cell in cells) and (started or not cells[0].startswith("#")):
            started = True
            yield line, tuple(cells)


def _header(cells: tuple[str, ...], line: int, name: str) -> tuple[str, ...]:
    if len(cells) > LIMITS.csv_columns:
        raise refusal(
            "ingest.too_large",
            t("The table has more than {limit} columns", limit=LIMITS.csv_columns),
            name,
            t("Send one row per load level, with its statistics as columns"),
            line=line,
        )
    header = tuple(cell.strip()[: LIMITS.name_chars] for cell in cells)
    while header and not header[-1]:
        header = header[:-1]
    seen: set[str] = set()
    for cell in header:
        if cell and cell.casefold() in seen:
            raise refusal(
                "ingest.duplicate_column",
                t('Two columns are called "{column}"', column=cell),
                name,
                t("Rename or remove one of them"),
                line=line,
                field=cell,
            )
        seen.add(cell.casefold())
    return header


def _as_wide(cells: tuple[str, ...], header: tuple[str, ...], line: int, name: str) -> tuple[str, ...]:
    """Return a row without the empty cells that spreadsheets add at its end."""
    wide = len(header)
    if len(cells) < wide or any(cell.strip() for cell in cells[wide:]):
        raise refusal(
            "ingest.ragged_row",
            t("The row has {cells} cells and the header {columns}", cells=len(cells), columns=wide),
            name,
            t("Send the file again: it may be cut off, or a comma inside a cell needs quotes"),
            line=line,
        )
    return cells[:wide]


def _marks_in(cells: tuple[str, ...]) -> set[str]:
    """Return the decimal marks that a column's cells prove; one that could be thousands proves nothing."""
    found = (_NUMBER.fullmatch(cell.strip()) for cell in cells)
    return {mark for hit in found if hit for mark in DECIMAL_MARKS if _DECIMAL[mark].fullmatch(hit[1])}
