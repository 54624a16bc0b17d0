"""The header of a table: one to three rows of it, or the first column where a table is turned.

Headers that stand above several columns ("TTFT (ms)" over "mean" and "p99") are joined with what
stands below them; units in a row or in a column of their own are joined too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.ingest.cells import cell_of
from core.ingest.columns import ASKED, ASKED_RATE, LATENCY, LOADS, NOTHING, RATE, column_of
from core.ingest.grid import is_recognised
from core.ingest.header import STATISTICS, UNITS, parsed
from core.ingest.table import Row
from core.ingest.wide import header_below

_MOST_HEADER_ROWS = 3
_UNIT_WORDS = frozenset({"unit", "units", "단위", "单位", "單位"})
_STATISTIC_WORDS = frozenset({"stat", "statistic", "statistics", "percentile", "통계", "统计", "统计量", "指标类型"})
_CORNER = re.compile(r"[/\\|:：,，→↓×·>]+|\bvs\b\.?|\bby\b", re.IGNORECASE)
_LOAD_CELL = re.compile(r"(?P<before>[^\d]*?)[\s=_:：@-]*(?P<number>\d+(?:\.\d+)?)[\s_-]*(?P<after>[^\d]*)")
_SHORT_LOADS = dict.fromkeys(("c", "conc", "con", "users", "个并发", "路并发", "路", "동시", "동접"), ASKED)
_NAMES = {ASKED: "concurrency", ASKED_RATE: "asked rate", RATE: "request rate"}
_UNIT_LIKE = re.compile(r"[(\[（]?\s*([^()\[\]（）]*?)\s*[)\]）]?")
_RATE_UNIT = re.compile(
    r"(?:req(?:uest)?s?|tok(?:en)?s?|rps|qps|tps)?\s*/?\s*(?:s|sec|second|min)|rps|qps|tps|count|#|개|건|个|次",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Where a header stands in a block, and what it comes to.

    Attributes:
        header: one text per column.
        start, height: its first row in the block and how many rows it takes.
        score: how much of it is recognised.
        is_whole: it names a load and a latency.
        turned: the rows below it where the table had to be turned, None where it had not.
    """

    header: tuple[str, ...]
    start: int
    height: int
    score: float
    is_whole: bool
    turned: tuple[tuple[str, ...], ...] | None = None


def heading_at(block: Sequence[Row], start: int) -> Heading | None:
    """Return the header that starts in a row of a block: of one row or up to three, whichever says most."""
    best: Heading | None = None
    for height in range(1, _MOST_HEADER_ROWS + 1):
        rows = block[start : start + height]
        if len(rows) < height or not all(row.cells for row in rows) or any(map(_has_numbers, rows)):
            break
        if len({len(row.cells) for row in rows}) > 1:
            # A header row that is shorter than the next would stand over the wrong columns.
            break
        header = _joined(rows)
        found = Heading(header=header, start=start, height=height, score=_score(header), is_whole=_is_whole(header))
        if _heads(header) and (best is None or found.score > best.score):
            best = found
    return best


def turned_heading(block: Sequence[Row], start: int) -> Heading | None:
    """Return the header of a turned table that starts in a row: its first column. None where no latency is there."""
    rows = _run(block, start)
    if _filled(block[start]) == 1 and block[start].cells[0].strip():
        # A title, not the first row of a table.
        return None
    above = block[start - 1] if start else None
    if above and _filled(above) > 1 and not (_filled(above) == 2 < _filled(block[start])):
        return None
    width = max((len(row.cells) for row in rows), default=0)
    if len(rows) < 2 or width < 2:
        return None
    cells = [tuple(cell.strip() for cell in row.cells) + ("",) * (width - len(row.cells)) for row in rows]
    while width > 2 and not any(row[width - 1] for row in cells):
        width -= 1
    labels, first = labelled([row[:width] for row in cells])
    columns = list(zip(*(row[first:width] for row in cells), strict=True))
    if sum(_is_statistic(column[0]) for column in columns) > 1:
        # One level with a statistic per column, not a level per column.
        return None
    labels, columns = _with_load(labels, columns)
    header = tuple(labels)
    if not any(map(_any_number, columns)) or not any(column_of(0, label).role == LATENCY for label in labels):
        return None
    return Heading(
        header=header,
        start=start,
        height=len(rows),
        score=_score(header),
        is_whole=_is_whole(header),
        turned=tuple(columns),
    )


def labelled(cells: Sequence[tuple[str, ...]]) -> tuple[list[str], int]:
    """Return the labels of rows, and the first column of their values.

    A second column of statistics or units belongs to the label: "TTFT" and "p99", "TTFT" and "ms".
    """
    labels = [row[0] for row in cells]
    first = 1
    while first < len(cells[0]) - 1 and first < _MOST_HEADER_ROWS and _describes([row[first] for row in cells]):
        above = ""
        for position, row in enumerate(cells):
            above = labels[position] or (above if row[first] else "")
            word = row[first]
            if position and word:
                labels[position] = _with_unit(above, word) if _is_unit(word) else f"{above} {word}"
        first += 1
    return labels, first


