"""AIPerf's per-request records, line by line, down to the few numbers that are kept."""

from __future__ import annotations

import io
import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.formats.aiperf_names import CANCELLED_CODE, CANCELLED_TYPE
from core.ingest.raw import Upload
from core.settings import LIMITS

_SEND_AGAIN = t("Send the file again as the tool wrote it")

UNKNOWN = float("nan")


class _Number(msgspec.Struct):
    value: float | None = None
    unit: str | None = None


class _Numbers(msgspec.Struct):
    value: list[float] | float | None = None
    unit: str | None = None


class _Metrics(msgspec.Struct):
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


class _Metadata(msgspec.Struct):
    benchmark_phase: str | None = None
    credit_phase: str | None = None
    was_cancelled: bool | None = None
    request_start_ns: float | None = None
    timestamp_ns: float | None = None


class _Error(msgspec.Struct):
    code: int | str | None = None
    type: str | None = None


class Record(msgspec.Struct):
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

    def add(self, record: Record) -> None:
        """Keep one record, or count it where it belongs to the warm-up."""
        metadata, metrics = record.metadata, record.metrics
        if (metadata.benchmark_phase or metadata.credit_phase or "profiling") != "profiling":
            self.warmup += 1
            return
        e2e = self._time(metrics.request_latency)
        good = record.error is None and not metadata.was_cancelled and not math.isnan(e2e)
        self.good.append(good)
        self.cut_off.append(bool(metadata.was_cancelled) or _was_cancelled(record.error))
        start = metadata.request_start_ns if metadata.request_start_ns is not None else metadata.timestamp_ns
        row = (
            self._time(metrics.time_to_first_token or metrics.ttft),
            e2e,
            self._time(metrics.inter_token_latency),
            UNKNOWN if start is None else start,
            _value(metrics.input_sequence_length),
            _value(metrics.output_sequence_length),
        )
        for name, value in zip(_COLUMNS, row, strict=True):
            self.values[name].append(value)
        if good:
            self.reasoning.append(_value(metrics.reasoning_token_count))
            self.shown.append(self._time(metrics.time_to_first_output_token))
            if metrics.rtfx is not None:
                self.rtfx.append(_value(metrics.rtfx))
        chunks = metrics.inter_chunk_latency
        if good and chunks is not None and isinstance(chunks.value, list):
            self.units.add(chunks.unit or "")
            self.gaps.extend(chunks.value)

    def _time(self, number: _Number | None) -> float:
        if number is None or number.value is None:
            return UNKNOWN
        self.units.add(number.unit or "")
        return number.value


def records_of(upload: Upload) -> Iterator[Record]:
    """Yield the record of every line that is not blank.

    Raises:
        RefusedFileError: a line that is too long, cut off or no record; with its number.
    """
    for number, line in enumerate(io.BytesIO(upload.data.removeprefix(b"\xef\xbb\xbf")), start=1):
        if not line.strip():
            continue
        if len(line) > LIMITS.line_bytes:
            raise refusal("ingest.too_large", t("One record is too long"), upload.name, _SEND_AGAIN, line=number)
        try:
            yield _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            yield _leniently(Upload(upload.name, line), number)


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


def _value(number: _Number | None) -> float:
    return UNKNOWN if number is None or number.value is None else number.value
