"""Clean sweeps as neutral rows, and the files that three tools would write of them.

A row is one level in seconds: the samples' own figures (data/samples, measured by this project).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "samples"
BASES = ("emulator", "vllm_cpu")
METRICS = ("ttft", "tpot", "itl", "e2el")
STATISTICS = ("mean", "std", "p50", "p90", "p95", "p99")

Row = dict[str, float | str | None]
Files = dict[str, bytes]


def clean(base: str) -> list[Row]:
    """Return the levels of one sample, ascending; times in seconds."""
    rows = [_row(json.loads(path.read_text(encoding="utf-8"))) for path in sorted((SAMPLES / base).glob("*.json"))]
    return sorted(rows, key=lambda row: float(row["concurrency"] or 0))


def _row(document: Mapping[str, float]) -> Row:
    good = document["completed"]
    row: Row = {
        "model": "m-7b",
        "concurrency": document["max_concurrency"],
        "request_rate": None,
        "sent": document["num_prompts"],
        "good": good,
        "failed": document["failed"],
        "duration": document["duration"],
        "req_s": document["request_throughput"],
        "out_tok_s": document["output_throughput"],
        "total_tok_s": document["total_token_throughput"],
        "isl": document["total_input_tokens"] / good,
        "osl": document["total_output_tokens"] / good,
    }
    return row | {f"{m}_{s}": document[f"{s}_{m}_ms"] / 1000 for m in METRICS for s in STATISTICS}


def vllm(rows: list[Row]) -> Files:
    """Return one `vllm bench serve` result per level."""
    return {f"run/c{i:02d}.json": json.dumps(_vllm(row), allow_nan=True).encode() for i, row in enumerate(rows)}


def _vllm(row: Row) -> dict[str, object]:
    good, rate = row["good"], row["request_rate"]
    times = {f"{s}_{m}_ms": _times(row[f"{m}_{s}"], 1000) for m in METRICS for s in STATISTICS if f"{m}_{s}" in row}
    times |= {f"median_{m}_ms": times[f"p50_{m}_ms"] for m in METRICS if f"p50_{m}_ms" in times}
    return {
        "date": "20260101-000000",
        "backend": "openai",
        "model_id": row["model"],
        "tokenizer_id": row["model"],
        "num_prompts": row["sent"],
        "request_rate": "inf" if rate is None else rate,
        "burstiness": 1.0,
        "max_concurrency": row["concurrency"],
        "duration": row["duration"],
        "completed": good,
        "failed": row["failed"],
        "total_input_tokens": _times(row["isl"], good),
        "total_output_tokens": _times(row["osl"], good),
        "request_throughput": row["req_s"],
        "output_throughput": row["out_tok_s"],
        "total_token_throughput": row["total_tok_s"],
        **times,
    }


AIPERF = {"ttft": "time_to_first_token", "tpot": "inter_token_latency", "itl": "inter_chunk_latency"}
AIPERF |= {"e2el": "request_latency"}


def aiperf(rows: list[Row]) -> Files:
    """Return one AIPerf summary per level, in its folder."""
    return {
        f"run/level{i:02d}/profile_export_aiperf.json": json.dumps(_aiperf(row), allow_nan=True).encode()
        for i, row in enumerate(rows)
    }


def _aiperf(row: Row) -> dict[str, object]:
    load = {key: row[key] for key in ("concurrency", "request_rate")}
    names = {"mean": "avg", "std": "std", "p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}
    metrics: dict[str, object] = {
        AIPERF[m]: {"unit": "ms"} | {names[s]: _times(row[f"{m}_{s}"], 1000) for s in STATISTICS if f"{m}_{s}" in row}
        for m in METRICS
    }
    singles = {
        "request_count": ("requests", row["good"]),
        "error_request_count": ("requests", row["failed"]),
        "benchmark_duration": ("sec", row["duration"]),
        "request_throughput": ("requests/sec", row["req_s"]),
        "output_token_throughput": ("tokens/sec", row["out_tok_s"]),
        "total_token_throughput": ("tokens/sec", row["total_tok_s"]),
        "input_sequence_length": ("tokens", row["isl"]),
        "output_sequence_length": ("tokens", row["osl"]),
    }
    return {
        "schema_version": "1.1",
        "aiperf_version": "0.8.0",
        **{name: {"unit": unit, "avg": value} for name, (unit, value) in singles.items() if value is not None},
        **metrics,
        "input_config": {
            "endpoint": {"model_names": [row["model"]], "streaming": True},
            "loadgen": {key: value for key, value in load.items() if value is not None},
        },
    }


COLUMNS = {
    "model": "Model",
    "concurrency": "Concurrency",
    "request_rate": "Asked request rate (req/s)",
    "sent": "Requests sent",
    "good": "Completed requests",
    "failed": "Failed requests",
    "duration": "Duration (s)",
    "req_s": "Request throughput (req/s)",
    "out_tok_s": "Output token throughput (tok/s)",
    "total_tok_s": "Total token throughput (tok/s)",
    "isl": "Mean input tokens",
    "osl": "Mean output tokens",
}
_WORDS = {"mean": "mean", "std": "std"}


def table(rows: list[Row]) -> Files:
    """Return one CSV table with a row per level; times in milliseconds."""
    keys = [key for key in COLUMNS if any(row[key] is not None for row in rows)]
    times = [(m, s) for m in METRICS for s in STATISTICS if any(f"{m}_{s}" in row for row in rows)]
    names = {"ttft": "TTFT", "tpot": "TPOT", "itl": "ITL", "e2el": "E2E latency"}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*(COLUMNS[key] for key in keys), *(f"{names[m]} {_WORDS.get(s, s)} (ms)" for m, s in times)])
    for row in rows:
        cells = [row[key] for key in keys] + [_times(row.get(f"{m}_{s}"), 1000) for m, s in times]
        writer.writerow(["" if cell is None else cell for cell in cells])
    return {"run/sweep.csv": out.getvalue().encode()}


WRITERS: dict[str, Callable[[list[Row]], Files]] = {"vllm": vllm, "aiperf": aiperf, "table": table}


def _times(value: float | str | None, factor: float | str | None) -> float | str | None:
    if isinstance(value, int | float) and isinstance(factor, int | float):
        return value * factor
    return value
