"""The metrics object that BLIS writes for every run, with its requests where they were asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.notices import none_completed
from core.ingest.raw import RawLevel, RawRequests, Reading, Scalar
from core.ingest.request_table import known
from core.model.finding import Finding
from core.model.metric import Metric

_METRICS = {"ttft": Metric.TTFT, "itl": Metric.ITL, "e2e": Metric.E2E, "scheduling_delay": Metric.QUEUE}
_STATISTICS = ("mean", "p90", "p95", "p99")
_FAILED = ("timed_out_requests", "dropped_unservable")
_UNFINISHED = ("still_queued", "still_running")
_MS_PER_S = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a run was given: the load, and where it stands how many requests."""

    concurrency: float | None = None
    rate: float | None = None
    sent: int | None = None


def level_of(
    metrics: Fields,
    asked: Asked,
    conditions: Mapping[str, Scalar],
    identity: Mapping[str, Scalar],
    findings: Sequence[Finding] = (),
) -> RawLevel:
    """Return one run as a level.

    Args:
        metrics: what BLIS returned.
        asked: the load.
        conditions: those that the file states; unknown ones are None.
        identity: other settings; unknown ones are None.
        findings: what was noticed so far.

    Raises:
        RefusedFileError: a field that is no number.
    """
    good = metrics.count("completed_requests")
    sent = metrics.count("injected_requests")
    if good == 0:
        metrics.findings.append(none_completed(metrics.place))
    return RawLevel(
        place=metrics.place,
        asked_concurrency=asked.concurrency,
        asked_rate=asked.rate,
        requests_sent=asked.sent if sent is None else sent,
        requests_good=good,
        requests_failed=_sum(metrics, _FAILED),
        requests_cut_off=_sum(metrics, _UNFINISHED),
        duration_s=metrics.not_negative("vllm_estimated_duration_s") or None,
        request_rate=metrics.not_negative("responses_per_sec") or None,
        input_tokens_mean=_per_request(metrics, "total_input_tokens", good),
        output_tokens_mean=_per_request(metrics, "total_output_tokens", good),
        output_tok_s=metrics.not_negative("tokens_per_sec") or None,
        cache_hit_rate=metrics.not_negative("cache_hit_rate"),
        readings=_readings(metrics) if good else (),
        requests=_requests(metrics),
        conditions=_known({"tool": "BLIS", **conditions}),
        identity=_known(identity),
        findings=(*metrics.findings, *findings),
    )


def _readings(metrics: Fields) -> tuple[Reading, ...]:
    found = []
    for word, metric in _METRICS.items():
        for statistic in _STATISTICS:
            key = f"{word}_{statistic}_ms"
            value = metrics.not_negative(key)
            # BLIS writes 0 where it has no value; only a wait may really be none.
            if value is not None and (value > 0.0 or metric is Metric.QUEUE):
                found.append(Reading(metric, statistic, value, "ms", key))
    return tuple(found)


def _requests(metrics: Fields) -> RawRequests | None:
    rows = metrics.values.get("requests")
    if not rows:
        return None
    table = [
        [np.nan if value is None else value for value in (row.number(key) for key in _REQUEST)]
        for row in _each(metrics)
    ]
    arrived, inputs, outputs, ttft, e2e = known(np.array(table, dtype=np.float64)).T
    good = e2e > 0.0
    return RawRequests(
        unit="ms",
        good=good,
        ttft=np.where(ttft > 0.0, ttft, np.nan),
        e2e=np.where(good, e2e, np.nan),
        # Arrival alone is in seconds.
        start=arrived * _MS_PER_S,
        input_tokens=inputs,
        output_tokens=outputs,
    )


_REQUEST = ("arrived_at", "num_prefill_tokens", "num_decode_tokens", "ttft_ms", "e2e_ms")


def _each(metrics: Fields) -> list[Fields]:
    rows = metrics.values["requests"]
    if not isinstance(rows, list):
        return metrics.each("requests")
    found = [Fields(row, metrics.at(f"requests[{at}]")) for at, row in enumerate(rows) if isinstance(row, Mapping)]
    if len(found) < len(rows):
        at = next(at for at, row in enumerate(rows) if not isinstance(row, Mapping))
        raise RefusedFileError(
            "ingest.missing_field",
            t("An entry among the requests is no request"),
            fix=t("Send the file again as the tool wrote it"),
            place=metrics.at(f"requests[{at}]"),
        )
    return found


def _sum(metrics: Fields, keys: Sequence[str]) -> int | None:
    """Return the sum of counts, None where the version writes none of them."""
    counts = [count for key in keys if (count := metrics.count(key)) is not None]
    return sum(counts) if counts else None


def _per_request(metrics: Fields, key: str, good: int | None) -> float | None:
    total = metrics.not_negative(key)
    return total / good if total and good else None


def _known(values: Mapping[str, Scalar]) -> dict[str, Scalar]:
    return {name: value for name, value in values.items() if value is not None}
