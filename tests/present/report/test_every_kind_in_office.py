"""Every kind of scenario as spreadsheet, slides and plain data, read back: one truth, and formulas that follow."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
from dataclasses import replace
from functools import cache

import jsonschema
import pandas as pd
import pytest
from openpyxl import load_workbook
from pptx import Presentation

from core.compare.conditions import Group
from core.fleet.plan import fleet_for
from core.model.run import Kind
from core.present.compare_names import GROUPS
from core.present.compare_scenario import comparison_of
from core.present.compare_words import accepted_parts, accepted_text, headline, multiple_texts
from core.present.comparison import runs_table
from core.present.fleet_budget import budget_text
from core.present.fleet_said import fleet_said
from core.present.fleet_scenario import bought_of, fleets_of
from core.present.fleet_tables import WAYS, break_even_texts, ways_table
from core.present.fleet_words import CAUTIONS, fleet_words
from core.present.report.exports import answers_csv, findings_csv, levels_csv, scenario_json
from core.present.report.frames import unlike
from core.present.report.memo import SAID
from core.present.report.slides import slides
from core.present.report.workbook import workbook
from core.present.tables import stage_table
from core.price.cost import cost_at
from core.price.job import job_cost
from tests.present.report.report_kinds import EACH, KINDS, LINK, SAVED, made
from tests.present.report.sheet_formulas import Sheets
from tests.present.report.test_every_kind_on_paper import (
    CANDIDATE,
    HIDDEN,
    page_of,
    says_what_the_screen_says,
    squeezed,
)

every_kind = pytest.mark.parametrize("kind", list(KINDS))
# The slides of these say what those of all others do: the others differ in numbers alone.
ON_SLIDES = (
    "chosen",
    "one",
    "two",
    "unlike",
    "seven",
    "batch",
    "batch_within",
    "speech",
    "left_out",
    "hidden",
    "own_traffic",
)
every_deck = pytest.mark.parametrize("kind", ON_SLIDES)
ENDS = ("mid", "low", "high")
HOURS = 730
NEW_PRICE = 7.25
NAMES = ("run", "safe", "low", "mid", "high", "cost_mid", "cost_low", "cost_high", "job", "month", "unknown")
WORDS = {
    "en": "Run|Safe number|Range from|Estimate|Range to|Cost per million output tokens|Cost, range from|"
    "Cost, range to|Cost of the job|Cost per month|unknown",
    "ko": "실행|안전하게 감당하는 수|범위 시작|추정치|범위 끝|출력 토큰 100만 개당 비용|"
    "비용 범위 시작|비용 범위 끝|작업 비용|월 비용|모름",
}
HEADS = {language: dict(zip(NAMES, words.split("|"), strict=True)) for language, words in WORDS.items()}


@cache
def xlsx_of(kind):
    scenario, fits = made(kind)
    return workbook(scenario, KINDS[kind][1], saved=SAVED, link=LINK, fits=fits)


@cache
def sheets_of(kind):
    return Sheets(xlsx_of(kind))


def summary(read, sheet, language):
    """The table of the first sheet, one dictionary a run; `read` gives what a place comes to."""
    top = next(row[0].row for row in sheet.iter_rows() if row[0].value == HEADS[language]["run"])
    heads = {cell.value: cell.column_letter for cell in sheet[top] if cell.value}
    rows = []
    while sheet.cell(top + 1 + len(rows), 1).value and len(rows) < 10:
        at = top + 1 + len(rows)
        rows.append({head: read((sheet.title, f"{letter}{at}")) for head, letter in heads.items()})
    return rows


def priced_anew(scenario):
    """The price that somebody types, and each answer's cost and cost of the job by it, from core/price."""
    price = replace(scenario.price or EACH, amount=NEW_PRICE)
    for answer in scenario.answers:
        point = answer.batch.throughput.point if answer.batch else answer.at_capacity
        cost = cost_at(point, answer.run, price, scenario.targets) if point else None
        time = answer.batch.job.completion_s if answer.batch and answer.batch.job else None
        yield answer, cost, job_cost(time, answer.run, price) if time else None


