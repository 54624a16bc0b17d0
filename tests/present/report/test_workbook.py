"""The workbook, read back by another library and computed by another program."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.letters import one_line
from core.model.answer import Capacity, Status
from core.model.redaction import without_prices
from core.model.scenario import DecisionColumn, Demand, DemandKind
from core.present.report.memo_parts import SavedAs
from core.present.report.workbook import workbook
from core.present.tables import stage_table
from tests.present.builders import FakeFit, answer_of, run_of, stage_at
from tests.present.report.report_build import HOSTILE, named, sample_fits, sample_scenario, scenario_of
from tests.present.report.sheet_formulas import BLANK, Sheets

AMOUNTS = (
    "Cost per million output tokens",
    "Cost per million tokens, input and output",
    "Cost per million output tokens, weighted",
    "Cost per million input tokens, weighted",
)


def book(scenario=None, language="en", fits=None, **values):
    scenario = scenario or sample_scenario()
    return Sheets(workbook(scenario, language, fits=fits or sample_fits(), **values))


@pytest.fixture(scope="module")
def english():
    return workbook(sample_scenario(), "en", fits=sample_fits(), saved=SavedAs(when=datetime(2026, 3, 4, tzinfo=UTC)))


@pytest.fixture
def sheets(english):
    return Sheets(english)


def money(sheets):
    """Every amount: formulas of the cost sheet in rows whose unit is the currency, and where they are repeated."""
    cost = sheets.book["Cost"]
    rows = {c.row for (c,) in cost["E1:E400"] if c.data_type == "f"}
    found = [("Cost", c.coordinate) for row in cost["B1:D400"] for c in row if c.row in rows and c.data_type == "f"]
    top, heads = header(sheets.book["Summary"])
    columns = [column for head, column in heads.items() if "ost" in head]
    assert len(columns) == 6
    # What the other sheets repeat of the cost sheet is in money too, but for the replicas themselves.
    others = [place for place in sheets.formulas() if place[0] in ("Compare", "Fleet")]
    repeated = [
        place for place in others if sheets.book[place[0]][f"A{place[1].lstrip('ABCDEFGHIJ')}"].value != "Replicas"
    ]
    return [*found, *repeated, *(("Summary", f"{column}{top + place}") for column in columns for place in (1, 2))]


def header(sheet):
    row = next(row for row in sheet.iter_rows() if row[0].value == "Run")
    return row[0].row, {c.value: c.column_letter for c in row if c.value}


def rows_named(sheets, label):
    """What the three ends of every row with a label come to, from the first run's first load on."""
    cost = sheets.book["Cost"]
    return [
        tuple(sheets.value(("Cost", f"{end}{c.row}")) for end in "BCD") for (c,) in cost["A1:A400"] if c.value == label
    ]


def ends(found):
    return (found.low, found.mid, found.high)


def test_whatever_is_no_input_on_the_cost_sheet_is_a_formula(sheets):
    inputs = set(sheets.names.values())
    cells = [c for row in sheets.book["Cost"]["B1:D400"] for c in row if c.value is not None]
    loose = [c.coordinate for c in cells if ("Cost", c.coordinate) not in inputs and c.data_type != "f"]
    assert [c for c in loose if sheets.book["Cost"][c].value not in ("Low", "Middle", "High")] == []
    # Of each run: its bill, six costs at two loads, that of a user, and four lines of the demand, the last with ends.
    assert sum(c.data_type == "f" for c in cells) == 2 * (1 + 2 * 6 * 3 + 3 + 3 + 3)
    # What holds for all; of each run its accelerators, the demand with what of the rate is sure and the ends of its
    # replicas, users, and rates with shares at two loads.
    assert len(inputs) == 9 + 2 * (1 + 3 + 2 + 3 + 2 * (4 * 3 + 5))


def test_the_cost_sheet_comes_to_the_answers(sheets):
    costs = [cost for answer in sample_scenario().answers for cost in (answer.cost, answer.cost_at_estimate)]
    names = ("output", "total", "weighted_output", "weighted_input")
    for label, name in zip(AMOUNTS, names, strict=True):
        found = rows_named(sheets, label)
        assert len(found) == 4
        for row, cost in zip(found, costs, strict=True):
            assert row == pytest.approx(ends(getattr(cost, f"per_million_{name}")), rel=1e-9)


