"""Traps of GuideLLM's reports, each by name."""

from __future__ import annotations

import copy
import csv
import gzip
import json

import numpy as np
import pytest

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from tests.ingest.golden_files import changed, codes_of, golden_bytes, readings_of

SWEEP, V1, V2 = "guidellm/v0_2_sweep", "guidellm/v1_poisson", "guidellm/v2_concurrent"


def unchanged(case):
    return changed(case, lambda document: None)


def strategy(case, new):
    """The first level of a case with another strategy."""

    def change(document):
        first = document["benchmarks"][0]
        (first.get("config") or first["args"])["strategy"] = new

    return changed(case, change).levels[0]


def test_p001_is_a_tenth_of_a_percent_and_p01_one_percent():
    found = readings_of(unchanged(SWEEP).levels[0])
    assert (found["ttft p0.1"], found["ttft p1"], found["ttft p99.9"]) == ((22.5, "ms"), (27.0, "ms"), (90.0, "ms"))


def test_the_median_stands_in_only_where_the_percentiles_hold_no_p50():
    assert readings_of(unchanged(SWEEP).levels[0])["ttft p50"] == (45.0, "ms")

    def both(document):
        ttft = document["benchmarks"][0]["metrics"]["time_to_first_token_ms"]["successful"]
        ttft["percentiles"]["p50"] = 46.0

    assert readings_of(changed(V1, both).levels[0])["ttft p50"] == (46.0, "ms")


def test_request_latency_is_in_seconds_and_the_rest_in_milliseconds():
    found = readings_of(unchanged(V1).levels[0])
    assert (found["e2e mean"], found["ttft mean"], found["tpot mean"]) == ((3.8, "s"), (80.0, "ms"), (30.0, "ms"))


def test_their_time_per_output_token_is_never_read():
    def mark(document):
        document["benchmarks"][0]["metrics"]["time_per_output_token_ms"]["successful"]["mean"] = 777.0

    for case in (SWEEP, V1, V2):
        assert "777" not in repr(changed(case, mark))


def test_their_itl_is_one_value_per_request_so_it_is_our_tpot_of_requests():
    level = unchanged(V1).levels[0]
    assert {metric.value: n for metric, n in level.sample_n.items()} == {"ttft": 300, "tpot": 300, "e2e": 300}
    assert not any(name.startswith("itl") for name in readings_of(level))


def test_weighting_by_tokens_is_a_warning_only_where_lengths_vary():
    def equal(document):
        document["benchmarks"][0]["metrics"]["output_token_count"]["successful"]["std_dev"] = 0.0

    severities = [raw.levels[0].findings[0].severity.value for raw in (unchanged(V1), changed(V1, equal))]
    assert severities == ["warning", "info"]


def test_tpot_follows_from_the_requests_where_they_are_kept():
    requests = unchanged(V2).levels[0].requests
    tpot = (requests.e2e - requests.ttft) / (requests.output_tokens - 1.0)
    np.testing.assert_allclose(tpot[requests.good], [0.01, 0.01, 0.02, 0.02])
    assert requests.tpot is None


def test_a_sample_of_the_requests_is_not_taken_for_all_of_them():
    level = unchanged(SWEEP).levels[1]
    assert level.requests is None
    assert "guidellm.requests_sampled" in codes_of(level)


def test_prompts_answers_targets_and_error_texts_are_not_kept():
    for case in (SWEEP, V1, V2):
        assert all(text not in repr(unchanged(case)) for text in ("PRIVATE", "raw words", "internal.example"))


def test_targets_are_told_apart_without_keeping_their_addresses():
    def move(document):
        for benchmark in document["benchmarks"]:
            benchmark["config"]["backend"]["target"] = "http://elsewhere:1"

    assert unchanged(V2).levels[0].identity["target"] != changed(V2, move).levels[0].identity["target"]


