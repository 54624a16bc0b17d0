"""What is carried for the money of an hour, in an amount of money that leaves numbers one can read."""

from __future__ import annotations

from dataclasses import replace

from core.compare.compare import Comparison
from core.compare.quantity import Quantity
from core.i18n import Text, t
from core.model.answer import Interval
from core.present.numbers import concurrency

_LARGEST = 10**9
"""Above this no amount is called: what is carried for it is next to nothing."""


def amount_of(found: Comparison) -> int:
    """Return the amount that all numbers are for: the least power of ten for which the largest of them is 1 or more."""
    shown = [figure.shown for figure in found.of(Quantity.USERS_PER_MONEY).figures if figure.shown]
    largest = max((one.mid or one.low or one.high or 0.0 for one in shown), default=0.0)
    amount = 1
    while 0.0 < largest * amount < 1.0 and amount < _LARGEST:
        amount *= 10
    return amount


def in_amount(shown: Interval | None, found: Comparison) -> Interval | None:
    """Return a number of the comparison, which is for one unit of money, for the amount of the table."""
    if shown is None:
        return None
    amount = amount_of(found)
    low, mid, high = (None if end is None else end * amount for end in (shown.low, shown.mid, shown.high))
    return replace(shown, low=low, mid=mid, high=high)


def header_of(found: Comparison, language: str = "en") -> Text:
    """Return what heads the numbers: the amount and its currency, the currency alone where the amount is one."""
    currency = found.question.price.currency if found.question.price else ""
    amount = amount_of(found)
    values = {"amount": concurrency(amount, language), "currency": currency}
    if found.question.think_s:
        if amount == 1:
            return t("Active users for each {currency} per hour, at the estimate", currency=currency)
        return t("Active users for each {amount} {currency} per hour, at the estimate", **values)
    if amount == 1:
        return t("Concurrent requests for each {currency} per hour, at the estimate", currency=currency)
    return t("Concurrent requests for each {amount} {currency} per hour, at the estimate", **values)


def times_amount(formula: Text, found: Comparison, language: str = "en") -> Text:
    """Return a formula of what is carried for one unit of money, for the amount of the table."""
    amount = amount_of(found)
    if amount == 1:
        return formula
    return t("{formula} × {amount}", formula=formula, amount=concurrency(amount, language))
