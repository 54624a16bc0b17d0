"""Traps of AIPerf's files, each by name."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from tests.ingest.golden_files import changed, codes_of, golden_bytes, readings_of

EARLY, ALL_FAILED, NEW = "aiperf/json_early", "aiperf/json_0_8_all_failed", "aiperf/json_0_13"
KINDS = ("profile_export_aiperf.json", "profile_export_aiperf.csv", "profile_export.jsonl")


def one_level(raw):
    (level,) = raw.levels
    return level


def read_csv(text: str, name: str = "concurrency_4/profile_export_aiperf.csv"):
    return one_level(read_file(Upload(name, text.encode())))


def csv_text() -> str:
    return golden_bytes("aiperf/csv_early_telemetry").decode()


def test_their_inter_token_latency_is_our_tpot_and_never_our_itl():
    found = readings_of(one_level(changed(NEW, lambda document: document.pop("inter_chunk_latency"))))
    assert found["tpot p99"] == (20.3546148443304, "ms")
    assert not any(name.startswith("itl") for name in found)


def test_the_chunk_gaps_of_a_summary_are_those_of_all_requests_pooled(shared_data):
    """Checked on a real file: the summary's statistics are those of every gap in the records."""
    folder = shared_data / "public" / "aiperf" / "ai-dynamo__aiperf" / "run1"
    summary = one_level(read_file(Upload("a.json", (folder / "profile_export_aiperf.json").read_bytes())))
    records = one_level(read_file(Upload("a.jsonl", (folder / "profile_export.jsonl").read_bytes())))
    gaps, told = records.requests.gaps, readings_of(summary)
    assert gaps.size == 21537
    assert told["itl mean"][0] == pytest.approx(gaps.mean())
    assert told["itl p99"][0] == pytest.approx(np.percentile(gaps, 99))


def test_only_the_unit_in_the_file_decides_the_unit():
    def in_seconds(document):
        document["time_to_first_token"] |= {"unit": "sec", "avg": 0.065}

    assert readings_of(one_level(changed(NEW, in_seconds)))["ttft mean"] == (0.065, "s")


def test_a_level_where_every_request_failed_is_kept_without_latencies():
    level = one_level(changed(ALL_FAILED, lambda document: None))
    assert (level.requests_good, level.requests_failed, level.readings, level.run_key) == (0, 41, (), None)
    assert "ingest.none_completed" in codes_of(level)


def test_failed_requests_are_counted_beside_good_latencies():
    def fail(document):
        document["error_request_count"] = {"unit": "requests", "avg": 16.0}
        document["request_count"]["avg"] = 25.0

    level = one_level(changed(NEW, fail))
    assert (level.requests_sent, level.requests_good, level.requests_failed) == (41, 25, 16)


def test_a_file_without_counts_or_latencies_is_refused():
    with pytest.raises(RefusedFileError) as refused:
        changed(ALL_FAILED, lambda document: document.pop("error_request_count"))
    assert refused.value.code == "ingest.no_levels"


def test_a_concurrency_beside_a_rate_is_kept_as_its_ceiling():
    level = one_level(changed(ALL_FAILED, lambda document: None))
    assert (level.asked_concurrency, level.asked_rate) == (512.0, 2.5)


def test_a_run_that_ended_early_says_so():
    texts = [str(f.what) for f in one_level(changed(ALL_FAILED, lambda document: None)).findings]
    assert "The run ended at 564 s of 1800 s" in texts
    assert "AIPerf marks this run as not valid" in texts


def test_a_run_that_reached_its_requests_before_its_time_is_complete():
    def both(document):
        document["input_config"]["phases"][0]["duration"] = 1800.0

    assert codes_of(one_level(changed(NEW, both))) == []


def test_a_stopped_run_says_how_far_it_came():
    def stop(document):
        document["was_cancelled"], document["is_complete"] = True, False
        document["input_config"]["phases"][0]["requests"] = 100

    (finding,) = one_level(changed(NEW, stop)).findings
    assert (finding.code, str(finding.what)) == ("aiperf.cut_short", "The run was stopped after 20 of 100 requests")


