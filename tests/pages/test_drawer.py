"""Panels that are worked out only once somebody opens them."""

from __future__ import annotations

import pytest

from pages.parts import drawer, keys
from tests.pages.conftest import calm, press, unfold, words

TAX = keys.of(keys.TERMS, "tax")
TERMS = keys.of(keys.TERMS, "box")
RELAXED = keys.of(keys.RELAXED, "box")


@pytest.fixture
def app(visit, monkeypatch):
    monkeypatch.setattr(drawer, "SHUT", True)
    return press(visit(lang="en", price="2.5/gpu-h"), keys.SAMPLE)


def panels(app):
    return [each.label for each in app.expander]


def fields(app):
    return {each.key for each in app.number_input}


def test_a_shut_panel_holds_nothing_and_an_open_one_all(app):
    shut = len(app.dataframe)
    assert "Where it fails" not in words(app)
    unfold(app, keys.of(keys.SURE, "box"))
    assert "Where it fails" in words(app)
    assert len(app.dataframe) > shut


def test_it_stays_open_while_other_things_change(app):
    shut = len(app.dataframe)
    unfold(app, RELAXED)
    held = len(app.dataframe)
    assert held == shut + 1
    app.number_input(key=keys.of(keys.TARGET_VALUE, 0)).set_value(350.0).run()
    assert len(app.dataframe) == held


def test_what_was_typed_outlives_a_shut_panel_whose_name_then_tells_it(app):
    assert TAX not in fields(app)
    unfold(app, TERMS)
    app.number_input(key=TAX).set_value(10.0).run()
    assert TAX in fields(app)
    assert "Discount, tax, currency, weights" in panels(app)
    app.session_state[keys.of(keys.DRAWER, TERMS)] = False
    app.run()
    assert TAX not in fields(app)
    assert any(label.startswith("Discount, tax, currency, weights: ") and "10" in label for label in panels(app))


def test_a_target_that_nobody_opens_draws_no_choices_and_an_opened_one_changes_it(app):
    metric, unit = keys.of(keys.TARGET_METRIC, 0), keys.of(keys.TARGET_UNIT, 0)
    assert metric not in {each.key for each in app.selectbox}
    unfold(app, keys.of("target", 0))
    calm(app.selectbox(key=unit).set_value("s").run())
    assert app.number_input(key=keys.of(keys.TARGET_VALUE, 0)).value == 0.5
