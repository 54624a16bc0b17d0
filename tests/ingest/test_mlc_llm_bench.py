"""MLC LLM's benchmark: what its golden files do not show."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.ingest.golden_files import codes_of, golden_bytes

ONE = golden_bytes("mlc_llm_bench/fixed_concurrency").decode().splitlines()[:2]
DEAD = golden_bytes("mlc_llm_bench/fixed_concurrency").decode().splitlines()[3]


def read(changes: dict[str, str], load: str | None = None):
    """Read the first row of the golden file with other cells, and under another load's name."""
    header, cells = (line.split(",") for line in ONE)
    for column, value in changes.items():
        cells[header.index(column)] = value
    header[0] = load or header[0]
    return read_file(Upload("mlc_benchmark.csv", f"{','.join(header)}\n{','.join(cells)}\n".encode()))


def rate(typed: str, done: float, good: int, gpus: int):
    counts = {"num_total_requests": str(good), "num_completed_requests": str(good), "num_gpus": str(gpus)}
    changes = {"exec_feature.num_concurrent_requests": typed, "request_throughput": str(done), **counts}
    return read(changes, "exec_feature.request_rate").levels[0]


# --per-gpu-workload sends rate x GPUs and writes the rate. Chance alone, with 100 arrivals, explains up to 1.4 times.
@pytest.mark.parametrize(
    ("done", "good", "gpus", "asked"),
    [
        (7.9, 100, 4, 8.0),
        (1.9, 100, 4, 2.0),
        (2.7, 100, 4, 2.0),
        (2.9, 100, 4, 8.0),
        (2.2, 10_000, 2, 2.0),
        (2.3, 10_000, 2, 4.0),
        (3.9, 100, 1, 2.0),
    ],
)
def test_a_rate_that_more_was_answered_than_is_of_one_gpu(done, good, gpus, asked):
    level = rate("2.0", done, good, gpus)
    assert level.asked_rate == asked
    assert ("mlc_llm_bench.rate_per_gpu" in codes_of(level)) is (asked != 2.0)


@pytest.mark.parametrize(
    ("written", "typed"), [("0.10000000149011612", 0.1), ("3.299999952316284", 3.3), ("0.1", 0.1), ("16.0", 16.0)]
)
def test_a_rate_in_single_precision_is_the_one_that_was_typed(written, typed):
    assert rate(written, typed, 100, 1).asked_rate == typed


def test_a_replayed_trace_is_placed_by_what_was_in_flight():
    level = (raw := read({}, "exec_feature.timestamp_scale")).levels[0]
    assert (level.asked_concurrency, level.asked_rate, level.conditions["arrival"]) == (None, None, "trace")
    assert codes_of(level) == ["ingest.no_load"]
    # 5 requests of 0.56 s in 2.8 s.
    assert runs_of([raw])[0].stages[0].achieved_concurrency == pytest.approx(1.0)


def test_answers_in_one_piece_have_neither_ttft_nor_tpot():
    # The tool then writes 0 for TTFT, and e2e / n for TPOT.
    header = ONE[0].split(",")
    level = read({name: "0.0" for name in header if name.startswith("time_to_first_token_s")}).levels[0]
    assert {reading.metric for reading in level.readings} == {Metric.E2E}
    assert codes_of(level) == ["ingest.not_measured"] * 2


def test_one_request_has_no_deviation():
    header = ONE[0].split(",")
    level = read({name: "" for name in header if name.endswith(".stddev")}).levels[0]
    assert "sd" not in {reading.statistic for reading in level.readings}
    assert codes_of(level) == []


def test_a_file_without_one_good_request_is_refused_with_the_reason():
    # No level has a load or a statistic then, so their columns are not there.
    names = ONE[0].split(",")
    kept = [i for i, name in enumerate(names) if name == "exec_feature" or ("." not in name)]
    lines = [",".join(line.split(",")[i] for i in kept) for line in (ONE[0], DEAD)]
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("mlc_benchmark.csv", "\n".join([*lines, ""]).encode()))
    assert refused.value.code == "ingest.no_levels"
    assert refused.value.place.line == 2


def test_figures_of_a_level_without_a_good_request_are_unknown():
    level = read({"num_completed_requests": "0"}).levels[0]
    assert (level.asked_concurrency, level.requests_failed) == (1.0, 5)
    assert (level.readings, level.duration_s, level.request_rate, level.output_tok_s) == ((), None, None, None)
    assert codes_of(level) == ["ingest.none_completed"]


def test_a_load_of_zero_is_refused():
    with pytest.raises(RefusedFileError) as refused:
        read({"exec_feature.num_concurrent_requests": "0"})
    assert refused.value.code == "ingest.no_load_value"
    assert refused.value.place.field == "exec_feature.num_concurrent_requests"


def test_the_debug_dump_is_no_result_and_says_which_file_is():
    record = {"request_id": 0, "chat_cmpl": {"messages": [{"content": "Hi", "role": "user"}]}, "output_str": "Hello"}
    dump = json.dumps({json.dumps({"num_concurrent_requests": 1}): [record]}, indent=4).encode()
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("mlc_benchmark_debug_dump.log", dump))
    assert refused.value.code == "ingest.by_product"
    assert "CSV" in str(refused.value.fix)
