"""One reading of one file in a process of its own: `python -m benchmarks.speed.reading_task TASK FILE`.

TASK: aiperf or vllm (through `core.pipeline.load`), aiperf_decode or vllm_decode (msgspec alone).
Prints CPU seconds and memory in MB as JSON.
"""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path

import msgspec

from benchmarks.speed.measure import MEGABYTE, memory_mb
from core.ingest.raw import Upload
from core.model.metric import Metric
from core.model.stage import Stage
from core.pipeline import load

WANTED = ("p50", "p90", "p99")


class Number(msgspec.Struct):
    value: float | None = None
    unit: str | None = None


class Numbers(msgspec.Struct):
    value: list[float] | None = None
    unit: str | None = None


class Metrics(msgspec.Struct):
    time_to_first_token: Number | None = None
    request_latency: Number | None = None
    inter_token_latency: Number | None = None
    inter_chunk_latency: Numbers | None = None
    input_sequence_length: Number | None = None
    output_sequence_length: Number | None = None


class Metadata(msgspec.Struct):
    benchmark_phase: str | None = None
    was_cancelled: bool | None = None
    request_start_ns: float | None = None


class Failure(msgspec.Struct):
    code: int | str | None = None
    type: str | None = None


class Record(msgspec.Struct):
    metadata: Metadata
    metrics: Metrics
    error: Failure | None = None


class Detailed(msgspec.Struct):
    input_lens: list[int]
    output_lens: list[int]
    ttfts: list[float]
    itls: list[list[float]]
    latencies: list[float]
    start_times: list[float]
    errors: list[str]


def decode_lines(data: bytes) -> None:
    """Decode every record and keep none: the least that any reader of these fields does."""
    decode = msgspec.json.Decoder(Record).decode
    for line in io.BytesIO(data):
        decode(line)


def decode_document(data: bytes) -> None:
    msgspec.json.Decoder(Detailed).decode(data)


def read(name: str, data: bytes) -> Stage:
    """Return the one stage of a file.

    Raises:
        RuntimeError: it was refused, or has no exact p50, p90 and p99 of TTFT and TPOT.
    """
    loaded = load([Upload(name, data)])
    if loaded.refused or len(loaded.runs) != 1 or len(loaded.runs[0].stages) != 1:
        raise RuntimeError(f"not one stage: {loaded.refused}")
    stage = loaded.runs[0].stages[0]
    for metric in (Metric.TTFT, Metric.TPOT):
        if stage.statistics[metric].rule != "linear" or any(stage.value(metric, each) is None for each in WANTED):
            raise RuntimeError(f"{metric} has no exact percentiles")
    return stage


def main(task: str, path: Path) -> None:
    data = path.read_bytes()
    before = memory_mb("self", "VmRSS")
    start = time.process_time()
    if task.endswith("_decode"):
        (decode_lines if task.startswith("aiperf") else decode_document)(data)
        requests = 0
    else:
        stage = read(path.name, data)
        requests = stage.requests_sent or 0
    used = time.process_time() - start
    peak = memory_mb("self", "VmHWM")
    told = {"cpu_s": used, "requests": requests, "upload_mb": len(data) / MEGABYTE, "before_mb": before}
    print(json.dumps({**told, "peak_mb": peak}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