def test_what_stands_beside_each_formula_is_what_it_comes_to(sheets):
    every = sheets.formulas()
    assert len(every) > 90
    for place in every:
        value, shown = sheets.value(place), sheets.cached(place)
        assert value == (pytest.approx(shown, rel=1e-9) if isinstance(shown, float | int) else shown), place


def test_a_doubled_price_doubles_every_amount_and_nothing_else(sheets):
    amounts, before = money(sheets), {place: sheets.value(place) for place in sheets.formulas()}
    # Cached input is unknown at both loads of both runs: no hit rate is in the files.
    assert [before[place] for place in amounts].count("unknown") == 2 * 2 * 3
    assert all(before[place] == "unknown" or before[place] > 0 for place in amounts)
    sheets.set("price_per_hour", 5.0)
    for place in sheets.formulas():
        factor = 2.0 if place in amounts else 1.0
        value = before[place]
        assert sheets.value(place) == (value if isinstance(value, str) else pytest.approx(factor * value)), place


@pytest.mark.parametrize("language", ["en", "ko"])
def test_without_a_price_every_amount_is_unknown_and_never_zero(language):
    sheets, unknown = book(language=language), {"en": "unknown", "ko": "모름"}[language]
    amounts = [place for place in sheets.formulas() if place[0] == sheets.book.sheetnames[1]]
    sheets.set("price_per_hour", None)
    costs = [sheets.value(place) for place in amounts if isinstance(sheets.value(place), str)]
    assert costs.count(unknown) == 2 * (1 + 2 * 6 * 3 + 3 + 3)
    assert not [place for place in sheets.formulas() if sheets.value(place) == 0]


def test_an_empty_input_makes_unknown_what_needs_it_alone(sheets):
    sheets.set("run_1_accelerators", None)
    (first, _, third, _) = rows_named(sheets, AMOUNTS[0])
    assert set(first) == {"unknown"}
    assert isinstance(third[1], float)
    sheets.set("run_2_safe_output_high", None)
    assert [isinstance(end, float) for end in rows_named(sheets, AMOUNTS[0])[2]] == [False, True, True]
    sheets.set("price_basis", "the whole deployment")
    assert rows_named(sheets, AMOUNTS[0])[0][1] == pytest.approx(
        sample_scenario().answers[0].cost.per_million_output.mid / 2
    )


@pytest.mark.parametrize(
    ("demand", "think", "one", "planned", "count"),
    [
        (Demand(peak=100.0), None, 41.0, 41.0, 3.0),
        # 41 in flight at 4.1 s each, with a pause of 8.2 s: three times as many people. In nine cases of ten a request
        # takes longer: 123 in flight of 369 are 132.6 at 4.6 s, 123 (123/132.6)^0.7791 = 116.0, and 369/116.0 = 3.2.
        (Demand(peak=369.0, kind=DemandKind.USERS), 8.2, 123.0, 116.0, 4.0),
        # 10 (9/10)^0.7791 = 9.21, 25/9.21 = 2.7.
        (Demand(peak=25.0, kind=DemandKind.REQ_S), None, 10.0, 9.21, 3.0),
        (Demand(peak=369.0, kind=DemandKind.USERS), None, None, None, None),
    ],
)
def test_replicas_follow_the_demand(demand, think, one, planned, count):
    scenario = scenario_of(answer_of(), demand=demand, think_time_s=think)
    fits = {scenario.runs[0].id: FakeFit(scenario.runs[0])}
    sheets = book(scenario, fits=fits)
    (carried,) = rows_named(sheets, "Demand that one replica carries")
    sure = rows_named(sheets, "Demand that one replica is planned with") or [carried]
    (replicas,) = rows_named(sheets, "Replicas at the peak, without spares")
    assert (carried[1], replicas[1]) == ((one, count) if one else ("unknown", "unknown"))
    assert sure[0][1] == (pytest.approx(planned, rel=1e-3) if planned else "unknown")
    for place in sheets.formulas():
        shown = sheets.cached(place)
        assert sheets.value(place) == (pytest.approx(shown) if isinstance(shown, float | int) else shown or "")
    if one:
        sheets.set("demand_peak", sure[0][1])
        assert rows_named(sheets, "Replicas at the peak, without spares")[0][1] == 1.0


