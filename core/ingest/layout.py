"""Where the tables of a sheet are, and how they lie: one row per load level, whatever they looked like.

A sheet holds titles, "name, value" lines, headers of one to three rows, units in a row or a column of
their own, notes, section rows, and tables that are turned. What has no load or no latency is left as
it stands, so that a person can still say what its columns are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.around import completed
from core.ingest.cells import cell_of
from core.ingest.columns import LOADS, column_of
from core.ingest.decode import refusal
from core.ingest.grid import Grid, is_recognised
from core.ingest.headings import Heading, heading_at, is_number, labelled, turned_heading
from core.ingest.table import Row, Table, as_wide, header_cells
from core.ingest.wide import unpivoted
from core.model.finding import Finding, Severity

DOUBLE = "ingest.duplicate_column"
_LOOK = 60
_SECTION = "section"
_NOTE_MARK = re.compile(
    r"\s*(?:[#*※†‡>-]|\(?(?:note|notes|n\.b|source|注|备注|说明|주|비고|참고|출처)\b|//)", re.IGNORECASE
)
_MARKUP = re.compile(r"\s*</?(?:!doctype|html|head|body|title|h\d|p|hr|center|div|pre|br)\b[^>]*>?", re.IGNORECASE)
_SUMS = frozenset({
    "total", "totals", "sum", "average", "avg", "mean", "overall", "all", "합계", "총계", "평균", "전체", "总计",
    "合计", "平均", "汇总",
})  # fmt: skip


@dataclass(slots=True)
class _Body:
    """The rows of one table while they are sorted."""

    rows: list[Row] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)
    notes: list[Row] = field(default_factory=list)
    sums: list[Row] = field(default_factory=list)
    pages: list[Row] = field(default_factory=list)
    section: str = ""
    fault: RefusedFileError | None = None


def tables_in(grid: Grid) -> tuple[Table, ...]:
    """Return the tables of a sheet from top to bottom; what is wrong with the rows of one is its `fault`.

    Raises:
        RefusedFileError: too many columns, or two columns of one name; with the line.
    """
    found = [_table(grid, block) for block in _blocks(grid.rows)]
    return tuple(table for table in found if table)


def turned(table: Table) -> Table:
    """Return a table with its columns as rows, as a person may ask for; its first column names the new columns."""
    lines = [table.header, *(row.cells for row in table.rows)]
    labels, first = labelled(lines)
    columns = list(zip(*lines, strict=True))[first:]
    rows = tuple(Row(table.line, cells) for cells in columns)
    return replace(
        table, header=header_cells(tuple(labels), table.line, table.name), rows=rows, transposed=not table.transposed
    )


def _blocks(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Split a sheet at blank rows after which a new header stands."""
    block: list[Row] = []
    after_blank = False
    for position, row in enumerate(rows):
        if not row.cells:
            after_blank = True
            if block:
                block.append(row)
            continue
        if after_blank and block and _opens(rows, position) and _is_table(block):
            yield block
            block = []
        block.append(row)
        after_blank = False
    if block:
        yield block


def _is_table(block: Sequence[Row]) -> bool:
    """Whether rows are a table, and not "name, value" lines that stand above one."""
    if any(_filled(row) > 2 or (row.cells and is_number(row.cells[0])) for row in block):
        return True
    heading = _heading(block)
    return heading is not None and heading.is_whole


def _opens(rows: Sequence[Row], position: int) -> bool:
    """Whether a table of its own may start here: a header, or a title with a header below it."""
    for row in rows[position : position + 4]:
        if not row.cells:
            return False
        if _filled(row) > 1:
            first, *others = row.cells
            heads = not any(map(is_number, row.cells)) and any(map(is_recognised, row.cells))
            loads = column_of(0, first).role in LOADS and all(is_number(cell) or not cell.strip() for cell in others)
            return heads or loads
    return False


def _table(grid: Grid, block: list[Row]) -> Table | None:
    """The table of one block, None where there is none."""
    heading = _heading(block)
    if heading is None:
        return None
    line = block[heading.start].line
    header, double = _named(heading.header, line, grid.name)
    found = _framed(grid, block, heading.start, header)
    below = block[heading.start : heading.start + heading.height]
    if heading.turned is not None:
        rows = tuple(Row(line, cells) for cells in heading.turned)
        return completed(
            replace(found, header=heading.header, rows=rows, transposed=True, fault=double or _uneven(grid, below))
        )
    body = _body(grid, block[heading.start + heading.height :], header)
    header, sectioned = _with_sections(header, body)
    header, rows = unpivoted(header, sectioned)
    return completed(replace(found, header=header, rows=rows, notices=_notices(grid, body), fault=double or body.fault))


def _named(header: tuple[str, ...], line: int, name: str) -> tuple[tuple[str, ...], RefusedFileError | None]:
    """The header, and its refusal where two columns have one name: that is said once the table is read."""
    try:
        return header_cells(header, line, name), None
    except RefusedFileError as error:
        if error.code != DOUBLE:
            raise
        return header, error


def _framed(grid: Grid, block: Sequence[Row], start: int, header: tuple[str, ...]) -> Table:
    """A table without rows yet, with all that stands above it."""
    above = [row for row in block[:start] if row.cells]
    title = " > ".join(filter(None, (grid.title, *(_text(row).lstrip("# ") for row in above if _filled(row) == 1))))
    return Table(
        name=grid.name,
        header=header,
        line=block[start].line,
        rows=(),
        delimiter=grid.delimiter,
        complete=grid.complete,
        sheet=grid.sheet,
        title=title[:300],
        settings=_settings(above),
        is_cut=grid.is_cut,
    )


