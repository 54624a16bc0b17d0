"""Traps of GuideLLM's tables and YAML, and how they join its JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest
import yaml

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.pipeline import load
from tests.ingest.golden_files import codes_of, golden_bytes, readings_of

EARLY, MIDDLE, LATER = (
    f"guidellm_csv/{case}" for case in ("v0_3_one_header", "v0_5_strategy_without_load", "v0_8_http500")
)


def rows_of(case):
    return list(csv.reader(io.StringIO(golden_bytes(case).decode(), newline="")))


def read(rows, name="run/benchmarks.csv"):
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return read_file(Upload(name, text.getvalue().encode()))


def column(rows, *key):
    return list(zip(*rows[:3], strict=True)).index(key)


def with_cell(case, key, value, row=3):
    rows = rows_of(case)
    rows[row][column(rows, *key)] = value
    return read(rows)


def test_percentiles_are_a_list_in_a_cell_and_the_median_stands_alone():
    found = readings_of(read(rows_of(MIDDLE)).levels[0])
    assert (found["ttft p0.1"], found["ttft p1"], found["ttft p5"]) == ((44.0, "ms"), (48.0, "ms"), (52.0, "ms"))
    assert (found["ttft p50"], found["ttft p99"]) == ((72.0, "ms"), (144.0, "ms"))


def test_their_time_per_output_token_is_not_read():
    for case in (EARLY, MIDDLE):
        assert "777" not in repr(read(rows_of(case)))


@pytest.mark.parametrize(
    ("text", "profile", "index", "concurrency", "rate"),
    [
        ("concurrent@4", {"streams": [2, 4]}, 1, 4.0, None),
        ("concurrent", {"streams": [2, 4]}, 1, 4.0, None),
        ("synchronous", {}, 0, 1.0, None),
        ("constant@2.35", {"rate": [1.0, 2.3456]}, 1, None, 2.3456),
        ("constant@2.35", {"rate": [1.0, 9.0]}, 1, None, 2.35),
        ("poisson", {"rate": [0.5]}, 0, None, 0.5),
        ("throughput", {"max_concurrency": 64}, 0, None, None),
        ("concurrent", {"streams": [2]}, 5, None, None),
        ("constant@2.35", {"rate": ["fast"]}, 0, None, 2.35),
    ],
)
def test_every_way_to_write_a_strategy(text, profile, index, concurrency, rate):
    rows = rows_of(MIDDLE)[:4]
    for key, value in {
        ("Benchmark", "Strategy", ""): text,
        ("Run Info", "Profile", ""): json.dumps(profile),
        ("Run Info", "Run Index", ""): str(index),
    }.items():
        rows[3][column(rows, *key)] = value
    level = read(rows).levels[0]
    assert (level.asked_concurrency, level.asked_rate) == (concurrency, rate)


def test_a_row_with_more_columns_than_the_header_is_refused_with_its_line():
    rows = rows_of(MIDDLE)
    rows[4] += ["1.0"] * 4
    with pytest.raises(RefusedFileError) as refused:
        read(rows)
    assert (refused.value.code, refused.value.place.line) == ("guidellm.columns_shifted", 5)
    assert "benchmarks.json" in str(refused.value.fix)


def test_values_of_requests_that_were_not_there_mean_other_columns():
    rows = rows_of(LATER)
    rows[4][column(rows, "Request Counts", "Errored", "")] = "0"
    with pytest.raises(RefusedFileError) as refused:
        read(rows)
    assert (refused.value.code, refused.value.place.line) == ("guidellm.columns_shifted", 5)


def test_a_level_where_all_failed_has_no_latency():
    level = with_cell(MIDDLE, ("Request Counts", "Successful", ""), "90").levels[0]
    assert level.readings
    rows = rows_of(LATER)
    for index, (_, field, _) in enumerate(zip(*rows[:3], strict=True)):
        if field.startswith("Successful "):
            rows[3][index] = ""
    rows[3][column(rows, "Request Counts", "Successful", "")] = "0"
    failed = read(rows).levels[0]
    assert (failed.requests_good, failed.readings) == (0, ())
    assert "ingest.none_completed" in codes_of(failed)


def test_requests_in_flight_are_those_of_every_ending():
    level = read(rows_of(LATER)).levels[0]
    assert level.measured_concurrency == pytest.approx(3.612542173644096 + 0.026583561015774557)
    assert read(rows_of(EARLY)).levels[0].measured_concurrency == 5.25


@pytest.mark.parametrize("cell", ["[1.0, 2.0]", "[1.0", "many", '{"p50": 1}'])
def test_a_list_of_another_length_is_refused_with_its_place(cell):
    with pytest.raises(RefusedFileError) as refused:
        with_cell(MIDDLE, ("Time to First Token", "Successful ms", "Percentiles"), cell)
    assert (refused.value.code, refused.value.place.line) == ("ingest.unexpected", 4)


def test_a_mean_that_is_text_is_refused_with_its_line():
    with pytest.raises(RefusedFileError) as refused:
        with_cell(MIDDLE, ("Request Latency", "Successful Sec", "Mean"), "slow")
    assert (refused.value.code, refused.value.place.line) == ("ingest.not_a_number", 4)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_table_without_a_level_is_refused(rows):
    with pytest.raises(RefusedFileError):
        read(rows_of(MIDDLE)[:rows])


@pytest.mark.parametrize("end", ["", '"open quote\n', 'x"y,"z"w\n'])
def test_a_table_that_breaks_off_is_refused_with_its_line(end):
    text = golden_bytes(MIDDLE).decode().rstrip("\n") + end
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("run/benchmarks.csv", text.encode()))
    assert refused.value.code in ("ingest.truncated", "guidellm.columns_shifted")
    assert refused.value.place.line


def test_a_table_wider_than_the_limit_is_refused():
    rows = [row + ["x"] * 2_001 for row in rows_of(MIDDLE)]
    with pytest.raises(RefusedFileError) as refused:
        read(rows)
    assert refused.value.code == "ingest.too_large"


def test_addresses_are_told_apart_and_not_kept():
    raw = read(rows_of(MIDDLE))
    assert "PRIVATE" not in repr(raw)
    assert raw.levels[0].identity["target"]


def test_a_table_of_the_early_layout_has_no_total_of_tokens():
    assert read(rows_of(EARLY)).levels[0].total_tok_s is None


# JSON, YAML and CSV of one run


def test_the_yaml_says_what_the_json_says():
    for case in ("v0_2_sweep", "v1_poisson", "v2_concurrent"):
        data = golden_bytes(f"guidellm/{case}")
        text = yaml.safe_dump(json.loads(data), sort_keys=False)
        one, other = read_file(Upload("benchmarks.json", data)), read_file(Upload("benchmarks.yaml", text.encode()))
        assert [level.readings for level in one.levels] == [level.readings for level in other.levels]
        assert [level.run_key for level in one.levels] == [level.run_key for level in other.levels]
        assert one.format_version == other.format_version


def test_yaml_without_its_metadata_was_cut_off():
    document = json.loads(golden_bytes("guidellm/v1_poisson"))
    document.pop("metadata")
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("benchmarks.yaml", yaml.safe_dump(document).encode()))
    assert (refused.value.code, refused.value.place.field) == ("ingest.truncated", "metadata")


def test_the_files_of_one_run_are_one_level_each(shared_data):
    folder = shared_data / "generated" / "tools" / "guidellm-0.8.1" / "faults_emulator_mns16" / "http500_20pct"
    files = [Upload(f"run/{path.name}", path.read_bytes()) for path in sorted(folder.iterdir())]
    (run,) = load(files).runs
    assert [(level.asked_concurrency, level.requests_good) for level in run.stages] == [(4.0, 52), (8.0, 47)]
    assert all(level.requests is not None for level in run.stages)
    assert len(run.files) == 2
    assert not any(finding.code in ("same_run.disagree", "records.disagree") for finding in run.findings)
    assert run.stages[0].statistics[Metric.TPOT].rule == "linear"


def test_what_the_tool_calls_itl_is_named():
    for case in (EARLY, MIDDLE, LATER):
        assert read(rows_of(case)).calls == {Metric.TPOT: "ITL"}


def test_the_page_is_refused_with_the_json_to_send(shared_data):
    folder = shared_data / "generated" / "tools" / "guidellm-0.8.1" / "concurrent_mns8"
    with pytest.raises(RefusedFileError) as refused:
        read_file(Upload("run/benchmarks.html.gz", (folder / "benchmarks.html.gz").read_bytes()))
    assert refused.value.code == "ingest.by_product"
    assert "benchmarks.json" in str(refused.value.fix)
