"""AIPerf's per-request records: profile_export.jsonl, one level per file. docs/formats/aiperf.md.

Neither the model nor the asked load is in it. Prompts and answers are not in it either;
unknown keys are skipped unread.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.formats import aiperf_names as names
from core.ingest.formats.aiperf_lines import UNKNOWN, Columns, batches_of
from core.ingest.formats.aiperf_speech import speech_readings
from core.ingest.notices import none_completed
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.request_log import held_apart
from core.ingest.source import Stream
from core.model.finding import Finding, Severity
from core.model.run import Kind
from core.model.sketch import Sketch
from core.model.stage import FloatArray
from core.settings import LIMITS

FORMAT_ID = names.FORMAT_ID
LABEL = "AIPerf records"

_TIMES = {"ttft": "time_to_first_token", "e2e": "request_latency", "tpot": "inter_token_latency"}


def match(head: Head) -> float:
    """Recognise a record by its benchmark phase beside its metrics; raw exports hold no metrics."""
    first = head.sample.split(b"\n", 1)[0]
    paths = json_paths(first)
    phase = "metadata.benchmark_phase" in paths or "metadata.credit_phase" in paths
    return 1.0 if phase and "metrics" in paths else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of an upload; as `read_stream`."""
    with Stream(upload) as stream:
        return read_stream(stream)


def read_stream(stream: Stream) -> RawFile:
    """Return the one level of a file of records; its load comes from the file's name.

    Raises:
        RefusedFileError: a line that is no record, times in several units, or no record but warm-up.
    """
    columns = Columns()
    for records in batches_of(stream):
        columns.extend(records)
        if len(columns.good) > LIMITS.requests:
            raise refusal(
                "ingest.too_large",
                t("The file holds more than {limit} requests", limit=LIMITS.requests),
                stream.name,
                t("Send one file per load level"),
            )
    if not columns.good:
        raise refusal(
            "ingest.no_levels",
            t("The file holds no request beside the warm-up"),
            stream.name,
            t("Send the profile_export.jsonl of a run that ended"),
        )
    return RawFile(
        name=stream.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version="records",
        kind=Kind.MEASURED,
        levels=(_level(columns, stream.name),),
        calls=names.CALLS,
    )


def _level(columns: Columns, name: str) -> RawLevel:
    place = Place(name)
    told = Fields({}, place)
    conditions = accelerators_from_name(told, {"tool": "AIPerf"})
    found = told.findings
    requests, duration_s = _requests(columns, place, found)
    concurrency, rate, from_name = names.load_from_name(place, name)
    found += [*from_name, *_warmup(place, columns.warmup)]
    kept = requests.good.size <= LIMITS.kept_requests
    good, cut_off = int(requests.good.sum()), sum(columns.cut_off)
    if not good:
        found.append(none_completed(place))
    lengths = requests.output_tokens[requests.good]
    tokens = float(np.nansum(lengths - 1.0)) if lengths.size else 0.0
    if requests.gaps.size and requests.gaps.size < 0.8 * tokens:
        found.append(names.chunked(place, tokens / requests.gaps.size))
    factor = names.SECONDS[requests.unit]
    shown = _mean(np.array(columns.shown))
    found += names.reasoned(place, _mean(np.array(columns.reasoning)), None if shown is None else shown * factor)
    means = [_mean(values[requests.good]) for values in (requests.e2e, requests.ttft)]
    e2e_s, ttft_s = (None if mean is None else mean * factor for mean in means)
    return RawLevel(
        place=place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests_sent=len(columns.good),
        requests_good=good,
        requests_failed=len(columns.good) - good - cut_off,
        requests_cut_off=cut_off,
        duration_s=duration_s,
        readings=speech_readings(np.array(columns.rtfx)),
        requests=requests if kept else None,
        spilled=None if kept else held_apart(requests),
        conditions=conditions,
        run_key=names.run_key(good, e2e_s, ttft_s),
        findings=tuple(found),
    )


def _requests(columns: Columns, place: Place, found: list[Finding]) -> tuple[RawRequests, float | None]:
    """Return the records as arrays in the file's unit of time, and their span in seconds where it is known."""
    unit = names.UNITS.get(next(iter(columns.units), "ms"))
    if unit is None or len(columns.units) > 1:
        raise RefusedFileError(
            "aiperf.unit_unknown",
            t("The times are in a unit that is unknown or changes within the file"),
            fix=t("Send the file again as the tool wrote it"),
            place=place,
        )
    arrays = {name: _known(np.array(values), name, place, found) for name, values in columns.values.items()}
    gaps = _known(np.array(columns.gaps), "inter_chunk_latency", place, found)
    starts = arrays["start"]
    found += _without_start(place, np.isnan(starts))
    # Timestamps in ns need 61 bits: they count from the first one before they become ms.
    start = (starts - (float(np.nanmin(starts)) if np.isfinite(starts).any() else UNKNOWN)) * 1e-9
    good = np.array(columns.good, dtype=np.bool_)
    # AIPerf's own window: from the first good request to the last good answer.
    ends = start + arrays["e2e"] * names.SECONDS[unit]
    known = good & np.isfinite(ends)
    span_s = float(ends[known].max() - start[known].min()) if known.any() else 0.0
    requests = RawRequests(
        unit=unit,
        good=good,
        cut_off=np.array(columns.cut_off, dtype=np.bool_),
        start=start / names.SECONDS[unit],
        ttft=arrays["ttft"],
        e2e=arrays["e2e"],
        tpot=arrays["tpot"],
        input_tokens=arrays["input_tokens"],
        output_tokens=arrays["output_tokens"],
        gaps=gaps[np.isfinite(gaps)] if columns.sketch is None else np.empty(0),
        sketch=_sketch(columns.sketch, gaps),
    )
    return requests, span_s if span_s > 0.0 else None


def _sketch(sketch: Sketch | None, gaps: FloatArray) -> Sketch | None:
    """Return the sketch with the gaps that came after its last growth."""
    if sketch is not None:
        sketch.add(gaps)
    return sketch


def _known(values: FloatArray, name: str, place: Place, found: list[Finding]) -> FloatArray:
    """Return the values with NaN for those that no clock or counter gives, and a finding for these."""
    wrong = (values < 0.0) | np.isinf(values) | (values > _ABSURD)
    if wrong.any():
        found.append(
            Finding(
                code="aiperf.value_impossible",
                severity=Severity.WARNING,
                where=Place(place.file, None, _TIMES.get(name, name)),
                what=t("{count} values are negative or not finite", count=int(wrong.sum())),
                consequence=t("They are treated as unknown"),
            )
        )
    return np.where(wrong, UNKNOWN, values)


def _without_start(place: Place, missing: npt.NDArray[np.bool_]) -> tuple[Finding, ...]:
    """Say where some requests have no start; that none has is how older versions wrote them."""
    if not missing.any() or missing.all():
        return ()
    return (
        Finding(
            code="aiperf.start_unknown",
            severity=Severity.WARNING,
            where=Place(place.file, None, "request_start_ns"),
            what=t("{count} requests have no start time", count=int(missing.sum())),
            consequence=t("They do not count for the load over time"),
        ),
    )


def _mean(values: FloatArray) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else None


def _warmup(place: Place, count: int) -> tuple[Finding, ...]:
    if not count:
        return ()
    return (
        Finding(
            code="aiperf.warmup_left_out",
            severity=Severity.INFO,
            where=place,
            what=t("{count} warm-up requests were left out", count=count),
        ),
    )


_ABSURD = 1e30
