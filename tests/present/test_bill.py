"""The bill: three ways to divide it, what was paid for, and which way it may be wrong."""

from __future__ import annotations

from dataclasses import replace

from core.model.answer import Interval
from core.model.price import Price
from core.present.bill import basis_text, bill_notes, bill_table, paid_text
from tests.present.builders import answer_of, cost_of, run_of

PRICE = Price(amount=0.66, per_accelerator=True)
FULL = cost_of(
    per_million_total=Interval(low=0.1, mid=0.12, high=0.2),
    per_million_weighted_output=Interval(low=0.4, mid=0.44, high=0.5),
    per_million_weighted_input=Interval(low=0.1, mid=0.11, high=0.125),
)


def test_every_known_figure_stands_with_its_range():
    frame = bill_table(FULL)
    assert list(frame.itertuples(index=False, name=None)) == [
        ("output", "$0.83 ($0.78–$0.90)"),
        ("input and output", "$0.12 ($0.10–$0.20)"),
        ("output, weighted", "$0.44 ($0.40–$0.50)"),
        ("input, weighted", "$0.110 ($0.100–$0.125)"),
    ]


def test_a_figure_that_nobody_knows_has_no_row():
    assert bill_table(cost_of())["Million tokens"].tolist() == ["output"]
    assert bill_table(cost_of(low=None))["Cost (range)"].tolist() == ["$0.83"]


def test_tokens_outside_the_targets_make_the_cost_a_least_one():
    assert "at least this" in " ".join(bill_notes(answer_of(cost=FULL), PRICE))
    good = replace(FULL, upper_bound_of_good=False)
    assert "at least this" not in " ".join(bill_notes(answer_of(cost=good), PRICE))
    assert bill_notes(answer_of(), PRICE) == ()


def test_what_is_paid_for_is_named():
    assert (
        paid_text(answer_of(cost=cost_of()), PRICE) == "at $0.66 per accelerator and hour × 16 · $10.60 per hour in all"
    )
    assert paid_text(answer_of(), PRICE) is None
    assert basis_text(run_of(accelerator_count=None), PRICE) == "at $0.66 per accelerator and hour"
    whole = Price(amount=20, per_accelerator=False, currency="EUR")
    assert basis_text(run_of(), whole) == "at €20.00 per hour for the whole deployment"


def test_a_count_that_the_person_gave_goes_before_the_files():
    assert basis_text(run_of(), replace(PRICE, accelerators=((run_of().id, 8),))).endswith("× 8")
