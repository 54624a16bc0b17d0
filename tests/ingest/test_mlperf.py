"""Traps of MLPerf's summaries: scenarios without a level, runs for accuracy, files beside them."""

from __future__ import annotations

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.ingest.golden_files import golden_bytes

SERVER = golden_bytes("mlperf/server_tokens").decode()


def refused(text: str, name: str = "mlperf_log_summary.txt") -> RefusedFileError:
    with pytest.raises(RefusedFileError) as caught:
        read_file(Upload(name, text.encode()))
    return caught.value


@pytest.mark.parametrize("scenario", ["Offline", "MultiStream"])
def test_a_scenario_without_a_load_level_is_refused_in_words(scenario):
    error = refused(SERVER.replace("Scenario : Server", f"Scenario : {scenario}"))
    assert error.code == "mlperf.no_level"
    assert scenario in str(error.what)


def test_a_run_for_accuracy_is_refused():
    assert refused(SERVER.replace("PerformanceOnly", "AccuracyOnly")).code == "mlperf.accuracy"


def test_a_summary_without_its_last_line_is_cut_off():
    error = refused(SERVER[: SERVER.index("No warnings")])
    assert error.code == "ingest.truncated"
    assert error.place.line


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("mlperf_log_detail.txt", ':::MLLOG {"key": "loadgen_version", "value": "4.1"}\n'),
        ("mlperf_log_accuracy.json", '[\n{ "seq_id" : 0, "qsl_idx" : 1, "data" : "00" }\n]\n'),
        ("mlperf_log_trace.json", '{"traceEvents":[]}\n'),
    ],
)
def test_what_lies_beside_a_summary_is_refused_with_the_file_to_send(name, data):
    error = refused(data, f"Server/performance/run_1/{name}")
    assert error.code == "ingest.by_product"
    assert "mlperf_log_summary.txt" in str(error.fix)


def test_a_sweep_of_target_rates_is_one_open_loop_run_in_seconds():
    folders = "results/box/llama2-70b-99/Server/performance"
    files = [
        read_file(
            Upload(f"{folders}/run_{n}/mlperf_log_summary.txt", SERVER.replace("qps : 70", f"qps : {n}0").encode())
        )
        for n in (3, 5, 7)
    ]
    (run,) = runs_of(files)
    assert [stage.asked_rate for stage in run.stages] == [30.0, 50.0, 70.0]
    assert all(stage.value(Metric.TTFT, "p99") == 1.6 for stage in run.stages)
    assert run.conditions.ttft_scope == "from the scheduled arrival"
