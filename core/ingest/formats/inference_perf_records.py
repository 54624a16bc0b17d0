"""inference-perf's per_request_lifecycle_metrics.json: the requests of all stages in one list.

Nothing in a record names its stage, so the file holds a pool, no level; the stages' own reports part it.
Prompts, answers and error messages are decoded past and never kept. docs/formats/inference_perf_records.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec
import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.raw import Head, RawFile, RawRequests, Upload
from core.model.finding import Finding, Severity
from core.model.run import Kind
from core.model.stage import FloatArray

FORMAT_ID = "inference_perf_records"
LABEL = "inference-perf requests"

UNKNOWN = float("nan")
TWICE = 1.5
"""Token times per token above which events were counted twice."""

_OWN = (b'"start_time"', b'"end_time"', b'"info"')


class _Usage(msgspec.Struct):
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None


class _Response(msgspec.Struct):
    output_tokens: float | None = None
    server_usage: _Usage | None = None
    output_token_times: list[float] | None = None


class _Text(msgspec.Struct):
    input_tokens: float | None = None


class _Asked(msgspec.Struct):
    text: _Text | None = None


class _Info(msgspec.Struct):
    """Up to 0.4 counts and times stand here; later they are inside `response_metrics`."""

    input_tokens: float | None = None
    output_tokens: float | None = None
    output_token_times: list[float] | None = None
    request_metrics: _Asked | None = None
    response_metrics: _Response | None = None


class _Record(msgspec.Struct):
    start_time: float
    end_time: float
    info: _Info | None = None
    error: object = None


def match(head: Head) -> float:
    """Recognise a list whose first record has the tool's times and its `info`."""
    start = head.sample.lstrip(b" \t\r\n\xef\xbb\xbf")
    if not start.startswith(b"[") or not start[1:].lstrip().startswith(b"{"):
        return 0.0
    first = start[:4096]
    known = first.find(_OWN[0]) >= 0 and first.find(_OWN[1]) >= 0
    return 0.95 if known and (_OWN[2] in start or b'"request": "' in first) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the requests of every stage, good and failed, in the order of the file.

    Raises:
        RefusedFileError: cut off, no record, or a record of another shape.
    """
    records = _records(upload)
    if not records:
        what = t("The file holds no request")
        raise refusal("ingest.no_levels", what, upload.name, t("Send the requests of a run that ended"))
    good = np.array([record.error is None for record in records])
    tokens = np.array([_output(record) for record in records], dtype=np.float64)
    findings = _counted_twice(records, np.where(good, tokens, UNKNOWN), upload.name)
    gaps = [] if findings else _gaps(records)
    pool = RawRequests(
        unit="s",
        good=good,
        start=np.array([record.start_time for record in records], dtype=np.float64),
        ttft=np.array([_first(record) - record.start_time for record in records], dtype=np.float64),
        e2e=np.array([record.end_time - record.start_time for record in records], dtype=np.float64),
        input_tokens=np.array([_input(record) for record in records], dtype=np.float64),
        output_tokens=tokens,
        gaps=np.concatenate(gaps) if gaps else np.empty(0),
        gap_counts=np.array([gap.size for gap in gaps], dtype=np.int64) if gaps else None,
    )
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=(),
        findings=findings,
        pool=pool,
    )


def _records(upload: Upload) -> list[_Record]:
    try:
        return msgspec.json.decode(upload.data.removeprefix(b"\xef\xbb\xbf"), type=list[_Record])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    # Says what is wrong with the JSON and where, or finds the bare NaN that Python writes.
    document = json_document(upload)
    try:
        return msgspec.convert(document, list[_Record])
    except msgspec.ValidationError as error:
        place = str(error).rpartition("`$")[2].rstrip("`")
        raise refusal(
            "ingest.unexpected",
            t("A request is not of the form that inference-perf writes"),
            upload.name,
            t("Check the file: it may have been edited or mixed with another"),
            field=place[:100] or None,
        ) from error


def _times(record: _Record) -> list[float]:
    info = record.info
    if info is None:
        return []
    own = info.response_metrics.output_token_times if info.response_metrics else None
    return own or info.output_token_times or []


def _first(record: _Record) -> float:
    times = _times(record)
    return times[0] if times and record.error is None else UNKNOWN


def _input(record: _Record) -> float:
    info = record.info or _Info()
    usage = (info.response_metrics.server_usage if info.response_metrics else None) or _Usage()
    text = (info.request_metrics.text if info.request_metrics else None) or _Text()
    return _known(usage.prompt_tokens, usage.input_tokens, text.input_tokens, info.input_tokens)


def _output(record: _Record) -> float:
    """Return the server's count where it gave one: the client counts pieces of text anew."""
    info = record.info or _Info()
    response = info.response_metrics or _Response()
    usage = response.server_usage or _Usage()
    return _known(usage.completion_tokens, usage.output_tokens, response.output_tokens, info.output_tokens)


def _known(*values: float | None) -> float:
    return next((value for value in values if value is not None), UNKNOWN)


def _gaps(records: Sequence[_Record]) -> list[FloatArray]:
    """Return the gaps between the token times of each good request."""
    return [
        np.diff(np.array(_times(record), dtype=np.float64)) if record.error is None else np.empty(0)
        for record in records
    ]


def _counted_twice(records: Sequence[_Record], tokens: FloatArray, name: str) -> tuple[Finding, ...]:
    """Return a finding where there are about two times for every token, so that every other gap is none."""
    times = np.array([float(len(_times(record))) for record in records])
    both = np.isfinite(tokens) & (times > 0.0)
    if not both.any() or times[both].sum() <= TWICE * tokens[both].sum():
        return ()
    return (
        Finding(
            code="ingest.events_counted_twice",
            severity=Severity.WARNING,
            where=Place(name, None, "output_token_times"),
            what=t(
                "The requests hold {times} times for {tokens} tokens",
                times=f"{times[both].sum():.0f}",
                tokens=f"{tokens[both].sum():.0f}",
            ),
            consequence=t("Stream events were counted twice: the gaps between them are not used"),
            fix=t("Measure again with a newer version, or judge the targets on TTFT and E2E"),
        ),
    )
