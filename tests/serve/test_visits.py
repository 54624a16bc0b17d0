"""A view is one visit of one browser, however often it reloads."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from serve import visits
from serve.visits import LASTS_S, Visits

ANA, BEN = (generate_xsrf_token_string(bytes([sign]) * 16, 1) for sign in (1, 2))


@given(st.binary(min_size=16, max_size=16))
def test_a_browser_is_known_again_under_every_mask(random):
    seen = Visits()
    assert seen.begins("token", generate_xsrf_token_string(random, 1), 0.0)
    for later in (1.0, LASTS_S - 1.0):
        assert not seen.begins("token", generate_xsrf_token_string(random, 2), later)


def test_each_browser_and_each_link_is_a_view_of_its_own():
    seen = Visits()
    assert [seen.begins(token, who, 0.0) for token in ("a", "b") for who in (ANA, BEN)] == [True] * 4
    assert [seen.begins(token, who, 1.0) for token in ("a", "b") for who in (ANA, BEN)] == [False] * 4


def test_after_a_while_a_browser_counts_anew_and_reloads_do_not_put_that_off():
    seen = Visits()
    told = [seen.begins("token", ANA, LASTS_S * part) for part in (0.0, 0.5, 0.99, 1.01, 1.5, 2.02)]
    assert told == [True, False, False, True, False, True]


@pytest.mark.parametrize("cookie", ["", "2|x", "1|00000000|00|1", "2|00000000|0|1", unquote("%F0"), "2|" * 40])
def test_a_browser_that_cannot_be_told_from_others_is_counted(cookie):
    seen = Visits()
    assert seen.begins("token", cookie, 0.0)
    assert seen.begins("token", cookie, 0.0)


def test_what_is_remembered_has_an_end(monkeypatch):
    monkeypatch.setattr(visits, "MOST", 3)
    seen = Visits()
    assert all(seen.begins(str(number), ANA, 0.0) for number in range(10))
    assert not seen.begins("9", ANA, 0.0)
    assert seen.begins("0", ANA, 0.0)
