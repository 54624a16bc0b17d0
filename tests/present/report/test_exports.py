"""CSV equals the screen; JSON equals the command line, as it was saved."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import jsonschema
import pandas as pd
import pytest

from core.model.answer import Interval
from core.model.counted import counted_answers
from core.model.redaction import without_prices
from core.model.run import Kind
from core.model.scenario import DecisionColumn, Demand
from core.present.comparison import runs_table
from core.present.documents import plan_document
from core.present.report.exports import answers_csv, findings_csv, levels_csv, scenario_document, scenario_json
from core.present.tables import stage_table
from tests.present.builders import answer_of, run_of
from tests.present.report.report_build import HOSTILE, named, sample_scenario, scenario_of


def rows(data):
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def same(cell, value):
    """A cell of the file is that of the table: every digit of a number, no word for what is unknown."""
    if pd.isna(value):
        return cell == ""
    return cell == value if isinstance(value, str) else float(cell) == float(value)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_answers_are_those_of_the_screen(language):
    scenario = sample_scenario()
    screen = runs_table(scenario.answers, language, price=scenario.price)
    found = rows(answers_csv(scenario, language))
    shared = [name for name in screen if name not in ("Kind", "종류")]
    assert len(shared) >= 6
    for row, (_, shown) in zip(found, screen.iterrows(), strict=True):
        assert all(same(row[name], shown[name]) for name in shared)
    lead_time, vendor = {"en": ("Lead time", "Vendor"), "ko": ("납기", "공급사")}[language]
    assert [row[lead_time] for row in found] == ["6 weeks", "in stock"]
    assert [row[vendor] for row in found] == ["", "'=HYPERLINK()"]


def test_the_answers_are_those_of_the_json():
    document = scenario_document(sample_scenario())
    found = rows(answers_csv(sample_scenario()))
    assert [int(row["Safe number"]) for row in found] == [r["capacity"]["safe_concurrency"] for r in document["runs"]]
    assert [int(row["Replicas for 400 active users"]) for row in found] == list(
        document["scenario"]["replicas"].values()
    )


def test_the_copies_for_a_demand_stand_with_both_ends_of_their_range():
    scenario = replace(sample_scenario(), demand=Demand(peak=4000))
    ranges = scenario_document(scenario)["scenario"]["replicas_range"].values()
    assert any(one["low"] != one["high"] for one in ranges)
    found = rows(answers_csv(scenario))
    for side, name in (("low", "Replicas, range from"), ("high", "Replicas, range to")):
        assert [row[name] for row in found] == ["" if one[side] is None else str(one[side]) for one in ranges]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_levels_are_those_of_the_screen_to_the_last_digit(language):
    found = rows(levels_csv(sample_scenario(), language))
    for answer in sample_scenario().answers:
        screen = stage_table(answer.run, language)
        own = [row for row in found if answer.run.label in row.values()]
        assert len(own) == len(screen)
        for row, (_, shown) in zip(own, screen.iterrows(), strict=True):
            assert all(same(row[name], shown[name]) for name in screen)


def test_findings_keep_their_code_and_place():
    found = rows(findings_csv(sample_scenario()))
    codes = {(answer.run.label, finding.code) for answer in sample_scenario().answers for finding in answer.findings}
    assert {(row["Run"], row["Code"]) for row in found} == codes
    assert all(row["What was found"] and row["Severity"] for row in found)


def test_hostile_words_are_no_formulas_and_columns_of_one_name_stay_apart():
    answers = [named(answer_of(), i, text) for i, text in enumerate(HOSTILE)]
    column = DecisionColumn(name="Run", values={f"run-{i}": text for i, text in enumerate(HOSTILE)})
    scenario = scenario_of(*answers, decision=(column, column, DecisionColumn(name="=1", values={"run-0": "x"})))
    for data in (answers_csv(scenario), levels_csv(scenario), findings_csv(scenario)):
        for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")):
            assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    heads = list(rows(answers_csv(scenario))[0])
    assert heads[-3:] == ["Run (2)", "Run (3)", "'=1"]
    assert len(rows(answers_csv(scenario))) == len(HOSTILE)


def test_the_json_is_the_document_of_the_command_line_as_it_was_saved():
    scenario = sample_scenario()
    found = json.loads(scenario_json(scenario, version=4))
    answers = counted_answers(scenario.answers, scenario.price)
    today = json.loads(json.dumps(plan_document(answers, scenario.targets, ())))
    own = found.pop("scenario")
    assert {key: value for key, value in found.items() if key != "generator"} == {
        key: value for key, value in today.items() if key != "generator"
    }
    assert found["generator"] == {"version": "0.0.9", "method": "an-older-method/1", "constants": "0badcafe"}
    assert today["generator"] != found["generator"]
    assert (own["name"], own["version"], own["notes"]) == (scenario.name, 4, scenario.notes)
    assert own["demand"] == {"peak": 400, "kind": "users"}
    assert own["decision"][0] == {"name": "Lead time", "values": dict(scenario.decision[0].values)}
    assert own["candidates"] == [scenario.answers[0].run.id]


def test_the_json_is_valid(shared_data):
    schema = json.loads((shared_data.parent / "contracts" / "plan.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(scenario_json(sample_scenario())), schema)


def test_without_prices_there_is_no_money_in_any_file():
    hidden = without_prices(sample_scenario())
    document = json.loads(scenario_json(hidden))
    assert [run["cost"] for run in document["runs"]] == [None, None]
    for data in (scenario_json(hidden), answers_csv(hidden), levels_csv(hidden), findings_csv(hidden)):
        assert b"USD" not in data
        assert b"$" not in data
    # Costs that were left behind beside a price that is gone are not shown either.
    left = replace(sample_scenario(), price=None)
    assert [run["cost"] for run in json.loads(scenario_json(left))["runs"]] == [None, None]
    assert b"$" not in answers_csv(left)


def test_simulated_runs_are_marked_also_where_all_are():
    run = run_of(kind=Kind.SIMULATED)
    scenario = scenario_of(answer_of(run))
    assert [row["Kind"] for row in rows(answers_csv(scenario))] == ["simulated: candidate, not confirmed"]
    assert {row["Kind"] for row in rows(levels_csv(scenario))} == {"simulated: candidate, not confirmed"}


def test_what_is_no_number_is_unknown():
    odd = Interval(low=float("nan"), mid=float("inf"), high=None)
    answer = answer_of()
    answer = replace(answer, capacity=replace(answer.capacity, concurrency=odd))
    found = json.loads(scenario_json(scenario_of(answer)))["runs"][0]["capacity"]["concurrency"]
    assert (found["low"], found["mid"]) == (None, None)