def same(found, wanted, unknown):
    if wanted is None:
        return found in (unknown, None)
    return found == pytest.approx(wanted, rel=1e-9)


def follows_price(rows, scenario, language):
    """Whether every amount of the table is that of core/price at the new price."""
    heads = HEADS[language]
    for row, (answer, cost, job) in zip(rows, priced_anew(scenario), strict=False):
        found = cost.per_million_output if cost else None
        for end in ENDS:
            assert same(row[heads[f"cost_{end}"]], getattr(found, end) if found else None, heads["unknown"]), row
        if job:
            assert same(row[heads["job"]], job.mid, heads["unknown"])
        if scenario.demand:
            count = fleet_for(answer, scenario.demand, scenario.think_time_s, scenario.fleet, None).replicas.count
            month = count * cost.per_hour * HOURS if count and cost else None
            if month is not None:
                assert same(row[heads["month"]], month, heads["unknown"])


@every_kind
def test_the_first_sheet_holds_the_numbers_of_the_answers(kind):
    scenario, language = made(kind)[0], KINDS[kind][1]
    sheets, heads = sheets_of(kind), HEADS[language]
    rows = summary(lambda place: sheets.shown[place[0]][place[1]].value, sheets.book.worksheets[0], language)
    assert [row[heads["run"]] for row in rows[: len(scenario.answers)]] == [a.run.label for a in scenario.answers]
    for row, answer in zip(rows, scenario.answers, strict=False):
        capacity = answer.capacity
        assert row.get(heads["safe"]) == capacity.safe
        for end in ENDS:
            wanted = getattr(capacity.concurrency, end) if capacity.concurrency else None
            # The file holds 16 digits.
            assert row.get(heads[end]) == (None if wanted is None else pytest.approx(wanted, rel=1e-15))


@every_kind
def test_every_amount_follows_a_new_price(kind):
    scenario, language = made(kind)[0], KINDS[kind][1]
    sheets = sheets_of(kind).again()
    for place in sheets.formulas():
        shown = sheets.cached(place)
        assert sheets.value(place) == (
            pytest.approx(shown, rel=1e-9) if isinstance(shown, float | int) else shown or ""
        )
    sheets.set("price_per_hour", NEW_PRICE)
    if scenario.price is None:
        for place, answer in enumerate(scenario.answers, start=1):
            sheets.set(f"run_{place}_accelerators", answer.run.conditions.accelerator_count)
    follows_price(summary(sheets.value, sheets.book.worksheets[0], language), scenario, language)


@pytest.mark.skipif(
    not os.environ.get("PLIMSOLL_OFFICE") or shutil.which("soffice") is None,
    reason="takes long: PLIMSOLL_OFFICE=1 where LibreOffice is there",
)
def test_a_real_spreadsheet_program_comes_to_the_same(tmp_path):
    """It computes every formula anew: files that another program changed hold no results."""
    kinds = ("one", "batch", "batch_within", "unlike")
    for kind in kinds:
        book = load_workbook(io.BytesIO(xlsx_of(kind)))
        sheet, cell = book.defined_names["price_per_hour"].attr_text.rsplit("!", 1)
        book[sheet.strip("'")][cell.replace("$", "")] = NEW_PRICE
        book.save(tmp_path / f"{kind}.xlsx")
    command = ["soffice", "--headless", f"-env:UserInstallation={(tmp_path / 'home').as_uri()}", "--convert-to", "xlsx"]
    files = [str(tmp_path / f"{kind}.xlsx") for kind in kinds]
    subprocess.run([*command, "--outdir", str(tmp_path / "out"), *files], check=True, capture_output=True, timeout=120)
    for kind in kinds:
        book = load_workbook(tmp_path / "out" / f"{kind}.xlsx", data_only=True)
        rows = summary(lambda place, book=book: book[place[0]][place[1]].value, book.worksheets[0], KINDS[kind][1])
        follows_price(rows, made(kind)[0], KINDS[kind][1])


