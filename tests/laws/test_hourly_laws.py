"""Laws of the bill per hour: discount, tax, exchange and ownership, whatever the numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.owned import HOURS_PER_YEAR, Owned
from core.model.price import Exchange, Price, Tax
from core.model.run import Conditions
from core.price.cost import cost_at
from core.price.hourly import per_hour
from tests.price.price_build import exact, point, run

money = st.floats(0.01, 1e5)
share = st.floats(0.0, 0.9)
EIGHT = run(conditions=Conditions(accelerator_count=8))
FIGURES = ("per_million_output", "per_million_total", "per_million_weighted_output", "per_million_weighted_input")


def rented(amount=2.5, **terms):
    return Price(amount=amount, per_accelerator=True, **terms)


@st.composite
def owned(draw):
    capex = draw(st.floats(1.0, 1e6))
    yearly = {name: draw(st.floats(0.0, 1e5)) for name in ("hosting", "licence", "operations")}
    return Owned(
        capex=capex,
        residual=capex * draw(st.floats(0.0, 0.9)),
        years=draw(st.floats(1.0, 15.0)),
        interest=draw(st.floats(0.0, 0.3)),
        power_kw=draw(st.floats(0.0, 20.0)),
        pue=draw(st.floats(1.0, 2.5)),
        tariff=draw(st.floats(0.0, 1.0)),
        **yearly,
    )


def of_owned(each):
    return per_hour(EIGHT, Price(amount=each.per_hour, per_accelerator=True, owned=each))


@given(money, share, share)
def test_a_larger_discount_never_costs_more(amount, one, other):
    small, large = sorted((one, other))
    assert per_hour(EIGHT, rented(amount, discount=large)) <= per_hour(EIGHT, rented(amount, discount=small))


@given(money, share)
def test_the_discount_is_taken_off_once(amount, discount):
    assert per_hour(EIGHT, rented(amount, discount=discount)) == pytest.approx(8 * amount * (1 - discount))


@given(money, st.floats(0.001, 1e5))
def test_another_currency_scales_every_figure_by_the_rate(amount, rate):
    at = point(output_tok_s=exact(100.0), input_tok_s=exact(400.0), req_s=exact(2.0))
    here = cost_at(at, EIGHT, rented(amount), ())
    there = cost_at(at, EIGHT, rented(amount, exchange=Exchange(quoted="USD", rate=rate), currency="KRW"), ())
    assert there.currency == "KRW"
    for name in (*FIGURES, "per_request"):
        assert getattr(there, name).mid == pytest.approx(rate * getattr(here, name).mid, rel=1e-12)


@given(money, st.floats(0.0, 1.0))
def test_tax_that_is_in_the_price_and_in_the_figures_changes_nothing(amount, rate):
    plain = per_hour(EIGHT, rented(amount))
    for both in (True, False):
        assert per_hour(EIGHT, rented(amount, tax=Tax(rate=rate, quoted_with=both, counted=both))) == plain


@given(money, st.floats(0.0, 1.0))
def test_tax_taken_out_and_put_in_again_is_the_price(amount, rate):
    out = per_hour(EIGHT, rented(amount, tax=Tax(rate=rate, quoted_with=True)))
    assert per_hour(EIGHT, rented(out / 8, tax=Tax(rate=rate, counted=True))) == pytest.approx(8 * amount)


@given(owned(), st.sampled_from(["capex", "interest", "power_kw", "pue", "tariff", "hosting", "licence", "operations"]))
def test_whatever_costs_more_to_own_never_costs_less_per_hour(each, name):
    more = replace(each, **{name: getattr(each, name) * 1.5})
    assert of_owned(more) >= of_owned(each) * (1 - 1e-9)


@given(owned(), st.floats(0.0, 1.0))
def test_what_it_is_worth_at_the_end_never_makes_it_dearer(each, part):
    assert of_owned(replace(each, residual=each.residual * part)) >= of_owned(each) * (1 - 1e-9)


@given(owned())
def test_what_is_paid_every_year_is_worth_the_purchase_today(each):
    """Discounted, the yearly amounts and what it is worth at the end come to the purchase: what interest means."""
    years = round(each.years)
    whole = replace(each, years=float(years))
    worth = sum(whole.capital_per_year / (1 + whole.interest) ** year for year in range(1, years + 1))
    assert worth + whole.residual / (1 + whole.interest) ** years == pytest.approx(whole.capex, rel=1e-6)


@given(owned())
def test_a_year_of_hours_is_what_a_year_costs(each):
    yearly = each.capital_per_year + each.hosting + each.licence + each.operations
    energy = each.power_kw * each.pue * each.tariff * HOURS_PER_YEAR
    assert each.per_hour * HOURS_PER_YEAR == pytest.approx(yearly + energy)


@given(money, st.floats(0.1, 1e5), st.floats(0.1, 10.0))
def test_cost_is_inverse_in_utilisation(amount, tok_s, use):
    """A deployment that is used half of the time makes a token twice as dear: the hour is paid whole."""
    full = cost_at(point(output_tok_s=exact(tok_s)), EIGHT, rented(amount), ()).per_million_output.mid
    part = cost_at(point(output_tok_s=exact(tok_s * use)), EIGHT, rented(amount), ()).per_million_output.mid
    assert part == pytest.approx(full / use, rel=1e-9)
