"""JSON Lines with one request per line, as blocks of columns.

A block is decoded at once into just the fields that are read. Where that fails, the same lines are read one
by one with patience: bare NaN, numbers as text, and keys that appear for the first time are fine, the rest is
refused with its line.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, compress
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import astuple

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.lines import Lines, line_blocks
from core.ingest.raw import Upload
from core.ingest.request_block import Block, Gaps, Labels, Plan, labels_of, plan_of
from core.ingest.request_columns import request_columns
from core.ingest.source import Stream
from core.model.stage import FloatArray

Row = Mapping[str, object]
_SAMPLE = 500
_PIECE = 1 << 16
_ROWS = 1 << 15
_NONE, _HUGE = float("nan"), 1e300


@dataclass(slots=True)
class _Gathered:
    """Rows that were decoded, until they are enough for a block: of numbers as bytes, of lists as they are."""

    line: int = 0
    rows: int = 0
    parts: dict[str, list[Any]] = field(default_factory=dict)
    labels: dict[str, _Coding] = field(default_factory=dict)


class _Coding:
    """Values of one column, some rows at a time: most columns of errors hold nothing in most rows."""

    def __init__(self) -> None:
        self._rows = 0
        self._told: list[int] = []
        self._values: list[object] = []

    def add(self, values: Sequence[object]) -> None:
        """Take in the values of some rows."""
        first, self._rows = self._rows, self._rows + len(values)
        empty = values.count(None)
        if empty == len(values):
            return
        told = list(compress(range(first, self._rows), values))
        if len(told) + empty == len(values):
            values = list(filter(None, values))
        else:  # some are false, zero or an empty text
            told = list(range(first, self._rows))
        self._told += told
        self._values += values

    def done(self) -> Labels:
        """Return them all as texts by code."""
        if len(self._told) == self._rows:
            return labels_of(self._values)
        codes = np.zeros(self._rows, dtype=np.int64)
        if not self._told:
            return Labels(codes, (None,))
        found = labels_of(self._values)
        codes[self._told] = found.codes + 1
        return Labels(codes, (None, *found.values))


class JsonRequests:
    """The rows of a file of JSON Lines.

    Attributes:
        plan: what is read; a key that appears later joins it.
        sample: the first rows.
        not_finite: how many values of a column are NaN or infinite.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        first = list(_first_rows(stream))
        names = list(dict.fromkeys(name for row in first for name in row))
        texts = {name for name in names if any(_is_text(row.get(name)) for row in first)}
        lists = {name for name in names if any(isinstance(row.get(name), list) for row in first)}
        self.plan = plan_of(request_columns(names), texts, lists)
        self._names = names
        self.not_finite: Counter[str] = Counter()
        self.sample = self._columns(first, 1, range(1, len(first) + 1))
        self.not_finite.clear()

    def blocks(self) -> Iterator[Block]:
        """Yield every row.

        Raises:
            RefusedFileError: a line that is no object or cut off, or a value that is not a number.
        """
        decoder, gathered = self._decoder(), _Gathered()
        for lines in line_blocks(self._stream, _PIECE):
            if self._fast(decoder, lines, gathered):
                if gathered.rows >= _ROWS:
                    yield self._block(gathered)
                    gathered = _Gathered()
                continue
            if gathered.rows:
                yield self._block(gathered)
                gathered = _Gathered()
            known = len(self._names)
            yield self._slow(lines)
            if len(self._names) > known:
                decoder = self._decoder()
        if gathered.rows:
            yield self._block(gathered)

    def _decoder(self) -> msgspec.json.Decoder[Any]:
        """Return a decoder of just the columns of the plan; an unknown key makes it fail, so that it is looked at."""
        kinds = {"number": float | None, "label": Any, "gaps": list[float] | None, "": msgspec.Raw}
        fields: list[tuple[str, Any, Any]] = []
        for index, name in enumerate(self._names):
            kind = self.plan.kinds.get(name, "")
            fields.append((f"c{index}", kinds[kind], _NONE if kind == "number" else None))
        row = msgspec.defstruct(
            "Row",
            fields,
            rename={f"c{index}": name for index, name in enumerate(self._names)},
            forbid_unknown_fields=True,
            gc=False,
        )
        return msgspec.json.Decoder(row)

    def _fast(self, decoder: msgspec.json.Decoder[Any], lines: Lines, gathered: _Gathered) -> bool:
        """Add the rows as they are decoded at once; return False where one of them needs a closer look."""
        try:
            found = decoder.decode_lines(lines.data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        # The quickest way from objects to columns: one tuple per row, turned round. Few objects at a time stay in
        # the processor's cache until they are columns.
        for name, values in zip(self._names, zip(*map(astuple, found), strict=True), strict=False):
            kind = self.plan.kinds.get(name)
            if kind == "number":
                gathered.parts.setdefault(name, []).append(_bytes(values))
            elif kind == "label":
                gathered.labels.setdefault(name, _Coding()).add(values)
            elif kind:
                gathered.parts.setdefault(name, []).append(values)
        gathered.line = gathered.line or lines.number
        gathered.rows += len(found)
        return True

    def _block(self, gathered: _Gathered) -> Block:
        parts = gathered.parts
        return Block(
            gathered.line,
            gathered.rows,
            {name: np.frombuffer(b"".join(parts[name])) for name in self.plan.of_kind("number")},
            {name: gathered.labels[name].done() for name in self.plan.of_kind("label")},
            {name: _gaps(list(chain.from_iterable(parts[name]))) for name in self.plan.of_kind("gaps")},
        )

    def _slow(self, lines: Lines) -> Block:
        rows: list[Row] = []
        numbers: list[int] = []
        for number, line in enumerate(lines.data.splitlines(), start=lines.number):
            if line.strip():
                rows.append(_row(self._stream.name, line, number))
                numbers.append(number)
        self._learn(rows)
        return self._columns(rows, lines.number, numbers)

    def _learn(self, rows: Sequence[Row]) -> None:
        """Take keys that nobody saw before into the plan."""
        new = list(dict.fromkeys(name for row in rows for name in row if name not in self._names))
        if not new:
            return
        texts = {name for name in new if any(_is_text(row.get(name)) for row in rows)}
        lists = {name for name in new if any(isinstance(row.get(name), list) for row in rows)}
        more = plan_of(request_columns(new), texts, lists)
        self._names = [*self._names, *new]
        self.plan = Plan(
            (*self.plan.columns, *more.columns), {**self.plan.kinds, **more.kinds}, (*self.plan.unread, *more.unread)
        )

    def _columns(self, rows: Sequence[Row], line: int, numbers: Sequence[int]) -> Block:
        name = self._stream.name
        cells = [Fields(row, Place(name, number)) for row, number in zip(rows, numbers, strict=True)]
        found = {}
        for column in self.plan.of_kind("number"):
            found[column] = packed([row.number(column) for row in cells])
        lists = {}
        for column in self.plan.of_kind("gaps"):
            lists[column] = _gaps([_list(row, column) for row in cells])
        labels = {column: labels_of([row.get(column) for row in rows]) for column in self.plan.of_kind("label")}
        for note in (note for row in cells for note in row.findings):
            self.not_finite[note.where.field or ""] += 1
        return Block(line, len(rows), found, labels, lists)


def _first_rows(stream: Stream) -> Iterator[Row]:
    """Yield the first whole rows that can be read; what cannot is refused when its turn comes."""
    lines = stream.start.removeprefix(b"\xef\xbb\xbf").split(b"\n")[: _SAMPLE + 1]
    for number, line in enumerate(lines[:-1] or lines, start=1):
        try:
            if line.strip():
                yield _row(stream.name, line, number)
        except RefusedFileError:
            return


def _row(name: str, line: bytes, number: int) -> Row:
    document = json_document(Upload(name, line), line=number)
    if isinstance(document, dict):
        return document
    raise refusal(
        "generic_requests.not_a_row",
        t("The line is no object with the numbers of one request"),
        name,
        t("Write one JSON object per line, one for each request"),
        line=number,
    )


def _list(row: Fields, column: str) -> list[float] | None:
    values = row.values.get(column)
    if values is None or values == "":
        return None
    numbers = [value for value in values if value is not None] if isinstance(values, list) else [values]
    if not isinstance(values, list) or not all(type(value) in (int, float) for value in numbers):
        raise refusal(
            "ingest.unexpected",
            t("{field} does not hold what it should", field=column),
            row.place.file or "",
            t("Check the file: it may have been edited or mixed with another"),
            line=row.place.line,
            field=column,
        )
    return [_NONE if value is None else float(min(max(value, -_HUGE), _HUGE)) for value in values]


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        float(value)
    except ValueError:
        return bool(value.strip())
    return False


def packed(values: Sequence[float | None]) -> FloatArray:
    """Return numbers as an array, NaN for None."""
    return np.frombuffer(_bytes(values))


def _bytes(values: Sequence[float | None]) -> bytes:
    """Return numbers as doubles one after another; this takes a third of the time that NumPy takes."""
    try:
        return _packer(len(values))(*values)
    except struct.error:
        return np.array(values, dtype=np.float64).tobytes()


@lru_cache(maxsize=4_096)
def _packer(count: int) -> Callable[..., bytes]:
    return struct.Struct(f"{count}d").pack


def _gaps(values: Sequence[list[float] | None]) -> Gaps:
    counts = np.array([len(value) if value else 0 for value in values], dtype=np.int64)
    flat = [number for value in values if value for number in value]
    return Gaps(counts, packed(flat))
