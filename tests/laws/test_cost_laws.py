"""Laws of money: they hold for any bill and any throughput."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.model.answer import Interval
from core.model.price import Price
from core.model.run import Conditions
from core.price.cost import cost_at
from core.price.formula import per_million
from tests.price.price_build import exact, point, run

money = st.floats(0.01, 1e4)
rate = st.floats(0.1, 1e6)
share = st.floats(0.0, 1.0)
FIGURES = ("per_million_output", "per_million_total", "per_million_weighted_output", "per_million_weighted_input")


def price_of(amount, ratio=4.0, cached_weight=0.0):
    return Price(amount=amount, per_accelerator=False, output_weight=ratio, cached_weight=cached_weight)


@given(money, rate, rate, share, share, st.floats(0.5, 20.0))
def test_the_weighted_pair_adds_up_to_the_bill(amount, out, into, cached, cached_weight, ratio):
    """Output x its price, uncached input x its price, cached input x its share of that: the bill of an hour."""
    at = point(output_tok_s=exact(out), input_tok_s=exact(into))
    cost = cost_at(at, run(conditions=Conditions(cache_hit_rate=cached)), price_of(amount, ratio, cached_weight), ())
    output, uncached, hits = out * 3600, into * (1 - cached) * 3600, into * cached * 3600
    each_in = cost.per_million_weighted_input.mid
    bill = output * cost.per_million_weighted_output.mid + uncached * each_in + hits * cached_weight * each_in
    assert bill / 1e6 == pytest.approx(amount, rel=1e-9)


@given(money, rate, rate)
def test_the_pair_that_puts_the_whole_bill_on_each_side_adds_up_to_twice_the_bill(amount, out, into):
    naive = out * per_million(per_hour=amount, tok_s=out) + into * per_million(per_hour=amount, tok_s=into)
    assert naive * 3600 / 1e6 == pytest.approx(2 * amount, rel=1e-9)


@given(money, rate, st.floats(0.01, 100.0))
def test_cost_is_inverse_in_throughput(amount, tok_s, factor):
    slow = per_million(per_hour=amount, tok_s=tok_s)
    assert per_million(per_hour=amount, tok_s=tok_s * factor) == pytest.approx(slow / factor, rel=1e-9)


@given(money, rate, rate)
def test_twice_the_price_is_twice_the_cost(amount, out, into):
    at = point(output_tok_s=exact(out), input_tok_s=exact(into), total_tok_s=exact(out + into))
    once, twice = (cost_at(at, run(), price_of(a), ()) for a in (amount, 2 * amount))
    for figure in FIGURES:
        assert getattr(twice, figure).mid == pytest.approx(2 * getattr(once, figure).mid, rel=1e-12)


@given(money, st.lists(rate, min_size=3, max_size=3), st.lists(rate, min_size=3, max_size=3), st.booleans())
def test_low_is_at_most_mid_and_mid_at_most_high(amount, outs, intos, fitted):
    """Whatever the shape of the two ranges, and whether input is fitted or total - output."""
    output, into = (Interval(**dict(zip(("low", "mid", "high"), sorted(v), strict=True))) for v in (outs, intos))
    total = Interval(low=output.low + into.low, mid=output.mid + into.mid, high=output.high + into.high)
    at = point(output_tok_s=output, total_tok_s=total, input_tok_s=into if fitted else None)
    cost = cost_at(at, run(), price_of(amount), ())
    for figure in FIGURES:
        found = getattr(cost, figure)
        assert found.low <= found.mid * (1 + 1e-12)
        assert found.mid <= found.high * (1 + 1e-12)


@given(money, rate, rate)
def test_a_wider_denominator_never_costs_more(amount, out, into):
    """Total <= weighted output <= output, in money per million: the same bill on more tokens."""
    at = point(output_tok_s=exact(out), input_tok_s=exact(into))
    cost = cost_at(at, run(), price_of(amount), ())
    figures = [cost.per_million_total.mid, cost.per_million_weighted_output.mid, cost.per_million_output.mid]
    assert figures == pytest.approx(sorted(figures), rel=1e-9)


@given(money, rate, rate, share, share)
def test_more_cache_hits_never_make_a_weighted_token_cheaper(amount, out, into, one, other):
    """The same token rates with more of the input cached are less work for the same bill."""
    assume(one <= other)
    at = point(output_tok_s=exact(out), input_tok_s=exact(into))
    few, many = (cost_at(at, run(conditions=Conditions(cache_hit_rate=h)), price_of(amount), ()) for h in (one, other))
    assert few.per_million_weighted_output.mid <= many.per_million_weighted_output.mid * (1 + 1e-9)


@given(money, rate, rate, st.sampled_from(["output_tok_s", "input_tok_s"]), st.sampled_from(["low", "mid", "high"]))
def test_an_unknown_bound_stays_unknown_and_never_becomes_a_number(amount, out, into, rate_name, bound):
    at = point(output_tok_s=exact(out), input_tok_s=exact(into))
    holed = replace(at, **{rate_name: replace(getattr(at, rate_name), **{bound: None})})
    cost = cost_at(holed, run(), price_of(amount), ())
    mirrored = {"low": "high", "mid": "mid", "high": "low"}[bound]
    assert getattr(cost.per_million_weighted_output, mirrored) is None
    assert getattr(cost.per_million_total, mirrored) is None
    assert (getattr(cost.per_million_output, mirrored) is None) == (rate_name == "output_tok_s")
