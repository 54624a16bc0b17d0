"""Laws of a fleet's money: what is typed is in the currency of the price, and exchanged and taxed with it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.fleet.amounts import amounts
from core.fleet.inverse import Wanted, affordable
from core.model.fleet import ApiPrice, Fleet
from core.model.owned import Owned
from core.model.price import Exchange, Tax
from core.present.fleet_budget import budget_notes
from core.present.fleet_tables import break_even_texts
from tests.fleet.fleet_build import DAY, PRICE, answer, plan, rate

few = settings(max_examples=25)
OWNED = Owned(capex=30_000.0, years=4.0, operations=1200.0)


def asked(budget, api, output):
    return Fleet(
        budget=budget, api=ApiPrice(input=api, output=output, cached=api / 4), reserved=1.6, owned=OWNED, curve=DAY
    )


def told(price, fleet):
    wanted = Wanted(demand=rate(100), think_s=None, fleet=replace(fleet, curve=None), price=price)
    return plan(rate(100), fleet, price=price), affordable(answer(), (), None, wanted)


def without_amounts(text):
    return re.sub(r"[$₩][\d,.]*\d", "an amount", text)


@few
@given(st.floats(1e-3, 1e4), st.floats(1e3, 1e6), st.floats(0.01, 5.0), st.floats(0.01, 20.0), st.booleans())
def test_an_exchange_multiplies_every_amount_and_changes_no_verdict(factor, budget, api, output, taxed):
    tax = Tax(rate=0.1, counted=True) if taxed else None
    here = replace(PRICE, tax=tax)
    there = replace(here, currency="KRW", exchange=Exchange(quoted="USD", rate=factor))
    fleet = asked(budget, api, output)
    (mine, buys), (theirs, bought) = told(here, fleet), told(there, fleet)
    assert [way.name for way in theirs.ways] == [way.name for way in mine.ways]
    for ours, others in zip(mine.ways, theirs.ways, strict=True):
        assert others.month.mid == pytest.approx(factor * ours.month.mid, rel=1e-9)
    assert [each.name for each in theirs.break_even] == [each.name for each in mine.break_even]
    for ours, others in zip(mine.break_even, theirs.break_even, strict=True):
        assert (others.why, others.month) == (ours.why, ours.month)
        assert others.share == (None if ours.share is None else pytest.approx(ours.share, rel=1e-9))
        if ours.volume and ours.volume.mid:
            assert others.volume.mid == pytest.approx(ours.volume.mid, rel=1e-9)
    assert (bought.fits, bought.bought, bought.demand) == (buys.fits, buys.bought, buys.demand)
    assert theirs.amounts.budget == pytest.approx(factor * mine.amounts.budget, rel=1e-12)
    assert budget_notes(theirs) == budget_notes(mine)
    assert [without_amounts(text) for text in break_even_texts(theirs)] == [
        without_amounts(text) for text in break_even_texts(mine)
    ]


def test_amounts_worked_by_hand():
    # 1 USD is 1,380 KRW, 10 % of tax on the price: 2 x 1,380 x 1.1. The budget is held against the bill: no tax.
    price = replace(
        PRICE, currency="KRW", exchange=Exchange(quoted="USD", rate=1380.0), tax=Tax(rate=0.1, counted=True)
    )
    found = amounts(Fleet(budget=1000.0, reserved=1.0, owned=OWNED, api=ApiPrice(input=2.0, output=8.0)), price)
    assert (found.budget, found.cached) == (1_380_000.0, None)
    assert (found.reserved, found.input, found.output) == pytest.approx((1518.0, 3036.0, 12_144.0))
    # (30,000 / 4 + 1,200) / 8,760 an hour.
    assert found.owned == pytest.approx(8700 / 8760 * 1518.0)
    # 262.8 million requests of 1,000 and 200 tokens: 0.0036 USD each.
    _, way = plan(rate(100), Fleet(api=ApiPrice(input=2.0, output=8.0)), price=price).ways
    assert way.month.mid == pytest.approx(262_800_000 * 0.0036 * 1518.0)


@pytest.mark.parametrize(
    ("api", "missing"),
    [
        (ApiPrice(input=None, output=1.2), "its price of input is missing"),
        (ApiPrice(input=0.5, output=None), "its price of output is missing"),
        (ApiPrice(input=None, output=None, cached=0.1), "its prices of input and of output are missing"),
    ],
)
def test_half_a_price_is_no_price(api, missing):
    found = plan(rate(100), Fleet(api=api))
    assert [way.name for way in found.ways] == ["rent"]
    assert found.break_even[0].why == "no_price"
    (said,) = break_even_texts(found)
    assert missing in said