@pytest.fixture(scope="module")
def hostile():
    """A workbook in which everything that a person can write is hostile."""
    answers = [named(answer_of(), place, label) for place, label in enumerate(HOSTILE)]
    values = {f"run-{place}": text for place, text in enumerate(HOSTILE)}
    columns = tuple(DecisionColumn(name=text[:120], values=values) for text in HOSTILE[:12])
    scenario = scenario_of(*answers, name=HOSTILE[0], notes=HOSTILE[6], decision=columns)
    return workbook(scenario, fits={a.run.id: FakeFit(a.run) for a in answers}, link=HOSTILE[3])


def test_what_a_person_wrote_is_text_in_every_cell(hostile):
    sheets = Sheets(hostile)
    cells = [c for sheet in sheets.book for row in sheet.iter_rows() for c in row]
    texts = [str(c.value).strip() for c in cells if c.data_type == "s"]
    for text in HOSTILE:
        assert texts.count(one_line(text)) >= 10, text
    formulas = [sheets.book[sheet][at].value for sheet, at in sheets.formulas()]
    assert len(formulas) > 100
    assert all(re.match(r"=(IF\(|'Cost'!\$[BCD]\$\d+$)", text) for text in formulas)
    assert not [text for text in formulas if re.search(r"HYPERLINK|SUM|cmd|Book1|1\+1", text)]
    starts = [c for c in cells if c.data_type == "s" and str(c.value).startswith(("=", "+", "-", "@", "\t"))]
    assert len(starts) > 50
    assert all(c.quotePrefix for c in starts)


def test_nothing_in_the_file_leads_out_of_it(hostile):
    with zipfile.ZipFile(io.BytesIO(hostile)) as parts:
        for name in parts.namelist():
            assert b"<hyperlink" not in parts.read(name)
            assert not (name.endswith(".rels") and b"External" in parts.read(name))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_names_of_sheets_are_short_and_unlike(language):
    names = book(language=language).book.sheetnames
    assert len({name.casefold() for name in names}) == len(names) == 10
    assert all(0 < len(name) <= 31 and not re.search(r"[\[\]:*?/\\']", name) for name in names)


def test_levels_are_numbers_as_measured(sheets):
    sheet = sheets.book["Levels"]
    heads = [c.value for c in sheet[1]]
    rows = [dict(zip(heads, (c.value for c in row), strict=True)) for row in sheet.iter_rows(min_row=2)]
    for answer in sample_scenario().answers:
        table = stage_table(answer.run)
        own = [row for row in rows if row["Run"] == answer.run.label]
        assert len(own) == len(table)
        for column in table:
            for row, value in zip(own, table[column], strict=True):
                assert row[column] == (pytest.approx(value, rel=1e-15) if not isinstance(value, str) else value)
    assert {row["Kind"] for row in rows} == {"measured", "simulated: candidate, not confirmed"}
    assert all(isinstance(row["TTFT p99 (ms)"], float) for row in rows)
    assert sheet.auto_filter.ref
    assert sheet.freeze_panes


def test_a_level_left_out_says_why():
    run = run_of(stages=[stage_at(4.0), stage_at(8.0, excluded="it was warming up"), stage_at(16.0)])
    sheets = book(scenario_of(answer_of(run)), fits={run.id: FakeFit(run)})
    heads = [c.value for c in sheets.book["Levels"][1]]
    column = heads.index("Left out because")
    assert [row[column].value for row in sheets.book["Levels"].iter_rows(min_row=2)] == [
        None,
        "left out: it was warming up",
        None,
    ]


