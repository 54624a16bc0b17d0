"""Traps of EvalScope's files, each by name."""

from __future__ import annotations

import dataclasses
import gzip
import json
import sqlite3

import pytest

from core.errors import RefusedFileError
from core.ingest.formats import evalscope_args, evalscope_console, evalscope_db, evalscope_json
from core.ingest.raw import Head, Upload
from core.ingest.read import read_file
from core.model.metric import Metric
from core.normalise.runs import runs_of
from core.settings import LIMITS
from tests.ingest.golden_files import changed, codes_of, golden_bytes, readings_of

NEW, OLD, ROWS = "evalscope/summary_1_14", "evalscope/summary_2025_rate", "evalscope/percentiles_1_14"
REPORT = "evalscope/report_1_14"
NAME = "closed/parallel_2_number_20/benchmark_data.db"
FOLDER = "generated/tools/evalscope-1.14.1/closed_mns8"


def one(raw):
    (level,) = raw.levels
    return level


def refused(name: str, data: bytes) -> RefusedFileError:
    with pytest.raises(RefusedFileError) as error:
        read_file(Upload(name, data))
    return error.value


def database(statements: str, rows=()) -> bytes:
    made = sqlite3.connect(":memory:")
    made.executescript(statements)
    if rows:
        made.executemany(f"INSERT INTO result VALUES ({', '.join('?' * len(rows[0]))})", rows)
    made.commit()
    return made.serialize()


TABLE = (
    "CREATE TABLE result(request TEXT, start_time REAL, inter_token_latencies TEXT, success INTEGER, latency REAL,"
    " first_chunk_latency REAL, prompt_tokens INTEGER, completion_tokens INTEGER, is_stream INTEGER)"
)
GOOD = ("a secret prompt", 1.0, "[0.1, 0.2]", 1, 0.5, 0.2, 10, 4, 1)
FAILED = ("a secret prompt", 2.0, "[]", 0, None, None, None, None, 1)


def from_folder(shared_data, *patterns):
    root = shared_data / FOLDER
    paths = sorted(path for pattern in patterns for path in root.glob(pattern))
    return [read_file(Upload(path.relative_to(root.parent).as_posix(), path.read_bytes())) for path in paths]


def test_summary_percentiles_and_settings_of_a_folder_are_one_level(shared_data):
    files = from_folder(shared_data, "*/benchmark_summary.json", "*/benchmark_percentile.json", "*/benchmark_args.json")
    (run,) = runs_of(files)
    assert [(stage.load, stage.replicates) for stage in run.stages] == [(n, 1) for n in (1, 2, 4, 8, 16, 32)]
    assert run.conditions.model == "tiny-llama"
    level = run.stages[4]
    assert (level.value(Metric.E2E, "mean"), level.value(Metric.E2E, "p99")) == (0.7629, 1.136)
    assert level.requests_good == 160


def test_the_report_the_log_and_the_database_are_not_counted_again(shared_data):
    everything = from_folder(
        shared_data, "*/benchmark_summary.json", "*/benchmark_percentile.json", "*/*.db.gz", "*.txt", "*.log"
    )
    (run,) = runs_of(everything)
    assert [(stage.load, stage.replicates) for stage in run.stages] == [(n, 1) for n in (1, 2, 4, 8, 16, 32)]
    assert [stage.requests_good for stage in run.stages] == [20, 20, 40, 80, 160, 320]
    assert not [finding for finding in run.findings if "disagree" in finding.code]


def test_files_of_other_levels_and_copies_are_other_executions():
    keys = {
        one(read_file(Upload(name, golden_bytes(NEW)))).run_key
        for name in ("a/benchmark_summary.json", "b/benchmark_summary.json", "a/benchmark_summary (1).json")
    }
    assert len(keys) == 3
    assert one(read_file(Upload("benchmark_summary.json", golden_bytes(NEW)))).run_key is None


def test_a_terminals_copy_is_no_execution_that_files_could_be_of():
    names = ("closed/performance_summary.txt", "closed/notes.txt")
    keys = [{level.run_key for level in read_file(Upload(name, golden_bytes(REPORT))).levels} for name in names]
    assert len(keys[0]) == 6
    assert keys[1] == {None}


