"""Traps of llm-d's benchmark reports, each by name."""

from __future__ import annotations

import json

import pytest
import yaml

from core.errors import RefusedFileError
from core.ingest.raw import RawFile, Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.pipeline import load
from tests.ingest.golden_files import codes_of, golden_bytes, readings_of

EARLY, LATER, GUIDE = "v0_1_seconds_named_ms", "v0_2_disaggregated", "v0_2_1_guidellm"
VLLM = "v0_1_vllm"


def changed(case, change=lambda report: None, name="run/report.yaml") -> RawFile:
    report = yaml.safe_load(golden_bytes(f"llm_d_report/{case}"))
    change(report)
    return read_file(Upload(name, yaml.safe_dump(report, sort_keys=False).encode()))


def aggregate(report):
    return report["results"]["request_performance"]["aggregate"]


def standardized(report):
    return report["scenario"]["load"]["standardized"]


def test_json_and_yaml_say_the_same():
    report = yaml.safe_load(golden_bytes(f"llm_d_report/{LATER}"))
    as_json = read_file(Upload("run/report.json", json.dumps(report).encode()))
    assert [level.readings for level in as_json.levels] == [level.readings for level in changed(LATER).levels]


def test_every_metric_has_its_own_unit():
    found = readings_of(changed(LATER).levels[0])
    assert (found["ttft mean"], found["e2e mean"]) == ((100.0, "ms"), (2.1, "s"))


@pytest.mark.parametrize("unit", ["minutes", "", None, "queries/s"])
def test_another_unit_is_refused_with_its_field(unit):
    def name(report):
        aggregate(report)["latency"]["time_to_first_token"]["units"] = unit

    with pytest.raises(RefusedFileError) as refused:
        changed(LATER, name)
    assert refused.value.code == "ingest.unit_unknown"
    assert str(refused.value.place.field).endswith("time_to_first_token.units")


# Seconds named milliseconds


def test_milliseconds_that_no_server_gives_are_seconds_where_all_times_agree():
    level = changed(EARLY).levels[0]
    assert {unit for _, unit in readings_of(level).values()} == {"s"}
    assert codes_of(level) == ["llm_d.unit_by_arithmetic"]


def test_milliseconds_that_a_server_gives_stay_milliseconds():
    level = changed(VLLM).levels[0]
    assert {unit for _, unit in readings_of(level).values()} == {"ms"}
    assert codes_of(level) == []


def test_times_that_agree_on_no_unit_are_refused():
    def apart(report):
        report["metrics"]["latency"]["request_latency"]["mean"] = 30.0

    with pytest.raises(RefusedFileError) as refused:
        changed(EARLY, apart)
    assert refused.value.code == "ingest.unit_unknown"


def test_a_thousandth_of_the_requests_in_flight_settles_the_unit_too():
    def closed(report):
        report["scenario"]["load"]["args"] = {"max_concurrency": 60}
        latency = report["metrics"]["latency"]
        latency["request_latency"].update(mean=30.0)
        latency["time_to_first_token"].update(mean=10.0)
        for key in ("time_per_output_token", "inter_token_latency"):
            latency[key].update(mean=1.0)

    level = changed(EARLY, closed).levels[0]  # 2 requests/s x 30 s = 60 in flight
    assert readings_of(level)["e2e mean"] == (30.0, "s")
    assert codes_of(level) == ["llm_d.unit_by_arithmetic"]


# Percentiles, load, counts


def test_p0p1_is_a_tenth_of_a_percent_and_p99p9_the_thousandth_slowest():
    found = readings_of(changed(LATER).levels[0])
    assert (found["ttft p0.1"], found["ttft p1"], found["ttft p99.9"]) == ((50.0, "ms"), (60.0, "ms"), (199.0, "ms"))


