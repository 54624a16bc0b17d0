"""The cells of a table of requests one by one: header, delimiter, decimal mark, numbers and what is missing."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.i18n import t
from core.ingest.decode import refusal, text_of
from core.ingest.fields import MISSING, UNLIMITED
from core.ingest.raw import Upload
from core.ingest.table import as_wide, header_cells

DELIMITERS = (",", ";", "\t")
_SEND_AGAIN = t("Send the file again as the tool wrote it")
_GROUPED = {
    mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:\{mark}\d{{3}})+(?:[.,]\d+)?(?:e[+-]?\d+)?", re.I) for mark in ",."
}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
# Three digits after the only comma may be thousands; any other count cannot.
_BY_COMMA = re.compile(r"[+-]?\d*,(?:\d{1,2}|\d{4,})(?:e[+-]?\d+)?", re.IGNORECASE)
_INFINITE = UNLIMITED | {"-inf", "-infinity"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a table is written.

    Attributes:
        header: names of the columns as written; an unnamed one is "".
        line: of the header; the rows stand below it.
        delimiter: between cells.
        mark: before decimals, "." or ",".
    """

    header: tuple[str, ...]
    line: int
    delimiter: str
    mark: str


def dialect_of(start: bytes, name: str) -> tuple[Dialect, bytes]:
    """Return how a table is written by its first bytes, and the whole rows below the header in them.

    Raises:
        RefusedFileError: text in an unknown encoding, two columns of one name, or too many columns.
    """
    lines = start.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    at = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith(b"#")), 0)
    text = text_of_lines(lines[at], name).rstrip("\r")
    delimiter = max(DELIMITERS, key=re.sub(r'"[^"]*"', "", text).count)
    cells = next(csv.reader([text], delimiter=delimiter), [])
    header = header_cells(cells, at + 1, name, t("Send only the columns with the numbers of a request"))
    # What follows the last line end may be half a row.
    rows = lines[at + 1 : -1] or lines[at + 1 :]
    below = b"\n".join(rows) + b"\n"
    shown = below.decode("utf-8", "replace")
    commas = delimiter != "," and any(_BY_COMMA.fullmatch(cell.strip()) for cell in re.split(r"[\n;\t]", shown))
    return Dialect(header, at + 1, delimiter, "," if commas else "."), below


def text_of_lines(data: bytes, name: str) -> str:
    """Return some lines as text: UTF-8, else CP949.

    Raises:
        RefusedFileError: neither.
    """
    return text_of(Upload(name, data))


def records(text: str, dialect: Dialect, line: int, name: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (line, cells) of every row that says something, as wide as the header.

    Args:
        text: whole rows.
        dialect: of the table.
        line: of the first row.
        name: of the file.

    Raises:
        RefusedFileError: a stray quote, or a row that is shorter or longer than the header; with its line.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=dialect.delimiter, strict=True)
    while True:
        number = line + reader.line_num
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise refusal(
                "ingest.bad_table",
                t("The table breaks off or has a stray quote"),
                name,
                t("Send the file again; a quote that is opened has to be closed"),
                line=number,
            ) from error
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield number, as_wide(cells, dialect.header, number, name)


def has_texts(dialect: Dialect, rows: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the names of the columns in which some cell is a text, neither a number nor missing."""
    return frozenset(
        name
        for index, name in enumerate(dialect.header)
        if any(not is_numeric(cells[index], dialect.mark) for cells in rows)
    )


def is_numeric(cell: str, mark: str) -> bool:
    """Return whether a cell is a number or missing."""
    text = _as_python(cell, mark)
    return text.lower() in MISSING | _INFINITE or _NUMBER.fullmatch(text) is not None


def number_of(cell: str, mark: str, at: tuple[str, int, str]) -> float:
    """Return the number of a cell, NaN where it is missing.

    Args:
        cell: as written.
        mark: before decimals.
        at: file, line and column of the cell.

    Raises:
        RefusedFileError: it is a text.
    """
    text = _as_python(cell, mark)
    if _NUMBER.fullmatch(text) or text.lower() in _INFINITE:
        return float("inf" if text.lower() in UNLIMITED else text)
    if text.lower() in MISSING:
        return float("nan")
    file, line, column = at
    raise refusal(
        "ingest.not_a_number",
        t('{field} should be a number and is "{value}"', field=column, value=cell.strip()[:40]),
        file,
        t("Check the file: it may have been edited or mixed with another"),
        line=line,
        field=column,
    )


def _as_python(cell: str, mark: str) -> str:
    """Return a cell with its number as Python writes it: without thousands separators, with a decimal point."""
    text = cell.strip()
    other = "." if mark == "," else ","
    if _GROUPED[other].fullmatch(text):
        text = text.replace(other, "")
    return text.replace(",", ".") if mark == "," and "." not in text else text