@cache
def deck_of(kind):
    scenario, fits = made(kind)
    data = slides(scenario, KINDS[kind][1], saved=SAVED, link=LINK, fits=fits, prices_hidden=kind == "hidden")
    return Presentation(io.BytesIO(data))


@cache
def words_on_slides(kind):
    found = []
    for slide in deck_of(kind).slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                found.append(shape.text_frame.text)
            if shape.has_table:
                found += [cell.text for row in shape.table.rows for cell in row.cells]
    return squeezed(" ".join(found))


@every_deck
def test_the_slides_say_what_the_screen_says(kind):
    text, scenario = words_on_slides(kind), made(kind)[0]
    says_what_the_screen_says(text, kind)
    assert ("$" in text or "€" in text) is (scenario.price is not None)
    assert (squeezed(HIDDEN) in text) is (kind == "hidden")


@every_deck
def test_charts_of_slides_hold_the_levels_as_measured(kind):
    rates = {
        (s.load, s.output_tok_s) for a in made(kind)[0].answers for s in a.run.stages if s.output_tok_s is not None
    }
    charts = [shape.chart for slide in deck_of(kind).slides for shape in slide.shapes if shape.has_chart]
    assert charts
    drawn = set()
    for series in (one for chart in charts for one in chart.plots[0].series):
        x, y = ([float(v.text) for v in series._element.xpath(f"./c:{axis}//c:pt/c:v")] for axis in ("xVal", "yVal"))
        drawn |= set(zip(x, y, strict=True))
    answers = made(kind)[0].answers[:4]
    for answer in answers:
        own = {(s.load, s.output_tok_s) for s in answer.run.stages if s.output_tok_s}
        assert own <= drawn, answer.run.label
    assert rates or kind == "speech"


def rows_of(data):
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def alike(cell, value):
    if pd.isna(value):
        return cell == ""
    return cell == value if isinstance(value, str) else float(cell) == float(value)


