"""AIPerf's and GuideLLM's importers claim their own files, in every collection at hand, and no other."""

from __future__ import annotations

import csv
import json

import pytest

from core.errors import RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.formats import aiperf_csv, aiperf_json, aiperf_records, aiperf_settings, aiperf_sweep, guidellm
from core.ingest.raw import Head, Upload
from core.ingest.read import HEAD_BYTES
from tests.ingest.golden_files import golden_bytes

OURS = (aiperf_json, aiperf_csv, aiperf_records, aiperf_settings, aiperf_sweep, guidellm)
BY_NAME = {
    "profile_export_aiperf.json": aiperf_json,
    "profile_export_aiperf.csv": aiperf_csv,
    "profile_export.jsonl": aiperf_records,
    "profile_export_aiperf_sweep.json": aiperf_sweep,
    "run_config.json": aiperf_settings,
}


def claims(name: str, data: bytes) -> list[str]:
    try:
        plain = unpacked(Upload(name, data))
    except RefusedFileError:
        return []
    head = Head(plain.name, plain.data[:HEAD_BYTES])
    return [importer.LABEL for importer in OURS if importer.match(head) > 0.0]


def wanted(path) -> list[str]:
    name = path.name.removesuffix(".gz")
    if name in BY_NAME:
        return [BY_NAME[name].LABEL]
    report = "guidellm" in str(path) and name.endswith((".json", ".yaml"))
    return [guidellm.LABEL] if report else []


def test_public_files_are_claimed_exactly(shared_data):
    root = shared_data / "public"
    with (root / "INDEX.csv").open(encoding="utf-8") as index:
        rows = list(csv.DictReader(index))
    assert len(rows) == 391
    for row in rows:
        path = root / row["path"]
        ours = row["format"] in ("aiperf", "guidellm")
        assert claims(path.name, path.read_bytes()) == (wanted(path) if ours else []), row["path"]


def test_files_of_the_tools_are_claimed_exactly(shared_data):
    root = shared_data / "generated" / "tools"
    paths = [path for path in sorted(root.rglob("*")) if path.is_file()]
    assert sum(1 for path in paths if wanted(path)) == 3 * 16 + 1 + (3 + 1) + 15
    for path in paths:
        assert claims(path.name, path.read_bytes()) == wanted(path), path


@pytest.mark.parametrize(
    "text",
    [
        # GenAI-Perf counts its percentiles down; perf_analyzer's raw data has no aiperf in it.
        "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\r\nTime To First Token (ms),1,1,1,1,1,1,1,1,1\r\n",
        json.dumps({"request_latency": {"unit": "ms", "avg": 5.0}, "input_config": {"perf_analyzer": {}}}),
        # Server metrics, aggregates and sweeps of AIPerf are no levels.
        json.dumps({"schema_version": "1.1", "aiperf_version": "0.13.0", "metrics": {"x": {"unit": "s", "avg": 1}}}),
        json.dumps({"aiperf_version": "0.13.0", "metrics": {"request_latency_avg": {"mean": 5.0, "unit": "ms"}}}),
        # A raw export has the same metadata and no metrics.
        json.dumps({"metadata": {"benchmark_phase": "profiling"}, "payload": {}, "responses": []}),
        json.dumps({"benchmarks": [{"type_": "something_else"}]}),
        "Metric,Value\r\nSpeed,5\r\n",
        "",
    ],
)
def test_files_that_only_look_alike_are_not_claimed(text):
    assert claims("file", text.encode()) == []


@pytest.mark.parametrize(
    "case", ["aiperf/json_0_13", "aiperf/records_0_13", "guidellm/v0_2_sweep", "guidellm/v1_poisson"]
)
@pytest.mark.parametrize("size", [400, 1500, 4000])
def test_a_short_head_never_raises_and_is_claimed_by_one_at_most(case, size):
    assert len(claims("file", golden_bytes(case)[:size])) <= 1
