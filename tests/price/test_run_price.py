"""A price for each run: which one a run pays, how it is written, what it changes and what not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.compare.compare import compare
from core.compare.conditions import FIELDS
from core.compare.quantity import Quantity, Question
from core.errors import UsageError
from core.fleet.plan import fleet_of
from core.fleet.served import Served
from core.model.answer import Capacity, Interval, RunAnswer, Status
from core.model.fleet import Fleet
from core.model.owned import Owned
from core.model.price import Exchange, Price, RunPrice, Tax, price_for
from core.model.run import Conditions
from core.model.scenario import Demand
from core.present.bill import basis_text, paid_text
from core.present.fleet_words import fleet_words
from core.present.hourly_how import hourly_hows
from core.present.units import unit_lines
from core.price.cost import cost_at
from core.price.findings import price_findings
from core.price.hourly import per_hour
from core.price.parse import parse_prices
from core.price.run_price import parse_run_price, run_price_text
from core.price.terms import find_listed, key_of
from tests.price.price_build import H200, exact, point, run

amounts = st.floats(0.01, 1e4)
shares = st.floats(0.0, 0.9)
owned = st.builds(Owned, capex=st.floats(1.0, 1e6), years=st.floats(1.0, 10.0), power_kw=st.floats(0.0, 5.0))


@st.composite
def run_prices(draw):
    bought = draw(st.none() | owned)
    amount = bought.per_hour if bought else draw(amounts)
    listed = draw(st.none() | st.just(replace(H200, amount=amount))) if bought is None else None
    return RunPrice(
        amount=float(f"{amount:.6g}") if bought is None else amount,
        per_accelerator=draw(st.booleans()),
        discount=draw(st.none() | shares.map(lambda share: float(f"{share:.6g}"))),
        owned=bought,
        listed=listed and replace(listed, amount=float(f"{listed.amount:.6g}")),
        as_of=draw(st.sampled_from(["", "2026-11-30"])),
    )


def named(name, count=8, **conditions):
    return replace(run(conditions=Conditions(accelerator_count=count, **conditions)), id=name, label=name.upper())


def answer(each, output_tok_s, price, safe=40):
    load = point(
        float(safe), output_tok_s=exact(output_tok_s), req_s=exact(safe / 2.0), metrics={"e2e mean": exact(2.0)}
    )
    wide = Interval(low=safe * 0.95, mid=float(safe), high=safe * 1.05)
    return RunAnswer(
        run=each,
        capacity=Capacity(status=Status.WITHIN, safe=safe, concurrency=wide, binding=None),
        per_target=(),
        at_capacity=load,
        at_estimate=load,
        cost=cost_at(load, each, price, ()),
        cost_at_estimate=None,
        levels=(),
        findings=(),
        next_measurement=None,
    )


def test_the_dearer_accelerator_can_be_the_cheaper_one():
    """By hand, 8 accelerators each.

    H100 at 2.10: 16.80 an hour; 4,000 output tokens/s are 14.4 M an hour: 1.16667 a million.
    B200 at 4.20: 33.60 an hour; 10,000 output tokens/s are 36 M an hour: 0.93333 a million: 0.8 of it.
    """
    price = parse_prices(["a=2.10/gpu-h", "b=4.20/gpu-h"], run_ids=["a", "b"])
    one, other = answer(named("a"), 4000.0, price), answer(named("b"), 10_000.0, price)
    assert one.cost.per_million_output.mid == pytest.approx(2.10 * 8 / 14.4)
    assert other.cost.per_million_output.mid == pytest.approx(4.20 * 8 / 36)
    found = compare((one, other), Question(price=price), [name for row in FIELDS.values() for name in row])
    (cost,) = (each for each in found.standings if each.quantity is Quantity.COST)
    assert cost.leader == 1
    same = Price(amount=2.10, per_accelerator=True)
    both = [answer(named(name), rate, same).cost.per_million_output.mid for name, rate in (("a", 4e3), ("b", 1e4))]
    assert both == pytest.approx([1.1666667, 0.4666667])


@settings(max_examples=25)
@given(run_prices(), shares, st.floats(0.5, 2000.0))
def test_the_same_price_for_every_run_is_the_common_price(own, discount, rate):
    """In what is paid and in every sentence, table and step about it."""
    rest = {
        "currency": "KRW",
        "exchange": Exchange(quoted="USD", rate=rate),
        "tax": Tax(rate=0.1, counted=True),
        "accelerators": (("a", 16),),
    }
    each = Price(amount=None, per_accelerator=True, discount=discount, by_run=(("a", own), ("b", own)), **rest)
    common = price_for(each, "a")
    assert common == price_for(each, "b") == price_for(common, "a")
    assert not common.by_run
    for name in "ab":
        here = named(name)
        one, other = answer(here, 4000.0, each), answer(here, 4000.0, common)
        assert one == other
        assert per_hour(here, each) == per_hour(here, common)
        assert price_findings(here, each) == price_findings(here, common)
        assert basis_text(here, each) == basis_text(here, common)
        assert paid_text(one, each) == paid_text(other, common)
        assert hourly_hows(here, each) == hourly_hows(here, common)
        assert unit_lines(one, each) == unit_lines(other, common)


@settings(max_examples=25)
@given(run_prices(), amounts, st.sampled_from([0.25, 0.5, 2.0, 8.0]))
def test_one_runs_price_moves_its_own_cost_only(own, amount, factor):
    own = replace(own, owned=None, listed=None)
    before = Price(amount=amount, per_accelerator=True, by_run=(("a", own),))
    after = replace(before, by_run=(("a", replace(own, amount=own.amount * factor)),))
    a, b = named("a"), named("b")
    assert per_hour(a, after) == pytest.approx(factor * per_hour(a, before))
    assert per_hour(b, after) == per_hour(b, before) == pytest.approx(8 * amount)


def test_a_run_without_any_price_is_unknown_and_never_free():
    price = parse_prices(["a=2/gpu-h"], run_ids=["a", "b"])
    other = named("b")
    assert price_for(price, "b") is None
    assert per_hour(other, price) is None
    assert cost_at(point(output_tok_s=exact(1.0)), other, price, ()) is None
    assert basis_text(other, price) == "no price given"
    assert price_findings(other, price) == ()
    assert hourly_hows(other, price) == ()


def test_pools_of_a_mix_each_pay_their_own_price():
    """One replica of each: 8 x 2 + 8 x 3 = 40 an hour, x 730 = 29,200 a month."""
    price = parse_prices(["2/gpu-h", "b=3/gpu-h"], run_ids=["a", "b"])
    served = [Served(answer=answer(named(name), 1000.0, price), share=0.5) for name in "ab"]
    demand = Demand(peak=60.0)
    found = fleet_of(served, demand, None, Fleet(), price)
    assert [pool.each_hour for pool in found.pools] == [16.0, 24.0]
    assert found.month.mid == pytest.approx(29_200.0)
    lacking = fleet_of(served, demand, None, Fleet(), parse_prices(["a=2/gpu-h"], run_ids=["a", "b"]))
    assert lacking.unpriced
    assert fleet_words(lacking).money == "Cost a month unknown: no price is given for B"


def test_a_reservation_is_weighed_against_each_pools_own_price():
    """Reserved at 1.5 for 8 + 8 accelerators: 24 an hour over 16 + 24: 0.6."""
    price = parse_prices(["2/gpu-h", "b=3/gpu-h"], run_ids=["a", "b"])
    served = [Served(answer=answer(named(name), 1000.0, price), share=0.5) for name in "ab"]
    found = fleet_of(served, Demand(peak=60.0), None, Fleet(reserved=1.5), price)
    assert next(way.share for way in found.break_even if way.name == "reserve") == pytest.approx(0.6)


@settings(max_examples=40)
@given(run_prices())
def test_a_runs_price_is_read_back_as_it_was_written(price):
    again = parse_run_price(run_price_text(price))
    if price.owned:
        assert again.owned.capex == pytest.approx(price.owned.capex)
        assert again.amount == pytest.approx(price.amount)
        again = replace(again, owned=price.owned, amount=price.amount)
    assert again == price


def test_the_more_exact_price_wins_and_terms_stay_with_their_run():
    key = next(iter(_keys()))
    price = parse_prices(
        ["2/gpu-h", f"b=listed/gpu-h;listed={key};discount=50%", "c=9/h"],
        run_ids=["a", "b", "c"],
        currency=find_listed(key).currency,
    )
    listed = find_listed(key)
    assert price_for(price, "a").listed is None
    assert price_for(price, "b").listed == listed
    assert per_hour(named("b"), price) == pytest.approx(8 * listed.amount / 2)
    assert [per_hour(named("a"), price), per_hour(named("c"), price)] == [16.0, 9.0]


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["2/gpu-h", "3/gpu-h"], "price.twice"),
        (["a=2/gpu-h", "a=3/gpu-h"], "price.twice"),
        (["z=2/gpu-h"], "price.unknown_run"),
        (["a=2"], "price.unreadable"),
        (["a=0/h"], "price.not_positive"),
        (["a=2/h;tax=10%:counted"], "price.run_terms"),
        (["a=2/h;colour=blue"], "price.terms"),
        (["a=2/h;discount=150%"], "price.terms"),
        (["a=own/h"], "price.unreadable"),
        (["a=listed/gpu-h;listed=A|b||H200-SXM|on_demand|3|EUR|2026-11-01|good|x|"], "price.other_currency"),
    ],
)
def test_a_price_of_a_run_that_nobody_can_follow_is_refused(texts, code):
    with pytest.raises(UsageError) as refused:
        parse_prices(texts, run_ids=["a", "b"])
    assert refused.value.code == code
    assert refused.value.fix


def test_a_run_whose_name_holds_an_equals_sign_has_its_price():
    price = parse_prices(["tp=8 b=2/gpu-h"], run_ids=["tp", "tp=8 b"])
    assert [name for name, _ in price.by_run] == ["tp=8 b"]


@pytest.mark.parametrize(
    ("own", "code"),
    [
        (None, "price.hardware_unknown"),
        ("a chip of a garage", "price.hardware_unknown"),
        ("NVIDIA H100 80GB HBM3", "price.other_hardware"),
        ("NVIDIA H200", None),
    ],
)
def test_a_price_of_other_hardware_is_said(own, code):
    price = Price(
        amount=None,
        per_accelerator=True,
        by_run=(("a", RunPrice(amount=3.0, listed=H200)), ("b", RunPrice(amount=1.0))),
    )
    found = [each.code for each in price_findings(named("a", accelerator=own), price)]
    assert found == ([code] if code else [])
    assert price_findings(named("b", accelerator=own), price) == ()


def _keys():
    from core.catalogue.prices import prices

    return (key_of(row) for row in prices())