@every_kind
def test_plain_data_is_that_of_the_screen(kind, shared_data):
    scenario, language = made(kind)[0], KINDS[kind][1]
    screen = runs_table(scenario.answers, language, price=scenario.price)
    found = rows_of(answers_csv(scenario, language))
    for row, (_, shown) in zip(found, screen.iterrows(), strict=True):
        assert all(alike(row[name], shown[name]) for name in screen if name not in ("Kind", "종류"))
    levels = iter(rows_of(levels_csv(scenario, language)))
    for answer in scenario.answers:
        own = stage_table(answer.run, language)
        for (_, shown), row in zip(own.iterrows(), levels, strict=False):
            assert all(alike(row[name], shown[name]) for name in unlike(own))
    assert next(levels, None) is None
    document = json.loads(scenario_json(scenario, version=3))
    schema = json.loads((shared_data.parent / "contracts" / "plan.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    for run, answer in zip(document["runs"], scenario.answers, strict=True):
        assert run["capacity"]["safe_concurrency"] == answer.capacity.safe
        found_cost = answer.cost.per_million_output.mid if answer.cost and answer.cost.per_million_output else None
        cost = run["cost"]["per_million_output"] if run["cost"] else None
        assert (cost["mid"] if cost else None) == found_cost
        job = answer.batch.job if answer.batch else None
        assert (run["job"]["completion_s"]["mid"] if job else None) == (job.completion_s.mid if job else None)


@every_kind
def test_candidates_are_marked_in_every_file(kind):
    scenario, language = made(kind)[0], KINDS[kind][1]
    simulated = [answer.run.id for answer in scenario.answers if answer.run.kind is Kind.SIMULATED]
    document = json.loads(scenario_json(scenario))
    assert document["scenario"]["candidates"] == simulated
    texts = {
        **({"slides": words_on_slides(kind)} if kind in ON_SLIDES else {}),
        "csv": squeezed(answers_csv(scenario, language).decode() + levels_csv(scenario, language).decode()),
        **{
            sheet.title: squeezed(" ".join(str(c.value) for row in sheet.iter_rows() for c in row if c.value))
            for sheet in sheets_of(kind).book.worksheets[:2]
        },
    }
    for name, text in texts.items():
        assert (squeezed(CANDIDATE[language]) in text) is bool(simulated), name


@every_kind
def test_without_a_price_no_file_holds_money(kind):
    scenario, language = made(kind)[0], KINDS[kind][1]
    texts = [each(scenario, language).decode() for each in (answers_csv, levels_csv, findings_csv)]
    money = any(sign in text for text in texts for sign in "$€")
    assert money <= (scenario.price is not None)
    if scenario.price is None:
        cells = [c.value for s in sheets_of(kind).book for row in s.iter_rows() for c in row if c.data_type == "s"]
        assert not [text for text in cells if any(sign in text for sign in "$€₩")]


def test_the_memo_counts_what_the_sheet_counts():
    for kind in KINDS:
        assert len(page_of(kind).sayings) == min(len(made(kind)[0].answers), SAID)


def cells_of(sheet):
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


def row_of(sheet, *heads):
    """The place of the first row that begins so."""
    return next(at for at, row in enumerate(cells_of(sheet), start=1) if tuple(row[: len(heads)]) == heads)


def test_the_workbook_holds_who_leads_with_all_that_it_stands_on():
    scenario, book = made("chosen")[0], sheets_of("chosen").book
    sheet, found = book["Compare"], comparison_of(scenario)
    said = [row[0] for row in cells_of(sheet) if row[0]]
    assert f"{headline(found)}." in said
    assert said.count(accepted_text(found)) == 2, "with the ranking, and again with the multiples"
    top = row_of(sheet, "Quantity", "The better run") + 1
    for at, each in enumerate(found.multiples, start=top):
        assert [cell.value for cell in sheet[at]][3:6] == pytest.approx(
            [each.times.mid, each.times.low, each.times.high]
        )
    assert sum(row[0] in {GROUPS[group].msgid for group in Group} for row in cells_of(sheet)) >= 7
    assert "Compare" not in sheets_of("one").book.sheetnames


def test_costs_and_rents_of_the_other_sheets_follow_a_new_price():
    scenario, sheets = made("chosen")[0], sheets_of("chosen").again()
    compare, fleet = sheets.book["Compare"], sheets.book["Fleet"]
    name = "Cost per million output tokens, at the safe number"
    sheets.set("price_per_hour", NEW_PRICE)
    for answer, cost, _ in priced_anew(scenario):
        at = row_of(compare, name, answer.run.label)
        wanted = cost.per_million_output
        assert [sheets.value(("Compare", f"{c}{at}")) for c in "CDE"] == pytest.approx(
            [wanted.mid, wanted.low, wanted.high]
        )
    again = fleets_of(replace(scenario, price=replace(scenario.price, amount=NEW_PRICE)))
    rents = [at for at, row in enumerate(cells_of(fleet), start=1) if row[0] == "Rented, fixed"]
    for at, found in zip(rents, again, strict=True):
        wanted = found.month
        assert [sheets.value(("Fleet", f"{c}{at}")) for c in "BCD"] == pytest.approx(
            [wanted.low, wanted.mid, wanted.high]
        )
    for name, of in (("Cost per month", lambda found: found.month), ("Cost per hour", lambda found: found.hour)):
        rows = [at for at, row in enumerate(cells_of(fleet), start=1) if row[0] == name]
        for at, found in zip(rows, again, strict=True):
            wanted = of(found)
            assert [sheets.value(("Fleet", f"{c}{at}")) for c in "BCD"] == pytest.approx(
                [wanted.mid, wanted.low, wanted.high]
            )


def test_replicas_of_the_sheet_of_fleets_follow_a_new_demand_and_their_ends_are_said_to_stay():
    scenario, sheets = made("chosen")[0], sheets_of("chosen").again()
    fleet = sheets.book["Fleet"]
    peak = 3.0 * scenario.demand.peak
    sheets.set("demand_peak", peak)
    again = fleets_of(replace(scenario, demand=replace(scenario.demand, peak=peak)))
    rows = [at for at, row in enumerate(cells_of(fleet), start=1) if row[0] == "Replicas"]
    for at, found in zip(rows, again, strict=True):
        assert sheets.value(("Fleet", f"B{at}")) == found.replicas.count
    assert any("Everything else here stays as it is, the ends of the range" in str(row[0]) for row in cells_of(fleet))
    assert "Replicas, range from (before any change of yours)" in [
        cell for row in cells_of(sheets.book["Summary"]) for cell in row
    ]


def test_the_sheet_of_assumptions_holds_the_fleet():
    scenario, book = made("chosen")[0], sheets_of("chosen").book
    assert ("Fleet", fleet_said(scenario.fleet, "USD")) in [tuple(row[:2]) for row in cells_of(book["Assumptions"])]


def test_the_workbook_holds_every_way_to_pay_the_autoscaler_and_the_budget():
    scenario, fits = made("chosen")
    rows = cells_of(sheets_of("chosen").shown["Fleet"])
    fleets, bought = fleets_of(scenario), bought_of(scenario, fits)
    for found in fleets:
        for way in found.ways:
            wanted = pytest.approx([way.month.low, way.month.mid, way.month.high])
            assert any(row[0] == WAYS[way.name].msgid and row[1:4] == wanted for row in rows), way.name
        for each in found.added:
            assert any(
                row[0] == CAUTIONS[each.caution].msgid and row[2:4] == [each.alone, each.stacked] for row in rows
            )
        over = found.over_time
        for name, mean in (("autoscaled", over.mean_scaled), ("perfect autoscaler", over.mean_needed)):
            assert any(row[:2] == [f"Replicas, {name}", pytest.approx(mean.mid)] for row in rows)
    assert {way.name for way in fleets[0].ways} >= {"rent", "autoscale", "perfect", "reserve", "own", "api"}
    said = [row[0] for row in rows if row[0]]
    for one, found in zip(bought, fleets, strict=True):
        budget = budget_text(one, found.demand, scenario.fleet.budget, "USD")
        assert f"{one.answer.run.label}: {budget}." in said
        assert {f"{text}." for text in break_even_texts(found)} <= set(said)
    assert "Fleet" not in sheets_of("batch").book.sheetnames


def test_the_document_holds_the_ways_to_pay_and_what_a_ranking_stands_on():
    scenario = made("chosen")[0]
    told = json.loads(scenario_json(scenario))["scenario"]
    ways = {way["way"]: way["per_month"]["mid"] for way in told["fleets"][0]["ways"]}
    assert ways == {way.name: way.month.mid for way in fleets_of(scenario)[0].ways}
    assert told["comparison"]["accepted_text"] == accepted_text(comparison_of(scenario))


def test_slides_say_which_one_and_how_many_uncut():
    scenario, fits = made("chosen")
    found, fleets = comparison_of(scenario), fleets_of(scenario)
    text = words_on_slides("chosen")
    different, unknown = accepted_parts(found)
    for part in (headline(found), *multiple_texts(found), *different, ", ".join(unknown)):
        assert squeezed(part) in text
    for one, each in zip(bought_of(scenario, fits), fleets, strict=True):
        words = fleet_words(each)
        budget = budget_text(one, each.demand, scenario.fleet.budget, "USD")
        for part in (words.first, words.money, *words.lines, *break_even_texts(each), budget):
            assert squeezed(part) in text
        for cell in ways_table(each).to_numpy().ravel():
            assert squeezed(cell) in text
