"""No trace of money in a scenario whose prices are hidden, and nothing else gone."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.errors import Place
from core.i18n import t
from core.model.answer import (
    BatchAnswer,
    Cost,
    Interval,
    JobAnswer,
    Reach,
    Relaxed,
    Sensitivity,
    Status,
    Throughput,
)
from core.model.codec import decode, encode
from core.model.counted import counted
from core.model.finding import Finding, Severity
from core.model.fleet import DAYS
from core.model.price import Price
from core.model.redaction import without_prices
from core.model.scenario import DecisionColumn, Scenario
from core.present.documents import plan_document
from core.present.words import headline
from tests.model.model_strategies import any_scenario, differences
from tests.model.rich_scenario import OWNED, RICH, RICH_PRICE
from tests.store.store_build import TARGET, a_scenario

MONEY = re.compile(
    r"(?:^|_)(?:price|cost|currency|money|decision|per_hour|per_million|budget|rent|fee|bill|discount)|^(?:reserved|api|owned)$"
)
"""How fields that hold money are called; `Cost` and `Price` are money as a whole."""

FINDING = Finding(code="price.count_differs", severity=Severity.WARNING, where=Place("a"), what=t("{n} cards", n=7711))


def is_money(name, hint):
    kinds = {hint, *typing.get_args(hint)}
    return bool(MONEY.search(name)) or bool(kinds & {Cost, Price})


def money_in(value, path="scenario"):
    """Every field below that holds money and is not empty, found by the annotations of the model itself."""
    if is_dataclass(value):
        hints = typing.get_type_hints(type(value))
        for field in fields(value):
            held = getattr(value, field.name)
            here = f"{path}.{field.name}"
            if is_money(field.name, hints[field.name]):
                if held not in (None, ()):
                    yield here
            else:
                yield from money_in(held, here)
        if isinstance(value, Finding) and value.code.startswith("price."):
            yield f"{path}:{value.code}"
    elif isinstance(value, Mapping):
        for key, held in value.items():
            yield from money_in(held, f"{path}[{key}]")
    elif isinstance(value, tuple):
        for held in value:
            yield from money_in(held, path)


def test_nothing_of_a_rich_price_is_left_in_what_a_link_shows():
    """Whose offer, which discount, which rate and what was paid for the hardware: none of it, in any field or text."""
    bought = replace(RICH_PRICE, listed=None, owned=OWNED)
    for price in (RICH_PRICE, bought):
        shown = encode(without_prices(replace(RICH, price=price))).decode()
        for trace in (
            "A cloud",
            "8 cards",
            "a list",
            "KRW",
            "1380",
            "2026-11-02",
            "30000",
            "4500",
            "discount",
            "capex",
        ):
            assert trace in encode(RICH_PRICE).decode() + encode(bought).decode()
            assert trace not in shown


def test_the_search_itself_finds_every_kind_of_money():
    found = set(money_in(rich()))
    assert {path.split(".")[-1] for path in found} >= {"price", "cost", "cost_at_estimate", "currency", "decision"}
    assert any(path.endswith("price.count_differs") for path in found)


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(any_scenario())
@example(a_scenario())
def test_no_field_of_money_is_left_and_everything_else_is_as_it_was(scenario):
    hidden = without_prices(scenario)
    assert not list(money_in(hidden))
    assert not differences(without_prices(hidden), hidden)
    kinds = {found.split(":")[0].rsplit(".", 1)[-1] for found in differences(counted(scenario), hidden)}
    fleet = {"budget", "reserved", "api", "owned", *DAYS}
    assert kinds <= {"price", "decision", "findings", "cost", "cost_at_estimate", "currency"} | fleet


canary = st.integers(10_000_000, 99_999_999).map(lambda n: n / 7919)


@settings(max_examples=4)
@given(st.lists(canary, min_size=24, max_size=24, unique=True))
def test_no_number_of_money_can_be_read_in_what_is_stored_exported_or_said(numbers):
    """Every amount is one that occurs nowhere else; none may be found in bytes, JSON or words."""
    scenario = rich(iter(numbers))
    amounts = spellings(numbers)
    assert any(amount in shown(scenario) for amount in amounts)
    hidden = without_prices(scenario)
    assert not [amount for amount in amounts if amount in shown(hidden)]
    assert "ACME" not in shown(hidden)
    assert "7711" not in shown(hidden)
    assert not [amount for amount in amounts if amount in shown(decode(encode(hidden), Scenario))]


def spellings(numbers):
    """Amounts as JSON writes them and as people are told them, cut to what is theirs alone."""
    return [repr(number) for number in numbers] + [f"{number:,.2f}" for number in numbers]


def shown(scenario):
    """Everything that is written or said of a scenario: bytes, the JSON document, sentences in both languages."""
    parts = [encode(scenario).decode("utf-8"), repr(plan_document(scenario.answers, scenario.targets, ()))]
    for language in ("en", "ko"):
        parts += [repr(headline(answer, language, price=scenario.price)) for answer in scenario.answers]
    return "\n".join(parts)


def rich(numbers=None):
    """A scenario with money wherever there is room for it."""
    source = iter(np.arange(24) / 7.0 + 100.0) if numbers is None else numbers

    def interval():
        low, mid, high = sorted(float(next(source)) for _ in range(3))
        return Interval(low=low, mid=mid, high=high)

    def cost():
        return Cost(
            currency="XAU",
            per_hour=float(next(source)),
            per_million_output=interval(),
            per_million_total=None,
            per_million_weighted_output=None,
            per_million_weighted_input=None,
        )

    scenario = a_scenario()
    answer = scenario.answers[0]
    reach = Reach(status=Status.WITHIN, concurrency=None, safe=3)
    relaxed = Relaxed(factor=1.1, limit=0.5, whole=reach, more_safe=1, more=None, cost=interval())
    batch = BatchAnswer(
        throughput=Throughput(status=Status.WITHIN),
        job=JobAnswer(completion_s=None, cost=interval(), currency="XAU"),
        cost=cost(),
    )
    full = replace(
        answer,
        run=replace(answer.run, findings=(*answer.run.findings, FINDING)),
        findings=(*answer.findings, FINDING),
        cost=cost(),
        cost_at_estimate=cost(),
        sensitivity=(Sensitivity(target=TARGET, steps=(), relaxed=(relaxed,)),),
    )
    return replace(
        scenario,
        price=Price(amount=float(next(source)), per_accelerator=True, currency="XAU"),
        answers=(full, replace(full, batch=batch)),
        decision=(DecisionColumn(name="Vendor", values={"r": "ACME, 12 % off"}),),
    )