@pytest.mark.parametrize(
    ("new", "concurrency", "rate", "arrival"),
    [
        ({"type_": "synchronous"}, 1.0, None, "closed loop"),
        ({"type_": "concurrent", "streams": 16}, 16.0, None, "closed loop"),
        ({"type_": "constant", "rate": 4.5, "max_concurrency": 10240}, None, 4.5, "constant"),
        ({"type_": "poisson", "rate": 4.5, "max_concurrency": 512}, None, 4.5, "poisson"),
        ({"type_": "async", "rate": 4.5}, None, 4.5, "async"),
        ({"type_": "throughput", "max_concurrency": 512}, None, None, "unbounded"),
    ],
)
def test_every_strategy_becomes_its_own_kind_of_load(new, concurrency, rate, arrival):
    for case in (SWEEP, V1, V2):
        level = strategy(case, new)
        found = (level.asked_concurrency, level.asked_rate, level.conditions["arrival"])
        assert found == (concurrency, rate, arrival)


def test_throughput_is_marked_as_no_chosen_level():
    level = strategy(V1, {"type_": "throughput", "max_concurrency": 64})
    assert (level.asked_concurrency, level.asked_rate, level.measured_concurrency) == (None, None, 19.0)
    assert "guidellm.not_a_level" in codes_of(level)


def test_an_unknown_strategy_has_no_load_and_says_so():
    assert "ingest.no_load" in codes_of(strategy(V1, {"type_": "incremental"}))


def test_a_burst_that_beats_the_asked_rate_is_noticed():
    assert codes_of(unchanged(SWEEP).levels[2]) == ["guidellm.rate_above_asked"]
    assert "guidellm.rate_above_asked" not in codes_of(unchanged(V1).levels[0])


def test_incomplete_requests_are_cut_off_not_failed():
    level = unchanged(SWEEP).levels[0]
    assert (level.requests_good, level.requests_failed, level.requests_cut_off) == (2, 0, 1)
    assert level.requests.cut_off.tolist() == [False, False, True]


def test_counts_are_those_of_the_window_not_of_the_scheduler():
    assert unchanged(V1).levels[0].requests_cut_off == 3  # the scheduler says 53


def test_a_level_where_every_request_failed_has_no_latency_of_zero():
    level = unchanged(V2).levels[1]
    assert (level.requests_good, level.requests_failed, level.readings) == (0, 5, ())
    assert codes_of(level) == ["ingest.none_completed"]


def test_a_level_that_was_not_streamed_has_no_ttft():
    def whole(document):
        metrics = document["benchmarks"][0]["metrics"]
        zeros = document["benchmarks"][0]["metrics"]["request_latency"]["errored"]
        metrics["time_to_first_token_ms"]["successful"] = zeros
        metrics["inter_token_latency_ms"]["successful"] = zeros

    assert {name.split()[0] for name in readings_of(changed(V1, whole).levels[0])} == {"e2e"}


@pytest.mark.parametrize(("case", "planned"), [(SWEEP, 4), (V2, 3)])
def test_planned_levels_that_are_not_in_the_file_are_noticed(case, planned):
    raw = unchanged(case)
    texts = [str(f.what) for f in raw.findings if f.code == "guidellm.levels_missing"]
    assert texts == [f"{planned} levels were planned and {len(raw.levels)} are in the file"]


def test_levels_of_several_runs_in_one_file_have_no_common_plan():
    def add(document):
        other = copy.deepcopy(document["benchmarks"][0])
        other["config"]["run_id"] = "another"
        document["benchmarks"].append(other)

    assert "guidellm.levels_missing" not in codes_of(changed(V2, add))


def test_the_total_of_early_versions_counts_prompts_twice_and_is_not_read():
    assert unchanged(SWEEP).levels[0].total_tok_s is None
    assert unchanged(V1).levels[0].total_tok_s == 1920.0  # 5 x (256 + 128)


def test_a_newer_version_is_read_with_a_warning():
    raw = changed(V2, lambda document: document["metadata"].update(version=3))
    assert (raw.format_version, "guidellm.newer_schema" in codes_of(raw)) == ("3", True)


def test_the_tools_own_warnings_are_passed_on():
    texts = [str(f.what) for f in unchanged(V2).levels[0].findings]
    assert texts == ["GuideLLM warns: mean generation delay was 7% of mean time to first token"]


