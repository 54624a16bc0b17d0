"""What a price may be: what is typed, opened from a link or read from the store keeps to the same bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields
from datetime import date

from core.digits import spelled
from core.errors import UsageError
from core.i18n import Text, t
from core.model.owned import Owned
from core.model.price import Price, price_for

MOST_MONEY = 1e18
MOST_RATE = 1e9
"""Money of one currency for one of another: none that is in use comes near."""

MOST_YEARS, MOST_SHARE, MOST_KW, MOST_PUE, MOST_WEIGHT = 100.0, 10.0, 1e6, 10.0, 1e6
MOST_INTEREST = 1.0
"""A year: 8 typed for 8% would be 800%."""

_NEAR = 1e-6


FIELDS: dict[str, tuple[Text, Text]] = {
    "amount": (t("Price per hour"), t("a number above 0, up to {most}", most=spelled(MOST_MONEY))),
    "accelerators": (t("Accelerators"), t("a whole number from 1 up")),
    "pools": (t("Accelerators of prefill and decode"), t("a whole number from 1 up for each of the two")),
    "discount": (t("Discount"), t("0% to below 100%")),
    "output_weight": (t("Input : output"), t("a number above 0, up to {most}", most=spelled(MOST_WEIGHT))),
    "cached_weight": (t("Cached input"), t("a share of 0% or more")),
    "exchange": (t("Rate of exchange"), t("a number above 0, up to {most}", most=spelled(MOST_RATE))),
    "tax": (t("Tax"), t("0% to {most}%", most=spelled(MOST_SHARE * 100.0))),
    "power_kw": (t("Power, kW"), t("a number above 0, up to {most}", most=spelled(MOST_KW))),
    "listed": (t("Listed price"), t("a number above 0, up to {most}", most=spelled(MOST_MONEY))),
    "as_of": (t("Day of the price"), t("a day such as 2026-11-30, or a month or a year")),
    "capex": (t("Purchase"), t("a number above 0, up to {most}", most=spelled(MOST_MONEY))),
    "residual": (t("Worth at the end"), t("a number from 0 up to the price of purchase")),
    "years": (t("Years of use"), t("a number above 0, up to {most}", most=spelled(MOST_YEARS))),
    "interest": (t("Interest a year"), t("0% to {most}%", most=spelled(MOST_INTEREST * 100.0))),
    "pue": (t("PUE"), t("a number from 1 to {most}", most=spelled(MOST_PUE))),
    "tariff": (t("Price of a kWh"), t("a number from 0 up to {most}", most=spelled(MOST_MONEY))),
    "hosting": (t("Hosting a year"), t("a number from 0 up to {most}", most=spelled(MOST_MONEY))),
    "licence": (t("Licences a year"), t("a number from 0 up to {most}", most=spelled(MOST_MONEY))),
    "operations": (t("Operations a year"), t("a number from 0 up to {most}", most=spelled(MOST_MONEY))),
}
"""What a field is called, and what it may be."""


def beyond(name: str, said: str) -> UsageError:
    """Return the error for a field that is out of its bounds.

    Args:
        name: of the field, as `out_of_bounds` and `wrong_owned` give it.
        said: what was typed.

    >>> str(beyond("pue", "0.5"))
    'PUE cannot be "0.5". Give a number from 1 to 10'
    """
    field, wanted = FIELDS[name]
    return UsageError(
        "price.terms",
        t('{field} cannot be "{said}"', field=field, said=said[:60]),
        fix=t("Give {wanted}", wanted=wanted),
    )


def out_of_bounds(price: Price) -> str | None:
    """Return the name of a field that no price has like this, None where nothing is seen to be wrong."""
    if price.amount is None and (not price.by_run or price.owned is not None):
        return "amount"
    every = (price_for(price, run) for run, _ in price.by_run)
    return next((name for one in (price, *every) if one for name in _wrong(one)), None)


def _wrong(price: Price) -> Iterator[str]:
    checks = {
        "amount": price.amount is None or 0.0 < price.amount <= MOST_MONEY,
        "accelerators": all(0 < count <= MOST_MONEY for _, count in price.accelerators),
        "pools": all(min(counts) > 0 and sum(counts) <= MOST_MONEY for _, *counts in price.pools),
        "discount": 0.0 <= price.discount < 1.0,
        "output_weight": 0.0 < price.output_weight <= MOST_WEIGHT,
        "cached_weight": 0.0 <= price.cached_weight <= MOST_WEIGHT,
        "exchange": price.exchange is None or 0.0 < price.exchange.rate <= MOST_RATE,
        "tax": price.tax is None or 0.0 <= price.tax.rate <= MOST_SHARE,
        "power_kw": price.power_kw is None or 0.0 < price.power_kw <= MOST_KW,
        "listed": price.listed is None or 0.0 < price.listed.amount <= MOST_MONEY,
        "as_of": is_day(price.as_of) and (price.exchange is None or is_day(price.exchange.as_of)),
    }
    yield from (name for name, fine in checks.items() if not fine)
    if price.owned is not None:
        yield from wrong_owned(price.owned)
        if price.amount is None or not math.isclose(price.owned.per_hour, price.amount, rel_tol=_NEAR):
            yield "amount"


def wrong_owned(owned: Owned) -> Iterator[str]:
    """Yield the fields of owned hardware that cannot be, first those that the arithmetic needs."""
    if not 0.0 < owned.years <= MOST_YEARS:
        yield "years"
        return
    if not 0.0 <= owned.interest <= MOST_INTEREST:
        yield "interest"
        return
    amounts = ("capex", "residual", "tariff", "hosting", "licence", "operations")
    yield from (name for name in amounts if not 0.0 <= getattr(owned, name) <= MOST_MONEY)
    if owned.residual > owned.capex:
        yield "residual"
    if not 0.0 <= owned.power_kw <= MOST_KW:
        yield "power_kw"
    if not 1.0 <= owned.pue <= MOST_PUE:
        yield "pue"
    if not 0.0 < owned.per_hour <= MOST_MONEY:
        yield "capex"


def is_day(text: str) -> bool:
    """Return whether a text is an ISO day, month or year, or says nothing.

    >>> is_day("2026-11-30"), is_day("2026"), is_day(""), is_day("2026-13-01"), is_day("yesterday")
    (True, True, True, False, False)
    """
    if not text:
        return True
    parts = text.split("-")
    if len(parts) > len(_DIGITS) or not all(p.isascii() and p.isdigit() for p in parts):
        return False
    if any(len(part) != wanted for part, wanted in zip(parts, _DIGITS, strict=False)):
        return False
    numbers = [*map(int, parts), 1, 1][: len(_DIGITS)]
    try:
        date(*numbers)
    except ValueError:
        return False
    return True


_DIGITS = (4, 2, 2)

OWNED_FIELDS = tuple(field.name for field in fields(Owned))
