"""Laws of the chance that a run leads: symmetric, monotone, blind to order, units and names."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from core.compare.belief import UNKNOWN, Belief, belief_of, scaled
from core.compare.compare import held
from core.compare.lead import Together, leads, ratio
from core.compare.quantity import Quantity
from core.compare.shape import Shape
from core.model.answer import Capacity, Interval, Status

NORMAL = Shape(version="1", score=(-9.0, 0.0, 9.0), error=(-9.0, 0.0, 9.0), method=0.0, pairs=0)
"""Answers that err as a normal distribution with the range as its 90 %."""

MC = 0.012
"""More than the draws can be off by: 4096 in strata."""


@st.composite
def any_belief(draw):
    mid = math.exp(draw(st.floats(0.0, 6.0)))
    down, up = (math.exp(draw(st.floats(0.01, 1.0))) for _ in range(2))
    kind = draw(st.sampled_from(("range", "open", "continued", "above", "at least", "below", "nothing")))
    return {
        "range": Belief(low=mid / down, mid=mid, high=mid * up),
        "open": Belief(low=mid / down, mid=mid, high=None),
        "continued": Belief(low=mid / down, mid=mid, high=None, beyond=mid * up),
        "above": Belief(low=mid / down, beyond=mid * up),
        "at least": Belief(low=mid),
        "below": Belief(high=mid),
        "nothing": UNKNOWN,
    }[kind]


def normal(mid: float, sd: float) -> Belief:
    """A range whose ends are 1.645 sd from the estimate, on the ln axis."""
    return Belief(low=mid * math.exp(-1.6448536 * sd), mid=mid, high=mid * math.exp(1.6448536 * sd))


@given(any_belief(), any_belief())
@settings(max_examples=40, deadline=None)
def test_of_two_runs_the_chances_add_up_to_one(one, other):
    a, b = leads((one, other))
    assert a.low + b.high == pytest.approx(1.0, abs=1e-12)
    assert a.high + b.low == pytest.approx(1.0, abs=1e-12)
    assert 0.0 <= a.low <= a.high <= 1.0


@given(any_belief())
@settings(max_examples=20, deadline=None)
def test_equal_runs_lead_as_often_as_not(one):
    a, b = leads((one, one))
    assert a.low == pytest.approx(b.low, abs=1e-12)
    if one.is_told:
        assert a.low == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("count", [3, 5])
def test_equal_runs_share_the_lead(count):
    found = leads([normal(50.0, 0.2)] * count)
    assert [each.low for each in found] == pytest.approx([1.0 / count] * count, abs=1e-9 if count == 3 else MC)


@given(st.lists(any_belief(), min_size=3, max_size=4))
@settings(max_examples=20, deadline=None)
def test_the_order_of_runs_decides_nothing(beliefs):
    first = leads(beliefs)
    for order in list(permutations(range(len(beliefs))))[1:4]:
        turned = leads([beliefs[place] for place in order])
        for place, at in enumerate(order):
            assert turned[place].low == pytest.approx(first[at].low, abs=MC)
            assert turned[place].high == pytest.approx(first[at].high, abs=MC)


@given(any_belief(), any_belief(), st.floats(1.0, 4.0))
@settings(max_examples=30, deadline=None)
def test_a_wider_gap_never_lowers_the_chance(one, other, more):
    near, far = leads((one, other))[0], leads((scaled(one, more), other))[0]
    assert far.low >= near.low - 1e-12
    assert far.high >= near.high - 1e-12


@given(st.lists(any_belief(), min_size=2, max_size=4), st.floats(1e-3, 1e4))
@settings(max_examples=20, deadline=None)
def test_units_and_currencies_decide_nothing(beliefs, factor):
    first, other = leads(beliefs), leads([scaled(belief, factor) for belief in beliefs])
    for a, b in zip(first, other, strict=True):
        assert a.low == pytest.approx(b.low, abs=2e-3)
        assert a.high == pytest.approx(b.high, abs=2e-3)


@given(any_belief(), any_belief())
@settings(max_examples=20, deadline=None)
def test_where_less_is_better_the_other_leads(one, other):
    more = leads((one, other))
    less = leads(tuple(replace(belief, lower_is_better=True) for belief in (one, other)))
    assert less[0].low == pytest.approx(more[1].low, abs=MC)


@pytest.mark.parametrize(
    ("gap", "first", "second"), [(0.0, 0.1, 0.4), (0.1, 0.1, 0.1), (0.3, 0.2, 0.1), (1.0, 0.3, 0.4)]
)
def test_two_normal_runs_by_the_textbook(gap, first, second):
    # P(A > B) = Phi(gap / sqrt(s1^2 + s2^2)) for independent normal ln numbers.
    found = leads((normal(50.0 * math.exp(gap), first), normal(50.0, second)), shape=NORMAL)[0]
    assert found.is_told
    assert found.low == pytest.approx(norm.cdf(gap / math.hypot(first, second)), abs=MC)


@pytest.mark.parametrize("shared", [0.0, 0.5, 0.9])
def test_shared_doubt_decides_nothing_between_those_who_share_it(shared):
    # ln A - ln B has variance 2 s^2 (1 - rho): with more in common the same gap is surer.
    together = [Together(measurement=i, method=shared, deployment="one") for i in range(2)]
    found = leads((normal(55.0, 0.2), normal(50.0, 0.2)), together, NORMAL)[0]
    assert found.low == pytest.approx(norm.cdf(math.log(1.1) / (0.2 * math.sqrt(2.0 * (1.0 - shared)))), abs=MC)


def test_one_measurement_under_two_prices_is_decided_by_the_price():
    together = [Together(measurement="same"), Together(measurement="same")]
    found = leads((scaled(normal(50.0, 0.3), 1.01), normal(50.0, 0.3)), together)
    assert found[0].low == 1.0
    assert leads((normal(50.0, 0.3), normal(50.0, 0.3)), together)[0].low == 0.5


def test_a_bias_of_the_tool_cancels_between_runs_of_one_tool_only():
    # sd of the difference: hypot(0.1, 0.1) with one tool, and two biases of 0.2 more with two.
    pair = (normal(55.0, 0.1), normal(50.0, 0.1))

    def chance(*tools: str) -> float:
        together = [Together(measurement=i, biases=((("tool", tool), 0.2),)) for i, tool in enumerate(tools)]
        return leads(pair, together, NORMAL)[0].low

    assert chance("vllm", "vllm") == pytest.approx(norm.cdf(math.log(1.1) / math.hypot(0.1, 0.1)), abs=MC)
    apart = math.sqrt(2 * 0.1**2 + 2 * 0.2**2)
    assert chance("vllm", "aiperf") == pytest.approx(norm.cdf(math.log(1.1) / apart), abs=MC)


def test_a_bound_leads_only_as_far_as_it_is_known():
    at_least = belief_of(
        Capacity(status=Status.AT_LEAST, concurrency=Interval(low=512.0, mid=None, high=None), safe=512, binding=None)
    )
    # Far above the other: in 97.5 of 100 draws the bound holds, and then it leads; in the rest nothing is known.
    sure = leads((at_least, normal(50.0, 0.1)), shape=NORMAL)[0]
    assert sure.low == pytest.approx(0.975, abs=MC)
    assert sure.high == 1.0
    # Below the other's estimate the bound tells nothing of a lead, and nothing against it.
    unsure = leads((at_least, normal(5000.0, 0.1)), shape=NORMAL)[0]
    assert unsure.low == pytest.approx(0.0, abs=1e-9)
    assert unsure.high == 1.0


def test_nothing_known_is_no_chance_and_no_certainty():
    found = leads((UNKNOWN, normal(50.0, 0.1)))
    assert (found[0].low, found[0].high) == (0.0, 1.0)
    assert (found[1].low, found[1].high) == (0.0, 1.0)


def test_an_open_range_leads_below_its_estimate_only_by_what_it_holds():
    # Upper half: known to lie at the estimate or above. So it beats a run far below it always in that half.
    open_above = Belief(low=80.0, mid=100.0, high=None)
    found = leads((open_above, normal(50.0, 0.05)), shape=NORMAL)[0]
    assert found.low > 0.99
    assert leads((open_above, normal(200.0, 0.05)), shape=NORMAL)[0].high == pytest.approx(0.5, abs=MC)


@pytest.mark.parametrize("factor", [1.0, 2.5, 0.3])
def test_a_multiple_is_of_the_estimates_with_a_range_by_both(factor):
    # ln ratio: sd hypot(0.1, 0.2) = 0.2236; ends at 1.645 sd.
    low, mid, high = ratio(normal(50.0 * factor, 0.1), normal(50.0, 0.2), shape=NORMAL)
    assert mid == pytest.approx(factor, rel=0.01)
    assert high / mid == pytest.approx(math.exp(1.645 * math.hypot(0.1, 0.2)), rel=0.02)
    assert mid / low == pytest.approx(math.exp(1.645 * math.hypot(0.1, 0.2)), rel=0.02)


def test_a_multiple_of_a_bound_is_a_bound():
    low, mid, high = ratio(Belief(low=512.0), normal(50.0, 0.05), shape=NORMAL)
    assert mid is None
    assert high is None
    # 512 over the 95 % end of the other, and a little less for the draws in which nothing is known.
    assert 8.5 < low < 512 / 50


def test_draws_are_the_same_every_time():
    pair = (normal(55.0, 0.2), normal(50.0, 0.1))
    assert leads(pair) == leads(pair)
    assert np.isfinite(leads(pair)[0].low)


@st.composite
def any_row(draw):
    """Return how a number reads, as a range, open at one end or a bound, and what is drawn from."""
    belief = draw(any_belief())
    low, mid, high = belief.low, belief.mid, belief.high
    if mid is not None and draw(st.booleans()):
        low, high = high and mid * mid / high, low and mid * mid / low
        belief = Belief(low=low, mid=mid, high=high)
    return Interval(low=low, mid=mid, high=high), belief


@given(any_row(), any_row(), st.booleans(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_bound_of_a_multiple_is_surer_than_the_rows(one, other, less, shared):
    beliefs = [replace(belief, lower_is_better=less) for _, belief in (one, other)]
    together = tuple(Together(measurement=i, method=0.9, deployment="one" if shared else i) for i in range(2))
    low, mid, high = held(ratio(*beliefs, together), one[0], other[0], Quantity.COST if less else Quantity.CAPACITY)
    top, bottom = (other[0], one[0]) if less else (one[0], other[0])
    is_low, is_high = bool(top.low and bottom.high), bool(top.high and bottom.low)
    # An open end of a row leaves that end of the multiple open.
    assert is_low or low is None
    assert is_high or high is None
    if mid is None:
        assert low is None or low <= top.low / bottom.high
        assert high is None or high >= top.high / bottom.low
    elif is_low and is_high:
        assert top.low / bottom.high * 0.99 <= mid <= top.high / bottom.low * 1.01
        assert low is None or low >= min(top.low / bottom.high, mid) * (1 - 1e-9)
        assert high is None or high <= max(top.high / bottom.low, mid) * (1 + 1e-9)


@given(st.lists(any_belief(), min_size=2, max_size=5), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_the_runs_moves_no_chance(beliefs, shuffler):
    """Also where two of them share the deployment, the tool or the host: a draw goes with what it is about."""
    places = range(len(beliefs))
    together = [
        Together(
            measurement=f"levels {place}",
            method=0.9,
            deployment=f"deployment {place // 2}",
            biases=((("tool", f"tool {place % 2}"), 0.02), (("host", "one"), 0.01)),
        )
        for place in places
    ]
    order = list(places)
    shuffler.shuffle(order)
    plain = leads(beliefs, together)
    moved = leads([beliefs[place] for place in order], [together[place] for place in order])
    for place, lead in zip(order, moved, strict=True):
        assert lead.low == pytest.approx(plain[place].low, abs=1e-12)
        assert lead.high == pytest.approx(plain[place].high, abs=1e-12)
