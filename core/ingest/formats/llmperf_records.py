"""LLMPerf's individual responses: one JSON list, one object per request, seconds. docs/formats/llmperf.md.

Neither model nor load is in it: the summary of the same run tells both. Failed requests are rows
of zeros with an error code. TPOT follows from E2E, TTFT and the tokens of each request.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats import llmperf_names as names
from core.ingest.names import concurrency_in, from_name
from core.ingest.notices import no_load, none_completed
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.record_columns import column, first_record, records_in
from core.model.finding import Finding, Severity
from core.model.run import Kind
from core.model.stage import FloatArray

FORMAT_ID = names.FORMAT_ID
LABEL = "LLMPerf individual responses"

_MARKS = frozenset({"ttft_s", "end_to_end_latency_s", "inter_token_latency_s", "error_code"})
_LISTED = "inter_token_latency_s"
_SAME = 1e-3


def match(head: Head) -> float:
    """1 for a list whose first object has LLMPerf's times beside its error code."""
    return float(first_record(head.sample) >= _MARKS)


def read(upload: Upload) -> RawFile:
    """Return the one level of a file of responses.

    Raises:
        RefusedFileError: not JSON, cut off, no response in it, or a value that is not a number.
    """
    place = Place(upload.name)
    records = records_in(json_document(upload), place)
    if not records:
        raise refusal(
            "ingest.no_levels",
            t("The file holds no request"),
            upload.name,
            t("Send the file of a run that ended"),
        )
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="records",
        kind=Kind.MEASURED,
        levels=(_level(records, place),),
    )


def _level(records: Sequence[Fields], place: Place) -> RawLevel:
    requests = _requests(records)
    good = int(requests.good.sum())
    named = concurrency_in(place.file or "")
    found = [from_name(place, "asked_concurrency", named) if named else no_load(place)]
    unseen = int((requests.good & ~np.isfinite(requests.ttft)).sum())
    if not good:
        found.append(none_completed(place))
    elif unseen:
        found.append(_no_token(place, unseen, good))
    ttft = requests.ttft[requests.good]
    return RawLevel(
        place=place,
        asked_concurrency=named,
        requests_sent=len(records),
        requests_good=good,
        requests_failed=len(records) - good,
        requests=requests,
        conditions={"arrival": "closed loop", "tool": "LLMPerf"},
        # The summary's mean is over all good requests: with one unknown among them there is none to compare.
        run_key=names.run_key(float(ttft.mean())) if good and not unseen else None,
        findings=tuple(found),
    )


def _requests(records: Sequence[Fields]) -> RawRequests:
    good = np.array([record.values.get("error_code") is None for record in records], dtype=np.bool_)
    ttft, e2e = (_positive(column(records, key)) for key in ("ttft_s", "end_to_end_latency_s"))
    gaps = [_gaps(record) for record, ok in zip(records, good, strict=True) if ok]
    # Gaps of some requests would speak for all of them: then there are none.
    whole = bool(gaps) and all(each is not None for each in gaps)
    return RawRequests(
        unit="s",
        good=good,
        ttft=ttft,
        e2e=e2e,
        start=np.full(len(records), np.nan),
        input_tokens=column(records, "number_input_tokens"),
        output_tokens=column(records, "number_output_tokens"),
        gaps=np.concatenate([each for each in gaps if each is not None]) if whole else np.empty(0),
    )


def _positive(values: FloatArray) -> FloatArray:
    """Return times with NaN for the zeros of requests that failed or gave no token."""
    return np.where(values > 0.0, values, np.nan)


def _gaps(record: Fields) -> FloatArray | None:
    """Return the gaps between a request's tokens where some version listed them; None where it did not.

    The list starts with the time to the first token, which is no gap, and adds up to the whole request.
    """
    listed = record.values.get(_LISTED)
    if not isinstance(listed, list) or not all(type(value) in (int, float) and abs(value) < 1e300 for value in listed):
        return None
    values = np.array(listed, dtype=np.float64)
    ttft, e2e = record.not_negative("ttft_s"), record.not_negative("end_to_end_latency_s")
    if not values.size or not ttft or not e2e or not (values >= 0.0).all():
        return None
    first, total = abs(values[0] - ttft) <= _SAME * ttft, float(values.sum())
    if first and abs(total - e2e) <= max(_SAME * e2e, 0.01):
        return values[1:]
    return None


def _no_token(place: Place, unseen: int, good: int) -> Finding:
    return Finding(
        code="llmperf.no_first_token",
        severity=Severity.WARNING,
        where=place,
        what=t("{count} of {total} requests without an error have no first token", count=unseen, total=good),
        consequence=t("Their times are unknown, so the level may look better than it is"),
        fix=t("Look into the server's log: an empty answer is rarely a good one"),
    )
