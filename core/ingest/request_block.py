"""Some rows of a table of requests, as columns: numbers, texts by code, and lists of gaps.

All three readers (JSON Lines, CSV, Parquet) give the same of the same table.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.ingest.fields import MISSING
from core.ingest.request_columns import LABELS, MOMENTS, RequestColumn
from core.ingest.spill import IntArray
from core.model.stage import FloatArray

LONG = 300
"""Characters that are kept of a text; prompts and answers are not read at all."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Texts of one column: `values[code]` for each row; None where a row has none."""

    codes: IntArray
    values: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Gaps:
    """Lists of one column: how many numbers each row has, and all of them one after another."""

    counts: IntArray
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Block:
    """Rows one after another.

    Attributes:
        line: of the first row, in a text.
        rows: how many.
        numbers, labels, gaps: by the name of the column.
    """

    line: int
    rows: int
    numbers: Mapping[str, FloatArray] = field(default_factory=dict)
    labels: Mapping[str, Labels] = field(default_factory=dict)
    gaps: Mapping[str, Gaps] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """Which columns are read, and as what.

    Attributes:
        columns: that mean something, in the order of the table.
        kinds: by name "number", "label" or "gaps".
        unread: names of the others.
    """

    columns: tuple[RequestColumn, ...]
    kinds: Mapping[str, str]
    unread: tuple[str, ...]

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """Return the names of the columns that are read as one kind."""
        return tuple(column.name for column in self.columns if self.kinds[column.name] == kind)


def plan_of(columns: Sequence[RequestColumn], texts: Iterable[str], lists: Iterable[str]) -> Plan:
    """Return what to read.

    Args:
        columns: all of a table.
        texts: names of columns whose cells are texts that are no numbers.
        lists: names of columns whose cells are lists.
    """
    text, many = frozenset(texts), frozenset(lists)
    kinds = {column.name: _kind(column, column.name in text, column.name in many) for column in columns}
    used = tuple(column for column in columns if kinds[column.name])
    unread = tuple(column.name for column in columns if not kinds[column.name] and column.role not in ("id", "speed"))
    return Plan(used, {name: kind for name, kind in kinds.items() if kind}, unread)


def labels_of(values: Sequence[object]) -> Labels:
    """Return values of any kind as texts by code; a missing one is None, however it is written."""
    try:
        distinct = dict.fromkeys(values)
    except TypeError:
        values = [value if isinstance(value, Hashable) else "{}" for value in values]
        distinct = dict.fromkeys(values)
    if len(distinct) == 1:
        return Labels(np.zeros(len(values), dtype=np.int64), (text_of(values[0]),))
    codes = {value: code for code, value in enumerate(distinct)}
    found = np.fromiter(map(codes.__getitem__, values), dtype=np.int64, count=len(values))
    return Labels(found, tuple(text_of(value) for value in distinct))


def text_of(value: object) -> str | None:
    """Return a scalar as text, None where it says nothing; of an object only that it is one.

    >>> [text_of(value) for value in (True, 1.0, 200, " N/A ", {"code": 1}, None)]
    ['true', '1', '200', None, '{}', None]
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return None if value != value else f"{value:.15g}"  # noqa: PLR0124  # NaN is what differs from itself
    if isinstance(value, str):
        bare = value.strip()
        return None if bare.lower() in MISSING else bare[:LONG]
    return "{}" if value else None


def _kind(column: RequestColumn, text: bool, many: bool) -> str:  # noqa: FBT001  # one caller, one meaning
    role = column.role
    if role == "itl" and many:
        return "gaps"
    if role in LABELS or role.startswith("conditions."):
        return "label"
    if role in MOMENTS:
        return "label" if text else "number"
    return "" if role in ("id", "other", "summary") or many else "number"
