"""genai-bench: what its golden files do not show."""

from __future__ import annotations

import json

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.ingest.golden_files import golden_bytes

CASE = "rate_in_milliseconds"


def document(case: str = "no_request_kept", **changes) -> dict:
    found = json.loads(golden_bytes(f"genai_bench/{case}"))
    found["aggregated_metrics"] |= changes
    return found


def read(found: dict, name: str = "run/D64_33_num_concurrency_2_time_4s.json"):
    return read_file(Upload(name, json.dumps(found).encode()))


def codes(level) -> list[str]:
    return [finding.code for finding in level.findings]


def metadata():
    return read_file(Upload("run/experiment_metadata.json", golden_bytes("genai_bench/metadata_with_key")))


def test_metadata_tells_of_the_server_and_keeps_no_key():
    told = metadata()
    assert told.about == {
        "model": "tiny-70B",
        "engine": "SGLang",
        "engine_version": "v0.6.0",
        "accelerator": "H100",
        "accelerator_count": 4,
    }
    assert told.about_format == "genai_bench"
    assert "secret-key-value" not in repr(told)
    assert "models.example" not in repr(told)


def test_metadata_is_given_to_the_results_of_its_folder():
    (run,) = runs_of([metadata(), read(document())])
    assert (run.conditions.accelerator, run.conditions.accelerator_count, run.conditions.engine) == (
        "H100",
        4,
        "SGLang",
    )


@pytest.mark.parametrize("count", ["many", None, "0", "4 x H100", 2.5])
def test_a_count_of_accelerators_that_is_none_is_unknown(count):
    found = json.loads(golden_bytes("genai_bench/metadata_with_key")) | {"server_gpu_count": count}
    told = read_file(Upload("experiment_metadata.json", json.dumps(found).encode()))
    assert "accelerator_count" not in told.about


def test_error_texts_are_not_kept_and_errors_are_counted_although_the_rate_says_none():
    raw = read_file(Upload("x.json", golden_bytes(f"genai_bench/{CASE}")))
    assert "secret-prompt-text" not in repr(raw)
    assert document(CASE)["aggregated_metrics"]["error_rate"] == 0
    assert raw.levels[0].requests_failed == 1


def test_an_arrival_rate_makes_the_level_a_rate():
    level = read(document(num_concurrency=20.0, arrival_requests_per_second=19.5)).levels[0]
    assert (level.asked_rate, level.asked_concurrency, level.applied_rate) == (20.0, None, 19.5)


def test_scenarios_of_one_folder_are_runs_of_their_own():
    other = document(scenario="D(2000,200)")
    runs = runs_of([read(document()), read(other, "run/D2000_200_num_concurrency_2_time_4s.json")])
    assert len(runs) == 2


def test_some_requests_are_not_taken_for_all():
    found = document(CASE)
    found["individual_request_metrics"].pop()
    level = read(found).levels[0]
    assert level.requests is None
    assert "genai_bench.requests_sampled" in codes(level)


def test_answers_in_one_piece_have_no_tpot_and_are_said():
    found = document(CASE)
    found["individual_request_metrics"][0]["tpot"] = None
    stats = found["aggregated_metrics"]["stats"]["tpot"]
    stats["sum"] = stats["mean"]
    level = read(found).levels[0]
    assert level.sample_n[Metric.TPOT] == 1
    assert "genai_bench.tpot_of_some" in codes(level)


def test_a_tpot_whose_definition_nobody_can_tell_is_not_read():
    found = document()
    found["aggregated_metrics"]["stats"]["num_output_tokens"] |= {"min": 5, "max": 60}
    level = read(found).levels[0]
    assert not [reading for reading in level.readings if reading.metric is Metric.TPOT]
    assert "genai_bench.tpot_over_all_tokens" in codes(level)


def test_nothing_completed():
    level = read(document(num_completed_requests=0, num_error_requests=9)).levels[0]
    assert (level.requests_sent, level.requests_good, level.requests_failed) == (9, 0, 9)
    assert level.readings == ()
    assert "ingest.none_completed" in codes(level)


def test_embedding_runs_have_no_output_times():
    found = document()
    for name in ("tpot", "output_latency"):
        found["aggregated_metrics"]["stats"][name] = dict.fromkeys(found["aggregated_metrics"]["stats"][name], 0)
    level = read(found).levels[0]
    assert {reading.metric for reading in level.readings} == {Metric.TTFT, Metric.E2E}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"_time_unit": "min"}, "genai_bench.unit_unknown"),
        ({"individual_request_metrics": {"a": 1}}, "ingest.unexpected"),
        ({"individual_request_metrics": [3]}, "ingest.unexpected"),
        ({"individual_request_metrics": [{"ttft": "x", "tpot": 1.0, "output_latency": 1.0}]}, "ingest.not_a_number"),
    ],
)
def test_what_cannot_be_read_is_refused(changes, code):
    found = document(num_completed_requests=1, num_error_requests=0) | changes
    with pytest.raises(RefusedFileError) as refused:
        read(found)
    assert refused.value.code == code


def test_metrics_without_statistics_are_refused():
    with pytest.raises(RefusedFileError) as refused:
        read({"aggregated_metrics": {"scenario": "D(1,1)", "num_concurrency": 1}})
    assert refused.value.code == "genai_bench.no_metrics"


def test_the_workbook_of_a_run_is_refused_in_words(shared_data):
    path = shared_data / "generated/tools/genai-bench-0.0.5/closed_mns8/closed_mns8_summary.xlsx"
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("april.xlsx", path.read_bytes()))
    assert refused.value.code == "ingest.by_product"
    assert "experiment_metadata.json" in str(refused.value.fix)
