"""Laws of how numbers are written, for any number."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.present.numbers import about, concurrency, concurrency_range, money, percent, plain, rate, seconds, span

amounts = st.floats(1e-9, 1e12)
any_number = st.floats(allow_nan=True, allow_infinity=True)


def read(text):
    """The number that a person reads."""
    return float(re.sub(r"[^0-9.]", "", text))


@given(amounts)
def test_three_digits_are_within_half_a_per_cent(value):
    assert read(plain(value)) == pytest.approx(value, rel=0.0051)


@given(amounts, amounts)
def test_the_larger_number_never_reads_smaller(one, other):
    low, high = sorted((one, other))
    assert read(plain(low)) <= read(plain(high))


@given(st.floats(1e-6, 1e6))
def test_a_time_reads_the_same_in_either_unit(value):
    text = seconds(value)
    factor = 1e-3 if text.endswith(" ms") else 1.0
    assert read(text.split()[0]) * factor == pytest.approx(value, rel=0.0051)
    assert (factor == 1e-3) == (read(text.split()[0]) * factor < 1.0)


@given(st.floats(0.0, 1.0, exclude_max=True))
def test_a_share_below_one_never_reads_as_all(share):
    assert share > 1 - 1e-9 or percent(share) != "100%"


@given(st.floats(0.01, 1e6), st.floats(1.01, 100.0))
def test_a_range_that_has_a_width_shows_it(low, factor):
    """From a hundredth of a request on; what is narrower than that reads as one number."""
    high = low * factor
    shown = concurrency_range(low, high)
    assert "–" in shown or high - low < 0.02


@given(any_number, st.sampled_from(["en", "ko"]))
def test_no_number_is_too_odd_to_be_written(value, language):
    for show in (plain, concurrency, seconds, about):
        assert show(value, language)
    for text in (rate(value, "tok/s", language), percent(value, language), money(value, "USD", language)):
        assert "nan" not in text.lower()
        assert "inf" not in text.lower()
    assert span(value, value, plain)


def test_zero_has_no_sign_whatever_was_written_before():
    assert concurrency(-0.2) == "0"
    assert percent(0.0) == "0%"
    assert plain(-0.0) == "0"
