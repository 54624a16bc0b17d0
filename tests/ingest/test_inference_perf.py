"""Traps of inference-perf's files, each by name."""

from __future__ import annotations

import json

import numpy as np
import pytest
import yaml

from core.errors import RefusedFileError
from core.ingest.formats import inference_perf_config, inference_perf_records
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.pipeline import load
from tests.ingest.golden_files import changed, codes_of, golden_bytes, readings_of

LATE, SWEEP, FAULTS = (
    "inference_perf/late_2025_counted_twice",
    "inference_perf/v0_7_concurrent",
    "inference_perf/v0_7_http500",
)
RECORDS = "inference_perf_records/v0_7_http500"
NAME = "run/stage_0_lifecycle_metrics.json"


def stage(case, change, name=NAME):
    return changed(case, change, name).levels[0]


def latency(document, key):
    return document["successes"]["latency"][key]


# Events counted twice


def test_halved_times_per_token_are_not_read_and_the_mean_follows_from_the_identity():
    level = stage(LATE, lambda document: None)
    found = readings_of(level)
    assert {name for name in found if name.startswith(("tpot", "itl"))} == {"tpot mean"}
    assert found["tpot mean"] == (pytest.approx(0.016), "s")
    assert codes_of(level) == ["ingest.events_counted_twice"]


def test_where_lengths_vary_much_not_even_the_mean_is_told():
    def vary(document):
        document["successes"]["output_len"].update(p10=20.0)

    assert not any(name.startswith("tpot") for name in readings_of(stage(LATE, vary)))


@pytest.mark.parametrize(
    ("ratio", "halved"), [(1.0, False), (1.5, False), (1.84, True), (2.13, True), (3.0, False), (0.5, False)]
)
def test_only_a_ratio_near_two_is_a_double_count(ratio, halved):
    def give(document):
        for key in ("time_per_output_token", "inter_token_latency"):
            latency(document, key)["mean"] = 0.016 / ratio

    assert ("ingest.events_counted_twice" in codes_of(stage(LATE, give))) is halved


def test_itl_alone_may_be_halved():
    def only_itl(document):
        latency(document, "time_per_output_token").update(mean=0.016, median=0.016, p99=0.017)

    found = readings_of(stage(LATE, only_itl))
    assert found["tpot p99"] == (0.017, "s")
    assert not any(name.startswith("itl") for name in found)


def test_a_target_on_halved_times_cannot_be_told():
    run = load([Upload(NAME, golden_bytes(LATE))]).runs[0]
    assert Metric.ITL not in run.stages[0].statistics
    assert run.stages[0].value(Metric.TPOT, "p99") is None


# Load


def test_fewer_sent_than_asked_is_the_clients_limit():
    run = load([Upload(NAME, golden_bytes(LATE))]).runs[0]
    assert (run.stages[0].asked_rate, run.stages[0].applied_rate) == (150.0, 120.0)
    assert "load.client_limited" in [finding.code for finding in run.findings]


def test_with_a_fixed_concurrency_the_requested_rate_is_a_number_of_requests():
    level = stage(SWEEP, lambda document: document["load_summary"].update(requested_rate=999.0))
    assert (level.asked_concurrency, level.asked_rate, level.applied_rate) == (2.0, None, None)


@pytest.mark.parametrize("rate", [-1.0, "-1.0", 0.0])
def test_a_rate_that_is_not_above_zero_is_unknown(rate):
    level = stage(LATE, lambda document: document["load_summary"].update(requested_rate=rate))
    assert level.asked_rate is None
    assert "ingest.no_load" in codes_of(level)


@pytest.mark.parametrize("rate", ["fast", {"distribution": "poisson", "mean": 4.0}, [1.0], True])
def test_a_rate_that_is_no_number_is_refused_with_its_place(rate):
    with pytest.raises(RefusedFileError) as refused:
        stage(LATE, lambda document: document["load_summary"].update(requested_rate=rate))
    assert refused.value.code == "ingest.not_a_number"
    assert refused.value.place.field == "load_summary.requested_rate"


