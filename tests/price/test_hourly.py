"""The bill of an hour against figures worked out by hand."""

from __future__ import annotations

import pytest

from core.model.owned import Owned
from core.model.price import Exchange, Price, Tax
from core.model.run import Conditions
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
