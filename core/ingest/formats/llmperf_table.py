"""LLMPerf's reduced table keyed by concurrency (a fork's `*_summary.json`): means only. docs/formats/llmperf.md.

The same runs stand in full in the `*_results.json` beside it, and merge with it there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.ingest.fields import Fields
from core.ingest.formats import llmperf_names as names
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Upload
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = names.FORMAT_ID
LABEL = "LLMPerf table by concurrency"

_TTFT, _ITL = "first-time-to-token_mean_in_ms", "latency_ms_per_token"
_ASKED = {"mean_input_tokens": "input_token_length", "mean_output_tokens": "output_token_length"}


def match(head: Head) -> float:
    """1 where the mean TTFT stands under the hyphenated name that only this table has."""
    return float(any(path.rpartition(".")[2] == _TTFT for path in json_paths(head.sample, depth=2)))


def read(upload: Upload) -> RawFile:
    """Return one level per key.

    Raises:
        RefusedFileError: not JSON, another document, or a value that is not a number.
    """
    runs = names.runs_by_level(upload, _is_run)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="table",
        kind=Kind.MEASURED,
        levels=tuple(_level(run) for run in runs),
        findings=(names.itl_not_read(upload.name, _ITL),),
    )


def _is_run(values: Mapping[str, object]) -> bool:
    return {_TTFT, "concurrency"} <= values.keys()


def _level(run: Fields) -> RawLevel:
    ttft_ms = run.not_negative(_TTFT)
    asked = {name: run.not_negative(key) for name, key in _ASKED.items()}
    return RawLevel(
        place=run.place,
        asked_concurrency=names.asked_concurrency(run, "concurrency"),
        output_tok_s=run.not_negative("throughput_token_per_s"),
        readings=(Reading(Metric.TTFT, "mean", ttft_ms, "ms", _TTFT),) if ttft_ms else (),
        conditions={"arrival": "closed loop", "tool": "LLMPerf"},
        identity={name: value for name, value in asked.items() if value is not None},
        run_key=names.run_key(ttft_ms / 1e3 if ttft_ms else None),
        findings=tuple(run.findings),
    )
