"""Traps of printed results of vLLM and SGLang (formats.md 2): what stands around a block, and what it leaves out."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.formats import sglang_bench, sglang_bench_console, vllm_bench, vllm_bench_console
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.ingest.bench_files import SGLANG, VLLM, uploaded
from tests.ingest.golden_files import codes_of, golden_bytes

CLOSED = golden_bytes("vllm_bench_console/current_closed_loop").decode()
SGL = golden_bytes("sglang_bench_console/current_closed_loop").decode()


def read(text: str, name: str = "bench.log"):
    return read_file(Upload(name, text.encode()))


def refused(text: str, name: str = "bench.log") -> RefusedFileError:
    with pytest.raises(RefusedFileError) as caught:
        read(text, name)
    return caught.value


def test_blocks_of_both_tools_in_one_file_are_told_apart():
    raw = read(CLOSED + SGL)
    assert [level.conditions["tool"] for level in raw.levels] == ["vLLM bench serve", "SGLang bench_serving"]
    assert len(runs_of([raw])) == 2


def test_a_block_that_is_cut_off_is_refused_with_its_line_though_others_are_whole():
    whole = CLOSED.count("\n")
    cut = CLOSED + CLOSED[: CLOSED.index("Mean TPOT")]
    error = refused(cut)
    assert error.code == "ingest.truncated"
    assert error.place.line > whole


def test_a_block_followed_by_the_next_without_an_end_is_cut_off():
    assert refused(CLOSED[: CLOSED.index("P99 ITL")] + CLOSED).code == "ingest.truncated"


def test_an_example_without_numbers_is_refused_with_line_and_label():
    error = refused(CLOSED.replace("50.00     \nMedian TTFT", "xxx       \nMedian TTFT"))
    assert error.code == "ingest.not_a_number"
    line = CLOSED[: CLOSED.index("Mean TTFT")].count("\n") + 1
    assert (error.place.line, error.place.field) == (line, "Mean TTFT (ms)")


def test_output_that_ends_before_the_result_is_refused_in_words():
    error = refused(CLOSED[: CLOSED.index("====")])
    assert error.code == "ingest.no_levels"
    assert "before its result" in str(error.what)


def test_a_block_of_another_locale_of_bytes_is_read():
    (level,) = read_file(Upload("bench.txt", CLOSED.encode("utf-16"))).levels
    assert level.requests_good == 20


def test_a_remark_behind_a_number_is_not_read():
    (level,) = read(
        CLOSED.replace("Mean TTFT (ms):                          50.00", "Mean TTFT (ms):   50.00  # good")
    ).levels
    assert next(r for r in level.readings if r.metric is Metric.TTFT and r.statistic == "mean").value == 50.0


def test_peaks_and_goodput_are_no_load_and_no_rate():
    (level,) = read(CLOSED).levels
    assert level.measured_concurrency is None
    assert level.request_rate == 2.0


def test_more_prompts_asked_than_answered_are_failures_and_fewer_are_not_believed():
    lost = golden_bytes("vllm_bench_console/open_loop_under_command").decode()
    (level,) = read(lost.replace("--num-prompts 40", "--num-prompts 30")).levels
    assert (level.requests_sent, level.requests_failed) == (None, None)


def test_a_rate_that_chance_explains_is_kept():
    """Of 20 random arrivals at 2 per second, 3.8 a second are no miracle; of 400 they are one."""
    trace = golden_bytes("sglang_bench_console/rate_replaced_by_trace").decode()
    few = trace.replace("requests:                     400", "requests:                     20 ")
    assert few != trace
    (level,) = read(few.replace("3.80 ", "3.60 ")).levels
    assert level.asked_rate == 2.0


@pytest.mark.parametrize("run", [VLLM | {"num_prompts": 400, "failed": 0}, SGLANG])
def test_the_rate_of_a_json_result_that_was_not_applied_is_not_used(run):
    rated = run | {"request_rate": 2.0, "max_concurrency": None, "request_throughput": 3.8, "completed": 400}
    (level,) = read_file(uploaded(rated)).levels
    assert (level.asked_rate, codes_of(level)) == (None, ["ingest.rate_not_applied"])


def test_a_printed_result_and_the_json_of_the_same_run_are_one_level():
    printed = CLOSED.replace(
        "Failed requests:                         1 ", "Failed requests:                         0 "
    )
    twin = VLLM | {
        "num_prompts": 20, "completed": 20, "failed": 0, "max_concurrency": 4, "duration": 10.0012,
        "mean_ttft_ms": 50.0004, "output_throughput": 199.9993, "total_input_tokens": 1000, "total_output_tokens": 2000,
    }  # fmt: skip
    (run,) = runs_of([read(printed, "a/bench.log"), read(json.dumps(twin), "a/result.json")])
    (stage,) = run.stages
    assert stage.replicates == 1
    assert "same_run.merged" in {finding.code for finding in run.findings}
    other = twin | {"mean_ttft_ms": 51.0}
    (run,) = runs_of([read(printed, "a/bench.log"), read(json.dumps(other), "a/result.json")])
    assert run.stages[0].replicates == 2


def test_each_claims_its_own_and_no_json():
    ours = (vllm_bench, sglang_bench, vllm_bench_console, sglang_bench_console)
    inside = json.dumps(VLLM | {"generated_texts": [CLOSED]})
    for text, claimed in ((CLOSED, vllm_bench_console), (SGL, sglang_bench_console), (inside, vllm_bench)):
        head = Head("x", text.encode())
        assert [importer for importer in ours if importer.match(head) > 0.0] == [claimed]


def test_a_log_with_much_before_its_result_is_known_by_what_the_tool_prints_first():
    long = CLOSED.replace(
        "Maximum request concurrency: 4\n", "Maximum request concurrency: 4\n" + "progress\n" * 10_000, 1
    )
    (level,) = read(long).levels
    assert level.asked_concurrency == 4.0
