"""LLMPerf, LMBenchmark, fmperf, genai-bench and InferenceX claim their own files in every collection, and no other."""

from __future__ import annotations

import csv

from core.errors import RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.raw import Head, Upload
from core.ingest.read import HEAD_BYTES
from core.ingest.registry import IMPORTERS

OURS = {
    "llmperf_json": "llmperf",
    "lmbenchmark_per_request_csv": "lmbenchmark",
    "fmperf": "fmperf",
    "genai_bench": "genai_bench",
    "inferencemax_agg_json": "inferencex",
    "inferencemax_multiturn_csv": "inferencex",
}
MODULES = [importer for importer in IMPORTERS if importer.FORMAT_ID in set(OURS.values())]


def claims(name: str, data: bytes) -> list[str]:
    try:
        plain = unpacked(Upload(name, data))
    except RefusedFileError:
        return []
    head = Head(plain.name, plain.data[:HEAD_BYTES])
    return [importer.FORMAT_ID for importer in MODULES if importer.match(head) > 0.0]


def test_public_files_are_claimed_exactly(shared_data):
    root = shared_data / "public"
    with (root / "INDEX.csv").open(encoding="utf-8") as index:
        rows = list(csv.DictReader(index))
    assert len(rows) == 391
    for row in rows:
        wanted = [] if "ledgers/" in row["path"] else [OURS[row["format"]]] if row["format"] in OURS else []
        assert claims(row["path"], (root / row["path"]).read_bytes()) == wanted, row["path"]


def test_files_of_tools_and_simulators_are_claimed_exactly(shared_data):
    folders = (shared_data / "generated" / "tools", shared_data / "simulated")
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    for path in paths:
        wanted = ["genai_bench"] if "genai-bench" in str(path) and path.suffix == ".json" else []
        assert claims(path.name, path.read_bytes()) == wanted, path