def is_number(cell: str) -> bool:
    """Return whether a cell holds a number, whatever stands around it."""
    found = cell_of(cell, "," if "," in cell and "." not in cell else ".")
    if not found.text or found.failed or found.is_words:
        return False
    # "99th percentile TTFT" is a header that begins with a number.
    return not (found.unit and is_recognised(cell))


def load_in(text: str) -> tuple[str, str] | None:
    """Return the header and the number of a load that a text names whole, None where it names none.

    >>> load_in("concurrency=8"), load_in("16 users"), load_in("c32"), load_in("p99")
    (('concurrency', '8'), ('concurrency', '16'), ('concurrency', '32'), None)
    """
    found = _LOAD_CELL.fullmatch(text.strip())
    if not found:
        return None
    words = f"{found['before']} {found['after']}".strip()
    role = _SHORT_LOADS.get(words.casefold().strip("()[] ")) or column_of(0, words).role
    return (_NAMES[role], found["number"]) if role in _NAMES else None


def _run(block: Sequence[Row], start: int) -> list[Row]:
    """Rows from a start to the next blank one."""
    rows = []
    for row in block[start:]:
        if not row.cells:
            break
        rows.append(row)
    return rows


def _heads(header: tuple[str, ...]) -> bool:
    """Whether a row may be a header: two texts, or one that is known above a column without a name."""
    return sum(map(bool, header)) > 1 or any(map(is_recognised, header[1:]))


def _filled(row: Row) -> int:
    return sum(bool(cell.strip()) for cell in row.cells)


def _has_numbers(row: Row) -> bool:
    return any(is_number(cell) for cell in row.cells)


def _any_number(cells: Sequence[str]) -> bool:
    return any(map(is_number, cells))


def _joined(rows: Sequence[Row]) -> tuple[str, ...]:
    width = max(len(row.cells) for row in rows)
    cells = [[cell.strip() for cell in row.cells] + [""] * (width - len(row.cells)) for row in rows]
    header = cells[-1]
    for upper in reversed(cells[:-1]):
        header = [_below(upper, column, header[column]) for column in range(width)]
    return tuple(header)


def _below(upper: Sequence[str], column: int, lower: str) -> str:
    """Join a header with the one above it, which may stand over several columns."""
    own = upper[column]
    over = own or (next((text for text in reversed(upper[:column]) if text), "") if lower else "")
    if not over or not lower or over == lower:
        return over or lower
    if _is_unit(lower):
        return _with_unit(over, lower)
    both = f"{over} {lower}"
    if own or load_in(over) or is_recognised(both) or not is_recognised(lower):
        return both
    return lower


def _with_unit(label: str, unit: str) -> str:
    bare = _UNIT_LIKE.fullmatch(unit)
    text = bare[1] if bare else unit
    return (
        label if not text or text in "-—" or parsed(label).unit == UNITS.get(text.casefold()) else f"{label} ({text})"
    )


def _is_unit(text: str) -> bool:
    bare = _UNIT_LIKE.fullmatch(text.strip())
    word = (bare[1] if bare else text).strip()
    return word in "-—" or word.casefold() in UNITS or bool(_RATE_UNIT.fullmatch(word))


def _describes(cells: Sequence[str]) -> bool:
    """Whether a column says what its rows are, statistic or unit, and holds no values."""
    head, *below = (cell.strip() for cell in cells)
    said = [cell for cell in below if cell]
    if not said:
        return False
    return all(_is_unit(cell) or _is_statistic(cell) for cell in said) and (
        not head or head.casefold() in _UNIT_WORDS | _STATISTIC_WORDS or not is_number(head)
    )


def _is_statistic(text: str) -> bool:
    found = parsed(text)
    return (found.statistic is not None and not found.words) or text.strip().casefold() in STATISTICS


def _with_load(labels: list[str], columns: list[tuple[str, ...]]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Give a turned table its load where only the first row, or the corner above it, tells it."""
    if any(column_of(0, label).role in LOADS for label in labels):
        return labels, columns
    told = [load_in(column[0]) for column in columns]
    if told and all(told) and len({one[0] for one in told if one}) == 1:
        name = next(one[0] for one in told if one)
        return [name, *labels[1:]], [(one[1], *column[1:]) for one, column in zip(told, columns, strict=True) if one]
    parts = (part.strip() for part in _CORNER.split(labels[0]))
    corner = next((part for part in parts if column_of(0, part).role in LOADS), None)
    if corner and all(is_number(column[0]) for column in columns):
        return [corner, *labels[1:]], columns
    return labels, columns


def _is_whole(header: tuple[str, ...]) -> bool:
    roles = {column_of(0, text).role for text in header_below(header) if text}
    return bool(roles & LOADS) and LATENCY in roles


def _score(header: tuple[str, ...]) -> float:
    columns = [column_of(0, text) for text in header_below(header) if text]
    known = [column for column in columns if column.role not in NOTHING]
    said = sum(bool(c.statistic) + bool(c.unit) for c in known if c.role == LATENCY)
    return len(known) + 0.5 * said