def test_falling_rates_become_rising_levels():
    def at(rate, number):
        document = json.loads(golden_bytes(LATE))
        document["load_summary"]["requested_rate"] = rate
        latency(document, "request_latency")["mean"] = 3.0 + rate / 100.0
        return Upload(f"run/stage_{number}_lifecycle_metrics.json", json.dumps(document).encode())

    (run,) = load([at(9.0, 0), at(4.0, 1), at(2.0, 2)]).runs
    assert [each.asked_rate for each in run.stages] == [2.0, 4.0, 9.0]


def test_stages_of_two_folders_are_two_runs_though_no_rate_is_the_same():
    def at(rate, folder):
        document = json.loads(golden_bytes(LATE))
        document["load_summary"]["requested_rate"] = rate
        return Upload(f"{folder}/stage_0_lifecycle_metrics.json", json.dumps(document).encode())

    assert len(load([at(9.0, "fp8"), at(4.0, "bf16")]).runs) == 2
    assert len(load([at(9.0, "pass1"), at(4.0, "pass2")]).runs) == 1


# Counts and lengths


def test_the_servers_count_of_tokens_comes_before_the_clients():
    level = stage(SWEEP, lambda document: None)
    assert (level.output_tokens_mean, level.output_tok_s) == (32.0, None)
    alike = stage(SWEEP, lambda document: document["successes"]["output_len"].update(mean=32.2))
    assert alike.output_tok_s == pytest.approx(277.67, rel=1e-3)
    assert codes_of(alike) == []


def test_early_reports_name_the_prompt_otherwise():
    assert stage(LATE, lambda document: None).input_tokens_mean == 200.0
    assert stage(SWEEP, lambda document: None).input_tokens_mean == 64.0


@pytest.mark.parametrize("part", ["load_summary", "successes", "failures"])
def test_a_report_without_one_of_its_parts_is_refused(part):
    with pytest.raises(RefusedFileError):
        changed(SWEEP, lambda document: document.pop(part), NAME)


def test_error_messages_are_not_kept():
    assert "PRIVATE" in golden_bytes("inference_perf/all_failed").decode()
    assert "PRIVATE" not in repr(read_file(Upload(NAME, golden_bytes("inference_perf/all_failed"))))


# Files beside


def report_of(load_summary, **successes):
    return {"load_summary": load_summary, "successes": {"count": 9, **successes}, "failures": {}}


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("summary_lifecycle_metrics.json", report_of({"count": 9}, latency={})),
        ("adapter_x_stage_0_lifecycle_metrics.json", report_of({"requested_rate": 1.0})),
        ("stage_0_prometheus_metrics.json", report_of({}, rate=1.5)),
        ("validation.json", {"global": {"warnings": [], "errors": []}, "reports": {}}),
        ("stage_0_session_lifecycle_metrics.json", {"num_sessions": 5, "total_events": 9}),
    ],
)
def test_what_lies_beside_the_stages_is_refused_with_what_to_send(name, document):
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload(f"run/{name}", json.dumps(document).encode()))
    assert refused.value.code == "ingest.by_product"
    assert "stage_0_lifecycle_metrics.json" in str(refused.value.fix)


def test_the_configuration_tells_its_folder_and_keeps_nobodys_address():
    text = golden_bytes("inference_perf_config/v0_7_concurrent").decode().replace("api_key: null", "api_key: PRIVATE")
    raw = read_file(Upload("run/config.yaml", text.encode()))
    assert (raw.levels, raw.about_format) == ((), "inference_perf")
    assert not any(word in repr(raw) for word in ("PRIVATE", "127.0.0.1", "/models"))
    (run,) = load([Upload("run/config.yaml", text.encode()), Upload(NAME, golden_bytes(SWEEP))]).runs
    # The file says "vllm"; a run has one spelling for each engine, so that reports of one server agree.
    assert (run.conditions.model, run.conditions.engine) == ("tiny-llama", "vLLM")


# Requests


