"""The metrics that AISimulate writes, alone in prediction.json and of every candidate in a recommendation."""

from __future__ import annotations

from core.ingest.fields import Fields
from core.ingest.names import without_load
from core.ingest.notices import none_completed
from core.ingest.raw import RawLevel, Reading, Scalar
from core.model.metric import Metric

TELLING = frozenset({"completed_requests", "duration_ms", "request_throughput_rps", "output_throughput_tok_s"})
"""Keys that a report always has."""

_METRICS = {"ttft": Metric.TTFT, "tpot": Metric.TPOT, "itl": Metric.ITL, "e2e_latency": Metric.E2E}
_STATISTICS = {"mean": "mean", "std": "sd", "median": "p50", "p75": "p75", "p90": "p90", "p95": "p95", "p99": "p99"}
_MS_PER_S, _MS_PER_HOUR = 1e3, 3.6e6
_WHOLE_WITHIN = 1e-3
_MOST = 1e6


def level_of(report: Fields) -> RawLevel:
    """Return a report as a level without its load.

    Raises:
        RefusedFileError: a field that is no number.
    """
    good, sent = report.count("completed_requests"), report.count("num_requests")
    duration_ms = report.not_negative("duration_ms")
    if good == 0:
        report.findings.append(none_completed(report.place))
    # The file names no deployment: two folders are two of them, but for the load in their names.
    folder, slash, _ = (report.place.file or "").rpartition("/")
    # Latencies and tokens are of completed requests; input tokens may be of all, which are then the same.
    whole = good if good == sent else None
    return RawLevel(
        place=report.place,
        requests_sent=sent,
        requests_good=good,
        duration_s=duration_ms / _MS_PER_S if duration_ms else None,
        request_rate=report.not_negative("request_throughput_rps") or None,
        input_tokens_mean=_each(report, "total_input_tokens", whole),
        output_tokens_mean=_each(report, "total_output_tokens", good),
        output_tok_s=report.not_negative("output_throughput_tok_s") or None,
        cache_hit_rate=report.not_negative("prefix_cache_reused_ratio"),
        readings=_readings(report) if good else (),
        sample_n=_samples(report),
        conditions=_conditions(report, duration_ms),
        identity={"folder": without_load(folder)},
        run_key=f"aisimulate|{folder}" if slash else None,
    )


def _readings(report: Fields) -> tuple[Reading, ...]:
    found = []
    for word, metric in _METRICS.items():
        if report.count(f"num_{word}_samples") == 0:
            continue
        for written, statistic in _STATISTICS.items():
            key = f"{written}_{word}_ms"
            value = report.not_negative(key)
            # A zero without a sample is no fast answer.
            if value is not None and (value > 0.0 or statistic == "sd"):
                found.append(Reading(metric, statistic, value, "ms", key))
    return tuple(found)


def _samples(report: Fields) -> dict[Metric, int]:
    counts = {metric: report.count(f"num_{word}_samples") for word, metric in _METRICS.items()}
    return {metric: count for metric, count in counts.items() if count}


def _conditions(report: Fields, duration_ms: float | None) -> dict[str, Scalar]:
    """Return the tool, and how many accelerators were there on average, where that is a whole number."""
    hours = report.not_negative("gpu_hours")
    count = hours / (duration_ms / _MS_PER_HOUR) if hours and duration_ms else 0.0
    whole = round(count) if count <= _MOST else 0
    conditions: dict[str, Scalar] = {"tool": "AISimulate"}
    if whole and abs(count - whole) <= _WHOLE_WITHIN * whole:
        conditions["accelerator_count"] = whole
    return conditions


def _each(report: Fields, key: str, requests: int | None) -> float | None:
    total = report.not_negative(key)
    return total / requests if total and requests else None
