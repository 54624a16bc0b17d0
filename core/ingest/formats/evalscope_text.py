"""Tables in what EvalScope prints: lines of cells between bars, with or without a log's prefix.

Since 2025 with `+---+` or box-drawing borders; a table without its lower border is cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal, text_of
from core.ingest.raw import Upload
from core.settings import LIMITS

Cells = tuple[int, tuple[str, ...]]
"""Line number from 1 and cells."""

_BARS = re.compile(r"[|│┃║]")
_ROW = re.compile(r"\s*[|│┃║].*[|│┃║]\s*")
_BORDER = re.compile(r"\s*[+┌├└┏┡┗╒╞╘╭╰┣][-=+─━═┬┼┴┳╇┻╤╪╧╮╯┓┩┘┐┤┛╕╡╛┫]{2,}\s*")
_LOWER = "└┗╘╰"
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


@dataclass(slots=True)
class Table:
    """One printed table.

    Attributes:
        plus: drawn with "+---+", a border under every row.
        rows: with the header's lines.
        heads: how many of the rows stand above the line under the header.
        bordered: whether a border was its last line so far.
    """

    plus: bool
    rows: list[Cells] = field(default_factory=list)
    heads: int = 0
    bordered: bool = True

    def add_border(self) -> None:
        """Note a border between rows, the first of which ends the header."""
        self.heads = self.heads or len(self.rows)
        self.bordered = True

    def add_row(self, number: int, line: str) -> None:
        """Note a line of cells."""
        self.rows.append((number, tuple(cell.strip() for cell in _BARS.split(line)[1:-1])))
        self.bordered = False

    @property
    def may_end(self) -> bool:
        """Whether nothing is missing if no more lines come: only a table of plus signs may end with any border."""
        return self.plus and self.bordered and len(self.rows) > 1


Part = Table | Cells
"""A table, or a line of text as its only cell."""


def parts_of(upload: Upload) -> Iterator[Part]:
    """Yield tables and lines of text in their order.

    Raises:
        RefusedFileError: unreadable text, a line that is too long, or a table without its lower border.
    """
    table: Table | None = None
    number = 0
    for number, line in enumerate(_lines(upload), start=1):
        if _BORDER.fullmatch(line):
            table = table or Table(plus=line.strip()[0] == "+")
            table.add_border()
            if line.strip()[0] in _LOWER:
                yield table
                table = None
        elif table is not None and _ROW.fullmatch(line):
            table.add_row(number, line)
        else:
            if table is not None:
                yield _ended(table, upload.name, number)
                table = None
            if line.strip():
                yield number, (line.strip(),)
    if table is not None:
        yield _ended(table, upload.name, number)


def _ended(table: Table, name: str, line: int) -> Table:
    if not table.may_end:
        raise cut_off(name, line)
    return table


def cut_off(name: str, line: int) -> RefusedFileError:
    """Return (not raise) the refusal of a text that ends inside a table."""
    return refusal(
        "ingest.truncated",
        t("The result ends before the line that closes it"),
        name,
        t("Send the whole output of the benchmark, down to its last line"),
        line=line,
    )


def header_of(table: Table) -> list[str]:
    """Return a table's header, the lines of each column joined: "Avg" above "Lat.(s)" is "Avg Lat.(s)"."""
    rows: Sequence[tuple[str, ...]] = [cells for _, cells in table.rows[: table.heads or 1]]
    width = max((len(cells) for cells in rows), default=0)
    return [" ".join(part for row in rows if (part := row[i] if i < len(row) else "")) for i in range(width)]


def body_of(table: Table) -> list[Cells]:
    """Return a table's rows below its header."""
    return table.rows[table.heads or 1 :]


def _lines(upload: Upload) -> Iterator[str]:
    for number, line in enumerate(text_of(upload).split("\n"), start=1):
        if len(line) > LIMITS.line_bytes:
            raise refusal(
                "ingest.too_large",
                t("Line {line} is longer than {limit} MB", line=number, limit=LIMITS.line_bytes // 1_000_000),
                upload.name,
                t("Send the whole output of the benchmark, down to its last line"),
                line=number,
            )
        yield _COLOURS.sub("", line.rstrip().rsplit("\r", 1)[-1])