def pool(change=lambda records: None):
    records = json.loads(golden_bytes(RECORDS))
    change(records)
    return Upload("run/per_request_lifecycle_metrics.json", json.dumps(records).encode())


def parted(records, at, position, concurrency):
    """A stage's report whose count and mean E2E are those of some records."""
    document = json.loads(golden_bytes(FAULTS))
    good = [r for r in records if r["error"] is None]
    document["load_summary"].update(count=len(records), concurrency=concurrency)
    document["successes"]["count"] = len(good)
    document["failures"]["count"] = len(records) - len(good)
    latency(document, "request_latency")["mean"] = sum(r["end_time"] - r["start_time"] for r in good) / len(good)
    return Upload(f"{at}/stage_{position}_lifecycle_metrics.json", json.dumps(document).encode())


def ordered():
    return sorted(json.loads(golden_bytes(RECORDS)), key=lambda r: r["start_time"])


def test_requests_of_all_stages_part_by_what_each_stage_says():
    records = ordered()
    loaded = load([pool(), parted(records[10:], "run", 1, 8), parted(records[:10], "run", 0, 4)])
    (run,) = loaded.runs
    assert [(s.asked_concurrency, s.requests_sent, len(s.requests)) for s in run.stages] == [(4.0, 10, 10), (8.0, 6, 6)]
    assert loaded.refused == ()
    itl = run.stages[0].statistics[Metric.ITL]
    times = [r["info"]["response_metrics"]["output_token_times"] for r in records[:10] if r["error"] is None]
    assert itl.mean == pytest.approx(np.mean(np.concatenate([np.diff(t) for t in times])))


@pytest.mark.parametrize("spoil", ["a missing stage", "another mean", "another count of good ones"])
def test_requests_that_do_not_part_exactly_are_not_used(spoil):
    records = ordered()
    first, second = parted(records[:10], "run", 0, 4), parted(records[10:], "run", 1, 8)
    document = json.loads(second.data)
    if spoil == "another mean":
        latency(document, "request_latency")["mean"] *= 1.001
    elif spoil == "another count of good ones":
        document["successes"]["count"] += 1
    stages = [first] if spoil == "a missing stage" else [first, Upload(second.name, json.dumps(document).encode())]
    loaded = load([pool(), *stages])
    assert all(each.requests is None for run in loaded.runs for each in run.stages)
    assert "records.do_not_part" in [finding.code for run in loaded.runs for finding in run.findings]


def test_requests_of_another_folder_are_of_another_run():
    records = ordered()
    loaded = load([pool(), parted(records, "elsewhere", 0, 4)])
    assert all(each.requests is None for run in loaded.runs for each in run.stages)
    assert [refusal.code for refusal in loaded.refused] == ["ingest.about_nothing"]


def test_requests_without_their_stages_are_refused_with_what_is_missing():
    loaded = load([pool()])
    assert (loaded.runs, [refusal.code for refusal in loaded.refused]) == ((), ["ingest.about_nothing"])


def test_two_times_for_every_token_give_no_gaps():
    def twice(records):
        for record in records:
            told = record["info"]["response_metrics"]
            if told:
                told["output_token_times"] = sorted([*told["output_token_times"], *told["output_token_times"]])

    raw = read_file(pool(twice))
    assert raw.pool is not None
    assert (raw.pool.gaps.size, raw.pool.gap_counts) == (0, None)
    assert codes_of(raw) == ["ingest.events_counted_twice"]


def test_the_layout_up_to_0_4_has_its_counts_in_info():
    old = [{"start_time": 1.0, "end_time": 3.0, "request": "PRIVATE", "response": "x", "error": None,
            "info": {"input_tokens": 7, "output_tokens": 3, "output_token_times": [1.5, 2.0, 3.0]}}]  # fmt: skip
    raw = read_file(Upload("per_request_lifecycle_metrics.json", json.dumps(old).encode()))
    assert raw.pool is not None
    found = (raw.pool.ttft[0], raw.pool.e2e[0], raw.pool.input_tokens[0], raw.pool.output_tokens[0])
    assert found == (0.5, 2.0, 7.0, 3.0)
    assert raw.pool.gaps.tolist() == [0.5, 1.0]


