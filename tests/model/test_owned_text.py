"""Bought hardware as it is typed: the same beside a price and in a fleet."""

from __future__ import annotations

import pytest

from core.errors import UsageError
from core.model.fleet_text import fleet_text, parse_fleet
from core.price.terms import parse_terms

DOCUMENTED = (
    "own=capex:30000,years:4,residual:3000,interest:8%,power-kw:1.2,pue:1.3,tariff:0.12,hosting:0,licence:0,"
    "operations:0"
)


@pytest.mark.parametrize("text", [DOCUMENTED, DOCUMENTED.replace("power-kw", "power_kw").replace("8%", "0.08")])
def test_what_is_documented_is_read_in_both_places(text, root):
    assert DOCUMENTED in (root / "docs" / "prices.md").read_text(encoding="utf-8")
    owned = parse_fleet(text).fleet.owned
    assert owned == parse_terms([text]).owned
    assert (owned.interest, owned.power_kw, owned.pue) == (0.08, 1.2, 1.3)
    assert parse_fleet(fleet_text(parse_fleet(text).fleet)).fleet.owned == owned


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("own=capex:1,years:4,interest:8pc", 'interest of bought hardware cannot be "8pc"'),
        ("own=capex:1,years:4,power-kw:much", 'power-kw of bought hardware cannot be "much"'),
        ("own=capex:1,years:4,colour:red", 'Bought hardware has no "colour"'),
        ("own=capex:1,years:4,years:5", 'Bought hardware has "years" twice'),
        ("own=years:4", 'Bought hardware lacks "capex"'),
    ],
)
def test_the_key_at_fault_is_named_in_both_places(text, said):
    for read in (parse_fleet, lambda text: parse_terms([text])):
        with pytest.raises(UsageError) as refused:
            read(text)
        assert said in str(refused.value)


def test_interest_above_a_hundred_per_cent_is_refused():
    text = "own=capex:1,years:4,interest:8"
    with pytest.raises(UsageError, match=r"own interest=800% is out of range\. Give 0% to 100%"):
        parse_fleet(text)
    with pytest.raises(UsageError, match=r'Interest a year cannot be "800%"\. Give 0% to 100%'):
        parse_terms([text])
