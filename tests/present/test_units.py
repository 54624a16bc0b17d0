"""The bill in words: where one reason keeps every amount unknown, it is said once."""

from __future__ import annotations

from dataclasses import replace

from core.present.units import common_gap, unit_lines
from core.price.parse import parse_price
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
