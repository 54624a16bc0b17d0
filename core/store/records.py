"""Records of single requests as Parquet tables beside what they belong to, each kept once by its content.

The same records are in every version of a scenario and in every draft: they are most of its bytes, and they never
change. A table is one level's; its columns are the attributes of `Requests`, as they are in memory, bit by bit.
"""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from core.errors import StoreError
from core.i18n import t
from core.ingest.raw import RawFile, RawRequests
from core.model.codec import Column, Columns, decode, encode
from core.model.run import Run
from core.model.scenario import Scenario
from core.model.stage import Requests
from core.store.engine import damaged

T = TypeVar("T")
Array = npt.NDArray[np.float64] | npt.NDArray[np.bool_]

LARGEST = 256_000_000
"""Bytes of one payload before compression, and of its tables together; SQLite refuses a value of 1 GB."""

NUMBERS_ASIDE = 700
"""A level with fewer numbers than this stays in the payload: a table's own description takes as much room."""

_COLUMNS = 16
_SLACK = 1_000_000
"""Bytes by which a column may be longer than its numbers: headers of pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """Something to be kept: its payload, and the Parquet tables that it refers to, by their SHA-256."""

    payload: bytes
    tables: Mapping[str, bytes]


def packed(value: object, most: int | None = None) -> Packed:
    """Return a scenario, runs or files that were read as compressed bytes, with their large tables apart.

    Args:
        value: what is kept.
        most: bytes of the payload before compression, and of the tables together; None for `LARGEST`.

    Raises:
        StoreError: "store.unwritable", "store.too_large".
    """
    tables: dict[str, bytes] = {}
    aside: dict[int, Column] = {}
    seen: set[int] = set()
    for arrays in _tables(value):
        marks = {id(array) for array in arrays.values()}
        if marks <= seen:
            continue  # a run is there twice: by itself and in its answer
        seen |= marks
        table = to_parquet(arrays)
        sha256 = hashlib.sha256(table).hexdigest()
        tables[sha256] = table
        aside |= {id(array): Column(sha256, name) for name, array in arrays.items()}
    written = encode(value, aside)
    limit = LARGEST if most is None else most
    if max(len(written), sum(map(len, tables.values()))) > limit:
        raise StoreError(
            "store.too_large",
            t("The scenario holds more than {limit} MB", limit=limit // 1_000_000),
            fix=t("Save it with the tools' summary files instead of their per-request records"),
        )
    return Packed(payload=zlib.compress(written), tables=tables)


def opened(payload: bytes, kind: type[T], get: Callable[[str], bytes]) -> T:
    """Return what `packed` was given.

    Args:
        payload: of `packed`, of this version or an older one.
        kind: the class that is expected.
        get: gives the bytes of a table by their SHA-256, checked.

    Raises:
        StoreError: "store.damaged" where the payload is no compressed text or a table is not what was saved,
            those of `core.model.codec.decode`, and those of `get`.
    """
    try:
        written = zlib.decompressobj().decompress(payload, LARGEST + 1)
    except zlib.error as error:
        raise damaged(t("What was saved is not what it was")) from error
    return decode(written, kind, lambda sha256, rows: from_parquet(get(sha256), rows))


def to_parquet(columns: Mapping[str, Array]) -> bytes:
    """Return columns of one length as a Parquet file: no dictionary, no statistics, zstd, split by byte.

    The same columns give the same bytes as long as the same release of Arrow writes them.
    """
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({name: pa.array(array) for name, array in columns.items()})
    out = io.BytesIO()
    parquet.write_table(
        table,
        out,
        compression="zstd",
        use_dictionary=False,
        write_statistics=False,
        store_schema=False,
        use_byte_stream_split=[name for name, array in columns.items() if array.dtype != np.bool_],
    )
    return out.getvalue()


def from_parquet(data: bytes, rows: int) -> Columns:
    """Return the columns of a Parquet file of `to_parquet`, read-only, bit by bit.

    Raises:
        StoreError: "store.damaged" where it is something else, has another number of rows or unpacks to more.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        _within_limits(file.metadata, rows)
        table = file.read(use_threads=False)
        columns = {name: _column(table.column(name)) for name in table.column_names}
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise damaged(t("A table of records is not what was saved")) from error
    return columns


def _tables(value: object) -> Iterator[Mapping[str, Array]]:
    """Yield the arrays of every level that has enough of them to be a table."""
    for records in _records(value):
        if isinstance(records, Requests):
            yield from _if_large(records, ("start_s", "ttft_s", "tpot_s", "e2e_s", "input_tokens", "output_tokens"))
        else:
            yield from _if_large(records, ("start", "ttft", "e2e", "tpot", "input_tokens", "output_tokens"))
            if records.gaps.size >= NUMBERS_ASIDE and records.gaps.dtype == np.float64:
                yield {"gaps": records.gaps}


def _if_large(records: Requests | RawRequests, names: Iterable[str]) -> Iterator[Mapping[str, Array]]:
    columns = {name: getattr(records, name) for name in names}
    known = {name: array for name, array in columns.items() if array is not None and array.dtype == np.float64}
    flags = {"good": records.good} | ({"cut_off": records.cut_off} if isinstance(records, RawRequests) else {})
    known |= {name: array for name, array in flags.items() if array is not None and array.dtype == np.bool_}
    if sum(array.size for array in known.values()) >= NUMBERS_ASIDE:
        yield known


def _records(value: object) -> Iterator[Requests | RawRequests]:
    match value:
        case Scenario():
            yield from _records(value.runs)
            yield from _records(tuple(answer.run for answer in value.answers))
        case tuple():
            for one in value:
                yield from _records(one)
        case Run():
            yield from (stage.requests for stage in value.stages if stage.requests is not None)
        case RawFile():
            yield from (level.requests for level in value.levels if level.requests is not None)
            yield from [value.pool] if value.pool is not None else []
        case _:
            return


def _within_limits(metadata: object, rows: int) -> None:
    """Refuse a file that is not of `rows` rows, or would unpack to more than they take."""
    from pyarrow import parquet

    if not isinstance(metadata, parquet.FileMetaData) or metadata.num_rows != rows:
        raise ValueError("a table of another length")
    if metadata.num_columns > _COLUMNS:
        raise ValueError("a table with more columns than there are")
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        if group.total_byte_size > metadata.num_columns * (8 * group.num_rows + _SLACK):
            raise ValueError("a table that unpacks to more than its rows")


def _column(column: object) -> Array:
    import pyarrow as pa

    if not isinstance(column, pa.ChunkedArray) or column.null_count or column.type not in (pa.float64(), pa.bool_()):
        raise ValueError("a column that is neither numbers nor flags")
    array: Array = column.to_numpy()
    array.flags.writeable = False
    return array
