"""The lines of the cost sheet about the price: owned or rented, discount, tax, exchange, each a cell to type into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.i18n import Text, t
from core.model.owned import HOURS_PER_YEAR
from core.model.price import Price, price_for
from core.present.report.workbook_formulas import Formulas
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


ONE_ACCELERATOR, WHOLE_DEPLOYMENT = t("one accelerator"), t("the whole deployment")


def write_price(ledger: Ledger, price: Price | None, prefix: str = "") -> None:
    """Write the price per hour: a cell to type into, or what ownership comes to as a formula over its cells.

    Args:
        ledger: the sheet.
        price: the common one, or that of one run.
        prefix: of the names of the cells, "" for the common price, "run_1_" for one run's.
    """
    label = t("Price per hour of the runs without their own") if price and price.by_run else t("Price per hour")
    # The label of all other amounts is that of the costs: a price in another currency says its own.
    money = price.exchange.quoted if price and price.exchange else MONEY
    if price is None or price.owned is None:
        ledger.given(f"{prefix}price_per_hour", label, price.amount if price else None, unit=money)
        return
    owned = price.owned
    its = f"{prefix}owned"
    for name, text in _OWNED.items():
        number = _SHARE if name == "interest" else "General"
        unit = _UNITS.get(name, money)
        ledger.given(f"{its}_{name}", text, getattr(owned, name), unit=unit, number=number)
    year = f"{prefix}hours_per_year"
    ledger.given(year, t("Hours per year"), HOURS_PER_YEAR, unit="h", number=WHOLE)
    grown = f"POWER(1+{its}_interest,{its}_years)"
    share = f"IF({its}_interest<0.000000001,1/{its}_years,{its}_interest*{grown}/({grown}-1))"
    recovery = ledger.worked_out(
        t("Share of the purchase that each year brings back (CRF)"),
        f'IF(ISBLANK({its}_years),"{ledger.book.say(_UNKNOWN)}",{share})',
        owned.recovery,
        unit="",
        number=_FACTOR,
    )
    spent = "+".join(f"{its}_{name}" for name in ("hosting", "licence", "operations"))
    yearly = f"{recovery.here}*({its}_capex-{its}_residual/{grown})+{spent}"
    value = f"({yearly})/{year}+{its}_power_kw*{its}_pue*{its}_tariff"
    blank = f"OR(ISBLANK({its}_capex),NOT(ISNUMBER({recovery.here})),ISBLANK({its}_pue))"
    formula = f'IF({blank},"{ledger.book.say(_UNKNOWN)}",{value})'
    cell = ledger.worked_out(label, formula, price.amount, unit=money)
    ledger.book.file.define_name(f"{prefix}price_per_hour", f"={cell.place}")


def write_basis(ledger: Ledger, price: Price | None, prefix: str = "") -> None:
    """Write what the price is for as a choice."""
    say = ledger.book.say
    basis = ONE_ACCELERATOR if price is None or price.per_accelerator else WHOLE_DEPLOYMENT
    choices = (say(ONE_ACCELERATOR), say(WHOLE_DEPLOYMENT))
    ledger.choice(f"{prefix}price_basis", t("The price is for"), say(basis), choices)


def write_own(ledger: Ledger, price: Price | None, run_id: str, words: Formulas) -> Formulas:
    """Write the price of one run where it has its own; return the formulas that read it in place of the common one."""
    own = dict(price.by_run).get(run_id) if price else None
    paid = price_for(price, run_id)
    if price is None or own is None or paid is None:
        return words
    prefix = f"{words.run}_"
    write_price(ledger, paid, prefix)
    write_basis(ledger, paid, prefix)
    rest = tuple(factor for factor in words.terms if factor != _less("discount"))
    if paid.owned is None and own.discount is None and price.owned is None:
        rest = (_less("discount"), *rest)
    elif paid.owned is None:
        ledger.given(f"{prefix}discount", t("Discount"), paid.discount or None, number=_SHARE)
        rest = (_less(f"{prefix}discount"), *rest)
    return replace(words, price=f"{prefix}price_per_hour", basis=f"{prefix}price_basis", terms=rest)


def _less(name: str) -> str:
    return f"(1-{name})"


_UNKNOWN = t("unknown")


def write_terms(ledger: Ledger, price: Price | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write what goes with the price; return the factors of the bill, and the cells that may not be empty."""
    factors: list[str] = []
    needed: list[str] = []
    if price is None:
        return (), ()
    if price.owned is None:
        ledger.given("discount", t("Discount"), price.discount or None, number=_SHARE)
        factors.append(_less("discount"))
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