def test_no_streaming_means_no_time_to_the_first_token():
    def whole(document):
        document |= {"Stream Requests": 0, "Non-Stream Requests": 160, "Avg TTFT (ms)": 762.9, "Avg TPOT (ms)": 0.0}

    level = one(changed(NEW, whole))
    assert {reading.metric for reading in level.readings} == {Metric.E2E}
    assert set(codes_of(level)) == {"ingest.not_measured"}


def test_percentiles_that_repeat_the_latency_are_no_first_tokens():
    def whole(rows):
        for row in rows:
            row |= {"TTFT (ms)": row["Latency (s)"] * 1000, "TPOT (ms)": 0.0, "ITL (ms)": 0.0}

    level = one(changed(ROWS, whole))
    assert {reading.metric for reading in level.readings} == {Metric.E2E}


@pytest.mark.parametrize(("gone", "metric"), [("Average inter-token latency (s)", Metric.TPOT)])
def test_a_time_per_token_without_gaps_beside_it_is_left_out(gone, metric):
    level = one(changed(OLD, lambda document: document.pop(gone)))
    assert metric not in {reading.metric for reading in level.readings}
    assert "evalscope.older_time_per_token" in codes_of(level)


def test_gaps_alone_in_percentiles_are_left_out():
    def early(document):
        del document["TPOT (s)"]

    level = one(changed("evalscope/percentiles_by_column", early))
    assert {reading.metric for reading in level.readings} == {Metric.E2E, Metric.TTFT}


@pytest.mark.parametrize("title", ["TTFT (ms)", "Avg TTFT (ms)"])
def test_titles_by_age_are_read(title):
    def renamed(document):
        document[title] = document.pop("Avg TTFT (ms)")

    assert readings_of(one(changed(NEW, renamed)))["ttft mean"] == (438.61, "ms")


def test_nothing_completed_is_said_and_its_minus_ones_are_unknown():
    def failed(document):
        document |= {"Success Requests": 0, "Failed Requests": 160, "Avg Latency (s)": -1, "Avg Output Tokens": -1}

    level = one(changed(NEW, failed))
    assert (level.readings, level.output_tokens_mean, codes_of(level)) == ((), None, ["ingest.none_completed"])


def test_acceptance_from_chunks_is_not_read():
    assert one(changed(NEW, lambda document: None)).acceptance_length is None


def test_percentiles_without_a_load_say_so():
    level = one(read_file(Upload("benchmark_percentile.json", golden_bytes(ROWS))))
    assert (level.asked_concurrency, level.asked_rate, codes_of(level)) == (None, None, ["ingest.no_load"])


def test_percentile_columns_of_different_length_are_refused():
    with pytest.raises(RefusedFileError) as error:
        changed("evalscope/percentiles_by_column", lambda document: document["TTFT (s)"].pop())
    assert error.value.code == "ingest.unexpected"


def test_settings_keep_no_key_address_or_prompt():
    def secret(document):
        document |= {"api_key": "hidden", "url": "http://internal", "prompt": "a secret", "rate": 4.0}

    raw = changed("evalscope/settings_1_14", secret)
    assert raw.about == {"model": "tiny-llama", "arrival": "poisson", "tool": "EvalScope"}
    for word in ("hidden", "internal", "secret"):
        assert word not in repr(raw)


@pytest.mark.parametrize("rate", [[1, 2], None, -1.0])
def test_the_arrival_is_that_of_one_level(rate):
    raw = changed("evalscope/settings_1_14", lambda document: document.update(rate=rate))
    assert raw.about.get("arrival") == ("closed loop" if rate == -1.0 else None)


def test_a_database_gives_requests_and_never_prompts():
    raw = read_file(Upload(NAME, database(TABLE, [GOOD, FAILED])))
    level = one(raw)
    assert (level.requests_sent, level.requests_good, level.requests_failed) == (2, 1, 1)
    assert level.requests.gaps.tolist() == [0.1, 0.2]
    assert level.requests.gap_counts.tolist() == [2, 0]
    assert "secret" not in repr(raw)


