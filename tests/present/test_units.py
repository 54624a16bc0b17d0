"""The bill in words: where one reason keeps every amount unknown, it is said once."""

from __future__ import annotations

from dataclasses import replace

from core.model.price import Price
from core.present.units import common_gap, unit_lines
from core.price.cost import cost_at
from core.price.parse import parse_price
from tests.fleet.fleet_build import CAPACITY
from tests.present.builders import answer_of, run_of
from tests.price.price_build import exact, point
from tests.price.test_run_price import answer, named

PRICE = parse_price("2.5/gpu-h")


def lines(count):
    run = named("a", count=count)
    return unit_lines(answer(run, 1000.0, PRICE), PRICE)


def test_one_reason_for_all_is_one_sentence():
    assert common_gap(lines(None)) == "unknown: nobody said how many accelerators there are"


def test_what_is_known_keeps_its_rows():
    found = lines(8)
    assert any(line.known for line in found)
    assert common_gap(found) is None


def test_two_reasons_keep_their_rows():
    one, *others = lines(None)
    assert common_gap((replace(one, amount="unknown: for another reason"), *others)) is None


def test_without_a_line_there_is_no_reason():
    assert common_gap(()) is None


def test_the_users_at_the_safe_number_can_be_checked_by_hand():
    """40 in flight. 10 requests/s: 40 + 10 x 20 s = 240 users. Of 4 s each: 40 x (4 + 20) / 4 = 240."""
    bill = Price(amount=36.0, per_accelerator=False)
    run = run_of(accelerator_count=8)
    by_rate = point(at=40.0, output_tok_s=exact(1000.0), req_s=exact(10.0))
    by_time = replace(by_rate, metrics={"e2e mean": exact(4.0)})
    for at, formula, pace in (
        (by_rate, "N + X × Z", ("X, requests/s at the safe number", "10")),
        (by_time, "N × (R + Z) ÷ R", ("R, mean time of a request at the safe number", "4 s")),
    ):
        of = replace(answer_of(run, at_capacity=at, cost=cost_at(at, run, bill, ())), capacity=CAPACITY)
        how = next(line.how for line in unit_lines(of, bill, 20.0) if line.name == "An active user and month")
        values = [value for value in how.values if value[0] != "bill per hour"]
        assert how.formula.endswith(formula)
        users, safe, *others = values
        assert users[1].startswith("240")
        assert safe == ("N, safe number", "40")
        assert [(name, value.split(" (")[0]) for name, value in others] == [pace, ("Z, pause of a user", "20 s")]
