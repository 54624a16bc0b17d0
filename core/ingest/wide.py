"""Tables that have a column per load level: "TTFT p99 @ c8", "TTFT p99 @ c16" become rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.ingest.columns import LATENCY, LOADS, column_of
from core.ingest.table import Row

_HELD = r"requests?|users?"
_END = r"(?=$|[\s_)\],;:/-])"
_LOAD = re.compile(
    r"(?:^|(?<=[\s_@/,;:(\[-]))@?\s*(?:max[ _-]?)?"
    rf"(?:concurrency|concurrent(?:[ _](?:{_HELD}))?|conc|con|users?|c|并发数?"
    r"|동시(?: ?(?:요청|사용자|접속자))?(?: ?수)?)"
    rf"[\s_=:：]*(\d+){_END}"
    rf"|@\s*(\d+){_END}"
    rf"|(?<!\S)(\d+)\s*(?:concurrent(?: (?:{_HELD}))?|users?|个?并发){_END}",
    re.IGNORECASE,
)
_LOAD_HEADER = "concurrency"


def unpivoted(header: tuple[str, ...], rows: Sequence[Row]) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    """Return a table whose headers hold its load levels with one row per level; any other as it is.

    Every level has to have the same columns, at least one of them a latency.

    >>> unpivoted(("gpu", "TTFT p99 c8", "TTFT p99 c16"), [Row(2, ("H100", "1", "2"))])[1]
    (Row(line=2, cells=('H100', '8', '1')), Row(line=2, cells=('H100', '16', '2')))
    """
    by_level = _by_level(header)
    if not by_level:
        return header, tuple(rows)
    fixed = _fixed(header)
    levelled = (
        Row(row.line, (*(row.cells[i] for i in fixed), level, *(row.cells[i] for i in columns.values())))
        for row in rows
        for level, columns in by_level.items()
    )
    return header_below(header), tuple(levelled)


def header_below(header: tuple[str, ...]) -> tuple[str, ...]:
    """Return the header that a table has once its levels are rows; that of any other as it is."""
    by_level = _by_level(header)
    names = next(iter(by_level.values()), {})
    return (*(header[i] for i in _fixed(header)), _LOAD_HEADER, *names) if names else header


def _fixed(header: tuple[str, ...]) -> list[int]:
    return [index for index, text in enumerate(header) if not _split(text)[0]]


@lru_cache(maxsize=1024)
def _by_level(header: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """The columns of each level by what else their header says; empty where levels are no columns."""
    parts = [_split(text) for text in header]
    levels = list(dict.fromkeys(level for level, _ in parts if level))
    if len(levels) < 2 or any(column_of(0, text).role in LOADS for text in header):
        return {}
    found = {level: {rest: i for i, (of, rest) in enumerate(parts) if of == level} for level in levels}
    names = list(found[levels[0]])
    whole = all(list(columns) == names and len(columns) == _count(parts, level) for level, columns in found.items())
    return found if whole and any(column_of(0, name).role == LATENCY for name in names) else {}


def _count(parts: Sequence[tuple[str, str]], level: str) -> int:
    return sum(of == level for of, _ in parts)


def _split(text: str) -> tuple[str, str]:
    """A header as (load level, rest); the level is "" where it names none."""
    found = list(_LOAD.finditer(text))
    if len(found) != 1:
        return "", text
    level = next(group for group in found[0].groups() if group)
    rest = f"{text[: found[0].start()]} {text[found[0].end() :]}"
    rest = re.sub(r"[(\[]\s*[)\]]", " ", rest)
    return level, re.sub(r"\s+", " ", rest.replace("_", " ")).strip(" -_:;,/@")