def test_chunk_times_of_old_databases_become_gaps():
    old = (
        "CREATE TABLE result(start_time REAL, chunk_times TEXT, success TEXT, latency REAL, first_chunk_latency REAL,"
        " prompt_tokens INTEGER, completion_tokens INTEGER)"
    )
    level = one(read_file(Upload(NAME, database(old, [(1.0, "[1.0, 1.5, 1.75]", "True", 0.9, 0.2, 10, 3)]))))
    assert (level.requests_good, level.requests.gaps.tolist()) == (1, [0.5, 0.25])


def test_unstreamed_rows_have_no_first_token():
    rows = [GOOD, (*GOOD[:4], 0.5, 0.5, 10, 4, 0)]
    level = one(read_file(Upload(NAME, database(TABLE, rows))))
    assert level.requests.ttft[0] == 0.2
    assert level.requests.ttft[1] != level.requests.ttft[1]
    level = one(read_file(Upload(NAME, database(TABLE, [(*GOOD[:4], 0.5, 0.5, 10, 4, 1)]))))
    assert "ingest.not_measured" in codes_of(level)


def test_gaps_that_no_clock_gives_are_left_out():
    level = one(read_file(Upload(NAME, database(TABLE, [(*GOOD[:2], "[-0.1]", *GOOD[3:])]))))
    assert (level.requests.gaps.size, level.requests.gap_counts) == (0, None)


@pytest.mark.parametrize(
    "row",
    [(*GOOD[:2], "no list", *GOOD[3:]), (*GOOD[:2], b"x", *GOOD[3:]), (*GOOD[:5], "soon", *GOOD[6:])],
)
def test_a_row_with_something_else_than_numbers_is_refused_with_its_place(row):
    found = refused(NAME, database(TABLE, [GOOD, row]))
    assert (found.code, found.place.line) == ("ingest.not_a_number", 2)


def test_a_level_without_a_good_request_is_kept_with_its_count():
    level = one(read_file(Upload(NAME, database(TABLE, [FAILED]))))
    assert (level.requests_good, level.requests_failed) == (0, 1)
    assert "ingest.none_completed" in codes_of(level)


def test_a_database_without_the_table_is_refused():
    other = "CREATE TABLE first_chunk_latency(a); CREATE VIEW result AS SELECT 1 AS latency, 2 AS success, 3 AS a"
    assert refused(NAME, database(other)).code == "ingest.no_levels"


def test_a_database_that_keeps_its_reader_busy_is_stopped(monkeypatch):
    monkeypatch.setattr(evalscope_db, "_MOST", 0)
    monkeypatch.setattr(evalscope_db, "_STEPS", 10)
    assert refused(NAME, database(TABLE, [GOOD] * 100)).code == "evalscope.damaged_database"


def test_other_tables_may_not_be_read():
    assert evalscope_db._only_the_table(sqlite3.SQLITE_READ, "result", "latency") == sqlite3.SQLITE_OK
    for action, table in (
        (sqlite3.SQLITE_READ, "other"),
        (sqlite3.SQLITE_FUNCTION, None),
        (sqlite3.SQLITE_ATTACH, "x"),
    ):
        assert evalscope_db._only_the_table(action, table) == sqlite3.SQLITE_DENY


