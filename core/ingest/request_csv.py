"""A CSV or TSV with one request per row, as blocks of columns.

Arrow reads a block in one go, strictly. Where it does not take one, or might take it otherwise than a person
would, the same rows are read cell by cell (`core.ingest.request_cells`): both ways give the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.errors import RefusedFileError
from core.ingest.fields import MISSING
from core.ingest.lines import Lines, line_blocks
from core.ingest.request_block import Block, Labels, labels_of, plan_of, text_of
from core.ingest.request_cells import dialect_of, has_texts, number_of, records, text_of_lines
from core.ingest.request_columns import request_columns
from core.ingest.source import Stream
from core.model.stage import FloatArray

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 22
_SAMPLE = 500
_NULLS = sorted({form for word in MISSING for form in (word, word.upper(), word.title(), word.capitalize())} | {"NaN"})


class CsvRequests:
    """The rows of a table of requests.

    Attributes:
        plan: what is read.
        sample: the first rows.
        not_finite: how many values of a column are infinite.
        complete: False once the last row was seen to have no line end.
    """

    def __init__(self, stream: Stream) -> None:
        """Look at the header and the first rows.

        Raises:
            RefusedFileError: text in an unknown encoding, two columns of one name, or too many columns.
        """
        self._stream = stream
        self.not_finite: Counter[str] = Counter()
        self.complete = True
        self._dialect, below = dialect_of(stream.start, stream.name)
        rows = self._first_rows(below)
        texts = has_texts(self._dialect, [cells for _, cells in rows])
        self.plan = plan_of(request_columns(self._dialect.header), texts, ())
        try:
            self.sample = self._columns(rows, self._dialect.line + 1)
        except RefusedFileError:  # it is refused with its place when its turn comes
            self.sample = Block(self._dialect.line + 1, 0)
        self.not_finite.clear()

    def blocks(self) -> Iterator[Block]:
        """Yield every row.

        Raises:
            RefusedFileError: a row that is not as wide as the header, a stray quote, or a cell that is no number.
        """
        for lines in line_blocks(self._stream, BLOCK, quotes=True):
            below = self._below_header(lines)
            if below.data.strip():
                self.complete = below.data.endswith((b"\n", b"\r"))
                yield self._fast(below) or self._slow(below)

    def _first_rows(self, below: bytes) -> list[tuple[int, tuple[str, ...]]]:
        found: list[tuple[int, tuple[str, ...]]] = []
        try:
            text = text_of_lines(below, self._stream.name)
            for row in records(text, self._dialect, self._dialect.line + 1, self._stream.name):
                found.append(row)
                if len(found) == _SAMPLE:
                    break
        except RefusedFileError:  # as above
            pass
        return found

    def _below_header(self, lines: Lines) -> Lines:
        """Return the rows in some lines: all but those up to the header."""
        above = self._dialect.line + 1 - lines.number
        if above <= 0:
            return lines
        parts = lines.data.split(b"\n", above)
        return Lines(self._dialect.line + 1, parts[-1] if len(parts) > above else b"", lines.ends - above)

    def _fast(self, lines: Lines) -> Block | None:
        """Return the rows as Arrow reads them, None where only cell by cell tells them right."""
        import pyarrow as pa
        from pyarrow import csv as arrow

        numbers, labels = self.plan.of_kind("number"), self.plan.of_kind("label")
        if not numbers or b'"' in lines.data or (b"\r" in lines.data and b"\r" in lines.data.replace(b"\r\n", b"")):
            return None
        types = dict.fromkeys(numbers, pa.float64()) | dict.fromkeys(labels, pa.dictionary(pa.int32(), pa.string()))
        try:
            table = arrow.read_csv(
                pa.BufferReader(lines.data),
                arrow.ReadOptions(use_threads=False, block_size=1 << 30, column_names=list(self._dialect.header)),
                arrow.ParseOptions(delimiter=self._dialect.delimiter),
                arrow.ConvertOptions(
                    column_types=types,
                    include_columns=[*numbers, *labels],
                    null_values=_NULLS,
                    strings_can_be_null=False,
                    decimal_point=self._dialect.mark,
                ),
            )
        except (pa.ArrowException, ValueError):
            return None
        if table.num_rows != lines.ends + (not lines.data.endswith(b"\n")):
            return None
        found = {name: numbers_of(table.column(name)) for name in numbers}
        # A row of nothing but delimiters is no request, and an infinite number is told of.
        first = next(iter(found.values()))
        if np.isnan(first).any() and all(np.isnan(values[np.isnan(first)]).any() for values in found.values()):
            return None
        if any(np.isinf(values).any() for values in found.values()):
            return None
        return Block(lines.number, table.num_rows, found, {name: coded(table.column(name)) for name in labels})

    def _slow(self, lines: Lines) -> Block:
        text = text_of_lines(lines.data, self._stream.name)
        return self._columns(list(records(text, self._dialect, lines.number, self._stream.name)), lines.number)

    def _columns(self, rows: Sequence[tuple[int, Sequence[str]]], line: int) -> Block:
        at = {name: index for index, name in enumerate(self._dialect.header)}
        numbers = {name: self._numbers(rows, at[name], name) for name in self.plan.of_kind("number")}
        labels = {name: labels_of([cells[at[name]] for _, cells in rows]) for name in self.plan.of_kind("label")}
        return Block(line, len(rows), numbers, labels)

    def _numbers(self, rows: Sequence[tuple[int, Sequence[str]]], index: int, name: str) -> FloatArray:
        values = [number_of(cells[index], self._dialect.mark, (self._stream.name, line, name)) for line, cells in rows]
        found = np.array(values, dtype=np.float64)
        self.not_finite[name] += int(np.isinf(found).sum())
        return np.where(np.isinf(found), np.nan, found)


def numbers_of(column: pa.Array) -> FloatArray:
    """Return a column of Arrow as doubles, NaN where it has no value."""
    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    found: FloatArray = array.to_numpy(zero_copy_only=False).astype(np.float64, copy=False)
    return found


def coded(column: pa.Array) -> Labels:
    """Return a column of Arrow's dictionaries as texts by code."""
    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    words = (*(text_of(value) for value in array.dictionary.to_pylist()), None)
    codes = array.indices.fill_null(len(words) - 1).to_numpy(zero_copy_only=False)
    return Labels(codes.astype(np.int64), words)
