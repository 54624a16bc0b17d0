"""GuideLLM's per-request records as arrays; prompts, answers and error texts are left where they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.raw import RawRequests
from core.model.finding import Finding, Severity
from core.model.stage import FloatArray

ENDINGS = ("successful", "errored", "incomplete")
UNKNOWN = float("nan")

Row = tuple[float, float, float, float, float]
"""start, ttft and e2e in seconds, input tokens, output tokens."""


def requests_of(benchmark: Fields, totals: dict[str, int | None]) -> RawRequests | None:
    """Return every request of a level, None where the report keeps none or only some.

    Raises:
        RefusedFileError: a value that is not a number.
    """
    held = {ending: _list(benchmark, ending) for ending in ENDINGS}
    if not held["successful"]:
        return None
    if any(len(held[ending]) != (totals[ending] or 0) for ending in ENDINGS):
        benchmark.findings.append(_sampled(benchmark.place, len(held["successful"]), totals["successful"]))
        return None
    rows = [row for ending in ENDINGS for row in _rows(benchmark, held[ending], ending)]
    start, ttft, e2e, prompt, output = (np.array(column) for column in zip(*rows, strict=True))
    counts = [len(held[ending]) for ending in ENDINGS]
    return RawRequests(
        unit="s",
        good=np.repeat([True, False, False], counts),
        cut_off=np.repeat([False, False, True], counts),
        start=start - np.nanmin(start) if np.isfinite(start).any() else start,
        ttft=_positive(ttft),
        e2e=e2e,
        input_tokens=prompt,
        output_tokens=output,
    )


def _list(benchmark: Fields, ending: str) -> list[object]:
    value = benchmark.inner("requests").values.get(ending)
    return value if isinstance(value, list) else []


def _rows(benchmark: Fields, requests: list[object], ending: str) -> Iterator[Row]:
    place = benchmark.at(f"requests.{ending}")
    for index, request in enumerate(requests):
        values = request if isinstance(request, dict) else {}
        fields = Fields(values, Place(place.file, None, f"{place.field}[{index}]"))
        start = fields.number("request_start_time" if "request_start_time" in values else "start_time")
        ttft_ms, e2e = fields.not_negative("time_to_first_token_ms"), fields.not_negative("request_latency")
        counts = (fields.not_negative("prompt_tokens"), fields.not_negative("output_tokens"))
        ttft = None if ttft_ms is None else ttft_ms / 1e3
        benchmark.findings.extend(fields.findings[:1])
        start_s, ttft_s, e2e_s, prompt, output = (UNKNOWN if v is None else v for v in (start, ttft, e2e, *counts))
        yield start_s, ttft_s, e2e_s, prompt, output


def _positive(ttft: FloatArray) -> FloatArray:
    """Return TTFT without the zeros that stand for "not streamed"."""
    return np.where(ttft > 0.0, ttft, UNKNOWN)


def _sampled(place: Place, kept: int, total: int | None) -> Finding:
    return Finding(
        code="guidellm.requests_sampled",
        severity=Severity.INFO,
        where=place,
        what=t("Only {kept} of {total} requests are kept in the file", kept=kept, total=total or "?"),
        consequence=t("They are not used; the statistics are GuideLLM's own"),
        fix=t("Keep all requests in the report to get exact percentiles"),
    )
