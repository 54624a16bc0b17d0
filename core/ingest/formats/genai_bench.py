"""genai-bench (sgl-project): one JSON per traffic scenario and level of a run's folder. docs/formats/genai_bench.md.

Seen: 0.0.5, and the mock of a run of 2024 (requests per minute, TPOT over all tokens). Times are in
`_time_unit`, seconds where it is absent. Which server it was says `experiment_metadata.json`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats import genai_bench_records as records
from core.ingest.notices import no_load, none_completed
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.ingest.unmeasured import without_unmeasured
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = "genai_bench"
LABEL = "genai-bench"

_TIMES = {Metric.TTFT: "ttft", Metric.TPOT: "tpot", Metric.E2E: "e2e_latency"}
_STATISTICS = {"mean": "mean", "stddev": "sd"} | {f"p{q}": f"p{q}" for q in (25, 50, 75, 90, 95, 99)}
_MARKS = frozenset({"aggregated_metrics.scenario", "aggregated_metrics.num_concurrency"})
_UNITS = ("s", "ms")
_AGAIN = t("Send the folder of the run as genai-bench wrote it")


def match(head: Head) -> float:
    """1 for aggregated metrics that name their traffic scenario."""
    return float(json_paths(head.sample, depth=2) >= _MARKS)


def read(upload: Upload) -> RawFile:
    """Return the one level of a file.

    Raises:
        RefusedFileError: not JSON, cut off, another document, an unknown unit, or a value that is not a number.
    """
    document = json_document(upload)
    top = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    run = top.inner("aggregated_metrics")
    if not isinstance(run.values.get("stats"), Mapping):
        raise refusal(
            "genai_bench.no_metrics",
            t("This is no run of genai-bench: its aggregated metrics are missing"),
            upload.name,
            _AGAIN,
            field="aggregated_metrics.stats",
        )
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="per minute" if "requests_per_minute" in run.values else None,
        kind=Kind.MEASURED,
        levels=(_level(top, run),),
    )


def _level(top: Fields, run: Fields) -> RawLevel:
    unit = _unit(top)
    good, failed = run.count("num_completed_requests"), run.count("num_error_requests")
    rate, per_minute = run.not_negative("requests_per_second"), run.not_negative("requests_per_minute")
    rate = per_minute / 60.0 if rate is None and per_minute is not None else rate
    duration_s = run.not_negative("run_duration") or (good / rate if good and rate else None)
    concurrency, asked_rate, applied_rate = _asked(run)
    stats = run.inner("stats")
    requests, by_gaps = records.requests_of(top, good, failed, unit)
    readings, sample_n = _readings(run, stats, unit, good, by_gaps=by_gaps)
    return RawLevel(
        place=run.place,
        asked_concurrency=concurrency,
        asked_rate=asked_rate,
        applied_rate=applied_rate,
        requests_sent=good + failed if good is not None and failed is not None else run.count("num_requests"),
        requests_good=good,
        requests_failed=failed,
        duration_s=duration_s,
        request_rate=rate,
        input_tokens_mean=stats.inner("num_input_tokens").not_negative("mean"),
        output_tokens_mean=stats.inner("num_output_tokens").not_negative("mean"),
        output_tok_s=run.not_negative("mean_output_throughput_tokens_per_s"),
        total_tok_s=run.not_negative("mean_total_tokens_throughput_tokens_per_s"),
        readings=readings,
        sample_n=sample_n,
        requests=requests,
        conditions={"tool": "genai-bench"} | ({"arrival": "closed loop"} if concurrency else {}),
        identity=_identity(run),
        findings=tuple(run.findings),
    )


def _unit(top: Fields) -> str:
    unit = top.values.get("_time_unit", "s")
    if unit not in _UNITS:
        raise refusal(
            "genai_bench.unit_unknown",
            t("The file's times are neither in seconds nor in milliseconds"),
            top.place.file or "",
            _AGAIN,
            field="_time_unit",
        )
    return str(unit)


def _asked(run: Fields) -> tuple[float | None, float | None, float | None]:
    """Return concurrency, asked rate and applied rate.

    Runs at a rate hold it in `request_rate`, or in `num_concurrency` where an arrival rate stands beside it.
    """
    level, arrivals = run.not_negative("num_concurrency"), run.not_negative("arrival_requests_per_second")
    if run.text("iteration_type") == "request_rate":
        return None, run.rate("request_rate"), arrivals
    if arrivals is not None:
        return None, level, arrivals
    if not level:
        run.findings.append(no_load(run.at("num_concurrency")))
    return level or None, None, None


def _identity(run: Fields) -> dict[str, Scalar]:
    told: dict[str, Scalar] = {"scenario": run.text("scenario"), "batch_size": run.not_negative("batch_size")}
    return {name: value for name, value in told.items() if value is not None}


def _readings(
    run: Fields, stats: Fields, unit: str, good: int | None, *, by_gaps: bool | None
) -> tuple[tuple[Reading, ...], dict[Metric, int]]:
    if good == 0:
        run.findings.append(none_completed(run.at("num_completed_requests")))
        return (), {}
    found, sample_n = [], {}
    for metric, name in _TIMES.items():
        values = stats.inner(name)
        count = records.count_of(values)
        if metric is Metric.TPOT and values.not_negative("mean"):
            run.findings.extend(records.tpot_findings(values.place, count, good, by_gaps=by_gaps))
            if not by_gaps:
                continue
        if count is not None:
            sample_n[metric] = count
        for key, statistic in _STATISTICS.items():
            value = values.not_negative(key)
            if value is not None:
                found.append(Reading(metric, statistic, value, unit, f"{name}.{key}"))
    kept = without_unmeasured(run, found)
    return kept, {metric: n for metric, n in sample_n.items() if any(r.metric is metric for r in kept)}
