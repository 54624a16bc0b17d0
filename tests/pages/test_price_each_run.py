"""A price for each run: as a start the common one, then their own, kept in the address, saved, hidden and compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.price import Price, RunPrice, price_for
from core.model.redaction import without_prices
from core.present.diff import change_text
from core.scenario_diff import scenario_difference
from pages.parts import keys
from pages.parts.links import from_params, to_params
from pages.parts.links_unread import unread
from pages.parts.price_runs import EACH_RUN, ONE, WHOLE
from pages.parts.saved import ask_of
from tests.compare.compare_build import table
from tests.pages.conftest import at_page, calm, press, words
from tests.store.store_build import a_scenario

TWO = (table(gpu="8xH100"), table(gpu="8xMI300X", slower=1.3))
COST = "Cost per million output tokens, at the safe number"


@pytest.fixture
def compare(visit):
    def go(**params):
        app = visit(t=["tpot-p99-30ms"], **params)
        header, *_ = TWO[0].splitlines()
        rows = [row for text in TWO for row in text.splitlines()[1:]]
        app.file_uploader[0].upload("runs.csv", "\n".join([header, *rows, ""]).encode(), "text/csv")
        calm(app.run())
        return calm(app.switch_page("pages/compare.py").run())

    return go


def asked(app):
    return app.session_state[keys.ASK]


def row(app, name):
    frame = app.table[0].value
    return [cell.replace("\\", "") for cell in frame.loc[name]]


def ids(app):
    return [run.id for run in app.session_state[keys.HELD].shown]


def switch(app, to):
    return calm(app.segmented_control(key=keys.PRICE_FOR).set_value(to).run())


def test_each_run_starts_at_the_common_price_and_then_moves_alone(compare):
    app = compare(price="2.5/gpu-h")
    before = app.table[0].value.copy()
    switch(app, EACH_RUN)
    assert app.table[0].value.equals(before)
    one, other = ids(app)
    costs = row(app, COST)
    calm(app.number_input(key=keys.of(keys.PRICE_AMOUNT, other)).set_value(1.85).run())
    calm(app.segmented_control(key=keys.of(keys.PRICE_PER, one)).set_value(WHOLE).run())
    calm(app.number_input(key=keys.of(keys.PRICE_AMOUNT, one)).set_value(20.0).run())
    assert row(app, "Paid for") == [
        "at $20.00 per hour for the whole deployment",
        "at $1.85 per accelerator and hour × 8",
    ]
    # 20 for the whole is 8 × 2.50: as before; 1.85 for 2.50 is 0.74 of it.
    now = row(app, COST)
    assert now[0] == costs[0]
    mids = [float(text.split(" ")[0].lstrip("$")) for text in (costs[1], now[1])]
    assert mids[1] / mids[0] == pytest.approx(1.85 / 2.5, abs=0.005)
    kept = asked(app)
    assert from_params(to_params(kept), kept).price == kept.price
    # One price for all again, and back: nothing that was typed is lost.
    switch(app, ONE)
    assert row(app, COST) == costs
    switch(app, EACH_RUN)
    assert asked(app).price == kept.price


def test_a_run_left_empty_has_no_cost_where_there_is_no_common_price(compare):
    app = switch(compare(), EACH_RUN)
    _, other = ids(app)
    calm(app.number_input(key=keys.of(keys.PRICE_AMOUNT, other)).set_value(4.2).run())
    assert row(app, "Paid for") == ["no price given", "at $4.20 per accelerator and hour × 8"]
    assert row(app, COST)[0] == "unknown"
    calm(app.number_input(key=keys.of(keys.PRICE_AMOUNT, other)).set_value(None).run())
    assert asked(app).price is None


def test_a_picked_price_is_that_of_the_run_that_was_asked_for(compare):
    """It opens on the accelerator of that run, and closes once its price is used."""
    app = switch(compare(price="2.5/gpu-h"), EACH_RUN)
    one, other = ids(app)
    calm(app.selectbox(key=keys.of(keys.PICK, "run")).set_value(other).run())
    assert app.selectbox(key=keys.of(keys.PICK, "accelerator", other)).value == "MI300X"
    press(app, keys.of(keys.PICK, "use"))
    assert app.session_state[keys.PICK] is False
    assert price_for(asked(app).price, other).listed.accelerator == "MI300X"
    assert price_for(asked(app).price, one).amount == 2.5
    calm(app.selectbox(key=keys.of(keys.PICK, "accelerator", other)).set_value("H200-SXM").run())
    press(app, keys.of(keys.PICK, "use"))
    assert "The price is that of H200-SXM, and" in words(app)


def test_a_scenario_keeps_each_runs_price_and_hides_all_of_them():
    own = RunPrice(amount=1234.5, per_accelerator=False, discount=0.25)
    scenario = a_scenario()
    priced = replace(scenario, price=Price(amount=None, per_accelerator=True, by_run=((scenario.runs[0].id, own),)))
    asked_again = ask_of(priced)
    assert asked_again.price == priced.price
    assert from_params(to_params(asked_again), asked_again).price == priced.price
    assert unread(to_params(asked_again)) == ()
    assert without_prices(priced).price is None
    dearer = replace(priced.price, by_run=((scenario.runs[0].id, replace(own, amount=2000.0)),))
    (change,) = scenario_difference(priced, replace(priced, price=dearer)).inputs
    assert change.run
    assert change_text(change) == "Price per hour: 1,234.5 → 2,000"


def test_what_cannot_be_read_of_an_address_leaves_the_other_prices():
    found = from_params(
        {keys.Q_RUN_PRICE: ["a=2/gpu-h", "b=nothing", "c=-1/h", "d=9/h;tax=10%", "x%3D1=3/h"]}, ask_of(a_scenario())
    )
    assert [(run, price.amount) for run, price in found.by_run] == [("a", 2.0), ("x=1", 3.0)]


def test_a_run_may_be_owned_and_rented_again(compare):
    app = switch(compare(price="2.5/gpu-h"), EACH_RUN)
    one, other = ids(app)
    app = calm(app.segmented_control(key=keys.of(keys.PRICE_WAY, other)).set_value("owned").run())
    assert "Until purchase and years of use are filled in, $2.50 an hour, rented, is counted" in words(app)
    for name, value in {"capex": 35_040.0, "years": 4.0}.items():
        app = calm(app.number_input(key=keys.of(keys.OWNED, other, name)).set_value(value).run())
    # 35,040 over four years of 8,760 hours is a dollar an hour, for one accelerator as before.
    own = price_for(asked(app).price, other)
    assert (own.amount, own.per_accelerator, own.owned.capex) == (1.0, True, 35_040.0)
    assert price_for(asked(app).price, one).amount == 2.5
    assert row(app, "Paid for")[1].startswith("at $1.00 per accelerator and hour × 8")
    assert "Cost of ownership per hour" in words(app)
    kept = asked(app)
    assert from_params(to_params(kept), kept).price == kept.price
    app = calm(app.segmented_control(key=keys.of(keys.PRICE_WAY, other)).set_value("rented").run())
    assert price_for(asked(app).price, other).amount == 2.5


def test_a_price_for_each_run_is_still_chosen_after_a_look_at_another_page(compare):
    app = switch(compare(), EACH_RUN)
    one, other = ids(app)
    app = at_page(at_page(app, "data"), "compare")
    assert app.segmented_control(key=keys.PRICE_FOR).value == EACH_RUN
    calm(app.segmented_control(key=keys.of(keys.PRICE_WAY, other)).set_value("owned").run())
    app = at_page(at_page(app, "data"), "compare")
    assert app.segmented_control(key=keys.of(keys.PRICE_WAY, other)).value == "owned"
    calm(app.number_input(key=keys.of(keys.PRICE_AMOUNT, one)).set_value(2.0).run())
    assert [run for run, _ in asked(app).by_run] == [one]
    assert asked(app).amount is None
    app = at_page(at_page(switch(app, ONE), "data"), "compare")
    assert app.segmented_control(key=keys.PRICE_FOR).value == ONE
