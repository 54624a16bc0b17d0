"""Traffic as a person states it: what is refused, what a mix comes to, and the text that means it."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.model.traffic import Arrivals, Profile, Traffic
from core.model.traffic_text import parse_traffic, traffic_texts
from tests.model.model_strategies import any_traffic


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["isl"], "traffic.unreadable"),
        (["isl="], "traffic.unreadable"),
        (["prompts=4"], "traffic.unreadable"),
        (["isl=many"], "traffic.unreadable"),
        (["isl=nan"], "traffic.unreadable"),
        (["isl=inf"], "traffic.unreadable"),
        (["isl=1_000"], "traffic.unreadable"),
        (["isl=-5"], "traffic.unreadable"),
        (["isl=30%"], "traffic.unreadable"),
        (["arrivals=often"], "traffic.unreadable"),
        (["isl=5 isl=6"], "traffic.twice"),
        (["isl=5 share=1 arrivals=closed", "isl=6 share=1 arrivals=poisson"], "traffic.twice"),
        (["isl=0"], "traffic.out_of_range"),
        (["hit=1.2"], "traffic.out_of_range"),
        (["isl=1e9"], "traffic.out_of_range"),
        (["isl=500 isl_p95=400"], "traffic.p95_below_mean"),
        (["isl=500", "isl=900"], "traffic.shares"),
        (["isl=500 share=0.5", "isl=900"], "traffic.shares"),
        (["arrivals=bursty"], "traffic.burst"),
        (["burst=4"], "traffic.burst"),
        ([f"isl={n} share=1" for n in range(1, 10)], "traffic.too_many_profiles"),
    ],
)
def test_what_cannot_be_followed_is_refused_with_its_code(texts, code):
    with pytest.raises(UsageError) as refused:
        parse_traffic(texts)
    assert refused.value.code == code


def test_units_and_order_are_free():
    one = parse_traffic(["hit=30% arrivals=random think=20s OSL=400 isl=8k users=500"])
    two = parse_traffic(["isl=8000, osl=400, hit=0.3, arrivals=poisson, users=500, think=20"])
    assert one == two
    assert one.profiles == (Profile(input_tokens=8000.0, output_tokens=400.0, hit_rate=0.3),)
    assert (one.arrivals, one.users, one.think_s) == (Arrivals.POISSON, 500.0, 20.0)


def test_a_hit_rate_of_zero_is_known_and_an_absent_one_is_not():
    assert parse_traffic(["isl=100 hit=0"]).hit_rate == 0.0
    assert parse_traffic(["isl=100"]).hit_rate is None


def test_nothing_said_is_unknown():
    assert Traffic().unknown
    assert parse_traffic(["think=3"]).unknown
    assert not parse_traffic(["hit=0"]).unknown


def test_a_mix_is_weighted_by_shares_and_its_hits_by_tokens():
    mix = parse_traffic(["isl=1000 osl=100 hit=0 share=3", "isl=3000 osl=500 hit=0.5 share=1"])
    # (3 x 1000 + 1 x 3000) / 4, (3 x 100 + 500) / 4; half of the tokens are in each, so hits are 0.25.
    assert mix.input_tokens == pytest.approx(1500.0)
    assert mix.output_tokens == pytest.approx(200.0)
    assert mix.hit_rate == pytest.approx(0.25)


def test_a_mix_with_an_unknown_part_is_unknown_in_that():
    mix = parse_traffic(["isl=1000 osl=100 share=1", "isl=3000 share=1"])
    assert mix.input_tokens == pytest.approx(2000.0)
    assert mix.output_tokens is None


def test_a_p95_is_its_own_quantile():
    traffic = parse_traffic(["isl=1000 isl_p95=2200"])
    assert traffic.input_quantile(0.95) == pytest.approx(2200.0, rel=1e-6)
    assert traffic.output_quantile(0.95) is None


def test_the_quantile_of_a_mix_of_two_lengths_is_one_of_them():
    mix = parse_traffic(["isl=100 share=0.9", "isl=1000 share=0.1"])
    assert mix.input_quantile(0.5) == pytest.approx(100.0)
    assert mix.input_quantile(0.95) == pytest.approx(1000.0)


@given(any_traffic())
def test_text_means_the_traffic_again(traffic):
    again = parse_traffic(traffic_texts(traffic)) if traffic_texts(traffic) else Traffic()
    assert traffic_texts(again) == traffic_texts(traffic)
    for q in (0.5, 0.95):
        value = again.input_quantile(q)
        assert value is None or (math.isfinite(value) and value > 0.0)


@given(st.lists(st.text(max_size=30), max_size=3))
def test_no_text_breaks_the_reader(texts):
    with contextlib.suppress(UsageError):
        assert isinstance(parse_traffic(texts), Traffic)
