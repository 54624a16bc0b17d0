"""AIPerf's per-request records, line by line, down to the few numbers that are kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress

import msgspec
import numpy as np

from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.formats.aiperf_names import CANCELLED_CODE, CANCELLED_TYPE
from core.ingest.lines import Lines, line_blocks
from core.ingest.raw import Upload
from core.ingest.source import Stream
from core.model.sketch import Sketch
from core.settings import LIMITS

_SEND_AGAIN = t("Send the file again as the tool wrote it")

UNKNOWN = float("nan")
_BATCH = 1 << 17


class _Number(msgspec.Struct, gc=False):
    value: float | None = None
    unit: str | None = None


class _Numbers(msgspec.Struct, gc=False):
    value: list[float] | float | None = None
    unit: str | None = None


class _Metrics(msgspec.Struct, gc=False):
    time_to_first_token: _Number | None = None
    ttft: _Number | None = None
    request_latency: _Number | None = None
    inter_token_latency: _Number | None = None
    inter_chunk_latency: _Numbers | None = None
    input_sequence_length: _Number | None = None
    output_sequence_length: _Number | None = None
    reasoning_token_count: _Number | None = None
    time_to_first_output_token: _Number | None = None
    rtfx: _Number | None = None


class _Metadata(msgspec.Struct, gc=False):
    benchmark_phase: str | None = None
    credit_phase: str | None = None
    was_cancelled: bool | None = None
    request_start_ns: float | None = None
    timestamp_ns: float | None = None


class _Error(msgspec.Struct, gc=False):
    code: int | str | None = None
    type: str | None = None


class Record(msgspec.Struct, gc=False):
    """One line, as far as it is used; every other key is skipped unread."""

    metadata: _Metadata
    metrics: _Metrics
    error: _Error | None = None


_DECODER = msgspec.json.Decoder(Record)
_COLUMNS = ("ttft", "e2e", "tpot", "start", "input_tokens", "output_tokens")


@dataclass(slots=True)
class Columns:
    """What is kept of the records, in their order; NaN where a record has no value."""

    values: dict[str, array[float]] = field(default_factory=lambda: {name: array("d") for name in _COLUMNS})
    gaps: array[float] = field(default_factory=lambda: array("d"))
    good: list[bool] = field(default_factory=list)
    cut_off: list[bool] = field(default_factory=list)
    units: set[str] = field(default_factory=set)
    warmup: int = 0
    reasoning: array[float] = field(default_factory=lambda: array("d"))
    shown: array[float] = field(default_factory=lambda: array("d"))
    rtfx: array[float] = field(default_factory=lambda: array("d"))
    sketch: Sketch | None = None

    def extend(self, records: Sequence[Record]) -> None:
        """Keep records, column by column; those of the warm-up are only counted."""
        used = [record for record in records if _is_measured(record.metadata)]
        self.warmup += len(records) - len(used)
        metrics = [record.metrics for record in used]
        stopped = [bool(record.metadata.was_cancelled) for record in used]
        e2e = self._times([each.request_latency for each in metrics])
        good = [
            record.error is None and not cancelled and time == time  # noqa: PLR0124  # NaN is what differs from itself
            for record, cancelled, time in zip(used, stopped, e2e, strict=True)
        ]
        self.good += good
        self.cut_off += [
            cancelled or (record.error is not None and _was_cancelled(record.error))
            for record, cancelled in zip(used, stopped, strict=True)
        ]
        columns = (
            self._times([each.time_to_first_token or each.ttft for each in metrics]),
            e2e,
            self._times([each.inter_token_latency for each in metrics]),
            [_start(record.metadata) for record in used],
            [_value(each.input_sequence_length) for each in metrics],
            [_value(each.output_sequence_length) for each in metrics],
        )
        for name, column in zip(_COLUMNS, columns, strict=True):
            self.values[name].extend(column)
        whole = metrics if all(good) else list(compress(metrics, good))
        self.reasoning.extend(_values([each.reasoning_token_count for each in whole]))
        self.shown.extend(self._times([each.time_to_first_output_token for each in whole]))
        self.rtfx.extend(_value(each.rtfx) for each in whole if each.rtfx is not None)
        self._keep_gaps([each.inter_chunk_latency for each in whole if each.inter_chunk_latency is not None])

    def _keep_gaps(self, chunks: Sequence[_Numbers]) -> None:
        lists = [each for each in chunks if isinstance(each.value, list)]
        self.units.update({each.unit or "" for each in lists})
        self.gaps.extend(chain.from_iterable(each.value for each in lists if isinstance(each.value, list)))
        if len(self.gaps) > LIMITS.kept_gaps:
            self.sketch = self.sketch or Sketch()
            self.sketch.add(np.frombuffer(self.gaps))
            self.gaps = array("d")

    def _times(self, numbers: Sequence[_Number | None]) -> list[float]:
        self.units.update({each.unit or "" for each in numbers if each is not None and each.value is not None})
        return _values(numbers)


def batches_of(stream: Stream) -> Iterator[list[Record]]:
    """Yield the records of a file, some at a time.

    Raises:
        RefusedFileError: a line that is too long, cut off or no record; with its number.
    """
    # Few objects at a time stay in the processor's cache until they are columns.
    for lines in line_blocks(stream, _BATCH):
        try:
            yield _DECODER.decode_lines(lines.data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            yield list(_one_by_one(stream.name, lines))


def _one_by_one(name: str, lines: Lines) -> Iterator[Record]:
    for number, line in enumerate(lines.data.split(b"\n"), start=lines.number):
        if line.strip():
            try:
                yield _DECODER.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                yield _leniently(Upload(name, line), number)


def _leniently(line: Upload, number: int) -> Record:
    """Decode a record with bare NaN in it; refuse one that is cut off or no record."""
    document = json_document(line, line=number)
    try:
        return msgspec.convert(document, Record)
    except msgspec.ValidationError as error:
        what = t("This line is not a per-request record of AIPerf")
        raise refusal("aiperf.not_a_record", what, line.name, _SEND_AGAIN, line=number) from error


def _was_cancelled(error: _Error | None) -> bool:
    return error is not None and (error.code == CANCELLED_CODE or error.type == CANCELLED_TYPE)


def _is_measured(metadata: _Metadata) -> bool:
    return (metadata.benchmark_phase or metadata.credit_phase or "profiling") == "profiling"


def _start(metadata: _Metadata) -> float:
    start = metadata.request_start_ns
    start = metadata.timestamp_ns if start is None else start
    return UNKNOWN if start is None else start


def _values(numbers: Sequence[_Number | None]) -> list[float]:
    return [UNKNOWN if number is None or number.value is None else number.value for number in numbers]


def _value(number: _Number | None) -> float:
    return UNKNOWN if number is None or number.value is None else number.value
