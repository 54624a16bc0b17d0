"""Columns of numbers by group: in memory while they are few, beyond that in a temporary file without a name.

Three cases: rows that stay with their levels, rows that are condensed from memory, and rows that are condensed
from disk. The file is deleted from its folder as soon as it is made, so that nothing is left behind whatever
ends the reading. Rows of one group keep their order.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

import numpy as np
import numpy.typing as npt

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal
from core.model.stage import FloatArray
from core.settings import LIMITS

FLUSH = 1 << 18
"""Rows that are sorted by group and written at once."""

IntArray = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.floating]
Columns = Sequence[FloatArray | None]
"""One array each; None where a column has no number in any of these rows."""

_DOUBLE = 8


@dataclass(frozen=True, slots=True)
class _Written:
    """Rows that were put aside at once.

    Attributes:
        rows: how many.
        first: row of each group.
        columns: those in memory, by number; one that is nowhere has no values.
        places: where the others start in the file, and as what they are written.
    """

    rows: int
    first: IntArray
    columns: Mapping[int, Numbers] = field(default_factory=dict)
    places: Mapping[int, tuple[int, np.dtype[np.floating]]] = field(default_factory=dict)


class Spill:
    """Rows of several columns, each row of one group.

    Attributes:
        rows: how many were added.
        on_disk: whether they are too many to keep, so that they are handed out part by part.
    """

    def __init__(self, columns: int, name: str, keep: int | None = None) -> None:
        """Start without rows.

        Args:
            columns: numbers per row.
            name: of the file they come from, for messages.
            keep: rows that are kept in memory; None for `LIMITS.kept_requests`.
        """
        self.rows, self.on_disk = 0, False
        self._columns, self._name = columns, name
        self._keep = LIMITS.kept_requests if keep is None else keep
        self._pending: list[tuple[IntArray, Columns]] = []
        self._waiting: _Waiting | None = None
        self._room = LIMITS.numbers_in_memory * _DOUBLE
        self._written: list[_Written] = []
        self._file: IO[bytes] | None = None
        self._sorted: tuple[IntArray, list[FloatArray]] | None = None

    def add(self, groups: IntArray, columns: Columns) -> None:
        """Take in rows.

        Args:
            groups: number of the group of each row from 0, shape (n,).
            columns: one array of shape (n,) each, None where there is no number.

        Raises:
            RefusedFileError: the disk is full.
        """
        self._pending.append((groups, columns))
        self.rows += groups.size
        self.on_disk = self.on_disk or self.rows > self._keep
        if self.on_disk:
            for waiting_groups, waiting in self._pending:
                self._put_aside(waiting_groups, waiting)
            self._pending = []

    def column(self, group: int, column: int) -> FloatArray:
        """Return all numbers of one column of a group, in the order of its rows."""
        parts = [part for (part,) in self.parts(group, (column,))]
        return np.concatenate(parts) if parts else np.empty(0)

    def parts(self, group: int, columns: Sequence[int]) -> Iterator[list[FloatArray]]:
        """Yield some columns of a group, part by part.

        Raises:
            RefusedFileError: the disk is full.
        """
        if not self.on_disk:
            yield [column[self._slice(group)] for column in self._in_memory(columns)]
            return
        self._flush()
        self._waiting = None
        for written in self._written:
            first, end = _bounds(written.first, group, written.rows)
            if first < end:
                yield [self._read(written, column, first, end) for column in columns]

    def close(self) -> None:
        """Forget everything; the file is gone with it."""
        self._pending, self._sorted, self._written, self._waiting = [], None, [], None
        if self._file:
            self._file.close()

    def _in_memory(self, columns: Sequence[int]) -> list[FloatArray]:
        if self._sorted is None:
            self._sorted, self._pending = self._by_group(), []
        return [self._sorted[1][column] for column in columns]

    def _slice(self, group: int) -> slice:
        first, columns = self._sorted or (np.zeros(1, dtype=np.int64), [])
        return slice(*_bounds(first, group, columns[0].size if columns else 0))

    def _by_group(self) -> tuple[IntArray, list[FloatArray]]:
        """Return the first row of each group, and the rows that are kept in the order of their groups."""
        if not self._pending:
            return np.zeros(1, dtype=np.int64), [np.empty(0)] * self._columns
        groups = np.concatenate([part for part, _ in self._pending])
        columns = []
        for index in range(self._columns):
            parts = [(rows.size, part[index]) for rows, part in self._pending]
            columns.append(np.concatenate([np.full(n, np.nan) if part is None else part for n, part in parts]))
        first, order = _order(groups)
        return first, columns if order is None else [column[order] for column in columns]

    def _put_aside(self, groups: IntArray, columns: Columns) -> None:
        """Copy rows to those that wait; what comes in need not stay then, and its memory is used again."""
        done = 0
        while done < groups.size:
            if self._waiting is None:
                self._waiting = _Waiting(self._columns, FLUSH)
            done += self._waiting.take(groups, columns, done)
            if self._waiting.rows == self._waiting.groups.size:
                self._flush()

    def _flush(self) -> None:
        waiting = self._waiting
        if waiting is None or not waiting.rows:
            return
        first, sorted_columns = waiting.by_group()
        size = sum(column.nbytes for column in sorted_columns.values())
        rows, waiting.rows = waiting.rows, 0
        if size <= self._room:
            self._room -= size
            self._written.append(_Written(rows, first, _copied(sorted_columns, size)))
            return
        places = {}
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="plimsoll-")  # noqa: SIM115  # it lives as long as the spill
            at = self._file.seek(0, os.SEEK_END)
            for index, column in sorted_columns.items():
                self._file.write(column.data)
                places[index] = (at, column.dtype)
                at += column.nbytes
            self._file.flush()
        except OSError as error:
            self.close()
            raise self._full(error) from error
        self._written.append(_Written(rows, first, places=places))

    def _read(self, written: _Written, column: int, first: int, end: int) -> FloatArray:
        if column in written.columns:
            return written.columns[column][first:end].astype(np.float64, copy=False)
        if column not in written.places:
            return np.full(end - first, np.nan)
        if self._file is None:
            raise ValueError("nothing was written")
        at, kind = written.places[column]
        self._file.seek(at + first * kind.itemsize)
        found = np.frombuffer(self._file.read((end - first) * kind.itemsize), dtype=kind)
        return found.astype(np.float64, copy=False)

    def _full(self, error: OSError) -> RefusedFileError:
        return refusal(
            "ingest.disk_full",
            t("The numbers of the requests cannot be put aside: {reason}", reason=error.strerror or "?"),
            self._name,
            t("Make room for temporary files, or send one file per load level"),
        )


class _Waiting:
    """Rows until they are sorted by group, always in the same memory.

    To get new memory from the system takes longer than to fill it.

    Attributes:
        rows: how many wait.
        groups: of each row; beyond `rows` of those that went before.
    """

    def __init__(self, columns: int, most: int) -> None:
        self.rows, self.groups = 0, np.empty(most, dtype=np.int64)
        self._columns, self._sorted = np.empty((columns, most)), np.empty((columns, most))
        self._present = [False] * columns

    def take(self, groups: IntArray, columns: Columns, done: int) -> int:
        """Copy rows from the one numbered `done` while there is room; return how many were copied."""
        end = min(self.rows + groups.size - done, self.groups.size)
        here, there = slice(self.rows, end), slice(done, done + end - self.rows)
        self.groups[here] = groups[there]
        for index, column in enumerate(columns):
            if column is not None and not self._present[index]:
                self._present[index] = True
                self._columns[index, : self.rows] = np.nan
            if self._present[index]:
                self._columns[index, here] = np.nan if column is None else column[there]
        taken, self.rows = end - self.rows, end
        return taken

    def by_group(self) -> tuple[IntArray, dict[int, Numbers]]:
        """Return the first row of each group, and the columns in the order of the groups, until rows come again."""
        first, order = _order(self.groups[: self.rows])
        found: dict[int, Numbers] = {}
        for index, present in enumerate(self._present):
            if present:
                column = self._columns[index, : self.rows]
                if order is not None:
                    # Clipping spares NumPy a second copy, and every number of the order is within.
                    column = column.take(order, out=self._sorted[index, : self.rows], mode="clip")
                found[index] = _narrow(column)
        return first, found


def _copied(columns: Mapping[int, Numbers], size: int) -> dict[int, Numbers]:
    """Return copies of columns in one piece of memory: the system gives a large one at a tenth of the cost of many."""
    piece, at = np.empty(size, dtype=np.uint8), 0
    found = {}
    # The wider ones first, so that each begins at a multiple of its width.
    for index, column in sorted(columns.items(), key=lambda item: -item[1].itemsize):
        found[index] = piece[at : at + column.nbytes].view(column.dtype)
        found[index][:] = column
        at += column.nbytes
    return found


def _order(groups: IntArray) -> tuple[IntArray, IntArray | None]:
    """Return the first row of each group once rows are sorted by group, and the order that sorts them, if any."""
    counts = np.bincount(groups)
    first = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    if np.count_nonzero(counts) < 2:
        return first, None
    return first, np.argsort(groups.astype(np.int16 if counts.size < 1 << 15 else np.int64), kind="stable")


def _bounds(first: IntArray, group: int, rows: int) -> tuple[int, int]:
    start = int(first[group]) if group < first.size else rows
    return start, int(first[group + 1]) if group + 1 < first.size else rows


def _narrow(column: FloatArray) -> Numbers:
    """Return numbers in half the space where that loses nothing, as with counts of tokens."""
    if not float(column[0]).is_integer():
        return column
    with np.errstate(over="ignore", invalid="ignore"):
        half = column.astype(np.float32)
    return half if np.array_equal(half, column, equal_nan=True) else column