def _uneven(grid: Grid, rows: Sequence[Row]) -> RefusedFileError | None:
    """The refusal of a turned table of which a row is shorter than the first: it was cut off."""
    for row in rows if not grid.is_even else ():
        try:
            as_wide(row.cells, rows[0].cells, row.line, grid.name)
        except RefusedFileError as error:
            return error
    return None


def _heading(block: Sequence[Row]) -> Heading | None:
    """The header of a block: the first that has load and latency, else the one of which most is recognised."""
    starts = [i for i, row in enumerate(block[:_LOOK]) if row.cells]
    found: list[Heading] = []
    for start in starts:
        straight = heading_at(block, start)
        if straight and straight.is_whole:
            return straight
        across = turned_heading(block, start)
        if across and across.is_whole:
            return across
        found += [heading for heading in (straight, across) if heading]
    return max(found, key=lambda heading: (heading.score, -heading.start), default=None)


def _settings(above: Sequence[Row]) -> dict[str, str]:
    """What lines of two cells above a table say, such as "GPU, 8xH100"."""
    pairs = ([cell.strip() for cell in row.cells if cell.strip()] for row in above)
    return {pair[0].rstrip(":： "): pair[1] for pair in pairs if len(pair) == 2}


def _body(grid: Grid, rows: Sequence[Row], header: tuple[str, ...]) -> _Body:
    body = _Body()
    gap = page = False
    for position, row in enumerate(rows):
        if not row.cells:
            gap = True
            continue
        page = bool(_MARKUP.match(row.cells[0])) or (page and _filled(row) == 1)
        if page:
            body.pages.append(row)
        elif _filled(row) == 1 and _is_text(row) and len(header) > 1 and _stands_alone(grid, row, header, gap=gap):
            _alone(body, row, rows[position + 1 :])
        elif _is_header(row, header):
            pass
        elif _is_sum(row, header) and (grid.is_even or len(row.cells) >= len(header)):
            body.sums.append(row)
        else:
            try:
                body.rows.append(Row(row.line, as_wide(row.cells, header, row.line, grid.name)))
            except RefusedFileError as error:
                body.fault = error
                break
            body.sections.append(body.section)
        gap = False
    if not body.rows and body.fault is None:
        what = t("The table has a header and no rows")
        body.fault = refusal("ingest.no_rows", what, grid.name, t("Send the file again as the tool wrote it"))
    return body


def _is_sum(row: Row, header: tuple[str, ...]) -> bool:
    """Whether a row sums up the others: a word such as "average" in front, and no load of its own."""
    load = next((i for i, text in enumerate(header) if column_of(0, text).role in LOADS), None)
    first = row.cells[0].strip().casefold().rstrip(":")
    return first in _SUMS and load is not None and (load >= len(row.cells) or not is_number(row.cells[load]))


def _stands_alone(grid: Grid, row: Row, header: tuple[str, ...], *, gap: bool) -> bool:
    """Whether one text in a row is a note or a section and no row that was cut off."""
    if grid.is_even or len(row.cells) >= len(header) or _NOTE_MARK.match(_text(row)):
        return True
    return gap and (grid.complete or row is not grid.rows[-1])


def _alone(body: _Body, row: Row, rest: Sequence[Row]) -> None:
    """Sort a row of one text: a section where rows of the table follow, else a note."""
    follows = next((later for later in rest if later.cells), None)
    if follows is not None and _filled(follows) > 1 and not _NOTE_MARK.match(_text(row)):
        body.section = _text(row)
    else:
        body.notes.append(row)


def _with_sections(header: tuple[str, ...], body: _Body) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    if not any(body.sections):
        return header, tuple(body.rows)
    name = _SECTION if _SECTION not in {cell.casefold() for cell in header} else f"({_SECTION})"
    pairs = zip(body.rows, body.sections, strict=True)
    return (*header, name), tuple(Row(row.line, (*row.cells, section)) for row, section in pairs)


def _notices(grid: Grid, body: _Body) -> tuple[Finding, ...]:
    found = []
    if body.pages:
        found.append(
            Finding(
                code="ingest.error_page",
                severity=Severity.WARNING,
                where=Place(grid.name, body.pages[0].line, grid.sheet),
                what=t("An error page stands where a level should be"),
                consequence=t("That level is missing: the server may have failed under its load"),
                fix=t("Measure the level again, or keep in mind that it failed"),
            )
        )
    left = [*body.notes, *body.sums]
    if left:
        texts = "; ".join(_text(row)[:80] for row in left)[:300]
        found.append(
            Finding(
                code="ingest.rows_left_out",
                severity=Severity.INFO,
                where=Place(grid.name, left[0].line, grid.sheet),
                what=t("These rows are no load levels and are not used: {rows}", rows=texts),
            )
        )
    return tuple(found)


def _filled(row: Row) -> int:
    return sum(bool(cell.strip()) for cell in row.cells)


def _text(row: Row) -> str:
    return next((cell.strip() for cell in row.cells if cell.strip()), "")


def _is_text(row: Row) -> bool:
    text = _text(row)
    return bool(re.search(r"[^\W\d_]", text)) and cell_of(text, ".").is_words


def _is_header(row: Row, header: tuple[str, ...]) -> bool:
    cells = tuple(cell.strip().casefold() for cell in row.cells)[: len(header)]
    return cells == tuple(cell.casefold() for cell in header) and any(cells)