def test_prompts_and_answers_are_not_kept():
    assert b"PRIVATE" in golden_bytes(RECORDS)
    assert "PRIVATE" not in repr(read_file(pool()))


@pytest.mark.parametrize("entry", [5, {"start_time": "soon", "end_time": 1.0}, {"end_time": 1.0}, None])
def test_an_entry_of_another_shape_is_refused_with_its_index(entry):
    with pytest.raises(RefusedFileError) as refused:
        read_file(pool(lambda records: records.insert(3, entry)))
    assert (refused.value.code, refused.value.place.field) == ("ingest.unexpected", refused.value.place.field)
    assert "[3]" in str(refused.value.place.field)


def test_a_bare_nan_among_the_requests_is_unknown():
    records = json.loads(golden_bytes(RECORDS))
    records[0]["end_time"] = float("nan")
    raw = read_file(Upload("per_request_lifecycle_metrics.json", json.dumps(records).encode()))
    assert raw.pool is not None
    assert np.isnan(raw.pool.e2e).sum() == 1


@pytest.mark.parametrize("document", ["[]", "5", '{"a": 1}'])
def test_a_list_without_requests_is_refused(document):
    with pytest.raises(RefusedFileError):
        inference_perf_records.read(Upload("per_request_lifecycle_metrics.json", document.encode()))


@pytest.mark.parametrize("text", ["- 1\n- 2\n", "just text\n"])
def test_a_configuration_without_sections_is_refused(text):
    with pytest.raises(RefusedFileError) as refused:
        inference_perf_config.read(Upload("config.yaml", text.encode()))
    assert refused.value.place.file == "config.yaml"


# Merging


def test_a_partial_report_without_its_throughput_was_cut_off():
    text = golden_bytes("inference_perf_yaml/v0_7_http500").decode()
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("run/inference-perf.partial.stage_0.yaml", text[: text.index("      throughput:")].encode()))
    assert refused.value.code == "ingest.truncated"


def test_a_partial_report_of_failures_alone_has_no_latency():
    document = yaml.safe_load(golden_bytes("inference_perf_yaml/v0_7_http500"))
    document["results"]["request_performance"]["aggregate"]["requests"]["failures"] = 40
    text = yaml.safe_dump(document, sort_keys=False)
    level = read_file(Upload("run/inference-perf.partial.stage_0.yaml", text.encode())).levels[0]
    assert (level.requests_good, level.readings) == (0, ())
    assert codes_of(level) == ["ingest.none_completed"]


def test_the_partial_report_of_a_stage_adds_percentiles_and_no_level():
    faults = [
        Upload("faults/stage_0_lifecycle_metrics.json", golden_bytes(FAULTS)),
        Upload("faults/inference-perf.partial.stage_0.yaml", golden_bytes("inference_perf_yaml/v0_7_http500")),
    ]
    (run,) = load(faults).runs
    (level,) = run.stages
    assert level.asked_concurrency == 4.0
    assert level.value(Metric.TTFT, "p99.9") is not None
    assert len(run.files) == 2


def test_the_same_figures_in_another_folder_are_another_run():
    one = Upload("a/stage_0_lifecycle_metrics.json", golden_bytes(FAULTS))
    other = Upload(
        "b/stage_0_lifecycle_metrics.json", golden_bytes(FAULTS).replace(b"injected fault", b"another fault")
    )
    assert len(load([one, other]).runs) == 2


def test_a_stage_is_read_the_same_as_yaml():
    document = json.loads(golden_bytes(SWEEP))
    text = yaml.safe_dump(document)
    one = read_file(Upload(NAME, golden_bytes(SWEEP))).levels[0]
    other = read_file(Upload(NAME.replace("json", "yaml"), text.encode())).levels[0]
    assert sorted(one.readings, key=str) == sorted(other.readings, key=str)
    assert (one.requests_good, one.run_key) == (other.requests_good, other.run_key)
