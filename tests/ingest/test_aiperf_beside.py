"""AIPerf's sweeps, settings and what it writes beside its results."""

from __future__ import annotations

import gzip
import json

import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from tests.ingest.golden_files import changed, codes_of, golden_bytes, readings_of

SWEEP = "aiperf_sweep/v0_13_six_levels"
FOLDER = "generated/tools/aiperf-0.13.0/concurrency_sweep_mns8"


def refused(name: str, data: bytes) -> RefusedFileError:
    with pytest.raises(RefusedFileError) as error:
        read_file(Upload(name, data))
    return error.value


def sweep_with(change) -> bytes:
    document = json.loads(gzip.decompress(golden_bytes(SWEEP)))
    change(document)
    return json.dumps(document).encode()


def uploads(shared_data, *patterns):
    root = shared_data / FOLDER
    paths = sorted(path for pattern in patterns for path in root.glob(pattern))
    return [read_file(Upload(path.relative_to(root).as_posix(), path.read_bytes())) for path in paths]


def test_percentiles_over_several_runs_are_refused_because_they_are_means():
    found = refused("sweep.json", sweep_with(lambda d: d["metadata"].update(num_trials_per_value=3)))
    assert (found.code, found.place.field) == ("aiperf.means_of_runs", "metadata.num_trials_per_value")


def test_a_sweep_without_a_level_is_refused():
    assert refused("sweep.json", sweep_with(lambda d: d.update(per_combination_metrics=[]))).code == "ingest.no_levels"