@pytest.mark.parametrize("warmup", [{"kind": "warmup"}, {"name": "warmup"}, {"exclude_from_results": True}])
def test_the_load_is_that_of_the_profiling_phase_not_of_the_warmup(warmup):
    def warm(document):
        document["input_config"]["phases"].insert(0, {"type": "concurrency", "concurrency": 99} | warmup)

    assert one_level(changed(NEW, warm)).asked_concurrency == 2.0


def test_a_rate_phase_is_open_loop_and_its_concurrency_a_ceiling():
    def rate(document):
        document["input_config"]["phases"][0] |= {"type": "gamma", "rate": 7.5, "concurrency": 64}

    level = one_level(changed(NEW, rate))
    assert (level.asked_concurrency, level.asked_rate, level.conditions["arrival"]) == (64.0, 7.5, "gamma")


def test_phases_of_different_load_are_no_level():
    def mix(document):
        phases = document["input_config"]["phases"]
        phases.append({**phases[0], "concurrency": 4})

    level = one_level(changed(NEW, mix))
    assert (level.asked_concurrency, codes_of(level)) == (None, ["aiperf.several_phases"])


def test_a_replayed_schedule_has_no_level():
    def replay(document):
        document["input_config"]["phases"][0] = {"kind": "profiling", "type": "fixed_schedule", "concurrency": 8}

    level = one_level(changed(NEW, replay))
    assert (level.asked_concurrency, level.asked_rate, codes_of(level)) == (None, None, ["ingest.no_load"])


def test_endpoints_are_told_apart_without_keeping_their_addresses():
    def other(document):
        document["input_config"]["endpoint"]["urls"] = ["http://secret.internal:1"]

    one, two = one_level(changed(NEW, lambda d: None)), one_level(changed(NEW, other))
    assert one.identity["endpoint"] != two.identity["endpoint"]
    assert "secret" not in repr(two)


def test_seeds_and_counts_do_not_tell_configurations_apart():
    def repeat(document):
        document["run_info"]["random_seed"] = 99
        document["input_config"]["datasets"][0]["random_seed"] = 99
        document["input_config"]["phases"][0] |= {"requests": 400, "concurrency": 32}

    assert one_level(changed(NEW, repeat)).identity == one_level(changed(NEW, lambda d: None)).identity


def test_error_texts_of_the_server_are_not_kept():
    assert "raw words" not in repr(changed(EARLY, lambda document: None))


def test_chunks_of_several_tokens_are_noticed():
    def speculate(document):
        document["inter_chunk_latency"]["count"] = 220  # 20 x 33 gaps between tokens would be 660

    (finding,) = one_level(changed(NEW, speculate)).findings
    assert (finding.code, str(finding.what)) == (
        "aiperf.several_tokens_per_chunk",
        "A chunk of the answer holds 3.0 tokens on average",
    )


def test_telemetry_names_the_accelerator_but_not_how_many_served():
    def measure(document):
        gpus = {f"gpu_{i}": {"gpu_index": i, "gpu_name": "Example GPU", "gpu_uuid": f"u{i}"} for i in range(2)}
        document["telemetry_data"]["endpoints"] = {"host": {"gpus": gpus}}

    level = one_level(changed(NEW, measure))
    assert level.conditions["accelerator"] == "Example GPU"
    assert "accelerator_count" not in level.conditions
    assert codes_of(level) == ["aiperf.telemetry_accelerators"]


def test_nan_in_a_summary_is_unknown_with_one_finding():
    raw = changed(NEW, lambda document: document["request_latency"].update(avg=float("nan")))
    level = one_level(raw)
    assert "e2e mean" not in readings_of(level)
    assert codes_of(level) == ["ingest.not_finite"]
    assert level.run_key is None


def test_a_table_names_its_level_only_by_its_folder():
    assert read_csv(csv_text()).asked_concurrency == 4.0
    assert read_csv(csv_text(), "rate2.5/profile_export_aiperf.csv").asked_rate == 2.5
    nameless = read_csv(csv_text(), "profile_export_aiperf.csv")
    assert (nameless.asked_concurrency, nameless.asked_rate) == (None, None)
    assert "ingest.no_load" in codes_of(nameless)


def test_a_table_whose_every_request_failed_is_kept():
    level = read_csv("Metric,Value\r\nBenchmark Duration (sec),5.00\r\nError Request Count,41.00\r\n")
    assert (level.requests_good, level.requests_failed, level.readings) == (0, 41, ())