@pytest.mark.parametrize("part", range(1, 21))
def test_a_database_that_was_cut_off_is_refused(part):
    data = gzip.decompress(golden_bytes("evalscope/database_1_14"))
    found = refused(NAME, data[: len(data) * part // 21])
    assert found.place.file == NAME


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_database_is_refused_or_read(seed):
    data = bytearray(database(TABLE, [GOOD] * 50))
    data[100 + seed * 97 % (len(data) - 100)] ^= 1 << seed % 8
    try:
        read_file(Upload(NAME, bytes(data)))
    except RefusedFileError as error:
        assert error.place.file == NAME  # noqa: PT017 - either outcome is right


def test_a_printed_table_without_its_end_is_refused():
    text = golden_bytes(REPORT).decode()
    found = refused("a.txt", text[: text.rindex("├")].encode())
    assert found.code == "ingest.truncated"


def test_a_summary_without_a_latency_is_refused():
    text = golden_bytes("evalscope/console_oct_2024").decode()
    assert refused("a.txt", text[: text.index(" Average latency")].encode()).code == "ingest.truncated"


def test_the_lines_of_a_log_do_not_make_it_a_table():
    progress = "2024-10-10 10:12:01,117 - INFO - Time: 50.00, concurrency: 8, qps: 1.9, latency: 4.0, ttft p99: 0.2\n"
    text = progress + golden_bytes("evalscope/console_oct_2024").decode()
    assert read_file(Upload("a.log", text.encode())).format_id == "evalscope"


def test_a_headline_without_a_result_is_refused():
    text = golden_bytes("evalscope/report_2025").decode()
    assert refused("a.txt", text[: text.index("Basic")].encode()).code == "ingest.no_levels"


def test_the_percentiles_of_a_percentage_below_all_tell_no_count():
    text = golden_bytes(REPORT).decode().replace("│    100%│", "│   99.5%│", 1)
    level = read_file(Upload("a.txt", text.encode())).levels[0]
    assert (level.requests_sent, level.requests_good) == (20, None)


def test_colours_and_progress_bars_do_not_hide_a_table():
    text = golden_bytes(REPORT).decode().replace("┃Conc. ┃", "\x1b[1m┃Conc. ┃\x1b[0m")
    assert len(read_file(Upload("a.txt", text.encode())).levels) == 6


@pytest.mark.parametrize(
    ("case", "importer"),
    [
        (NEW, evalscope_json),
        (ROWS, evalscope_json),
        ("evalscope/settings_1_14", evalscope_args),
        (REPORT, evalscope_console),
        ("evalscope/console_oct_2024", evalscope_console),
    ],
)
@pytest.mark.parametrize("size", [300, 1500, 65_536])
def test_a_short_head_never_raises_and_is_claimed_by_one_at_most(case, importer, size):
    head = Head("file", golden_bytes(case)[:size])
    claims = [i for i in (evalscope_json, evalscope_args, evalscope_db, evalscope_console) if i.match(head) > 0.0]
    assert claims in ([], [importer])


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"model": "m", "parallel": 4, "number": 8}),
        json.dumps([{"Percentile": "50%", "TTFT": 1}]),
        json.dumps({"Concurrency": 4, "Avg Latency (s)": 1.0}),
        "Benchmarking summary:\nAll went well\n",
        "SQLite format 3",
    ],
)
def test_files_that_only_look_alike_are_not_claimed(text):
    head = Head("file", text.encode())
    importers = (evalscope_json, evalscope_args, evalscope_db, evalscope_console)
    assert [i.LABEL for i in importers if i.match(head) > 0.0] == []


BESIDE = {
    "workload_timeline.json": b'{"wall_start": 1.0, "points": [{"t": 0.5, "cum_completion": 32}]}',
    "workload_throughput.json": b'{"last_window_s": 30.0, "warmup_frac": 0.2, "rows": [{"steady_state": 1.0}]}',
    "perf_report.html": b"<!DOCTYPE html>\n<!-- evalscope-perf-render:v3 -->\n<html></html>\n",
    "trace_summary.json": b'{"n_traces": 3, "ttft": {}}',
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_lies_beside_the_results_is_refused_with_the_file_to_send(name):
    found = refused(f"run/{name}", BESIDE[name])
    assert found.code == "ingest.by_product"
    assert "benchmark_summary.json" in str(found.fix)


def test_too_many_rows_of_a_database_are_refused(monkeypatch):
    monkeypatch.setattr(evalscope_db, "LIMITS", dataclasses.replace(LIMITS, csv_rows=3))
    assert refused(NAME, database(TABLE, [GOOD] * 4)).code == "ingest.too_large"


def test_a_row_without_gaps_is_a_request_all_the_same():
    level = one(read_file(Upload(NAME, database(TABLE, [(*GOOD[:2], None, *GOOD[3:])]))))
    assert (level.requests_good, level.requests.gaps.size) == (1, 0)


def test_a_list_without_a_percentile_is_refused():
    rows = json.dumps([{"Percentiles": "max", "Latency (s)": 1.0}])
    assert refused("benchmark_percentile.json", rows.encode()).code == "ingest.no_levels"
