"""LLMPerf (ray-project/llmperf): the summary of one run, or of a sweep keyed by concurrency. docs/formats/llmperf.md.

Seen: "2023-08-31" in the leaderboard's files and in a fork that keeps a whole sweep in one file.
All times are seconds. Its inter-token latency is the whole request over its output tokens, so the
time to the first token is in it: it is neither our ITL nor our TPOT and is not read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.ingest.bench_fields import scalars
from core.ingest.conditions import sorted_settings
from core.ingest.fields import Fields
from core.ingest.formats import llmperf_names as names
from core.ingest.names import model_in
from core.ingest.notices import none_completed
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.ingest.unmeasured import without_unmeasured
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = names.FORMAT_ID
LABEL = "LLMPerf summary"

RESULTS = "results_"
TIMES = {Metric.TTFT: "ttft_s", Metric.E2E: "end_to_end_latency_s"}
_STATISTICS = {"mean": "mean", "stddev": "sd"} | {f"quantiles_p{q}": f"p{q}" for q in (25, 50, 75, 90, 95, 99)}
_OWN = frozenset({*names.LENGTHS, "version", "name", "model", "num_concurrent_requests", "timestamp", "framework"})


def match(head: Head) -> float:
    """1 where a statistic stands under the name that LLMPerf flattens it to, at the top or one level down."""
    paths = json_paths(head.sample, depth=2)
    return float(any(_is_mark(path.rpartition(".")[2]) for path in paths))


def read(upload: Upload) -> RawFile:
    """Return one level per run of the file.

    Raises:
        RefusedFileError: not JSON, no LLMPerf summary, or a value that is not a number.
    """
    runs = names.runs_by_level(upload, _is_run)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=runs[0].text("version"),
        kind=Kind.MEASURED,
        levels=tuple(_level(run) for run in runs),
        findings=(names.itl_not_read(upload.name, f"{RESULTS}inter_token_latency_s"),),
    )


def _is_mark(key: str) -> bool:
    return key.startswith((f"{RESULTS}inter_token_latency_s_", f"{RESULTS}end_to_end_latency_s_"))


def _is_run(values: Mapping[str, object]) -> bool:
    return f"{RESULTS}num_requests_started" in values and f"{RESULTS}ttft_s_mean" in values


def _level(run: Fields) -> RawLevel:
    sent, failed = run.count(f"{RESULTS}num_requests_started"), run.count(f"{RESULTS}number_errors")
    good = run.count(f"{RESULTS}num_completed_requests")
    good = sent - failed if good is None and sent is not None and failed is not None and failed <= sent else good
    per_minute = run.not_negative(f"{RESULTS}num_completed_requests_per_min")
    readings = _readings(run, good)
    conditions, identity = _settings(run)
    return RawLevel(
        place=run.place,
        asked_concurrency=names.asked_concurrency(run, "num_concurrent_requests"),
        requests_sent=sent,
        requests_good=good,
        requests_failed=failed,
        duration_s=good * 60.0 / per_minute if good and per_minute else None,
        request_rate=per_minute / 60.0 if per_minute is not None else None,
        input_tokens_mean=run.not_negative(f"{RESULTS}number_input_tokens_mean") if good else None,
        output_tokens_mean=run.not_negative(f"{RESULTS}number_output_tokens_mean") if good else None,
        output_tok_s=run.not_negative(f"{RESULTS}mean_output_throughput_token_per_s"),
        readings=readings,
        sample_n=dict.fromkeys({reading.metric for reading in readings}, good) if good else {},
        conditions=conditions,
        identity=identity,
        run_key=names.run_key(run.not_negative(f"{RESULTS}ttft_s_mean") if good else None),
        findings=tuple(run.findings),
    )


def _readings(run: Fields, good: int | None) -> tuple[Reading, ...]:
    if good == 0:
        run.findings.append(none_completed(run.at(f"{RESULTS}num_completed_requests")))
        return ()
    found = []
    for metric, name in TIMES.items():
        for key, statistic in _STATISTICS.items():
            field = f"{RESULTS}{name}_{key}"
            value = run.not_negative(field)
            if value is not None:
                found.append(Reading(metric, statistic, value, "s", field))
    return without_unmeasured(run, found)


def _settings(run: Fields) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """Return conditions and identity: what was asked for, and what people added with --metadata."""
    rest = {k: v for k, v in scalars(run.values).items() if k not in _OWN and not k.startswith(RESULTS)}
    added = {key.removeprefix("metadata_"): _without_address(value) for key, value in rest.items()}
    conditions, identity = sorted_settings(added)
    # The leaderboard calls the provider of a hosted service its framework: that is no engine.
    identity["framework"] = run.text("framework")
    identity.update({key: run.not_negative(key) for key in names.LENGTHS})
    model, revision = model_in(run.text("model"))
    told: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "arrival": "closed loop",
        "tool": "LLMPerf",
    }
    return (
        conditions | {name: value for name, value in told.items() if value is not None},
        {name: value for name, value in identity.items() if value is not None},
    )


def _without_address(value: Scalar) -> Scalar:
    """Return a value as it is, an address as a digest: it tells services apart and names no host."""
    if not isinstance(value, str) or "://" not in value:
        return value
    return hashlib.sha256(value.encode()).hexdigest()[:12]