def test_unknown_conditions_are_said(sheets):
    rows = {row[1].value: [c.value for c in row[2:]] for row in sheets.book["Conditions"].iter_rows(min_row=2)}
    assert rows["Model revision"] == ["unknown", "unknown"]
    assert rows["Largest batch (max_num_seqs)"] == [16, 8]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_scenario_whose_prices_are_hidden_holds_no_money(language):
    sheets = book(without_prices(sample_scenario()), language)
    texts = [c.value for sheet in sheets.book for row in sheet.iter_rows() for c in row if c.data_type == "s"]
    assert not [text for text in texts if re.search(r"[$€₩]|USD", text)]
    assert sheets.value(sheets.names["price_per_hour"]) is BLANK
    assert sheets.value(sheets.names["currency"]) is BLANK
    every = [sheets.value(place) for place in sheets.formulas()]
    assert {value for value in every if isinstance(value, str)} == {{"en": "unknown", "ko": "모름"}[language], ""}
    sheets.set("price_per_hour", 2.5)
    sheets.set("run_1_accelerators", 2)
    before = sample_scenario().answers[0].cost.per_million_output
    cost = sheets.book.sheetnames[1]
    row = sheets.book[cost][sheets.names["run_1_safe_cached"][1]].row + 1
    assert [sheets.value((cost, f"{end}{row}")) for end in "BCD"] == pytest.approx(list(ends(before)), rel=1e-9)


def test_costs_that_contradict_a_missing_price_are_not_shown():
    answer = replace(sample_scenario().answers[0])
    sheets = book(replace(sample_scenario(), price=None, answers=(answer,), runs=(answer.run,)))
    assert not [place for place in money(sheets) if isinstance(sheets.value(place), float)]


def test_simulated_runs_are_marked_on_every_sheet_that_has_numbers(sheets):
    marked = "simulated: candidate, not confirmed"
    for name in ("Summary", "Cost", "Chart", "Levels", "Assumptions"):
        texts = {str(c.value) for row in sheets.book[name].iter_rows() for c in row}
        assert any(marked in text for text in texts), name
    assert sheets.book.properties.description == marked
    plain = scenario_of(answer_of(), name="All measured")
    texts = [
        c.value
        for sheet in book(plain, fits={plain.runs[0].id: FakeFit(plain.runs[0])}).book
        for row in sheet.iter_rows()
        for c in row
    ]
    assert not [text for text in texts if isinstance(text, str) and "simulated" in text]


def test_the_assumptions_name_the_method_that_answered(sheets):
    said = {row[0].value: row[1].value for row in sheets.book["Assumptions"].iter_rows(min_row=2)}
    assert (said["Method"], said["Constants"], said["Plimsoll"]) == ("an-older-method/1", "0badcafe", "0.0.9")
    assert said["Saved"] == "2026-03-04 00:00 UTC"
    assert said["Notes"] == "Two candidates.\nDecide by Friday."


def test_the_chart_draws_the_levels_and_the_target(english):
    with zipfile.ZipFile(io.BytesIO(english)) as parts:
        chart = parts.read("xl/charts/chart1.xml").decode()
        drawing = parts.read("xl/drawings/drawing1.xml").decode()
    assert chart.count("<c:ser>") == 2 * 3 + 1
    assert "crossed at about" in drawing
    sheets = Sheets(english)
    heads = {
        c.value: (c.row, c.column) for row in sheets.book["Chart"].iter_rows() for c in row if isinstance(c.value, str)
    }
    row, column = heads["tiny-llama: measured"]
    drawn = [
        (sheets.book["Chart"].cell(at, column).value, sheets.book["Chart"].cell(at, column + 1).value)
        for at in range(row + 2, row + 11)
    ]
    run = sample_scenario().answers[1].run
    assert drawn == [(s.load, pytest.approx(s.value("ttft", "p99") * 1000)) for s in run.stages]
    row, column = heads["TTFT p99 ≤ 500 ms"]
    assert [sheets.book["Chart"].cell(at, column + 1).value for at in (row + 2, row + 3)] == [500, 500]


def test_an_answer_that_cannot_tell_leaves_cells_empty():
    untold = Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=None, reasons=("levels.three",))
    answer = answer_of(capacity=untold)
    sheets = book(scenario_of(answer), fits={answer.run.id: FakeFit(answer.run)})
    assert sheets.value(sheets.names["run_1_safe_output_mid"]) is BLANK
    assert set(rows_named(sheets, AMOUNTS[0])) == {("unknown",) * 3}
