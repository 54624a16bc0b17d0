"""Traps of trtllm-bench's reports: what was sent all at once, half-printed reports, edited numbers."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.formats import trtllm_bench, trtllm_bench_console
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.normalise.runs import runs_of
from tests.ingest.golden_files import changed, codes_of, golden_bytes, readings_of

STREAMING = "trtllm_bench/streaming_limited"
PRINTED = golden_bytes("trtllm_bench_console/two_reports").decode()


def test_everything_at_once_is_kept_out_of_a_curve():
    (run,) = runs_of([read_file(Upload("r.json", golden_bytes("trtllm_bench/throughput_all_at_once")))])
    assert run.stages[0].excluded == "load.unbounded"


def test_a_named_level_is_believed_even_where_sending_was_quick():
    def quick(report):
        report["world_info"]["issue_rate"] = 1e14

    (level,) = changed(STREAMING, quick, name="concurrency_256.json").levels
    assert (level.asked_concurrency, level.conditions["arrival"]) == (256.0, "closed loop")


def test_an_issue_rate_in_requests_per_second_is_understood_too():
    """A version that mends the unit: 200 requests at 150 a second are sent in 1.3 of 20 s, at 11 a second in 18 s."""
    for rate, arrival in ((150.0, "unbounded"), (11.0, None)):
        (level,) = changed(STREAMING, lambda r, rate=rate: r["world_info"].update(issue_rate=rate)).levels
        assert level.conditions["arrival"] == arrival


def test_without_streaming_there_is_neither_first_token_nor_token_time():
    (level,) = changed(STREAMING, lambda r: r.pop("streaming_metrics")).levels
    assert {name.split(" ")[0] for name in readings_of(level)} == {"e2e"}


def test_nothing_completed_is_nothing_measured():
    (level,) = changed(STREAMING, lambda r: r["request_info"].update(num_requests=0), name="concurrency_4.json").levels
    assert level.readings == ()
    assert "ingest.none_completed" in codes_of(level)


def test_text_for_a_number_is_refused_with_its_place():
    with pytest.raises(RefusedFileError) as caught:
        changed(STREAMING, lambda r: r["performance"].update(total_latency_ms="fast"))
    assert (caught.value.code, caught.value.place.field) == ("ingest.not_a_number", "performance.total_latency_ms")


def test_another_document_with_the_same_parts_is_no_report():
    with pytest.raises(RefusedFileError) as caught:
        trtllm_bench.read(Upload("x.json", json.dumps({"engine": {}}).encode()))
    assert caught.value.code == "ingest.missing_field"


def test_a_printed_report_that_ends_inside_a_line_is_refused():
    with pytest.raises(RefusedFileError) as caught:
        read_file(Upload("trt.log", PRINTED[: PRINTED.index("[TTFT] P99") + 16].encode()))
    assert caught.value.code == "ingest.truncated"


def test_output_without_figures_is_refused_in_words():
    with pytest.raises(RefusedFileError) as caught:
        trtllm_bench_console.read(Upload("trt.log", PRINTED[: PRINTED.index("Request Throughput")].encode()))
    assert caught.value.code == "ingest.no_levels"


def test_each_claims_its_own():
    report = Head("r.json", golden_bytes(STREAMING))
    printed = Head("r.log", PRINTED.encode())
    assert (trtllm_bench.match(report), trtllm_bench_console.match(report)) == (0.95, 0.0)
    assert (trtllm_bench.match(printed), trtllm_bench_console.match(printed)) == (0.0, 0.95)
