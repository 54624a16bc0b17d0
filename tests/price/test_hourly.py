"""The bill of an hour against figures worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.finding import Severity
from core.model.owned import Owned
from core.model.price import Exchange, Price, Tax
from core.model.run import Conditions
from core.present.bill import basis_text
from core.present.hourly_how import hourly_hows
from core.price.findings import price_findings
from core.price.hourly import per_hour
from tests.price.price_build import run

EIGHT = run(conditions=Conditions(accelerator_count=8))


@pytest.mark.parametrize(
    ("interest", "years", "factor"),
    [
        # r (1 + r)^n / ((1 + r)^n - 1). 8 %, 4 years: 1.08^4 = 1.36048896; 0.08 x 1.36048896 / 0.36048896.
        (0.08, 4, 0.3019208),
        # 10 %, 3 years: 1.331; 0.1331 / 0.331.
        (0.10, 3, 0.4021148),
        # 5 %, 5 years: 1.2762815625; 0.063814078 / 0.2762815625.
        (0.05, 5, 0.2309748),
        # 12 %, 1 year: the purchase and its interest, 1.12.
        (0.12, 1, 1.12),
        # Without interest it is a part of the purchase each year.
        (0.0, 4, 0.25),
        (1e-12, 4, 0.25),
    ],
)
def test_the_share_that_every_year_brings_back(interest, years, factor):
    assert Owned(capex=1.0, years=years, interest=interest).recovery == pytest.approx(factor, abs=5e-8)


def test_an_owned_server_by_hand():
    """Eight cards: 300,000, worth 30,000 after 4 years at 8 %.

    30,000 / 1.36048896 = 22,050.90; 300,000 - 22,050.90 = 277,949.10; x 0.3019208 = 83,918.62 a year.
    Hosting 9,000, licences 36,000, operations 5,000: 133,918.62 a year / 8,760 h = 15.28751 an hour.
    10.2 kW x 1.3 x 0.12 = 1.5912 an hour. Together 16.87871.
    """
    server = Owned(
        capex=300_000.0,
        residual=30_000.0,
        years=4.0,
        interest=0.08,
        power_kw=10.2,
        pue=1.3,
        tariff=0.12,
        hosting=9_000.0,
        licence=36_000.0,
        operations=5_000.0,
    )
    assert server.energy_per_hour == pytest.approx(1.5912)
    price = Price(amount=server.per_hour, per_accelerator=False, owned=server)
    assert per_hour(EIGHT, price) == pytest.approx(16.87871, abs=2e-5)


def test_dollars_become_won_with_tax_and_less_a_discount():
    """2.50 x 0.8 = 2.00 x 1.1 = 2.20 dollars; x 1,400 = 3,080 won; x 8 = 24,640 won an hour."""
    price = Price(
        amount=2.5,
        per_accelerator=True,
        currency="KRW",
        discount=0.2,
        tax=Tax(rate=0.1, counted=True),
        exchange=Exchange(quoted="USD", rate=1400.0, as_of="2026-11-02"),
    )
    assert per_hour(EIGHT, price) == pytest.approx(24_640.0)


def test_a_price_that_holds_the_tax_is_less_without_it():
    """1.10 with 10 % tax is 1.00 without."""
    price = Price(amount=1.1, per_accelerator=True, tax=Tax(rate=0.1, quoted_with=True))
    assert per_hour(EIGHT, price) == pytest.approx(8.0)


def test_a_count_that_nobody_said_leaves_the_bill_unknown():
    assert per_hour(run(), Price(amount=2.5, per_accelerator=True)) is None
    assert per_hour(run(), Price(amount=20.0, per_accelerator=False)) == 20.0


def test_pools_that_a_person_confirmed_are_both_on_the_bill():
    recorded = run(conditions=Conditions(accelerator_count=12, prefill_accelerators=4, decode_accelerators=12))
    assert per_hour(recorded, Price(amount=1.0, per_accelerator=True)) == 16.0
    said = Price(amount=1.0, per_accelerator=True, accelerators=(("r", 12),), pools=(("r", 8, 24), ("x", 1, 1)))
    assert per_hour(recorded, said) == 32.0


def test_power_without_the_price_of_a_kwh_is_said_to_be_left_out():
    """1 kW x 1.3 at an unknown tariff: 7,971.6 / 8,760 = 0.91 an hour is without electricity, and says so."""
    bare = Owned(capex=31_886.4, years=4.0, power_kw=1.0, pue=1.3)
    assert bare.per_hour == pytest.approx(0.91)
    price = Price(amount=bare.per_hour, per_accelerator=True, owned=bare)
    (found,) = price_findings(EIGHT, price)
    assert (found.code, found.severity) == ("price.tariff_unknown", Severity.WARNING)
    said = "at $0.91 per accelerator and hour × 8, owned, over 4 years at 0% interest, "
    assert basis_text(EIGHT, price) == said + "without electricity: the price of a kWh is not given"
    for known in (replace(bare, tariff=0.12), replace(bare, power_kw=0.0)):
        price = Price(amount=known.per_hour, per_accelerator=True, owned=known)
        assert price_findings(EIGHT, price) == ()
        assert "electricity" not in basis_text(EIGHT, price)


def test_what_nobody_gave_is_not_given_and_never_an_amount():
    bare = Owned(capex=31_886.4, years=4.0, power_kw=1.0, pue=1.3, hosting=500.0)
    price = Price(amount=bare.per_hour, per_accelerator=True, owned=bare)
    how = next(how for how in hourly_hows(EIGHT, price) if how.name == "Cost of ownership per hour")
    values = dict(how.values)
    absent = {"worth at the end", "licences a year", "operations a year", "price of a kWh"}
    assert {name for name, value in values.items() if value == "not given"} == absent
    assert values["hosting a year"] == "$500"
    assert (values["CRF"], values["n, years"]) == ("0.25", "4")
    assert "at least this" in how.source
