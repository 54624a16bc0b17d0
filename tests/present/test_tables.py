"""The tables: units in headers, empty cells for the unknown, harmless spreadsheets."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pandas as pd
import pytest

from core.errors import Place
from core.i18n import t
from core.model.codec import decode, encode
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.refusal import Refusal
from core.model.run import Conditions, Run
from core.model.stage import Stage
from core.normalise.regrouping import Act, Regrouping, Step
from core.normalise.runs import arranged
from core.present.conditions import GROUPS, NAMES, SEEN, conditions_of
from core.present.formats import format_text
from core.present.names import SEPARATOR
from core.present.tables import (
    called,
    conditions_table,
    files_table,
    header_help,
    refusals_table,
    safe_csv,
    stage_table,
)
from tests.normalise.raw_build import file, summary
from tests.present.builders import run_of, stage_at


def test_a_level_shows_its_counts_and_its_statistics_in_the_unit_of_the_header():
    frame = stage_table(run_of((4.0, 8.0)))
    first = frame.iloc[0]
    assert first["Concurrent requests"] == 4.0
    assert (first["Answered"], first["Failed"]) == (640, 2)
    assert first["TTFT p99 (ms)"] == pytest.approx(40.0)
    assert first["TPOT mean (ms)"] == pytest.approx(10.8)
    assert first["E2E mean (s)"] == pytest.approx(2.2)
    assert "Left out because" not in frame.columns


def test_what_is_unknown_is_an_empty_cell_and_zero_stays_zero():
    bare = Stage(where=Place("a.json"), asked_concurrency=4.0, requests_failed=0)
    frame = stage_table(run_of(stages=[bare, stage_at(8.0, failed=None)]))
    assert pd.isna(frame["Answered"][0])
    assert frame["Failed"][0] == 0
    assert pd.isna(frame["Failed"][1])
    assert pd.isna(frame["TTFT p99 (ms)"][0])


def test_a_level_that_is_left_out_says_why():
    frame = stage_table(run_of(stages=[stage_at(4.0, excluded="sweep.warm_up"), stage_at(8.0)]))
    assert frame["Left out because"][0] == "left out: the first level was still warming up"
    assert pd.isna(frame["Left out because"][1])


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_mark_of_a_level_that_is_left_out_stands_beside_its_load_on_the_page_and_in_the_file(language):
    run = run_of(stages=[stage_at(4.0), stage_at(8.0, excluded="cable was loose")])
    frame = stage_table(run, language)
    assert frame.iloc[:, 1].isna().tolist() == [True, False]
    assert "cable was loose" in frame.iloc[1, 1]
    header, _, second = safe_csv(frame).splitlines()
    assert second.split(",")[1] == frame.iloc[1, 1]
    assert header.split(",")[1] == frame.columns[1]
    assert frame.columns[1] not in stage_table(run_of(stages=[stage_at(4.0)]), language).columns


def test_the_seven_conditions_hold_every_field_once():
    held = [field for _, members in GROUPS for field in members]
    assert len(GROUPS) == 7
    assert sorted(held) == sorted([*Conditions.__dataclass_fields__, *SEEN])
    assert set(NAMES) == set(Conditions.__dataclass_fields__)


def test_a_condition_is_unknown_until_it_is_recorded_or_given():
    run = replace(run_of(tp=8, precision="fp8"), asked=("precision",))
    frame = conditions_table(run).set_index("Condition")
    assert frame.loc["Tensor parallel (TP)", "Value"] == "8"
    assert frame.loc["Tensor parallel (TP)", "Known from"] == "the files"
    assert frame.loc["Precision", "Known from"] == "given by hand"
    (unknown,) = [row for row in frame.itertuples() if "Network" in row.Index]
    assert (unknown.Value, unknown.Group) == ("unknown", "Hardware and engine")
    assert "Replicas" in unknown.Index
    assert pd.isna(frame.loc[unknown.Index, "Known from"])


def test_every_condition_is_in_the_table_once_known_or_unknown():
    frame = conditions_table(replace(run_of(tp=8, precision="fp8"), asked=("precision",)))
    told = SEPARATOR.join(frame["Condition"]).split(SEPARATOR)
    assert sorted(told) == sorted(str(name) for name in [*NAMES.values(), *SEEN.values()])


def test_a_condition_that_only_a_name_or_a_file_beside_it_tells_is_marked():
    beside = [
        Finding(code=code, severity=Severity.INFO, where=Place("c4.json", field=field), what=t("seen"))
        for code, field in (("ingest.from_file_name", "tp"), ("ingest.from_beside", "engine, precision"))
    ]
    run = replace(run_of(tp=8, precision="fp8"), findings=tuple(beside))
    frame = conditions_table(run).set_index("Condition")
    assert frame.loc["Tensor parallel (TP)", "Known from"] == "the file name"
    assert frame.loc["Precision", "Known from"] == "a file beside the results"


def test_a_level_known_from_a_name_and_one_measured_twice_are_marked():
    named = replace(stage_at(4.0), load_from_name=True, replicates=2)
    frame = stage_table(run_of(stages=[named, stage_at(8.0)]))
    assert frame["Load known from"].tolist()[0] == "the file name"
    assert frame["Times measured"].tolist()[0] == 2
    assert not {"Load known from", "Times measured"} & set(stage_table(run_of()).columns)


def test_what_the_tool_calls_a_column_is_said_at_the_column():
    run = replace(run_of(tool="AIPerf"), calls={Metric.TTFT: "time to first token", Metric.RTF: "rtfx"})
    assert called(run)[Metric.TTFT] == "AIPerf calls TTFT “time to first token”"
    told = header_help(run)
    assert told
    assert all(name.startswith("TTFT") for name in told)
    assert set(told) <= set(stage_table(run).columns)


def test_failures_that_some_levels_record_are_said_to_be_so():
    run = run_of(stages=[stage_at(4.0), stage_at(8.0, failed=None)])
    known = {each.field: each.value for each in conditions_of(run)}
    assert known["failures"] == "recorded at some levels"
    assert known["throughput"] == "output tokens/s"


def test_files_are_listed():
    assert files_table([run_of()])["File"].tolist() == ["c4.json"]


def test_each_file_of_a_run_is_recognised_as_its_own_format():
    levels = [summary(4, name="a.json"), summary(8, name="b.csv")]
    ours, theirs = file(levels[0]), file(levels[1], format_id="genai_bench")
    keys = [key for stages in arranged([ours, theirs]).members.values() for own in stages for key in own]
    merged = Regrouping(steps=(Step(act=Act.MERGE, levels=tuple(sorted(keys))),))
    (run,) = arranged([ours, theirs], merged).runs
    assert files_table([run])["Recognised as"].tolist() == ["vLLM bench serve (JSON)", "genai-bench"]
    (again,) = decode(encode([run]), list[Run])
    assert again.files == run.files
    # A scenario that was saved before the files said it falls back on the run.
    bare = replace(run, files=tuple(replace(each, format_id=None) for each in run.files))
    assert files_table([bare])["Recognised as"].tolist() == ["vLLM bench serve (JSON)", "vLLM bench serve (JSON)"]


def test_empty_tables_keep_their_headers():
    assert len(stage_table(run_of(stages=[]))) == 0


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_and_no_header_of_a_csv_starts_a_formula(start):
    cell = f"{start}cmd|' /C calc'!A0"
    text = safe_csv(pd.DataFrame({cell: [cell, "plain", None], "n": [-1.5, 2.0, None]}))
    rows = list(csv.reader(io.StringIO(text, newline="")))
    wanted = f"'{cell}".replace("\r", "\n")
    assert rows[0] == [wanted, "n"]
    assert rows[1] == [wanted, "-1.5"]
    assert rows[3] == ["", ""]


def test_a_carriage_return_inside_a_cell_starts_no_row():
    text = safe_csv(pd.DataFrame({"a": ["x\r=1+1"]}))
    assert "\r" not in text
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a"], ["x\n=1+1"]]


def test_a_csv_keeps_every_digit():
    value = 0.1 + 0.2
    text = safe_csv(pd.DataFrame({"x": pd.Series([value, None], dtype="Float64")}))
    assert float(text.splitlines()[1]) == value


def test_files_are_called_by_the_name_of_their_tool():
    run = run_of()
    assert files_table([run])["Recognised as"].tolist() == ["vLLM bench serve (JSON)"]
    assert format_text(replace(run, format_version="2"), run.files[0]) == "vLLM bench serve (JSON), version 2"
    assert format_text(replace(run, format_id="generic_csv"), run.files[0], "ko") != "generic_csv"


def test_a_file_that_was_not_used_says_where_why_and_what_to_do():
    refused = Refusal(file="a/b.json", code="x.y", what=t("No load in it"), fix=t("Add it"), line=3)
    assert refusals_table([refused]).iloc[0].tolist() == ["a/b.json (line 3)", "No load in it", "Add it"]