def test_the_rows_adjusted_for_errors_are_not_taken_for_the_plain_ones():
    assert readings_of(read_csv(csv_text()))["tpot p90"] == (11.0, "ms")  # the adjusted row says 99


def test_a_bare_telemetry_header_is_no_accelerator():
    bare = csv_text().split("internal.example", 1)[0]
    assert "accelerator" not in read_csv(bare).conditions


@pytest.mark.parametrize("lost", ["Request Count,16.00\r\n", "Request Throughput (requests/sec),8.00\r\n"])
def test_a_table_that_lost_its_last_rows_is_refused(lost):
    with pytest.raises(RefusedFileError) as refused:
        read_csv(csv_text().replace(lost, ""))
    assert refused.value.code == "ingest.truncated"


def test_a_number_cut_in_two_is_refused_not_misread():
    text = csv_text()
    with pytest.raises(RefusedFileError) as refused:
        read_csv(text[: text.index("Request Count,16.00") + len("Request Count,1")])
    assert refused.value.code == "ingest.truncated"


def records(*changes: dict) -> str:
    lines = golden_bytes("aiperf/records_0_13").decode().splitlines()
    document = json.loads(lines[1])
    return "\n".join(json.dumps(document | change) for change in changes) + "\n"


def test_records_of_the_warmup_are_left_out_in_both_spellings():
    for key in ("benchmark_phase", "credit_phase"):
        text = records({}, {"metadata": {"request_start_ns": 0, key: "warmup"}})
        level = one_level(read_file(Upload("c2.jsonl", text.encode())))
        assert (level.requests_sent, "aiperf.warmup_left_out" in codes_of(level)) == (1, True)


def test_early_records_use_short_names_and_another_clock():
    metadata = {"timestamp_ns": 1759522419157947350, "credit_phase": "profiling"}
    metrics = {"ttft": {"value": 50.0, "unit": "ms"}, "request_latency": {"value": 150.0, "unit": "ms"}}
    text = records({"metadata": metadata, "metrics": metrics, "error": None})
    requests = one_level(read_file(Upload("c2.jsonl", text.encode()))).requests
    assert (requests.ttft.tolist(), requests.e2e.tolist(), requests.start.tolist()) == ([50.0], [150.0], [0.0])
    assert np.isnan(requests.tpot).all()


def test_records_in_two_units_of_time_are_refused():
    metrics = {"request_latency": {"value": 1.0, "unit": "sec"}}
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("c2.jsonl", records({}, {"metrics": metrics}).encode()))
    assert refused.value.code == "aiperf.unit_unknown"


def test_a_bare_nan_in_a_record_is_unknown():
    metrics = {
        "request_latency": {"value": 9.0, "unit": "ms"},
        "time_to_first_token": {"value": float("nan"), "unit": "ms"},
    }
    requests = one_level(read_file(Upload("c2.jsonl", records({"metrics": metrics}).encode()))).requests
    assert np.isnan(requests.ttft).all()


def test_a_negative_latency_in_a_record_is_unknown_with_a_finding():
    metrics = {"request_latency": {"value": -9.0, "unit": "ms"}}
    level = one_level(read_file(Upload("c2.jsonl", records({"metrics": metrics}, {}).encode())))
    assert np.isnan(level.requests.e2e[0])
    assert "aiperf.value_impossible" in codes_of(level)


def test_a_line_that_is_no_record_is_refused_with_its_number():
    text = records({}, {}) + '{"metadata": 5, "metrics": {}}\n'
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("c2.jsonl", text.encode()))
    assert (refused.value.code, refused.value.place.line) == ("aiperf.not_a_record", 3)


def test_a_file_of_nothing_but_warmup_is_refused():
    text = records({"metadata": {"benchmark_phase": "warmup"}})
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("c2.jsonl", text.encode()))
    assert refused.value.code == "ingest.no_levels"


def generated(shared_data):
    root = shared_data / "generated" / "tools" / "aiperf-0.13.0"
    return sorted(path.parent for path in root.rglob("profile_export_aiperf.json"))


def read_kind(folder, kind: str):
    path = next(path for path in (folder / kind, folder / f"{kind}.gz") if path.exists())
    return one_level(read_file(Upload(f"{folder.name}/{path.name}", path.read_bytes())))


