"""One reading of one table of requests in a process of its own: `python -m benchmarks.speed.requests_task TASK FILE`.

TASK: plimsoll (through `core.pipeline.load`), decode (msgspec, line by line, into the fields that are read), blocks
(msgspec, all lines of a block at once), or duckdb (the same exact quantiles on one thread). A small file of the same
kind is read first, so that no library is loaded within the time. Prints CPU seconds and memory in MB as JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from benchmarks.speed import requests
from benchmarks.speed.measure import memory_mb
from core.ingest.source import OnDisk
from core.model.metric import Metric
from core.pipeline import load

WANTED = ("p50", "p90", "p99")
PIECE = 1 << 16


class Row(msgspec.Struct):
    request_start_ns: float | None = None
    concurrency: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    ttft_ms: float | None = None
    e2e_ms: float | None = None
    error: str | None = None


class Untracked(Row, gc=False):
    """The same, which the garbage collector does not look at."""


def decode(path: Path) -> int:
    """Decode every row and keep none: the least that a reader of these fields does line by line."""
    one = msgspec.json.Decoder(Row).decode
    count = 0
    with path.open("rb") as file:
        for line in file:
            one(line)
            count += 1
    return count


def blocks(path: Path) -> int:
    """Decode every row of a block at once, without the garbage collector: the least of all."""
    several = msgspec.json.Decoder(Untracked).decode_lines
    count, rest = 0, b""
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            end = piece.rfind(b"\n") + 1
            count += len(several(rest + piece[:end]))
            rest = piece[end:]
    return count


def duckdb(path: Path) -> int:
    """Return the good requests of all levels, after their exact quantiles and means were worked out."""
    import duckdb as engine

    if path.suffix == ".parquet":
        table = f"read_parquet('{path}')"
    else:
        table = f"read_csv('{path}', header=true, auto_detect=false, delim=',', columns={requests.TYPES})"
    cuts = "[0.5, 0.9, 0.99]"
    with engine.connect() as database:
        database.execute("set threads=1")
        rows = database.execute(
            f"select concurrency, count(*), avg(input_tokens), avg(output_tokens), min(request_start_ns), "
            f"max(request_start_ns + e2e_ms * 1e6), quantile_cont(ttft_ms, {cuts}), quantile_cont(e2e_ms, {cuts}), "
            f"quantile_cont((e2e_ms - ttft_ms) / (output_tokens - 1), {cuts}) "
            f"from {table} where error is null group by 1 order by 1"
        ).fetchall()
    return sum(row[1] for row in rows)


def plimsoll(path: Path) -> int:
    """Return the good requests of all stages.

    Raises:
        RuntimeError: the file was refused, or a level has no exact p50, p90 and p99.
    """
    loaded = load([OnDisk(path.name, path)])
    if loaded.refused or len(loaded.runs) != 1:
        raise RuntimeError(f"not one run: {loaded.refused}")
    stages = loaded.runs[0].stages
    for stage in stages:
        for metric in (Metric.TTFT, Metric.TPOT, Metric.E2E):
            if stage.statistics[metric].rule != "linear" or any(stage.value(metric, each) is None for each in WANTED):
                raise RuntimeError(f"{metric} has no exact percentiles")
    return sum(stage.requests_good or 0 for stage in stages)


TASKS: dict[str, Callable[[Path], int]] = {"decode": decode, "blocks": blocks, "duckdb": duckdb, "plimsoll": plimsoll}


def main(task: str, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / f"small{path.suffix}"
        requests.write(small, 1_000)
        TASKS[task](small)
    before = memory_mb("self", "VmRSS")
    start = time.process_time()
    count = TASKS[task](path)
    used = time.process_time() - start
    told = {"cpu_s": used, "requests": count, "upload_mb": 0.0, "before_mb": before}
    print(json.dumps({**told, "peak_mb": memory_mb("self", "VmHWM")}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
