"""LLMPerf: what its golden files do not show."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.ingest.golden_files import golden_bytes


def summary(**changes) -> dict:
    return json.loads(golden_bytes("llmperf/summary_with_metadata")) | changes


def read(document, name="run_summary.json"):
    return read_file(Upload(name, json.dumps(document).encode()))


def codes(level) -> list[str]:
    return [finding.code for finding in level.findings]


def response(ttft, e2e, tokens, **changes) -> dict:
    return {
        "error_code": None,
        "error_msg": "",
        "inter_token_latency_s": e2e / tokens if tokens else 0,
        "ttft_s": ttft,
        "end_to_end_latency_s": e2e,
        "number_output_tokens": tokens,
        "number_input_tokens": 550,
    } | changes


def test_summary_and_responses_of_one_run_are_one_level_with_an_exact_tpot():
    responses = [response(0.2, 2.2, 101), response(0.3, 4.3, 101), response(0.4, 6.4, 101)]
    told = read(summary(results_ttft_s_mean=0.3, results_end_to_end_latency_s_mean=4.3), "a/x_summary.json")
    kept = read(responses, "a/x_individual_responses.json")
    (run,) = runs_of([told, kept])
    (stage,) = run.stages
    assert (stage.asked_concurrency, stage.requests_good) == (8.0, 3)
    assert stage.statistics[Metric.TPOT].quantiles[0.5] == pytest.approx(0.04)
    assert Metric.ITL not in stage.statistics


def test_responses_of_another_run_are_not_taken_for_the_same():
    told = read(summary(), "a/x_summary.json")
    kept = read([response(0.25, 2.2, 101)], "a/y_individual_responses.json")
    assert told.levels[0].run_key != kept.levels[0].run_key


def test_the_full_file_and_the_reduced_table_of_a_sweep_merge():
    full = read({"1": summary(num_concurrent_requests=1, results_ttft_s_mean=0.16)}, "a/m_tp_1_results.json")
    row = {"concurrency": 1, "first-time-to-token_mean_in_ms": 160.0, "throughput_token_per_s": 209.52}
    (run,) = runs_of([full, read({"1": row}, "a/m_tp_1_summary.json")])
    assert len(run.stages) == 1
    assert run.stages[0].statistics[Metric.TTFT].quantiles[0.99] == 0.91


def test_neither_texts_of_errors_nor_hosts_nor_addresses_are_kept():
    kept = repr(read_file(Upload("x.json", golden_bytes("llmperf/individual_with_failure"))))
    told = repr(read_file(Upload("x.json", golden_bytes("llmperf/summary_with_metadata"))))
    assert "secret-prompt-text" not in kept
    assert "node-7" not in told
    assert "models.example" not in told


def test_a_listed_latency_that_is_no_list_of_gaps_gives_none():
    unlike = response(0.2, 0.5, 4, inter_token_latency_s=[0.3, 0.1, 0.1])
    partly = [response(0.2, 0.5, 4, inter_token_latency_s=[0.2, 0.1, 0.1, 0.1]), response(0.2, 0.5, 4)]
    for responses in ([unlike], partly, [response(0.2, 0.5, 4, inter_token_latency_s=["0.2", 0.3])]):
        assert read(responses).levels[0].requests.gaps.size == 0


def test_an_empty_answer_without_an_error_is_said():
    level = read([response(0.2, 2.2, 101), response(0, 0.1, 0)]).levels[0]
    assert "llmperf.no_first_token" in codes(level)
    assert level.run_key is None


def test_every_response_failed():
    level = read([response(0, 0, 0, error_code=-1), response(0, 0, 0, error_code=429)]).levels[0]
    assert (level.requests_sent, level.requests_good, level.requests_failed) == (2, 0, 2)
    assert "ingest.none_completed" in codes(level)


def test_a_first_token_time_of_nothing_but_zeros_was_not_measured():
    zeros = {key: 0.0 for key in summary() if key.startswith("results_ttft_s")}
    level = read(summary(**zeros)).levels[0]
    assert "ingest.not_measured" in codes(level)
    assert not [reading for reading in level.readings if reading.metric is Metric.TTFT]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"1": summary(), "notes": "x"}, "llmperf.no_summary"),
        ({"1": summary(), "2": {"results_end_to_end_latency_s_mean": 1.0}}, "llmperf.no_summary"),
        ({"results_end_to_end_latency_s_mean": 1.0}, "llmperf.no_summary"),
        ([response(0.2, 2.2, 101), 5], "ingest.unexpected"),
        ([response(0.2, 2.2, 101), response("soon", 2.2, 101)], "ingest.not_a_number"),
        (summary(results_num_requests_started="many"), "ingest.not_a_number"),
    ],
)
def test_what_is_no_run_is_refused_with_its_place(document, code):
    with pytest.raises(RefusedFileError) as refused:
        read(document)
    assert refused.value.code == code
    assert refused.value.place.file


def test_a_run_without_a_load_says_so():
    level = read({key: value for key, value in summary().items() if key != "num_concurrent_requests"}).levels[0]
    assert level.asked_concurrency is None
    assert "ingest.no_load" in codes(level)


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan")])
def test_a_setting_that_no_number_is_tells_nothing_apart(value):
    raw = read(summary(metadata_kernel=value))
    assert "kernel" not in raw.levels[0].identity
    assert len(runs_of([raw])) == 1
