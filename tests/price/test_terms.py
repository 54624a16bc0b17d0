"""What goes with a price survives an address, and nonsense is refused with a code."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalogue.prices import prices
from core.errors import UsageError
from core.model.owned import Owned
from core.model.price import Exchange, Price, Tax
from core.price.terms import Terms, find_listed, key_of, listed_of, parse_terms, terms_of, terms_texts, with_terms

plain = st.floats(0.0, 1e6).map(lambda x: float(f"{x:.9g}"))
names = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12)

OWNED = st.builds(
    lambda capex, share, **more: Owned(capex=capex, residual=float(f"{capex * share:.9g}"), **more),
    capex=st.floats(1.0, 1e6).map(lambda x: float(f"{x:.9g}")),
    share=st.floats(0.0, 0.9),
    years=st.floats(1.0, 20.0).map(lambda x: float(f"{x:.9g}")),
    interest=st.floats(0.0, 0.3).map(lambda x: float(f"{x:.9g}")),
    power_kw=st.floats(0.0, 50.0).map(lambda x: float(f"{x:.9g}")),
    pue=st.floats(1.0, 3.0).map(lambda x: float(f"{x:.9g}")),
    hosting=plain,
)
TERMS = st.builds(
    Terms,
    output_weight=st.floats(0.5, 20.0).map(lambda x: float(f"{x:.9g}")),
    cached_weight=st.floats(0.0, 1.0).map(lambda x: float(f"{x:.9g}")),
    discount=st.floats(0.0, 0.9).map(lambda x: float(f"{x:.9g}")),
    exchange=st.none()
    | st.builds(
        Exchange,
        quoted=st.sampled_from(["USD", "EUR", "credits:"]),
        rate=st.floats(0.01, 1e6).map(lambda x: float(f"{x:.9g}")),
        as_of=st.sampled_from(["", "2026-11-02"]),
    ),
    tax=st.none() | st.builds(Tax, rate=st.floats(0, 1).map(lambda x: float(f"{x:.9g}")), quoted_with=..., counted=...),
    owned=st.none() | OWNED,
    listed=st.none() | st.sampled_from(prices()).map(listed_of),
    pools=st.lists(st.tuples(names, st.integers(1, 999), st.integers(1, 999)), max_size=2).map(tuple),
    power_kw=st.none() | st.floats(0.1, 10).map(lambda x: float(f"{x:.9g}")),
    as_of=st.sampled_from(["", "2026", "2026-10-01"]),
)


@given(TERMS)
def test_terms_are_read_back_from_their_texts(terms):
    assert parse_terms(terms_texts(terms)) == terms


@given(TERMS)
def test_terms_of_a_price_are_those_that_it_was_given(terms):
    assert terms_of(with_terms(Price(amount=2.0, per_accelerator=True), terms)) == terms


def test_a_row_that_the_table_no_longer_has_is_kept_in_full():
    old = replace(listed_of(prices()[0]), amount=99.0, notes="50 % off; see | below", as_of="2020-01-01")
    (text,) = terms_texts(Terms(listed=old))
    assert parse_terms([text]).listed == old


def test_every_row_has_a_key_of_its_own():
    keys = [key_of(row) for row in prices()]
    assert len(set(keys)) == len(keys) == 172
    assert all(find_listed(key) == listed_of(row) for key, row in zip(keys, prices(), strict=True))


def test_people_write_shares_as_they_like():
    found = parse_terms(["discount=25%", "tax=10%:quoted", "own=capex:30000,years:4,interest:8%,power-kw:1.2"])
    assert (found.discount, found.tax, found.owned.interest) == (0.25, Tax(rate=0.1, quoted_with=True), 0.08)


@pytest.mark.parametrize(
    "text",
    [
        "discount=100%",
        "discount=-1%",
        "discount=nan",
        "tax=10%:maybe",
        "exchange=USD",
        "exchange=USD:0",
        "exchange=USD:1380:yesterday",
        "own=years:4",
        "own=capex:1,years:0",
        "own=capex:1,years:4,residual:2",
        "own=capex:1,years:4,pue:0.5",
        "own=capex:1e400,years:4",
        "own=capex:1,years:4,color:red",
        "listed=nobody|nothing",
        "pools=a:0:4",
        "pools=a",
        "power=-1",
        "ratio=0",
        "free=beer",
        "discount",
        "",
    ],
)
def test_what_no_price_has_is_refused(text):
    with pytest.raises(UsageError) as refused:
        parse_terms([text])
    assert refused.value.code == "price.terms"
