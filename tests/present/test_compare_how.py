"""Each number that a comparison shows says its formula with the values that it came from."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.compare.compare import compare
from core.compare.quantity import Quantity, Question
from core.model.answer import Interval
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.scenario import Demand, DemandKind
from core.present.compare_how import compare_hows
from core.present.compare_table import cell, header
from tests.compare.test_compare import EVERYTHING
from tests.compare.test_own_traffic import own
from tests.fleet import fleet_build
from tests.fleet.fleet_build import PRICE

RATE = Question(price=PRICE, demand=Demand(peak=500.0, kind=DemandKind.CONCURRENCY), think_s=16.0)


def named(name, **changes):
    """A run that carries 45 (32–50), safe 40, of requests of 4 s; a user gets 20 tokens/s."""
    made = fleet_build.named(name, **changes)
    return replace(made, at_capacity=replace(made.at_capacity, tok_s_user=Interval(low=19.0, mid=20.0, high=21.0)))


def hows_of(answers, asked=RATE, accepted=EVERYTHING):
    found = compare(answers, asked, accepted)
    return found, {how.name: how for how in compare_hows(found)}


@pytest.fixture(scope="module")
def two():
    dear = replace(PRICE, accelerators=(("b", 16),))
    return hows_of((named("a"), named("b")), replace(RATE, price=dear))


def test_one_run_by_hand():
    found, hows = hows_of((named("a"),))
    said = {name: (how.formula, dict(how.values), how.result) for name, how in hows.items()}
    assert said["Safe number"][2].startswith("40; 45 (32–50)")
    # 500 in flight over 40: 13 replicas of 8 at 20 an hour.
    assert said["Replicas"][2].startswith("13 (10–16)")
    assert said["Accelerators"][2].startswith("104 ")
    assert said["Cost per month"][2].startswith("$190,000 ")
    # 45 (4 + 16) / 4 / 20 = 11.25 users; 1 / 20 s; 2000 / 8.
    formula, values, result = said["Active users for each USD per hour, at the estimate"]
    assert formula == (
        "concurrent requests at the estimate × (time of a request + pause) ÷ time of a request ÷ bill per hour"
    )
    assert values == {
        "estimate": "45 (32–50)", "time of a request": "4 s", "pause": "16 s", "bill per hour": "$20.00"
    }  # fmt: skip
    assert result.startswith("11.3 ")
    assert said["One user, tokens/s, at the safe number"][1:] == (
        {"Safe number": "40", "TPOT": "50 ms"},
        "20 (19–21)",
    )
    throughput = said["System, output tokens/s per accelerator, at the safe number"]
    assert throughput[1] == {"output tokens/s": "2,000", "accelerators": "8"}
    assert throughput[2].startswith("250 ")
    # A run alone leads nobody.
    assert not any("Chance" in name or "times" in name for name in hows)
    assert found.multiples == ()


def test_what_is_shown_is_what_the_row_shows(two):
    found, hows = two
    for quantity in (Quantity.USERS_PER_MONEY, Quantity.PER_USER, Quantity.THROUGHPUT):
        for answer, figure in zip(found.answers, found.of(quantity).figures, strict=True):
            how = hows[f"{answer.run.label}: {header(found, quantity)}"]
            assert how.result == cell(found, quantity, figure.shown)
    for answer, figure in zip(found.answers, found.of(Quantity.MONTH).figures, strict=True):
        shown = cell(found, Quantity.MONTH, figure.shown)
        assert hows[f"{answer.run.label}: Cost per month"].result == shown


def test_a_multiple_names_its_two_rows_and_is_their_quotient(two):
    found, hows = two
    how = hows["How many times: Accelerators for the demand"]
    assert (how.formula, how.values) == ("number of b ÷ number of a", (("b", "208 (160–256)"), ("a", "104 (80–128)")))
    assert how.result.startswith("2×")
    assert len([name for name in hows if name.startswith("How many times")]) == len(found.multiples)


def test_a_chance_says_what_it_is_a_share_of_and_what_the_runs_share(two):
    how = two[1]["Chance that it leads"]
    values = dict(how.values)
    assert values["draws of each run"] == "4,096"
    assert values["compared by"] == "the cost a month of what the demand needs"
    (tool,) = [value for name, value in values.items() if name.startswith("same load generator, 5%")]
    assert tool == "a, b"
    assert re.fullmatch(r"a: .* in 100; b: .* in 100", how.result)


def test_nothing_is_said_of_numbers_that_are_unknown():
    other = replace(named("a"), for_traffic=own(37))
    _, hows = hows_of((other,), replace(RATE, fleet=Fleet(spares=1)))
    safe = hows["Safe number"]
    assert (safe.result.partition(";")[0], dict(safe.values)["of the traffic as measured"]) == ("37", "40")
    assert not any("million output" in name or "at the safe number" in name for name in hows)
    _, bare = hows_of((named("a"), named("b")), Question(price=Price(amount=None, per_accelerator=True)), ())
    assert set(bare) == {
        f"{run}: {name}"
        for run in "ab"
        for name in (
            "Safe number",
            "One user, tokens/s, at the safe number",
            "System, output tokens/s per accelerator, at the safe number",
        )
    }