def test_a_sweep_over_lengths_keeps_its_configurations_apart():
    def lengths(document):
        for index, one in enumerate(document["per_combination_metrics"]):
            one["parameters"] = {"request_rate": 2.0 * (index // 2 + 1), "isl": 128 * (index % 2 + 1)}

    raw = read_file(Upload("sweep.json", sweep_with(lengths)))
    assert [(level.asked_rate, level.identity) for level in raw.levels[:3]] == [
        (2.0, {"isl": 128}),
        (2.0, {"isl": 256}),
        (4.0, {"isl": 128}),
    ]


def test_a_sweep_and_the_summaries_of_its_levels_are_counted_once(shared_data):
    (alone,) = runs_of(uploads(shared_data, "concurrency_*/profile_export_aiperf.json"))
    (both,) = runs_of(uploads(shared_data, "concurrency_*/profile_export_aiperf.json", "sweep_aggregate/*.json.gz"))
    assert [stage.load for stage in both.stages] == [1, 2, 4, 8, 16, 32]
    for one, two in zip(alone.stages, both.stages, strict=True):
        assert (one.requests_good, one.replicates) == (two.requests_good, 1)
        assert one.value(Metric.E2E, "p99") == two.value(Metric.E2E, "p99")
    assert both.conditions.model == "tiny-llama"


def test_settings_tell_a_result_without_a_model_which_it_was(shared_data):
    root = shared_data / FOLDER / "concurrency_4__requests_40"
    names = ("profile_export_aiperf.csv", "run_config.json")
    (run,) = runs_of([read_file(Upload(f"c4/{name}", (root / name).read_bytes())) for name in names])
    assert (run.conditions.model, run.conditions.arrival) == ("tiny-llama", "closed loop")


def test_settings_keep_neither_address_nor_command():
    raw = read_file(Upload("c/run_config.json", golden_bytes("aiperf/settings_0_13")))
    assert raw.about == {"model": "cb-emu", "arrival": "closed loop", "tool": "AIPerf"}
    assert raw.about_format == "aiperf"
    assert "127.0.0.1" not in repr(raw)
    assert "aiperf profile" not in repr(raw)


def test_a_rate_that_ran_into_its_ceiling_is_a_closed_loop():
    def capped(document):
        document["input_config"]["phases"][0] |= {"type": "poisson", "rate": 50.0, "concurrency": 2}

    (run,) = runs_of([changed("aiperf/json_0_13", capped)])
    (stage,) = run.stages
    assert (stage.asked_rate, stage.asked_concurrency, stage.at_ceiling, stage.open_loop) == (50.0, 2.0, True, False)


def test_a_rate_below_its_ceiling_is_open_loop():
    def roomy(document):
        document["input_config"]["phases"][0] |= {"type": "poisson", "rate": 5.0, "concurrency": 64}

    (run,) = runs_of([changed("aiperf/json_0_13", roomy)])
    assert run.stages[0].open_loop


def test_memory_without_a_whole_is_unknown():
    def without(document):
        del document["telemetry_data"]["endpoints"]["gpu-host:9400"]["gpus"]["gpu_0"]["metrics"]["nvidia_fb_free"]
        del document["telemetry_data"]["endpoints"]["gpu-host:9400"]["gpus"]["gpu_1"]

    (level,) = changed("aiperf/json_speech_rtfx", without).levels
    assert level.memory_used_fraction is None


def test_a_rate_of_zero_is_no_time():
    def still(document):
        document["rtfx"]["p1"] = 0.0

    (level,) = changed("aiperf/json_speech_rtfx", still).levels
    assert "rtf p99" not in readings_of(level)


def test_what_aiperf_calls_itl_is_said():
    raw = read_file(Upload("a.json", golden_bytes("aiperf/json_0_13")))
    assert raw.calls == {Metric.TPOT: "ITL", Metric.ITL: "inter-chunk latency"}


BESIDE = {
    "inputs.json": b'{"data": [{"session_id": "s0", "payloads": [{"prompt": "a secret"}]}]}',
    ".aiperf_results_ready.json": b'{"ready":true,"was_cancelled":false,"partial":false}',
    "profile_export_console.txt": "\n   NVIDIA AIPerf | LLM Metrics\n┏━━━┓\n".encode(),
    "server_metrics_export.csv": b"# AIPerf Server Metrics Export (CSV)\n# aiperf_version: 0.13.0\n",
    "server_metrics_export.json": b'{"aiperf_version": "0.13.0", "summary": {"endpoints_configured": ["http://x"]}}',
    "gpu_telemetry_export.jsonl": b'{"timestamp_ns": 1, "gpu_index": 0, "telemetry_data": {"gpu_memory_used": 1.0}}\n',
    "empty/gpu_telemetry_export.jsonl": b"",
    "empty/server_metrics_export.jsonl": b"\n",
    "profile_export_raw.jsonl": b'{"metadata": {"benchmark_phase": "profiling"}, "payload": {}, "responses": []}\n',
    "profile_export_aiperf_timeslices.csv": b"Timeslice,Metric,Unit,Stat,Value\n0,TTFT,ms,avg,3\n",
    "profile_export_aiperf_timeslices.json": b'{"timeslices": [{"timeslice_index": 0}]}',
    "a.json": b'{"metadata": {"aggregation_type": "confidence", "num_profile_runs": 3}, "metrics": {}}',
    "a.csv": b"metric,mean,std,min,max,cv,se,ci_low,ci_high,t_critical,unit\nrequest_latency_avg,1,0,1,1,0,0,1,1,,ms\n",
    "sweep.csv": b"concurrency,requests,request_latency_mean,request_latency_cv\n1,20,3.0,0.0\n",
    "search_history.json": b'{"config": {}, "iterations": [{"iteration_idx": 0, "variation_values": {"c": 17}}]}',
    "search_checkpoint.json": b'{"iterations":[{"variation_values":{"c":17},"results":[]}]}',
    "logs/aiperf.log": b"2026-11-29 16:31:14 - INFO - Profiling started\n",
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_lies_beside_the_results_is_refused_with_the_file_to_send(name):
    found = refused(f"run/{name}", BESIDE[name])
    assert found.code == "ingest.by_product"
    assert "profile_export_aiperf" in str(found.fix)
    assert "secret" not in str(found)


def test_an_empty_file_of_nobody_is_still_empty():
    assert refused("notes.csv", b"").code == "ingest.empty"


def test_speech_in_records_and_summary_gives_rtf_to_the_run():
    (run,) = runs_of([read_file(Upload("concurrency_1/a.jsonl", golden_bytes("aiperf/records_speech")))])
    assert run.stages[0].value(Metric.RTF, "mean") == pytest.approx(0.1075)
    assert run.stages[0].value(Metric.RTF, "p50") == pytest.approx(0.09)


def test_a_record_without_a_timestamp_among_others_is_told():
    text = golden_bytes("aiperf/records_speech").decode().replace("request_start_ns", "request_sta_ns", 1)
    (level,) = read_file(Upload("concurrency_1/a.jsonl", text.encode())).levels
    assert codes_of(level) == ["aiperf.start_unknown", "ingest.from_file_name"]
