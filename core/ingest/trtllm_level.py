"""One report of `trtllm-bench` to one load level; the printed report has the same parts as the JSON.

Source: tensorrt_llm/bench/dataclasses/reporting.py, 2025; docs/formats/trtllm_bench.md.
"""

from __future__ import annotations

from core.ingest.fields import Fields
from core.ingest.names import concurrency_in, from_name, model_in
from core.ingest.notices import no_load, none_completed
from core.ingest.raw import RawLevel, Reading, Scalar
from core.model.metric import Metric

BURST = 0.33
"""Share of the run within which a tool that sends everything at once is done sending."""

_STATISTICS = {"average": "mean", "p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}
_ISSUE_UNIT = 1e18
"""The report multiplies nanoseconds per request by 1e9, and calls it requests per second."""


def level_of(report: Fields, *, alone: bool) -> RawLevel:
    """Return one level.

    Args:
        report: engine, machine, world_info, request_info, performance, streaming_metrics.
        alone: whether the file holds no other, so that its name can tell its load.

    Raises:
        RefusedFileError: a value is no number.
    """
    asked, performance = report.inner("request_info"), report.inner("performance")
    done = asked.count("num_requests")
    concurrency = concurrency_in(report.place.file or "") if alone else None
    burst = concurrency is None and _at_once(report)
    if done == 0:
        report.findings.append(none_completed(asked.at("num_requests")))
    if concurrency is not None:
        report.findings.append(from_name(report.place, "asked_concurrency", concurrency))
    elif not burst:
        report.findings.append(no_load(report.place))
    total_ms = performance.not_negative("total_latency_ms")
    return RawLevel(
        place=report.place,
        asked_concurrency=concurrency,
        measured_concurrency=asked.not_negative("avg_num_concurrent_requests"),
        # A request that fails never enters the report, so that nothing tells how many were sent.
        requests_good=done,
        duration_s=total_ms / 1e3 if total_ms is not None else None,
        request_rate=performance.not_negative("request_throughput_req_s"),
        input_tokens_mean=asked.not_negative("avg_input_length"),
        output_tokens_mean=asked.not_negative("avg_output_length"),
        output_tok_s=performance.not_negative("system_output_throughput_tok_s"),
        total_tok_s=performance.not_negative("system_total_throughput_tok_s"),
        max_num_seqs=report.inner("world_info").not_negative("max_batch_size"),
        acceptance_length=_acceptance_length(report),
        readings=_readings(report) if done != 0 else (),
        conditions=_conditions(report)
        | {"arrival": "unbounded" if burst else "closed loop" if concurrency is not None else None},
        identity=_identity(report),
        findings=tuple(report.findings),
    )


def _at_once(report: Fields) -> bool:
    """Return whether everything was sent at the start: then the load only drains, and is no level."""
    sent = report.inner("request_info").not_negative("num_requests")
    total_ms = report.inner("performance").not_negative("total_latency_ms")
    issued = report.inner("world_info").not_negative("issue_rate")
    if not sent or not total_ms or issued is None:
        return False
    sending_s = sent * issued / _ISSUE_UNIT if issued > 1e9 else sent / issued if issued else 0.0
    return sending_s < BURST * total_ms / 1e3


def _readings(report: Fields) -> tuple[Reading, ...]:
    performance, streaming = report.inner("performance"), report.inner("streaming_metrics")
    sources = (
        (Metric.E2E, performance, "request_latency_percentiles_ms", "avg_request_latency_ms"),
        (Metric.TTFT, streaming, "ttft_percentiles", "avg_ttft_ms"),
        (Metric.TPOT, streaming, "tpot_percentiles", "avg_tpot_ms"),
    )
    found: list[Reading] = []
    for metric, part, percentiles, mean in sources:
        for key, statistic in _STATISTICS.items():
            value = part.inner(percentiles).not_negative(key)
            field = f"{percentiles}.{key}"
            if value is None and statistic == "mean":
                value, field = part.not_negative(mean), mean
            if value is not None:
                found.append(Reading(metric, statistic, value, "ms", field))
    return tuple(found)


def _conditions(report: Fields) -> dict[str, Scalar]:
    engine, world, machine = report.inner("engine"), report.inner("world_info"), report.inner("machine")
    model, revision = model_in(engine.text("model") or engine.text("model_path"))
    told: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "precision": engine.text("quantization") or engine.text("dtype"),
        "kv_precision": engine.text("kv_cache_dtype"),
        "accelerator": machine.text("name"),
        "accelerator_count": world.count("world_size"),
        "accelerator_memory_gb": machine.not_negative("memory.total"),
        **{name: _size(world, f"{name}_size") for name in ("tp", "pp", "ep")},
        "max_num_seqs": world.count("max_batch_size"),
        "engine": "TensorRT-LLM",
        "engine_version": engine.text("version"),
        "speculation": report.inner("decoding_stats").text("mode"),
        "tool": "trtllm-bench",
    }
    return {name: value for name, value in told.items() if value not in (None, 0)}


def _size(world: Fields, key: str) -> int | None:
    """Return how many accelerators share one kind of work; -1 is the tool's word for "not set"."""
    size = world.number(key)
    return int(size) if size and size > 0.0 else None


def _identity(report: Fields) -> dict[str, Scalar]:
    engine, world = report.inner("engine"), report.inner("world_info")
    told: dict[str, Scalar] = {
        "backend": engine.text("backend"),
        "max_num_tokens": world.count("max_num_tokens"),
        "scheduling_policy": world.text("scheduling_policy"),
        "kv_cache_percentage": world.number("kv_cache_percentage"),
    }
    return {name: value for name, value in told.items() if value is not None}


def _acceptance_length(report: Fields) -> float | None:
    return report.inner("decoding_stats").inner("acceptance_length_percentiles").not_negative("average")
