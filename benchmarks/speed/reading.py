"""Large per-request files to a stage with exact percentiles, against decoding their fields alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.speed.measure import Row
from benchmarks.speed.records import aiperf_lines, vllm_document
from benchmarks.speed.requests import write
from core.settings import LIMITS

ROOT = Path(__file__).resolve().parents[2]
REPEATS = 5
GAPS = 30
VLLM_REQUESTS, VLLM_GAPS = 65_000, 127
MANY, MOST = 2_000_000, 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The best of several readings of one file, each in a process of its own.

    Attributes:
        cpu_s: seconds, the least.
        requests: in the stage.
        upload_mb: bytes of the file, held throughout.
        before_mb: memory with the program and the file loaded, before reading.
        peak_mb: highest memory.
    """

    cpu_s: float
    requests: int
    upload_mb: float
    before_mb: float
    peak_mb: float


def rows() -> list[Row]:
    """Return every line of this part."""
    files = {
        "AIPerf records as 0.13 writes them": ("aiperf", "full_c64.jsonl", aiperf_lines(LIMITS.file_bytes, gaps=GAPS)),
        "AIPerf records, as short as can be": ("aiperf", "short_c64.jsonl", aiperf_lines(LIMITS.file_bytes, gaps=0)),
        "vLLM --save-detailed": ("vllm", "detailed.json", vllm_document(VLLM_REQUESTS, gaps=VLLM_GAPS)),
    }
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for what, (task, name, data) in files.items():
            path = Path(folder) / name
            path.write_bytes(data)
            found += _rows(what, path, task)
            path.unlink()
    return found


def many_rows(rows: int = MANY, repeats: int = 3, memory: float = 400.0) -> list[Row]:
    """Return the lines about so many requests in one file of each kind; `memory` is the budget in MB."""
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for ending, least in ((".jsonl", "decode"), (".csv", "duckdb"), (".parquet", "duckdb")):
            path = Path(folder) / f"requests{ending}"
            write(path, rows)
            found += _against(path, least, repeats, memory)
            path.unlink()
    return found


def most_rows() -> list[Row]:
    """Return the lines about twenty million requests: one reading each, which takes half an hour."""
    return many_rows(MOST, 1, 1_000.0)


def _against(path: Path, yardstick: str, repeats: int, memory: float) -> list[Row]:
    """Compare reading a table of requests with decoding it, or with DuckDB on one thread, by turns."""
    tasks = (yardstick, *(["blocks"] if yardstick == "decode" else []), "plimsoll")
    size = path.stat().st_size / 1e6
    readings = best_of(path, tasks, module="benchmarks.speed.requests_task", repeats=repeats)
    least, read = readings[0], readings[-1]
    also = f"; decoding whole blocks takes {readings[1].cpu_s:.1f} s" if yardstick == "decode" else ""
    what = f"{read.requests / 1e6:.0f} million requests, {path.suffix[1:].upper()} of {size:,.0f} MB"
    against = "a typed decode" if yardstick == "decode" else "DuckDB on one thread"
    return [
        Row(
            what=f"{what}: CPU over that of {against}",
            value=read.cpu_s / least.cpu_s,
            unit="x",
            budget=1.6 if yardstick == "decode" else 1.5,
            note=f"{read.cpu_s:.1f} s over {least.cpu_s:.1f} s{also}",
        ),
        Row(
            what=f"{what}: peak memory",
            value=read.peak_mb,
            unit="MB",
            budget=memory,
            note=f"with the program and its libraries, {read.before_mb:.0f} MB before",
        ),
    ]


def _rows(what: str, path: Path, task: str) -> list[Row]:
    least, read = best_of(path, (f"{task}_decode", task))
    size = f"{read.requests:,} requests, {read.upload_mb:.0f} MB"
    return [
        Row(
            what=f"{what}: CPU over that of decoding",
            value=read.cpu_s / least.cpu_s,
            unit="x",
            budget=1.6,
            note=f"{size}; {read.cpu_s:.2f} s over {least.cpu_s:.2f} s",
        ),
        Row(
            what=f"{what}: peak memory beside the upload",
            value=read.peak_mb - read.upload_mb,
            unit="MB",
            budget=400.0,
            note=f"peak {read.peak_mb:.0f} MB, upload {read.upload_mb:.0f} MB, "
            f"program alone {read.before_mb - read.upload_mb:.0f} MB",
        ),
    ]


def best_of(
    path: Path, tasks: Sequence[str], module: str = "benchmarks.speed.reading_task", repeats: int = REPEATS
) -> list[Reading]:
    """Read a file several times, the tasks by turns; return the reading with the least CPU time of each."""
    turns = [[_read(path, task, module) for task in tasks] for _ in range(repeats)]
    return [min(readings, key=lambda reading: reading.cpu_s) for readings in zip(*turns, strict=True)]


def _read(path: Path, task: str, module: str) -> Reading:
    done = subprocess.run(
        [sys.executable, "-m", module, task, str(path)],
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        check=True,
        timeout=3_000,
    )
    return parse(done.stdout)


def parse(printed: bytes) -> Reading:
    """Return what `reading_task` printed.

    >>> parse(b'{"cpu_s": 2.0, "requests": 3, "upload_mb": 10.0, "before_mb": 50.0, "peak_mb": 70.5}').peak_mb
    70.5
    """
    return Reading(**json.loads(printed))
