"""Amounts on the Fleet page: in the currency of the price, unknown where empty, kept while their price is gone."""

from __future__ import annotations

from pages.parts import keys
from tests.pages.conftest import calm, words
from tests.pages.test_fleet_page import field, shown


def said(app):
    return app.session_state[keys.ASK].fleet


def test_amounts_are_in_the_currency_of_the_price_and_half_an_api_is_unknown(visit):
    app = shown(visit, currency="KRW", terms="exchange=USD:1380:2026-11-01", fleet="api=2/8 budget=90000")
    assert words(app).count("In USD, as the price; exchanged into KRW with it") == 3
    assert "₩124,000,000 a month buys" in words(app)
    app = calm(field(app, "api_input").set_value(None).run())
    assert "its price of input is missing" in words(app)
    assert (field(app, "api_input").value, said(app).api.input, said(app).api.output) == (None, None, 8.0)
    app = calm(field(app, "api_output").set_value(None).run())
    assert said(app).api is None


def test_what_was_typed_of_bought_hardware_outlives_its_price(visit):
    app = shown(visit, fleet="own=capex:30000,years:3,residual:2000,pue:1.4")
    app = calm(field(app, "own_capex").set_value(None).run())
    assert said(app) is None
    shown_now = [field(app, f"own_{name}").value for name in ("capex", "years", "residual", "pue")]
    assert shown_now == [None, 3.0, 2000.0, 1.4]
    app = calm(field(app, "own_years").set_value(5.0).run())
    app = calm(field(app, "own_capex").set_value(20_000.0).run())
    owned = said(app).owned
    assert (owned.capex, owned.years, owned.residual, owned.pue) == (20_000.0, 5.0, 2000.0, 1.4)
