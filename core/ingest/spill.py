"""Columns of numbers by group: in memory while they are few, beyond that in a temporary file without a name.

Three cases: rows that stay with their levels, rows that are condensed from memory, and rows that are condensed
from disk. The file is deleted from its folder as soon as it is made, so that nothing is left behind whatever
ends the reading. Rows of one group keep their order.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
_DOUBLE = 8


@dataclass(frozen=True, slots=True)
class _Written:
    """Rows that were put aside at once.

    Attributes:
        at: where they start in the file, None where they are in memory.
        rows: how many.
        first: row of each group.
        columns: where they are in memory.
    """

    at: int | None
    rows: int
    first: IntArray
    columns: list[FloatArray]


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
        self._pending: list[tuple[IntArray, list[FloatArray]]] = []
        self._waiting, self._room = 0, LIMITS.numbers_in_memory
        self._written: list[_Written] = []
        self._file: IO[bytes] | None = None
        self._sorted: tuple[IntArray, list[FloatArray]] | None = None

    def add(self, groups: IntArray, columns: Sequence[FloatArray]) -> None:
        """Take in rows.

        Args:
            groups: number of the group of each row from 0, shape (n,).
            columns: one array of shape (n,) each.

        Raises:
            RefusedFileError: the disk is full.
        """
        self._pending.append((groups, list(columns)))
        self._waiting += groups.size
        self.rows += groups.size
        self.on_disk = self.on_disk or self.rows > self._keep
        if self.on_disk and self._waiting >= FLUSH:
            self._flush()

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
        if self._pending:
            self._flush()
        for written in self._written:
            first, end = self._bounds(written.first, group, written.rows)
            if first < end:
                yield [self._read(written, column, first, end) for column in columns]

    def close(self) -> None:
        """Forget everything; the file is gone with it."""
        self._pending, self._sorted, self._written = [], None, []
        if self._file:
            self._file.close()

    def _in_memory(self, columns: Sequence[int]) -> list[FloatArray]:
        if self._sorted is None:
            self._sorted, self._pending = self._by_group(), []
        return [self._sorted[1][column] for column in columns]

    def _slice(self, group: int) -> slice:
        first, columns = self._sorted or (np.zeros(1, dtype=np.int64), [])
        return slice(*self._bounds(first, group, columns[0].size if columns else 0))

    @staticmethod
    def _bounds(first: IntArray, group: int, rows: int) -> tuple[int, int]:
        start = int(first[group]) if group < first.size else rows
        return start, int(first[group + 1]) if group + 1 < first.size else rows

    def _by_group(self) -> tuple[IntArray, list[FloatArray]]:
        """Return the first row of each group, and the waiting rows in the order of their groups."""
        if not self._pending:
            return np.zeros(1, dtype=np.int64), [np.empty(0)] * self._columns
        groups = np.concatenate([part for part, _ in self._pending])
        columns = [np.concatenate([part[1][i] for part in self._pending]) for i in range(self._columns)]
        counts = np.bincount(groups)
        if np.count_nonzero(counts) > 1:
            order = np.argsort(groups.astype(np.int16 if counts.size < 1 << 15 else np.int64), kind="stable")
            columns = [column[order] for column in columns]
        return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64), columns

    def _flush(self) -> None:
        first, columns = self._by_group()
        self._pending, self._waiting = [], 0
        rows = columns[0].size
        if rows * len(columns) <= self._room:
            self._room -= rows * len(columns)
            self._written.append(_Written(None, rows, first, columns))
            return
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="plimsoll-")  # noqa: SIM115  # it lives as long as the spill
            at = self._file.seek(0, os.SEEK_END)
            for column in columns:
                self._file.write(np.ascontiguousarray(column).data)
            self._file.flush()
        except OSError as error:
            self.close()
            raise self._full(error) from error
        self._written.append(_Written(at, rows, first, []))

    def _read(self, written: _Written, column: int, first: int, end: int) -> FloatArray:
        if written.at is None:
            return written.columns[column][first:end]
        if self._file is None:
            raise ValueError("nothing was written")
        self._file.seek(written.at + (column * written.rows + first) * _DOUBLE)
        return np.frombuffer(self._file.read((end - first) * _DOUBLE), dtype=np.float64)

    def _full(self, error: OSError) -> RefusedFileError:
        return refusal(
            "ingest.disk_full",
            t("The numbers of the requests cannot be put aside: {reason}", reason=error.strerror or "?"),
            self._name,
            t("Make room for temporary files, or send one file per load level"),
        )
