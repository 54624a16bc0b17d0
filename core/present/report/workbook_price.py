"""The lines of the cost sheet about the price: owned or rented, discount, tax, exchange, each a cell to type into."""

from __future__ import annotations

from collections.abc import Mapping

from core.i18n import Text, t
from core.model.owned import HOURS_PER_YEAR
from core.model.price import Price
from core.present.report.workbook_ledger import MONEY, Ledger
from core.present.report.workbook_page import WHOLE
from core.price.hourly import of_one

_SHARE = "0.0##%"
_FACTOR = "0.00000"

_OWNED: Mapping[str, Text] = {
    "capex": t("Purchase"),
    "residual": t("Worth at the end"),
    "years": t("Years of use"),
    "interest": t("Interest a year"),
    "hosting": t("Hosting a year"),
    "licence": t("Licences a year"),
    "operations": t("Operations a year"),
    "power_kw": t("Power of the machines"),
    "pue": t("PUE"),
    "tariff": t("Price of a kWh"),
}
_UNITS = {"interest": "", "years": "", "pue": "", "power_kw": "kW"}


def write_price(ledger: Ledger, price: Price | None) -> None:
    """Write the price per hour: a cell to type into, or what ownership comes to as a formula over its cells."""
    label = t("Price per hour")
    # The label of all other amounts is that of the costs: a price in another currency says its own.
    money = price.exchange.quoted if price and price.exchange else MONEY
    if price is None or price.owned is None:
        ledger.given("price_per_hour", label, price.amount if price else None, unit=money)
        return
    owned = price.owned
    for name, text in _OWNED.items():
        number = _SHARE if name == "interest" else "General"
        unit = _UNITS.get(name, money)
        ledger.given(f"owned_{name}", text, getattr(owned, name), unit=unit, number=number)
    ledger.given("hours_per_year", t("Hours per year"), HOURS_PER_YEAR, unit="h", number=WHOLE)
    grown = "POWER(1+owned_interest,owned_years)"
    share = f"IF(owned_interest<0.000000001,1/owned_years,owned_interest*{grown}/({grown}-1))"
    recovery = ledger.worked_out(
        t("Share of the purchase that each year brings back (CRF)"),
        f'IF(ISBLANK(owned_years),"{ledger.book.say(_UNKNOWN)}",{share})',
        owned.recovery,
        unit="",
        number=_FACTOR,
    )
    yearly = f"{recovery.here}*(owned_capex-owned_residual/{grown})+owned_hosting+owned_licence+owned_operations"
    value = f"({yearly})/hours_per_year+owned_power_kw*owned_pue*owned_tariff"
    blank = f"OR(ISBLANK(owned_capex),NOT(ISNUMBER({recovery.here})),ISBLANK(owned_pue))"
    formula = f'IF({blank},"{ledger.book.say(_UNKNOWN)}",{value})'
    cell = ledger.worked_out(label, formula, price.amount, unit=money)
    ledger.book.file.define_name("price_per_hour", f"={cell.place}")


_UNKNOWN = t("unknown")


def write_terms(ledger: Ledger, price: Price | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write what goes with the price; return the factors of the bill, and the cells that may not be empty."""
    factors: list[str] = []
    needed: list[str] = []
    if price is None:
        return (), ()
    if price.owned is None:
        ledger.given("discount", t("Discount"), price.discount or None, number=_SHARE)
        factors.append("(1-discount)")
    if price.tax:
        ledger.given("tax_rate", t("Tax"), price.tax.rate, number=_SHARE)
        if price.tax.quoted_with != price.tax.counted:
            factors.append("(1+tax_rate)" if price.tax.counted else "1/(1+tax_rate)")
    if price.exchange:
        label = t("Rate of exchange: {currency} for 1 {quoted}", currency=price.currency, quoted=price.exchange.quoted)
        ledger.given("exchange_rate", label, price.exchange.rate, number="General")
        ledger.given("exchange_day", t("Day of the rate"), price.exchange.as_of or None)
        factors.append("exchange_rate")
        needed.append("exchange_rate")
    return tuple(factors), tuple(needed)


def bill_of(price: Price | None, count: float | None) -> float | None:
    """Return the bill per hour as `core.price.hourly` works it out, with the count that was saved."""
    if price is None or not price.per_accelerator:
        return of_one(price) if price else None
    return None if count is None else of_one(price) * count