def test_json_table_and_records_of_one_run_have_one_key(shared_data):
    folders = generated(shared_data)
    keys = [{read_kind(folder, kind).run_key for kind in KINDS} for folder in folders]
    assert [len(one) for one in keys] == [1] * len(folders)
    assert len(set().union(*keys)) == len(folders)


def test_records_span_the_window_that_the_tool_itself_used(shared_data):
    for folder in generated(shared_data):
        summary, detailed = read_kind(folder, KINDS[0]), read_kind(folder, KINDS[2])
        assert detailed.duration_s == pytest.approx(summary.duration_s, abs=2e-6)
        assert detailed.requests_good == summary.requests_good
        assert detailed.requests_failed == summary.requests_failed


def summary_rows(shared_data, tool: str) -> list[dict[str, str]]:
    with (shared_data / "generated" / "tools" / "summary.tsv").open(encoding="utf-8") as source:
        return [row for row in csv.DictReader(source, delimiter="\t") if row["tool"] == tool]


def test_summaries_agree_with_an_independent_reader(shared_data):
    rows = summary_rows(shared_data, "aiperf-0.13.0")
    assert len(rows) > 10
    for row in rows:
        level = read_kind(shared_data / "generated" / "tools" / row["tool"] / row["sweep"] / row["point"], KINDS[0])
        found = readings_of(level)
        assert level.asked_concurrency == float(row["conc"])
        assert (level.requests_good, level.requests_failed) == (float(row["ok"]), float(row["failed"]))
        for column, name in (
            ("ttft_mean", "ttft mean"), ("ttft_p50", "ttft p50"), ("ttft_p99", "ttft p99"), ("tpot_mean", "tpot mean"),
            ("itl_mean", "itl mean"), ("itl_p50", "itl p50"), ("itl_p99", "itl p99"),
            ("e2e_mean", "e2e mean"), ("e2e_p99", "e2e p99"),
        ):  # fmt: skip
            assert found[name] == (pytest.approx(float(row[column]), abs=6e-4), "ms"), (row["point"], name)
        for column, value in (
            ("req_s", level.request_rate), ("out_tok_s", level.output_tok_s), ("duration_s", level.duration_s)
        ):  # fmt: skip
            assert value == pytest.approx(float(row[column]), abs=6e-4)


def test_gaps_of_nothing_but_zeros_are_not_measured():
    def at_once(document):
        row = document["inter_token_latency"]
        row.update({key: 0.0 for key in row if key not in ("unit", "count")})

    found = readings_of(one_level(changed(NEW, at_once)))
    assert not any(name.startswith("tpot") for name in found)
    assert "itl mean" in found


def reasoned(**rows):
    """The early summary without what it holds of reasoning, and with these rows."""

    def bend(document):
        records = document.get("records", document)
        for name in ("reasoning_token_count", "time_to_first_output_token"):
            records.pop(name, None)
        for name, (value, unit) in rows.items():
            records[name] = {"unit": unit, "avg": value, "count": 20}

    return {f.code: f for f in one_level(changed(NEW, bend)).findings}.get("reasoning.tokens")


def test_reasoning_tokens_are_said_and_when_the_answer_itself_begins():
    found = reasoned(reasoning_token_count=(222.4, "tokens"), time_to_first_output_token=(4200.0, "ms"))
    assert str(found.what) == "About 222 of the tokens of an answer are reasoning"
    assert "begins 4.2 s after the request" in str(found.consequence)
    later = reasoned(reasoning_token_count=(222.4, "tokens"))
    assert str(later.consequence).endswith("the answer itself begins later")
    assert "E2E" in str(later.fix)


def test_a_model_that_does_not_reason_has_no_such_finding():
    assert reasoned() is None
    assert reasoned(reasoning_token_count=(0.0, "tokens")) is None


def test_a_real_file_of_a_reasoning_model_says_so(shared_data):
    folder = shared_data / "public" / "aiperf" / "ai-dynamo__aiperf" / "run1"
    for name in KINDS:
        level = one_level(read_file(Upload(name, (folder / name).read_bytes())))
        (found,) = (finding for finding in level.findings if finding.code == "reasoning.tokens")
        assert str(found.what) == "About 222 of the tokens of an answer are reasoning"
