"""vLLM `bench serve` (also `benchmark_serving.py --save-result`): JSON, one object per run.

Seen: May 2025, InferenceX' fork of April 2026, its "token position" variant in seconds, 0.25.1,
0.32. `--append-result` writes one object a line, `bench sweep serve` a list of objects.
No file names the server's hardware, engine or version. Details: docs/formats/vllm_bench.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.i18n import t
from core.ingest.bench_fields import (
    accelerators_from_name,
    level_from_name,
    positive_rate,
    rate_that_was_applied,
    scalars,
    statistics_of,
    tokens_mean,
    total_tok_s,
)
from core.ingest.bench_records import requests_of
from core.ingest.bench_runs import runs_in
from core.ingest.byproduct import CODE as BY_PRODUCT
from core.ingest.conditions import known, sorted_settings
from core.ingest.day import day_in
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.names import model_in, without_load
from core.ingest.notices import system_rtfx
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.model.finding import Finding, Severity
from core.model.run import Kind

FORMAT_ID = "vllm_bench"
LABEL = "vLLM bench serve (JSON)"

_STAMPS = {"model_id", "num_prompts", "completed", "total_input_tokens", "request_throughput"}
_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*")

# Texts that the tool itself writes; any other text was added by a person or a script.
_OWN_TEXTS = {
    "date",
    "backend",
    "endpoint_type",
    "label",
    "model_id",
    "tokenizer_id",
    "request_rate",
    "ramp_up_strategy",
}


def match(head: Head) -> float:
    """Return 1 for a run of this tool, or a list of them; keys nested in anything else do not count."""
    first = head.sample[found.end() :] if (found := _LIST.match(head.sample)) else head.sample
    return float(json_paths(first, depth=1) >= _STAMPS)


def read(upload: Upload) -> RawFile:
    """Return the runs of a file, one level each.

    Raises:
        RefusedFileError: not JSON, cut off, or not a run of this tool; with its place.
    """
    runs = runs_in(upload, _is_run, t("This is not a run of vLLM bench serve: its counts or its duration are missing"))
    levels = tuple(level_of(fields, alone=len(runs) == 1) for fields in without_warm_up(runs))
    seconds = any(reading.unit == "s" for level in levels for reading in level.readings)
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version="seconds" if seconds else None,
        kind=Kind.MEASURED,
        levels=levels,
    )


def _is_run(values: Mapping[str, object]) -> bool:
    return {"completed", "duration", "num_prompts"} <= values.keys()


def without_warm_up(runs: Sequence[Fields]) -> Sequence[Fields]:
    """Return the runs of a sweep that count; its warm-up has the number -1.

    Raises:
        RefusedFileError: there is nothing but a warm-up.
    """
    kept = [fields for fields in runs if fields.values.get("run_number") != -1]
    if kept:
        return kept
    raise refusal(
        BY_PRODUCT,
        t("This is the warm-up of a sweep's run: it is too short to count"),
        runs[0].place.file or "",
        t("Send run=0.json or summary.json of the same folder"),
    )


def level_of(fields: Fields, *, alone: bool) -> RawLevel:
    """Return one level.

    Args:
        fields: a run's keys, from JSON or from a row.
        alone: whether the file holds no other, so that its name can tell its load.

    Raises:
        RefusedFileError: a value is no number.
    """
    completed, sent = fields.count("completed"), fields.count("num_prompts")
    readings, sample_n = statistics_of(fields, completed)
    asked_concurrency, asked_rate, arrival = _asked(fields, alone=alone)
    conditions, identity = _settings(fields)
    output_tok_s = fields.not_negative("output_throughput")
    duration_s = fields.not_negative("duration")
    max_num_seqs = conditions.get("max_num_seqs")
    if rtfx := fields.number("rtfx"):
        fields.findings.append(system_rtfx(fields.at("rtfx"), rtfx))
    return RawLevel(
        place=fields.place,
        measured_on=day_in(fields.text("date")),
        asked_concurrency=asked_concurrency,
        asked_rate=asked_rate,
        requests_sent=sent,
        requests_good=completed,
        requests_failed=_failed(fields, sent, completed),
        duration_s=duration_s,
        request_rate=fields.not_negative("request_throughput"),
        input_tokens_mean=tokens_mean(fields, "total_input_tokens", completed),
        output_tokens_mean=tokens_mean(fields, "total_output_tokens", completed),
        output_tok_s=output_tok_s,
        total_tok_s=total_tok_s(fields, "total_token_throughput", output_tok_s),
        max_num_seqs=float(max_num_seqs) if isinstance(max_num_seqs, int) else None,
        acceptance_length=fields.not_negative("spec_decode_acceptance_length"),
        readings=readings,
        sample_n=sample_n,
        requests=requests_of(fields, completed),
        conditions=conditions | {"arrival": arrival},
        identity=identity,
        run_key=_run_key(fields, duration_s),
        findings=tuple(fields.findings),
    )


def _asked(fields: Fields, *, alone: bool) -> tuple[float | None, float | None, str | None]:
    """Return concurrency and rate as asked, and the arrival process."""
    rate = positive_rate(fields, "request_rate")
    concurrency = fields.not_negative("max_concurrency") or None
    ramp = fields.text("ramp_up_strategy")
    if ramp is not None:
        fields.findings.append(_ramped(fields))
        return None, None, f"ramp, {ramp}"
    if rate is not None and rate_that_was_applied(fields, rate) is None:
        return concurrency, None, None
    if rate is not None:
        burstiness = fields.not_negative("burstiness")
        if burstiness is None:
            return concurrency, rate, None
        return concurrency, rate, "poisson" if burstiness == 1.0 else f"gamma, burstiness {burstiness:g}"
    concurrency, rate = level_from_name(fields, concurrency, "request_rate", alone=alone)
    return concurrency, rate, "closed loop" if concurrency is not None else None


def _settings(fields: Fields) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """Return conditions and identity: the tool's own, added ones, and accelerators by the file's name."""
    added, identity = sorted_settings(_added(fields.values))
    backend, endpoint = fields.text("backend"), fields.text("endpoint_type")
    label = without_load(fields.text("label") or "")
    own = {"backend": backend, "endpoint_type": endpoint if endpoint != backend else None, "label": label or None}
    model, revision = model_in(fields.text("model_id"))
    told = {"model": model, "model_revision": revision, "tool": "vLLM bench serve"}
    conditions = accelerators_from_name(fields, added) | {k: v for k, v in told.items() if v is not None}
    return conditions, identity | {name: value for name, value in own.items() if value is not None}


def _added(values: Mapping[str, object]) -> dict[str, Scalar]:
    """Return what a person (--metadata) or a sweep added.

    Metadata is text, swept settings stand behind run_number. Any other number is a result,
    perhaps of a newer version of the tool, unless its name is a condition's.
    """
    added: dict[str, Scalar] = {}
    swept = False
    for key, value in scalars(values).items():
        swept = swept or key == "run_number"
        if key not in _OWN_TEXTS and (swept or isinstance(value, str) or known(key)):
            added[key] = value
    return added


def _failed(fields: Fields, sent: int | None, completed: int | None) -> int | None:
    failed = fields.count("failed")
    if failed is not None or sent is None or completed is None:
        return failed
    if completed <= sent:
        return sent - completed
    fields.findings.append(
        Finding(
            code="ingest.counts_disagree",
            severity=Severity.WARNING,
            where=fields.at("completed"),
            what=t("{completed} requests completed, but only {sent} were sent", completed=completed, sent=sent),
            consequence=t("How many failed is treated as unknown"),
            fix=t("Check whether the file was edited"),
        )
    )
    return None


def _run_key(fields: Fields, duration_s: float | None) -> str | None:
    date = fields.text("date")
    if date is None or duration_s is None:
        return None
    return f"{date}|{fields.text('model_id')}|{fields.values.get('max_concurrency')}|{duration_s:.6f}"


def _ramped(fields: Fields) -> Finding:
    start, end = fields.rate("ramp_up_start_rps"), fields.rate("ramp_up_end_rps")
    return Finding(
        code="ingest.ramped_load",
        severity=Severity.WARNING,
        where=fields.at("ramp_up_strategy"),
        what=t("The rate rose from {start} to {end} requests/s during the run", start=f"{start}", end=f"{end}"),
        consequence=t("This is not one load level, so it forms a run of its own"),
        fix=t("Measure steady levels with --max-concurrency"),
    )
