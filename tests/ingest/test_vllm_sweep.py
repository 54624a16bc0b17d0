"""What vLLM's sweeps and other benchmark commands write: rows of runs, warm-ups, and files without a load level."""

from __future__ import annotations

import csv
import io
import json

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.normalise.runs import runs_of
from tests.ingest.bench_files import VLLM, uploaded
from tests.ingest.golden_files import claimants, golden_bytes

TABLE = golden_bytes("vllm_bench_csv/server_setting_swept")


def refused(name: str, document: object) -> RefusedFileError:
    with pytest.raises(RefusedFileError) as caught:
        read_file(Upload(name, json.dumps(document).encode()))
    return caught.value


def value_of(cell: str) -> object:
    """A cell as the JSON of the same run had it."""
    try:
        return json.loads({"True": "true", "": "null"}.get(cell, cell))
    except json.JSONDecodeError:
        return cell


def as_json() -> list[dict]:
    """The golden table's rows as the JSON files of the same runs."""
    rows = csv.DictReader(io.StringIO(TABLE.decode()))
    return [{key: value_of(value) for key, value in row.items() if key} for row in rows]


def folder_of(run: dict) -> str:
    return f"SERVE--max-num-seqs={run['max-num-seqs']}-BENCH--max_concurrency={run['max_concurrency']}"


def test_a_swept_server_setting_makes_runs_and_the_load_makes_levels():
    runs = runs_of([read_file(Upload("s/summary.csv", TABLE))])
    assert sorted((run.conditions.max_num_seqs, [stage.load for stage in run.stages]) for run in runs) == [
        (8, [4.0, 16.0]),
        (32, [4.0, 16.0]),
    ]
    assert max(stage.replicates for run in runs for stage in run.stages) == 2


def test_rows_and_the_json_of_the_same_runs_are_the_same_runs():
    table = read_file(Upload("s/summary.csv", TABLE))
    files = [
        read_file(Upload(f"s/{folder_of(run)}/run={run['run_number']}.json", json.dumps(run).encode()))
        for run in as_json()
        if run["run_number"] != -1
    ]
    both, alone = runs_of([table, *files]), runs_of([table])
    assert [[stage.replicates for stage in run.stages] for run in both] == [
        [stage.replicates for stage in run.stages] for run in alone
    ]


def test_a_long_list_in_a_cell_is_no_damage():
    long = TABLE.replace(b'"[0.54, 0.53]"', b'"[' + b", ".join([b"0.5400000000000001"] * 20_000) + b']"', 1)
    assert len(read_file(Upload("summary.csv", long)).levels) == 5


def test_text_in_place_of_a_number_is_refused_with_line_and_column():
    with pytest.raises(RefusedFileError) as caught:
        read_file(Upload("summary.csv", TABLE.replace(b",52.0,", b",fast,", 1)))
    assert (caught.value.code, caught.value.place.line, caught.value.place.field) == (
        "ingest.not_a_number", 3, "mean_ttft_ms",
    )  # fmt: skip


def test_only_its_own_importer_claims_the_table():
    head = Head("summary.csv", TABLE)
    assert claimants(head) == ["vllm_bench_csv"]


def test_a_warm_up_alone_is_refused_and_among_runs_left_out():
    with pytest.raises(RefusedFileError) as caught:
        read_file(uploaded(VLLM | {"run_number": -1}, name="BENCH--c4/warmup.json"))
    assert caught.value.code == "ingest.by_product"
    raw = read_file(uploaded(VLLM | {"run_number": -1}, VLLM | {"run_number": 0}, name="summary.jsonl"))
    assert len(raw.levels) == 1


LATENCY = {"avg_latency": 1.2, "std_latency": 0.1, "latencies": [1.1, 1.3], "percentiles": {"50": 1.2, "99": 1.3}}
THROUGHPUT = {
    "elapsed_time": 12.5, "num_requests": 100, "total_num_tokens": 38400, "requests_per_second": 8.0,
    "tokens_per_second": 3072.0,
}  # fmt: skip
STARTUP = {"avg_cold_startup_time": 30.1, "cold_startup_times": [30.0, 30.2]}
PYTORCH = [{"benchmark": {"name": "vLLM benchmark"}, "model": {"name": "m"}, "metric": {"name": "mean_ttft_ms"}}]
FAILURE = {
    "run_number": 0,
    "error_type": "RuntimeError",
    "error": "secret",
    "serve_overrides": {},
    "bench_overrides": {},
}


@pytest.mark.parametrize(
    ("name", "document", "word"),
    [
        ("latency.json", LATENCY, "one batch at a time"),
        ("throughput.json", THROUGHPUT, "without a load"),
        ("startup.json", STARTUP, "to start"),
        ("result.pytorch.json", PYTORCH, "PyTorch"),
        ("run=0.failure.json", FAILURE, "failed"),
    ],
)
def test_what_holds_no_load_level_is_refused_in_words(name, document, word):
    error = refused(name, document)
    assert error.code == "ingest.by_product"
    assert word in str(error.what)
    assert str(error.fix)
    assert "secret" not in f"{error.what}{error.fix}{error.place}"


def test_audio_rates_of_the_whole_run_never_become_a_requests_rtf():
    (level,) = read_file(uploaded(VLLM | {"rtfx": 85.2})).levels
    assert "rtf" not in {reading.metric.value for reading in level.readings}
