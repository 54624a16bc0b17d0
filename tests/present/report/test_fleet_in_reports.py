"""What was asked of a fleet, in every document: hours, growth, ways to pay, budget; and that prices are hidden."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date
from functools import cache

import pytest
from pptx import Presentation
from pypdf import PdfReader

from core.model.fleet import Fleet
from core.model.redaction import without_prices
from core.present.assumptions import HIDDEN
from core.present.compare_notes import hidden_note
from core.present.compare_scenario import comparison_of
from core.present.fleet_budget import budget_text
from core.present.fleet_purchases import purchases_text
from core.present.fleet_scenario import bought_of, fleets_of
from core.present.fleet_tables import break_even_texts
from core.present.fleet_words import scaled_text
from core.present.report.exports import answers_csv, scenario_json
from core.present.report.frames import HIDDEN_HERE
from core.present.report.memo import SAID, memo_of
from core.present.report.memo_cells import MONTH, month_column
from core.present.report.memo_cut import ROOMS, cut
from core.present.report.memo_fleet import fleet_sentence
from core.present.report.page import memo_html
from core.present.report.pdf import memo_pdf
from core.present.report.slides import slides
from core.present.report.workbook import workbook
from tests.present.report.report_kinds import LINK, SAVED, made
from tests.present.report.sheet_formulas import Sheets

NEW_PRICE = 7.25
HOURS = 24


@cache
def sheets():
    scenario, fits = made("chosen")
    return Sheets(workbook(scenario, saved=SAVED, link=LINK, fits=fits))


def rows_of(sheet):
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


def again(amount):
    """The fleets with another price."""
    scenario = made("chosen")[0]
    return fleets_of(replace(scenario, price=replace(scenario.price, amount=amount)))


def said_of(found, bought, budget):
    """The sentences of the Fleet page for what was asked."""
    return (
        budget_text(bought, found.demand, budget, "USD"),
        scaled_text(found),
        *break_even_texts(found),
        purchases_text(found),
    )


def text_of(data):
    return "".join(PdfReader(io.BytesIO(data)).pages[0].extract_text().split())


def test_every_run_has_its_hours_and_their_bills_follow_the_price():
    found = sheets().again()
    found.set("price_per_hour", NEW_PRICE)
    rows = rows_of(found.book["Over the day"])
    assert rows[0][:3] == ["Run", "Hour", "Requests in flight"]
    fleets = again(NEW_PRICE)
    assert len(rows) == 1 + HOURS * len(fleets)
    for place, each in enumerate(fleets):
        over, bill = each.over_time, each.hour.mid / each.replicas.count
        for hour in range(HOURS):
            at = 2 + HOURS * place + hour
            row = rows[at - 1]
            assert (row[0], row[1]) == (each.pools[0].answer.run.label, hour)
            assert [row[4], row[5]] == [over.scaled[hour], over.needed[hour]]
            counts = (over.fixed, over.scaled[hour], over.needed[hour])
            amounts = [found.value(("Over the day", f"{column}{at}")) for column in "GHI"]
            assert amounts == pytest.approx([count * bill for count in counts])


def test_rents_of_autoscaled_fleets_follow_the_price():
    found = sheets().again()
    found.set("price_per_hour", NEW_PRICE)
    names = {"autoscale": "Rented, autoscaled", "perfect": "Rented, perfect autoscaler (a bound)"}
    rows = rows_of(found.book["Fleet"])
    for key, name in names.items():
        places = [at for at, row in enumerate(rows, start=1) if row[0] == name]
        for at, each in zip(places, again(NEW_PRICE), strict=True):
            (way,) = [way for way in each.ways if way.name == key]
            wanted = [way.month.low, way.month.mid, way.month.high]
            assert [found.value(("Fleet", f"{column}{at}")) for column in "BCD"] == pytest.approx(wanted)


@pytest.mark.parametrize("node", [None, 64])
def test_bills_of_growth_follow_the_price_whole_nodes_too(node):
    scenario, fits = made("chosen")
    scenario = replace(scenario, fleet=replace(scenario.fleet, node=node))
    found = Sheets(workbook(scenario, fits=fits))
    found.set("price_per_hour", NEW_PRICE)
    rows = rows_of(found.book["Growth"])
    tops = [at for at, row in enumerate(rows) if row[0] == "Months from today"]
    fleets = fleets_of(replace(scenario, price=replace(scenario.price, amount=NEW_PRICE)))
    for top, each in zip(tops, fleets, strict=True):
        heads = {head: chr(ord("A") + place) for place, head in enumerate(rows[top])}
        for at, month in enumerate(each.purchases.months, start=top + 2):
            for head, amounts in (("Bill of the month", month.bill), ("Bill so far", month.so_far)):
                ends = {f"{head}, from": amounts.low, head: amounts.mid, f"{head}, to": amounts.high}
                for name, wanted in ends.items():
                    assert found.value(("Growth", f"{heads[name]}{at}")) == pytest.approx(wanted)


def test_memo_and_page_say_what_was_asked_in_the_words_of_the_screen():
    scenario, fits = made("chosen")
    alone = replace(scenario, answers=scenario.answers[:1], runs=scenario.runs[:1])
    (found,), (bought,) = fleets_of(alone), bought_of(alone, fits)
    memo = memo_of(alone, fits, saved=SAVED, link=LINK)
    paper, page = text_of(memo_pdf(memo)), memo_html(memo).replace('<span class="held">', "").replace("</span>", "")
    for said in said_of(found, bought, alone.fleet.budget):
        assert f"{said}." in " ".join(memo.choice.lines)
        assert "".join(said.split()) in paper
        assert said in page


def test_of_several_runs_the_leader_answers_every_question_first():
    scenario, fits = made("chosen")
    memo = memo_of(scenario, fits)
    leader = comparison_of(scenario).deciding.leader
    fleets, bought = fleets_of(scenario), bought_of(scenario, fits)
    budget, scaled, *pays, grown = said_of(fleets[leader], bought[leader], scenario.fleet.budget)
    wanted = [budget, scaled, ". ".join(pays), grown]
    assert list(memo.choice.lines[:4]) == [f"({leader + 1}) {said}." for said in wanted]
    assert len(memo.choice.lines) == 8


def test_of_many_runs_the_fleet_of_the_leader_stands_whose_sentence_has_no_room():
    scenario, fits = made("seven")
    leader = comparison_of(scenario).deciding.leader
    assert leader >= SAID
    memo = memo_of(scenario, fits)
    wanted = fleet_sentence(scenario.answers[leader], scenario, "en", number=leader + 1, prices_hidden=False)
    assert memo.choice.lines[0] == wanted
    assert all(one.fleet is None for one in memo.sayings)


def test_what_was_not_asked_is_not_said_and_what_does_not_fit_is_counted():
    scenario, fits = made("chosen")
    plain = memo_of(replace(scenario, fleet=Fleet()), fits)
    assert plain.choice.lines == ()
    memo = memo_of(scenario, fits)
    short = cut(memo, replace(ROOMS[0], asked=2)).choice
    assert short.lines == memo.choice.lines[:2]
    assert short.more.startswith("Of budget, autoscaling, other ways to pay and growth 6 more")
    assert cut(memo, replace(ROOMS[0], asked=7)).choice == memo.choice


def test_amounts_of_many_digits_stand_in_millions_that_the_column_names():
    scenario = made("chosen")[0]
    dear = replace(scenario, price=replace(scenario.price, amount=3600.0, currency="KRW"))
    title, cells = month_column(fleets_of(dear))
    assert title.render() == "Cost per month, million KRW (range)"
    # 6 replicas of 16 accelerators for 730 hours at 3,600 each, 5 at the least.
    assert cells[0] == "252 (210–252)"
    assert month_column(fleets_of(scenario))[0] is MONTH


def hidden():
    return without_prices(made("chosen")[0]), made("chosen")[1]


def test_every_document_says_that_prices_are_hidden_and_that_money_ranks_nothing():
    scenario, fits = hidden()
    note = hidden_note(comparison_of(scenario)).render()
    memo = memo_of(scenario, fits, saved=SAVED, link=LINK, prices_hidden=True)
    paper, page = text_of(memo_pdf(memo)), memo_html(memo)
    for said in (note, HIDDEN.render()):
        assert "".join(said.split()) in paper
        assert said in page
    book = Sheets(workbook(scenario, fits=fits, prices_hidden=True)).book
    for name, wanted in (
        ("Summary", HIDDEN_HERE.render()),
        ("Cost", HIDDEN_HERE.render()),
        ("Compare", f"{note}."),
        ("Fleet", HIDDEN.render()),
    ):
        assert wanted in [row[0] for row in rows_of(book[name])], name
    assert ["Price", HIDDEN.render()] in [row[:2] for row in rows_of(book["Assumptions"])]
    deck = Presentation(io.BytesIO(slides(scenario, fits=fits, prices_hidden=True)))
    words = [shape.text_frame.text for slide in deck.slides for shape in slide.shapes if shape.has_text_frame]
    assert any(note in text for text in words)
    assert sum(HIDDEN.render() in text for text in words) >= 1 + len(scenario.answers)
    assert not any("no price is given" in text for text in words)
    told = list(csv.DictReader(io.StringIO(answers_csv(scenario, prices_hidden=True).decode("utf-8-sig"))))
    assert {row["Cost per million output tokens"] for row in told} == {HIDDEN.render()}
    assert json.loads(scenario_json(scenario, prices_hidden=True))["scenario"]["prices_hidden"] is True


def test_no_document_says_so_where_nobody_hid_them():
    scenario, fits = made("chosen")
    memo = memo_of(scenario, fits)
    assert HIDDEN.render() not in memo_html(memo)
    book = sheets().book
    assert HIDDEN_HERE.render() not in [row[0] for row in rows_of(book["Summary"])]
    assert b"hidden" not in answers_csv(scenario)
    assert json.loads(scenario_json(scenario))["scenario"]["prices_hidden"] is False


READ_ON = date(2026, 11, 30)
BILL_OLD, RESERVED_OLD = "old price: 183 days, more than 90", "old price: 133 days, more than 90"


def old_prices():
    """The same scenario with a price of 31 May and a reservation of 20 July, read on 30 November."""
    scenario, fits = made("chosen")
    fleet = replace(scenario.fleet, reserved_as_of="2026-07-20")
    price = replace(scenario.price, as_of="2026-05-31", listed=None, by_run=())
    return replace(scenario, price=price, fleet=fleet), fits


@pytest.mark.parametrize("read_on", [READ_ON, None])
def test_old_prices_are_marked_in_memo_slides_workbook_and_answers(read_on):
    scenario, fits = old_prices()
    saved = replace(SAVED, read_on=read_on)
    page = memo_of(scenario, fits, saved=saved)
    # What else was asked has to share the page, which may have no room for all of it.
    memo = "\n".join((memo_html(page), *page.choice.lines))
    deck = Presentation(io.BytesIO(slides(scenario, saved=saved, fits=fits)))
    shapes = [shape for slide in deck.slides for shape in slide.shapes]
    texts = [shape.text_frame.text for shape in shapes if shape.has_text_frame]
    texts += [cell.text for shape in shapes if shape.has_table for row in shape.table.rows for cell in row.cells]
    cells = Sheets(workbook(scenario, saved=saved, fits=fits)).book
    written = [str(cell) for sheet in cells for row in rows_of(sheet) for cell in row]
    for said in (memo, "\n".join(texts), "\n".join(written)):
        assert (BILL_OLD in said, RESERVED_OLD in said) == (read_on is not None,) * 2
    answers = answers_csv(scenario, today=read_on).decode()
    assert (BILL_OLD in answers) == (read_on is not None)