@pytest.mark.parametrize(
    ("load_", "concurrency", "rate"),
    [
        ({"rate_qps": 10, "concurrency": float("inf")}, None, 10.0),
        ({"rate_qps": float("inf"), "concurrency": 8}, 8.0, None),
        ({"rate_qps": None, "concurrency": 8}, 8.0, None),
        ({"rate_qps": 4, "concurrency": 100}, 100.0, 4.0),
    ],
)
def test_unlimited_is_no_load(load_, concurrency, rate):
    level = changed(LATER, lambda report: standardized(report).update(load_)).levels[0]
    assert (level.asked_concurrency, level.asked_rate) == (concurrency, rate)


@pytest.mark.parametrize(
    ("args", "stage", "concurrency", "rate"),
    [
        ({"qps_values": [1.0, 2.0, 4.0]}, 2, None, 4.0),
        ({"qps_values": [1.0, 2.0, 4.0]}, None, None, None),
        ({"qps_values": [3.0]}, None, None, 3.0),
        ({"load": {"stages": [{"rate": 2.0}, {"rate": 5.0}]}}, 1, None, 5.0),
        ({"load": {"stages": [{"rate": 20.0, "concurrency_level": 4}]}}, 0, 4.0, None),
        ({"load": {"stages": [{"rate": 2.0}]}}, 7, None, None),
    ],
)
def test_early_reports_keep_the_load_in_the_generators_own_settings(args, stage, concurrency, rate):
    def settings(report):
        report["scenario"]["load"]["args"] = args
        report["scenario"]["load"]["metadata"] = {"stage": stage}

    level = changed(EARLY, settings).levels[0]
    assert (level.asked_concurrency, level.asked_rate) == (concurrency, rate)
    assert ("ingest.no_load" in codes_of(level)) is (concurrency is None and rate is None)


def test_a_load_in_the_name_alone_is_marked():
    def no_load(report):
        report["scenario"]["load"]["args"] = {}

    level = changed(VLLM, no_load, "run_conc16/report.yaml").levels[0]
    assert level.asked_concurrency == 16.0
    assert codes_of(level) == ["ingest.from_file_name"]


def test_completed_requests_written_as_total_leave_the_failures_unknown():
    level = changed(VLLM).levels[0]
    assert (level.requests_sent, level.requests_good, level.requests_failed) == (None, 80, None)


def test_a_level_where_all_failed_has_no_latency():
    def fail(report):
        aggregate(report)["requests"]["failures"] = 500

    level = changed(LATER, fail).levels[0]
    assert (level.requests_good, level.readings) == (0, ())
    assert "ingest.none_completed" in codes_of(level)


# Definitions by tool


@pytest.mark.parametrize("tool", ["guidellm", "aiperf"])
def test_an_itl_of_requests_is_tpot_here_and_their_tpot_is_not_read(tool):
    raw = changed(GUIDE, lambda report: standardized(report).update(tool=tool))
    found = readings_of(raw.levels[0])
    assert found["tpot p99"] == (0.03, "s")
    assert not any(name.startswith("itl") or value == 0.04 for name, (value, _) in found.items())
    assert raw.calls == {Metric.TPOT: "ITL"}


def test_the_other_tools_name_them_as_we_do():
    raw = changed(GUIDE, lambda report: standardized(report).update(tool="vllm-benchmark"))
    found = readings_of(raw.levels[0])
    assert (found["tpot p99"], found["itl p99"]) == ((0.06, "s"), (0.03, "s"))
    assert raw.calls == {}


def test_events_that_inference_perf_counted_twice_are_noticed_here_too():
    def halve(report):
        for key in ("time_per_output_token", "inter_token_latency"):
            aggregate(report)["latency"][key] = {"units": "ms/token", "mean": 10.0, "p99": 20.0}

    level = changed(LATER, halve).levels[0]
    assert "ingest.events_counted_twice" in codes_of(level)
    found = readings_of(level)
    assert "tpot p99" not in found
    assert not any(name.startswith("itl") for name in found)


# What served


def test_accelerators_are_a_sum_over_unequal_instances():
    found = changed(EARLY).levels[0].conditions
    assert (found["accelerator_count"], found["prefill_accelerators"], found["decode_accelerators"]) == (10, 2, 8)
    assert "tp" not in found


