"""The bill: three ways to divide it, what was paid for, and which way it may be wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.catalogue.prices import prices
from core.model.answer import Interval
from core.model.price import Exchange, Price, Tax
from core.present.bill import basis_text, bill_notes, paid_text
from core.present.price_words import price_marks
from core.price.terms import listed_of
from tests.present.builders import WITHIN, answer_of, cost_of, run_of

PRICE = Price(amount=0.66, per_accelerator=True)
FULL = cost_of(
    per_million_total=Interval(low=0.1, mid=0.12, high=0.2),
    per_million_weighted_output=Interval(low=0.4, mid=0.44, high=0.5),
    per_million_weighted_input=Interval(low=0.1, mid=0.11, high=0.125),
)


def test_tokens_outside_the_targets_make_the_cost_a_least_one():
    assert "at least this" in " ".join(bill_notes(answer_of(cost=FULL), PRICE))
    good = replace(FULL, upper_bound_of_good=False)
    assert "at least this" not in " ".join(bill_notes(answer_of(cost=good), PRICE))
    assert bill_notes(answer_of(), PRICE) == ()


def test_the_cost_at_the_estimate_tells_the_doubt_about_where_it_lies():
    there = cost_of(per_million_output=Interval(low=0.4, mid=0.5, high=0.75))
    notes = bill_notes(answer_of(capacity=WITHIN, cost=FULL, cost_at_estimate=there), PRICE)
    assert notes[0].startswith("Each range is that of the throughput at the safe number. Loaded to the estimate, 47 at")
    assert "would cost $0.50 ($0.40–$0.75): that range holds the doubt about where the limit lies too" in notes[0]
    assert not any("estimate" in each for each in bill_notes(answer_of(cost=FULL), PRICE))


def test_what_is_paid_for_is_named():
    assert (
        paid_text(answer_of(cost=cost_of()), PRICE) == "at $0.66 per accelerator and hour × 16 · $10.56 per hour in all"
    )
    assert paid_text(answer_of(), PRICE) is None
    assert basis_text(run_of(accelerator_count=None), PRICE) == "at $0.66 per accelerator and hour"
    whole = Price(amount=20, per_accelerator=False, currency="EUR")
    assert basis_text(run_of(), whole) == "at €20.00 per hour for the whole deployment"


def test_what_was_done_to_the_price_stands_behind_it():
    done = replace(
        PRICE,
        currency="KRW",
        discount=0.25,
        tax=Tax(rate=0.1, counted=True),
        exchange=Exchange(quoted="USD", rate=1380.0, as_of="2026-11-02"),
    )
    assert basis_text(run_of(), done) == (
        "at $0.66 per accelerator and hour × 16, less 25% discount, with 10% tax, at ₩1,380 for 1 USD of 2026-11-02"
    )


def test_an_old_price_is_marked_where_it_is_read():
    listed = replace(listed_of(prices()[3]), as_of="2026-07-20")
    picked = replace(PRICE, listed=listed)
    said = paid_text(answer_of(cost=cost_of()), picked, today=date(2026, 11, 30))
    assert said.endswith("old price: 133 days, more than 90")
    assert "old" not in paid_text(answer_of(cost=cost_of()), picked, today=date(2026, 8, 1))


def test_the_age_that_is_too_old_is_a_setting(monkeypatch):
    picked = replace(PRICE, as_of="2026-11-01")
    assert price_marks(picked, date(2026, 11, 30)) == ()
    monkeypatch.setenv("PLIMSOLL_PRICE_DAYS", "14")
    assert price_marks(picked, date(2026, 11, 30)) == ("old price: 29 days, more than 14",)


@pytest.mark.parametrize(
    ("price", "marks"),
    [
        (PRICE, ()),
        (
            replace(PRICE, listed=replace(listed_of(prices()[3]), as_of="")),
            ("undated: how old this price is, is unknown",),
        ),
        (replace(PRICE, exchange=Exchange(quoted="USD", rate=1380.0)), ("the rate of exchange has no date",)),
        (
            replace(PRICE, exchange=Exchange(quoted="USD", rate=1380.0, as_of="2026-01-01")),
            ("old rate of exchange: 333 days",),
        ),
    ],
)
def test_what_is_to_be_minded_about_a_price(price, marks):
    assert price_marks(price, date(2026, 11, 30)) == marks


def test_a_count_that_the_person_gave_goes_before_the_files():
    assert basis_text(run_of(), replace(PRICE, accelerators=((run_of().id, 8),))).endswith("× 8")
