"""Prices and counts as people write them."""

from __future__ import annotations

import pytest

from core.errors import UsageError
from core.price.parse import parse_gpus, parse_price


@pytest.mark.parametrize("text", ["2.50/gpu-h", " 2.5 / GPU-hour ", "2.5/gpu/h", "2.5/accelerator-h", "2.5/gpu-hours"])
def test_a_price_for_each_accelerator_is_read(text):
    price = parse_price(text)
    assert (price.amount, price.per_accelerator, price.currency) == (2.5, True, "USD")


@pytest.mark.parametrize("text", ["20/h", "20/hour", "20.0 /hr"])
def test_a_price_for_the_whole_deployment_is_read(text):
    price = parse_price(text, currency="KRW")
    assert (price.amount, price.per_accelerator, price.currency) == (20.0, False, "KRW")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cheap",
        "2.50",
        "2,50/h",
        "1,000/h",
        "2.50/gpu",
        "/h",
        "2.5/day",
        "nan/h",
        "inf/h",
        "2.5/h/gpu",
        "9" * 400 + "/h",
    ],
)
def test_a_price_nobody_can_follow_is_refused_with_an_example(text):
    with pytest.raises(UsageError) as refused:
        parse_price(text)
    assert refused.value.code == "price.unreadable"
    assert "2.50/gpu-h" in str(refused.value.fix)


@pytest.mark.parametrize("text", ["0/h", "0.00/gpu-h", "-2/h"])
def test_a_price_of_nothing_is_refused(text):
    with pytest.raises(UsageError) as refused:
        parse_price(text)
    assert refused.value.code == "price.not_positive"


def test_one_count_goes_to_every_run_and_a_named_one_wins():
    assert parse_gpus(["b=16", "8"], ["a", "b", "c"]) == (("a", 8), ("b", 16), ("c", 8))


def test_a_run_without_a_count_stays_unknown():
    assert parse_gpus(["b=16"], ["a", "b"]) == (("b", 16),)
    assert parse_gpus([], ["a", "b"]) == ()


def test_a_run_whose_name_holds_an_equals_sign_can_be_named():
    assert parse_gpus(["tp=8=16"], ["tp=8"]) == (("tp=8", 16),)


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["eight"], "price.count_unreadable"),
        (["0"], "price.count_unreadable"),
        (["-1"], "price.count_unreadable"),
        (["2.5"], "price.count_unreadable"),
        (["a="], "price.count_unreadable"),
        (["9" * 30], "price.count_unreadable"),
        (["８"], "price.count_unreadable"),
        (["z=8"], "price.unknown_run"),
        (["8", "9"], "price.count_twice"),
        (["a=8", "a=8"], "price.count_twice"),
    ],
)
def test_a_count_nobody_can_follow_is_refused(texts, code):
    with pytest.raises(UsageError) as refused:
        parse_gpus(texts, ["a"])
    assert refused.value.code == code


def test_an_unknown_run_is_answered_with_the_names_there_are():
    with pytest.raises(UsageError) as refused:
        parse_gpus(["z=8"], ["a", "b"])
    assert "a, b" in str(refused.value)
