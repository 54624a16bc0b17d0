"""A Parquet file with one request per row, as blocks of columns.

Only columns that mean something are read, with the types that the file itself states; sizes are looked at
before anything is unpacked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from core.errors import RefusedFileError
from core.i18n import Text, t
from core.ingest.decode import refusal
from core.ingest.request_block import Block, Gaps, Labels, labels_of, plan_of
from core.ingest.request_columns import RequestColumn, request_column
from core.ingest.request_csv import coded, numbers_of
from core.ingest.source import Stream
from core.settings import LIMITS, MEGABYTE

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

MAGIC = b"PAR1"
_ROWS = 1 << 16
_SAMPLE = 500
_THRIFT_BYTES, _THRIFT_ITEMS = 100 * MEGABYTE, 1_000_000
_CHUNK_BYTES = 2_000 * MEGABYTE
"""A column of one row group, unpacked: more is not read at once."""


class ParquetRequests:
    """The rows of a Parquet file.

    Attributes:
        plan: what is read.
        sample: the first rows.
        not_finite: how many values of a column are infinite.
    """

    def __init__(self, stream: Stream) -> None:
        """Look at the file's description of itself and at its first rows.

        Raises:
            RefusedFileError: damaged, encrypted, or beyond a limit.
        """
        self._name = stream.name
        self.not_finite: Counter[str] = Counter()
        self._file = self._opened(stream.at_random())
        schema = self._file.schema_arrow
        self._within_limits()
        kinds = {field.name: _kind(field.type) for field in schema}
        columns = [_typed(request_column(field.name), field.type) for field in schema]
        plan = plan_of(
            [column for column in columns if kinds[column.name]],
            [name for name, kind in kinds.items() if kind in ("text", "bool")],
            [name for name, kind in kinds.items() if kind == "list"],
        )
        # A number that was stored as a text is not one that somebody measured.
        odd = [name for name in plan.of_kind("number") if kinds[name] != "number"]
        self.plan = plan_of(
            [column for column in plan.columns if column.name not in odd], plan.of_kind("label"), plan.of_kind("gaps")
        )
        self.plan = replace(self.plan, unread=(*plan.unread, *odd, *(name for name, kind in kinds.items() if not kind)))
        self.sample = next(self.blocks(_SAMPLE), Block(1, 0))
        self.not_finite.clear()

    def blocks(self, rows: int = _ROWS) -> Iterator[Block]:
        """Yield every row.

        Raises:
            RefusedFileError: the file is damaged.
        """
        import pyarrow as pa

        names = [column.name for column in self.plan.columns]
        done = 0
        try:
            for batch in self._file.iter_batches(batch_size=rows, columns=names, use_threads=False):
                yield self._block(batch, done + 1)
                done += batch.num_rows
        except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
            raise self._damaged() from error
        if rows == _ROWS and done != self._file.metadata.num_rows:
            raise self._damaged()

    def _opened(self, file: BinaryIO) -> parquet.ParquetFile:
        import pyarrow as pa
        from pyarrow import parquet

        try:
            return parquet.ParquetFile(
                pa.PythonFile(file, mode="r"),
                thrift_string_size_limit=_THRIFT_BYTES,
                thrift_container_size_limit=_THRIFT_ITEMS,
            )
        except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
            raise self._damaged() from error

    def _within_limits(self) -> None:
        told = self._file.metadata
        if told.num_rows > LIMITS.requests:
            raise self._too_large(t("The file holds more than {limit} requests", limit=LIMITS.requests))
        if told.num_columns > LIMITS.csv_columns:
            raise self._too_large(t("The table has more than {limit} columns", limit=LIMITS.csv_columns))
        for group in range(told.num_row_groups):
            chunks = (told.row_group(group).column(index) for index in range(told.num_columns))
            if any(chunk.total_uncompressed_size > _CHUNK_BYTES for chunk in chunks):
                limit = _CHUNK_BYTES // MEGABYTE
                raise self._too_large(t("A column of one row group unfolds into more than {limit} MB", limit=limit))

    def _block(self, batch: pa.RecordBatch, line: int) -> Block:
        column = {name: batch.column(name) for name in batch.schema.names}
        numbers = {}
        for name in self.plan.of_kind("number"):
            numbers[name] = numbers_of(_plain(column[name]))
            infinite = np.isinf(numbers[name])
            if infinite.any():
                self.not_finite[name] += int(infinite.sum())
                numbers[name] = np.where(infinite, np.nan, numbers[name])
        labels = {}
        for name in self.plan.of_kind("label"):
            labels[name] = _labels(column[name])
        gaps = {name: _gaps(column[name]) for name in self.plan.of_kind("gaps")}
        return Block(line, batch.num_rows, numbers, labels, gaps)

    def _too_large(self, what: Text) -> RefusedFileError:
        return refusal("ingest.too_large", what, self._name, t("Send one file per load level"))

    def _damaged(self) -> RefusedFileError:
        return refusal(
            "ingest.damaged_parquet",
            t("The Parquet file is damaged, cut off, encrypted or of a kind that is not read"),
            self._name,
            t("Write it again, with plain columns"),
        )


def _kind(kind: pa.DataType) -> str:
    """Return what a type of Arrow holds: "number", "text", "bool", "list" of numbers, "" for anything else."""
    from pyarrow import types

    if types.is_boolean(kind):
        return "bool"
    if types.is_list(kind) or types.is_large_list(kind):
        return "list" if _kind(kind.value_type) == "number" else ""
    inner = kind.value_type if types.is_dictionary(kind) else kind
    if types.is_string(inner) or types.is_large_string(inner):
        return "text"
    measured = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    return "number" if measured or types.is_timestamp(kind) or types.is_duration(kind) else ""


def _typed(column: RequestColumn, kind: pa.DataType) -> RequestColumn:
    """Return a column with the unit that its type states, which is surer than its name."""
    from pyarrow import types

    stated = types.is_timestamp(kind) or types.is_duration(kind)
    return replace(column, unit=kind.unit) if stated else column


def _plain(array: pa.Array) -> pa.Array:
    import pyarrow as pa
    from pyarrow import types

    if types.is_timestamp(array.type) or types.is_duration(array.type):
        return array.cast(pa.int64())
    return array.cast(pa.float64()) if types.is_decimal(array.type) or types.is_float16(array.type) else array


def _labels(array: pa.Array) -> Labels:
    from pyarrow import types

    if types.is_dictionary(array.type):
        return coded(array)
    if _kind(array.type) == "text":
        return coded(array.dictionary_encode())
    return labels_of(array.to_pylist())


def _gaps(array: pa.Array) -> Gaps:
    counts = array.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return Gaps(counts, numbers_of(_plain(array.flatten())))