def test_replicas_multiply_the_accelerators_of_one():
    found = changed(GUIDE).levels[0].conditions
    assert (found["accelerator_count"], found["replicas"], found["tp"]) == (6, 3, 2)


def test_an_instance_over_several_machines_counts_all_of_them():
    def spread(report):
        told = report["scenario"]["stack"][0]["standardized"]["accelerator"]
        told.update(count=8)
        told["parallelism"].update(tp=16, workers=2)

    assert changed(GUIDE, spread).levels[0].conditions["accelerator_count"] == 48


def test_one_unknown_count_makes_the_sum_unknown():
    def forget(report):
        report["scenario"]["stack"][0]["standardized"]["accelerator"].pop("count")

    assert "accelerator_count" not in changed(LATER, forget).levels[0].conditions


def test_decoding_instances_alone_are_no_disaggregation():
    def alone(report):
        report["scenario"]["stack"][0]["standardized"]["role"] = "decode"

    assert "serving_mode" not in changed(GUIDE, alone).levels[0].conditions


@pytest.mark.parametrize("case", [EARLY, LATER, GUIDE])
def test_users_clusters_addresses_and_registries_are_not_kept(case):
    text = repr(changed(case))
    assert not any(word in text for word in ("PRIVATE", "10.1.2.3", "registry.example", "cluster.local"))


def test_restarts_and_several_generators_are_noticed():
    assert codes_of(changed(LATER).levels[0]) == ["llm_d.restarts"]
    assert codes_of(changed(GUIDE).levels[0]) == ["llm_d.parallel_clients"]


def test_other_stacks_are_other_runs():
    def move(report):
        report["scenario"]["stack"][0]["metadata"]["cfg_id"] = "another"

    assert changed(LATER).levels[0].identity != changed(LATER, move).levels[0].identity


# Versions, damage, merging


def test_a_newer_version_is_read_with_a_warning():
    raw = changed(LATER, lambda report: report.update(version="0.9"))
    assert (raw.format_version, codes_of(raw)) == ("0.9", ["llm_d.newer_schema"])


@pytest.mark.parametrize("part", ["latency", "throughput"])
def test_a_report_that_ends_early_is_refused(part):
    with pytest.raises(RefusedFileError) as refused:
        changed(LATER, lambda report: aggregate(report).pop(part))
    assert refused.value.code == "ingest.truncated"


def test_half_a_number_at_the_end_of_a_report_is_refused():
    text = golden_bytes(f"llm_d_report/{EARLY}").rstrip()
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("run/report.yaml", text[:-2]))
    assert (refused.value.code, refused.value.place.line) == ("ingest.truncated", text.count(b"\n") + 1)


def test_a_stage_and_its_report_in_one_folder_are_one_level():
    stage = json.loads(golden_bytes("inference_perf/v0_7_http500"))
    latency = stage["successes"]["latency"]

    def copy_of(report):
        told = aggregate(report)
        told["requests"].update(total=40, failures=7)
        told["requests"]["output_length"].update(mean=32.0)
        for key, block in told["latency"].items():
            block.clear()
            block.update(units="s", mean=latency[key]["mean"], p99=latency[key]["p99"])
        standardized(report).update(rate_qps=None, concurrency=4)

    report = yaml.safe_load(golden_bytes(f"llm_d_report/{LATER}"))
    copy_of(report)
    files = [
        Upload("run/stage_0_lifecycle_metrics.json", golden_bytes("inference_perf/v0_7_http500")),
        Upload("run/benchmark_report.yaml", yaml.safe_dump(report, sort_keys=False).encode()),
    ]
    (run,) = load(files).runs
    (level,) = run.stages
    assert (level.asked_concurrency, level.requests_good) == (4.0, 33)
    assert (run.conditions.accelerator_count, run.conditions.model) == (9, "example/model-8b")
    assert len(run.files) == 2
