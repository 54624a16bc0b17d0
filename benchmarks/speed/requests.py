"""Tables of requests, millions of rows: made from a seed, and timed against a bare decode and DuckDB.

The same requests stand in all three files: eight fields, ten levels, 0.4 % failed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

SEED = 20261129
BLOCK = 100_000
FIRST_NS = 1_795_969_785_000_000_000
LEVELS = np.array([1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
HEADER = (
    *("request_id", "request_start_ns", "concurrency", "input_tokens", "output_tokens"),
    *("ttft_ms", "e2e_ms", "error"),
)
TYPES = dict.fromkeys(HEADER, "DOUBLE") | {"request_id": "VARCHAR", "error": "VARCHAR"}


def write(path: Path, rows: int) -> None:
    """Write a table of so many requests, as its ending says: .jsonl, .csv or .parquet."""
    if path.suffix == ".parquet":
        _parquet(path, rows)
        return
    with path.open("w", encoding="ascii", newline="") as file:
        if path.suffix == ".csv":
            table = csv.writer(file, lineterminator="\n")
            table.writerow(HEADER)
            for block in _blocks(rows):
                columns = (block[name] for name in HEADER)
                table.writerows(zip(*columns, strict=True))
            return
        for block in _blocks(rows):
            columns = [block[name] for name in HEADER]
            for values in zip(*columns, strict=True):
                error = '"timeout"' if values[7] else "null"
                file.write(
                    f'{{"request_id": "{values[0]}", "request_start_ns": {values[1]}, "concurrency": {values[2]}, '
                    f'"input_tokens": {values[3]}, "output_tokens": {values[4]}, "ttft_ms": {values[5]}, '
                    f'"e2e_ms": {values[6]}, "error": {error}}}\n'
                )


def _parquet(path: Path, rows: int) -> None:
    numbers = dict.fromkeys(HEADER, pa.int64()) | {"ttft_ms": pa.float64(), "e2e_ms": pa.float64()}
    kinds = numbers | {"request_id": pa.string(), "error": pa.string()}
    schema = pa.schema([(name, kinds[name]) for name in HEADER])
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        for block in _blocks(rows):
            columns = {name: [each or None for each in v] if name == "error" else v for name, v in block.items()}
            file.write_table(pa.table(columns, schema=schema))


def _blocks(rows: int) -> Iterator[dict[str, list]]:
    random = np.random.default_rng(SEED)
    for first in range(0, rows, BLOCK):
        n = min(BLOCK, rows - first)
        ttft, gap = random.lognormal(4.2, 0.5, n), random.lognormal(2.2, 0.3, n)
        tokens = random.integers(16, 512, n)
        start = FIRST_NS + 2_000_000 * (first + np.arange(n)) + random.integers(0, 1_000_000, n)
        yield {
            "request_id": [f"req-{number:08d}" for number in range(first, first + n)],
            "request_start_ns": start.tolist(),
            "concurrency": LEVELS[random.integers(0, LEVELS.size, n)].tolist(),
            "input_tokens": random.integers(16, 2_048, n).tolist(),
            "output_tokens": tokens.tolist(),
            "ttft_ms": np.round(ttft, 6).tolist(),
            "e2e_ms": np.round(ttft + gap * (tokens - 1), 6).tolist(),
            "error": ["timeout" if failed else "" for failed in random.random(n) < 0.004],
        }
