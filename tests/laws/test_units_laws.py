"""Laws of the units: whatever the traffic, the additive ones add up to the bill and the others are one over a rate."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.price import Price
from core.price.cost import cost_at
from core.price.units import Unit, unit_costs
from tests.present.builders import answer_of, run_of
from tests.price.price_build import exact, point

money = st.floats(0.01, 1e4)
rate = st.floats(0.1, 1e6)
share = st.floats(0.0, 1.0)


def units(at, price, think_s=20.0, **conditions):
    own = run_of(**conditions)
    answer = replace(answer_of(own), at_capacity=at, cost=cost_at(at, own, price, ()))
    return {found.unit: found.amount and found.amount.mid for found in unit_costs(answer, price, think_s)}


@given(money, rate, rate, share, share, st.floats(0.5, 20.0))
def test_output_input_and_cached_input_at_their_prices_are_the_bill(amount, out, into, cached, weight, ratio):
    price = Price(amount=amount, per_accelerator=False, output_weight=ratio, cached_weight=weight)
    found = units(point(output_tok_s=exact(out), input_tok_s=exact(into)), price, cache_hit_rate=cached)
    bill = (
        out * found[Unit.MILLION_WEIGHTED_OUTPUT]
        + into * (1 - cached) * found[Unit.MILLION_WEIGHTED_INPUT]
        + into * cached * found[Unit.MILLION_WEIGHTED_CACHED]
    )
    assert bill * 3600 / 1e6 == pytest.approx(amount, rel=1e-9)


@given(money, rate, rate, st.floats(0.001, 1e5), st.floats(0.01, 100.0))
def test_every_unit_is_proportional_to_the_price(amount, out, requests, sound, factor):
    at = point(at=41.0, output_tok_s=exact(out), req_s=exact(requests), audio_s_s=exact(sound))
    once = units(at, Price(amount=amount, per_accelerator=False))
    more = units(at, Price(amount=amount * factor, per_accelerator=False))
    assert {unit for unit, value in once.items() if value is None} == {u for u, v in more.items() if v is None}
    known = {unit: value * factor for unit, value in once.items() if value is not None}
    assert {unit: more[unit] for unit in known} == pytest.approx(known, rel=1e-9)


@given(money, st.floats(0.01, 1e4), st.floats(0.0, 600.0), st.floats(0.0, 600.0))
def test_users_who_pause_longer_cost_no_more_each(amount, requests, one, other):
    at, price = point(at=41.0, req_s=exact(requests)), Price(amount=amount, per_accelerator=False)
    short, long = (units(at, price, think_s=pause)[Unit.USER_MONTH] for pause in sorted((one, other)))
    assert long <= short * (1 + 1e-9)