def test_accelerators_are_taken_from_the_name_with_a_finding():
    level = changed(V1, lambda document: None, "h100_8gpus/report.json").levels[0]
    assert level.conditions["accelerator_count"] == 8
    assert "ingest.from_file_name" in codes_of(level)


@pytest.mark.parametrize(
    "broken", [{}, {"benchmarks": []}, {"benchmarks": None}, {"benchmarks": 5}, {"benchmarks": [5]}]
)
def test_a_report_without_levels_is_refused(broken):
    document = {"metadata": {"guidellm_version": "0.8.1", "version": 2}, **broken}
    with pytest.raises(RefusedFileError):
        read_file(Upload("report.json", json.dumps(document).encode()))


def test_a_count_that_is_text_is_refused_with_its_place():
    def spoil(document):
        document["benchmarks"][0]["metrics"]["request_totals"]["successful"] = "many"

    with pytest.raises(RefusedFileError) as refused:
        changed(V1, spoil)
    assert refused.value.place.field == "benchmarks[0].metrics.request_totals.successful"


def test_reports_agree_with_an_independent_reader(shared_data):
    root = shared_data / "generated" / "tools"
    with (root / "summary.tsv").open(encoding="utf-8") as source:
        rows = [row for row in csv.DictReader(source, delimiter="\t") if row["tool"] == "guidellm-0.8.1"]
    assert len(rows) == 9
    for row in rows:
        path = root / row["tool"] / row["sweep"] / "benchmarks.json.gz"
        level = read_file(Upload("benchmarks.json.gz", path.read_bytes())).levels[int(row["point"].split(":")[0])]
        found = readings_of(level)
        assert level.asked_concurrency == float(row["conc"])
        assert (level.requests_good, level.requests_failed) == (int(row["ok"]), int(row["failed"]))
        for name in ("ttft mean", "ttft p50", "ttft p99"):
            assert found[name] == (pytest.approx(float(row[name.replace(" ", "_")]), abs=6e-4), "ms")
        for name in ("e2e mean", "e2e p99"):
            assert found[name] == (pytest.approx(float(row[name.replace(" ", "_")]) / 1e3, abs=1e-6), "s")
        assert level.request_rate == pytest.approx(float(row["req_s"]), abs=6e-4)
        assert level.output_tok_s == pytest.approx(float(row["out_tok_s"]), abs=6e-4)
        assert level.duration_s == pytest.approx(float(row["duration_s"]), abs=6e-4)


def test_records_of_real_reports_give_the_tools_own_means(shared_data):
    """The tool's ITL ends at the last token, our TPOT at the end of the answer: never shorter."""
    public = shared_data / "public" / "guidellm" / "fmperf-project__fmperf"
    tools = shared_data / "generated" / "tools" / "guidellm-0.8.1" / "concurrent_mns8"
    for path in [*sorted(public.glob("*.gz")), tools / "benchmarks.json.gz"]:
        raw = read_file(Upload(path.name, path.read_bytes()))
        for level, told in zip(raw.levels, theirs(path), strict=True):
            requests = level.requests
            good = requests.good
            assert requests.ttft[good].mean() == pytest.approx(told["ttft"] / 1e3)
            assert requests.e2e[good].mean() == pytest.approx(told["e2e"])
            tpot = (requests.e2e - requests.ttft)[good] / (requests.output_tokens[good] - 1.0)
            assert told["itl"] <= tpot.mean() * 1e3 < 1.2 * told["itl"]


def theirs(path):
    for benchmark in json.loads(gzip.decompress(path.read_bytes()))["benchmarks"]:
        names = {"ttft": "time_to_first_token_ms", "e2e": "request_latency", "itl": "inter_token_latency_ms"}
        yield {short: benchmark["metrics"][name]["successful"]["mean"] for short, name in names.items()}


def test_golden_reports_hold_words_that_must_not_be_kept():
    assert b"PRIVATE" in golden_bytes(SWEEP)
    assert b"PRIVATE" in golden_bytes(V2)
