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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from core.errors import Place, RefusedFileError
from core.i18n import Text, t
from core.ingest.cells import marks_in, number_text
from core.ingest.decode import encoding_of, refusal, text_of
from core.ingest.raw import Head, Upload
from core.model.finding import Finding
from core.settings import LIMITS

__all__ = [
    "Row",
    "Table",
    "as_wide",
    "delimiter_of",
    "header_cells",
    "header_of",
    "number_text",
    "records",
    "start_of",
    "table_of",
]

DELIMITERS = (",", ";", "\t")
_SEND_AGAIN = t("Send the file again as the tool wrote it")

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
        transposed: True where it was turned: load levels were columns. A row's line is then the table's first.
        settings: what "name, value" lines above the table say.
        notices: what was noticed while the table was found.
        is_cut: True where the file holds more rows than are read.
        fault: why its rows cannot be used: none of them, or one that is not as wide as the header.
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
    settings: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[Finding, ...] = ()
    is_cut: bool = False
    fault: RefusedFileError | None = None

    @cached_property
    def decimal_marks(self) -> tuple[str, ...]:
        """Decimal mark of each column, "," or "."."""
        columns = list(zip(*(row.cells for row in self.rows), strict=True)) or [()] * len(self.header)
        seen = [marks_in(cells) for cells in columns]
        every = set().union(*seen)
        if self.delimiter == ";":
            default = "," if "," in every or "." not in every else "."
        else:
            default = "," if every == {","} else "."
        return tuple("," if marks == {","} else "." if marks else default for marks in seen)

    def place(self, row: int, header: str | None = None) -> Place:
        """Return where a row stands, or a cell of it: line and sheet, in a turned table the column."""
        parts = (self.sheet, f"column {row + 2}" if self.transposed else None, header)
        return Place(self.name, self.rows[row].line, ", ".join(part for part in parts if part) or None)

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
    delimiter = delimiter_of(text)
    header: tuple[str, ...] = ()
    header_line = 0
    rows: list[Row] = []
    for line, cells in records(text, delimiter, upload.name):
        if not header:
            header, header_line = header_cells(cells, line, upload.name), line
        else:
            rows.append(Row(line, as_wide(cells, header, line, upload.name)))
    if not rows:
        raise refusal("ingest.no_rows", t("The table has a header and no rows"), upload.name, _SEND_AGAIN)
    complete = text.endswith(("\n", "\r"))
    return Table(
        name=upload.name, header=header, line=header_line, rows=tuple(rows), delimiter=delimiter, complete=complete
    )


# Every importer of tables looks at the same head.
@lru_cache(maxsize=16)
def header_of(head: Head) -> tuple[str, ...]:
    """Return the header cells that the first bytes show, () where they are no table. Never raises."""
    try:
        text = start_of(head.sample)
        cells = next((cells for _, cells in records(text, delimiter_of(text), head.name)), ())
    except (RefusedFileError, UnicodeError):
        return ()
    return tuple(cell.strip() for cell in cells[: LIMITS.csv_columns]) if len(cells) > 1 else ()


def _within_limits(text: str, max_rows: int, name: str) -> None:
    lines = text.count("\n") + text.count("\r") - text.count("\r\n")
    if lines > max_rows:
        raise refusal(
            "ingest.too_large",
            t("The table has more than {limit} rows", limit=max_rows),
            name,
            t("Send the tool's summary file instead of its per-request log"),
        )


@lru_cache(maxsize=16)
def start_of(sample: bytes) -> str:
    """Return the first bytes of a file, which may end inside a character, as text.

    JSON, markup and what no encoding fits give no text. Never raises.
    """
    if sample.lstrip()[:1] in (b"{", b"[", b"<"):
        return ""
    for encoding in (encoding_of(sample) or "utf-8-sig", "cp949"):
        try:
            return codecs.getincrementaldecoder(encoding)().decode(sample)
        except UnicodeDecodeError:
            continue
    return ""


def delimiter_of(text: str) -> str:
    """Return the delimiter that is most frequent in the first line, outside of quotes."""
    lines = (line for line in io.StringIO(text) if line.strip() and not line.startswith("#"))
    bare = re.sub(r'"[^"]*"', "", next(lines, ""))
    return max(DELIMITERS, key=bare.count)


def records(text: str, delimiter: str, name: str, *, every: bool = False) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (first line, cells) of every record that is not blank and no comment above the header.

    Args:
        text: of the whole file.
        delimiter: between cells.
        name: of the file, for the refusal.
        every: also blank records, as (), and comments.

    Raises:
        RefusedFileError: "ingest.bad_table" at a quote that is not closed or stands astray.
    """
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
        filled = any(cell.strip() for cell in cells)
        if filled and (started or every or not cells[0].startswith("#")):
            started = True
            yield line, tuple(cells)
        elif every:
            yield line, ()


_A_LEVEL_A_ROW = t("Send one row per load level, with its statistics as columns")


def header_cells(cells: Sequence[str], line: int, name: str, fewer_columns: Text = _A_LEVEL_A_ROW) -> tuple[str, ...]:
    """Return header cells without outer blanks and without the empty ones at the end.

    Args:
        cells: as written.
        line: of the header.
        name: of the file.
        fewer_columns: what to do about a table that is too wide.

    Raises:
        RefusedFileError: too many columns, or two of one name.
    """
    if len(cells) > LIMITS.csv_columns:
        raise refusal(
            "ingest.too_large",
            t("The table has more than {limit} columns", limit=LIMITS.csv_columns),
            name,
            fewer_columns,
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


def as_wide(cells: Sequence[str], header: Sequence[str], line: int, name: str) -> tuple[str, ...]:
    """Return a row without the empty cells that spreadsheets add at its end.

    Raises:
        RefusedFileError: "ingest.ragged_row" where it is not as wide as the header.
    """
    wide = len(header)
    if len(cells) < wide or any(cell.strip() for cell in cells[wide:]):
        raise refusal(
            "ingest.ragged_row",
            t("The row has {cells} cells and the header {columns}", cells=len(cells), columns=wide),
            name,
            t("Send the file again: it may be cut off, or a comma inside a cell needs quotes"),
            line=line,
        )
    return tuple(cells[:wide])
