"""Users per money are told for an amount that leaves numbers one can read, and the label names it everywhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.compare.compare import compare
from core.compare.quantity import Quantity, Question
from core.present.compare_document import compare_document
from core.present.compare_files import quantities_file
from core.present.compare_how import compare_hows
from core.present.compare_table import numbers_table, whole_csv
from core.present.per_money import amount_of, header_of, in_amount
from tests.compare.test_compare import EVERYTHING, PRICE, TARGETS, answers_of

UNIT = "Concurrent requests for each 1,000 KRW per hour, at the estimate"


@pytest.fixture(scope="module")
def two():
    return answers_of({}, {"gpu": "8xH200", "slower": 1.3})


def priced(answers, hourly, currency="KRW", **asked):
    """Compare runs whose eight accelerators cost so much an hour together."""
    price = replace(PRICE, amount=hourly / 8, currency=currency)
    return compare(answers, Question(price=price, **asked), EVERYTHING)


@pytest.mark.parametrize("times", [0.5, 5.0, 50.0, 500.0, 5_000.0, 123_456.0])
def test_the_largest_is_between_one_and_a_thousand_and_the_amount_the_least_that_does_it(two, times):
    mids = [answer.capacity.concurrency.mid for answer in two]
    found = priced(two, times)
    amount = amount_of(found)
    largest = max(mids) / times * amount
    assert 1.0 <= largest < 1000.0
    # By a tenth of the amount it would be less than one, or the amount is one.
    assert amount == 1 or largest < 10.0


def test_a_number_for_each_won_is_told_for_each_thousand_on_screen_in_files_and_in_how_it_was_worked_out(two):
    # 60 or so in flight for 26,600 won an hour: 0.002 for each won, 2 for each thousand.
    found = priced(two, 26_600.0)
    figure = found.of(Quantity.USERS_PER_MONEY).figures[0].shown
    mid = two[0].capacity.concurrency.mid
    assert amount_of(found) == 1000
    assert in_amount(figure, found).mid == pytest.approx(1000.0 * mid / 26_600.0)
    (cell, _) = numbers_table(found)[UNIT]
    assert float(cell.split(" (")[0]) == pytest.approx(1000.0 * mid / 26_600.0, rel=0.005)
    rows = quantities_file(found).set_index(["Quantity", "Run"])["Value"]
    assert rows[UNIT].iloc[0] == pytest.approx(1000.0 * mid / 26_600.0)
    assert UNIT in whole_csv(found).columns
    hows = [how for how in compare_hows(found) if UNIT in how.name]
    assert any(how.formula.endswith("÷ bill per hour × 1,000") and how.result == cell for how in hows)
    # Machines read the unit that the contract names: for one unit of money.
    told = compare_document(found, TARGETS, ())
    assert f"{mid / 26_600.0!r}"[:6] in str(told)


def test_dollars_and_pauses_and_korean(two):
    assert str(header_of(priced(two, 20.0, "USD"))) == "Concurrent requests for each USD per hour, at the estimate"
    users = priced(two, 26_600_000.0, think_s=20.0)
    assert str(header_of(users)).startswith("Active users for each 1,000,000 KRW per hour")
    assert "1,000 KRW" in header_of(priced(two, 26_600.0), "ko").render("ko")


def test_without_a_price_the_amount_is_one(two):
    assert amount_of(compare(two, Question(price=None), EVERYTHING)) == 1
    assert in_amount(None, priced(two, 26_600.0)) is None
