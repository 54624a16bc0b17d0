"""The number of accelerators that stands with the price is a condition of the run as well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.counted import counted, counted_run
from core.model.price import Price
from core.model.redaction import without_prices
from core.present.conditions import conditions_of
from core.present.headline import headline
from core.present.report.exports import scenario_document
from tests.present.report.report_build import sample_scenario

PRICE = Price(amount=2.5, per_accelerator=True)


def bare(count=None):
    """The first run of the sample, whose conditions name this count."""
    run = sample_scenario().answers[0].run
    return replace(run, conditions=replace(run.conditions, accelerator_count=count), asked=())


def typed(run, count):
    return replace(PRICE, accelerators=((run.id, count),))


def scenario_with(run, price):
    scenario = sample_scenario()
    return replace(scenario, runs=(run,), answers=(replace(scenario.answers[0], run=run),), price=price)


def test_a_count_that_no_file_names_becomes_a_condition_given_by_hand():
    run = bare()
    found = counted_run(run, typed(run, 7))
    assert found.conditions == replace(run.conditions, accelerator_count=7)
    told = next(each for each in conditions_of(found) if each.field == "accelerator_count")
    assert (told.value, told.by_hand) == ("7", True)


def test_prefill_and_decode_count_together():
    run = bare()
    assert counted_run(run, replace(PRICE, pools=((run.id, 6, 10),))).conditions.accelerator_count == 16


@pytest.mark.parametrize("price", [None, PRICE, replace(PRICE, accelerators=(("another run", 7),))])
def test_what_nobody_counted_stays_unknown(price):
    run = bare()
    assert counted_run(run, price) == run


def test_the_count_of_a_file_stays_a_condition_whatever_is_paid_for():
    run = bare(count=8)
    assert counted_run(run, typed(run, 16)) == run


def test_every_document_names_the_count():
    run = bare()
    scenario = scenario_with(run, typed(run, 7))
    document = scenario_document(scenario)
    assert document["runs"][0]["conditions"]["accelerator_count"] == 7
    assert "7 accelerators" in headline(counted(scenario).answers[0], price=None).source


def test_a_reader_without_prices_still_sees_how_many_were_measured():
    run = bare()
    hidden = without_prices(scenario_with(run, typed(run, 7)))
    assert hidden.price is None
    assert [each.conditions.accelerator_count for each in (hidden.runs[0], hidden.answers[0].run)] == [7, 7]
    assert without_prices(hidden) == hidden
