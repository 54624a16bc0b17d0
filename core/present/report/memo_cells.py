"""Cells of the memo's table that have to be narrow: copies and their bill a month, each with both ends of its range."""

from __future__ import annotations

from collections.abc import Sequence

from core.fleet.answer import FleetAnswer, Whole
from core.i18n import Text, t
from core.model.answer import Interval
from core.present.fleet_numbers import amount_text, ended, whole_text
from core.present.money import shower
from core.present.numbers import DASH, concurrency, plain

MONTH = t("Cost per month (range)")
MILLION, MILLIONS_FROM = 1e6, 1e7
"""Amounts from here on stand in millions, which their column says: a range of two such would not fit on a line."""


def replicas_text(found: Whole, language: str = "en") -> str:
    """Return copies with both ends, also where these are one number: the column says that it holds a range.

    >>> replicas_text(Whole(count=3, fewest=3, most=3)), replicas_text(Whole(count=6, fewest=5))
    ('3 (3–3)', '6 (5 or more)')
    """
    if found.count is None or found.fewest is None or found.most is None:
        return whole_text(found, language) or "?"
    count, low, high = (concurrency(value, language) for value in (found.count, found.fewest, found.most))
    return f"{count} ({low}{DASH}{high})"


def month_column(fleets: Sequence[FleetAnswer], language: str = "en") -> tuple[Text, list[str | None]]:
    """Return the title and the cells of what each fleet costs a month; of high amounts in millions of one currency."""
    amounts = [found.month for found in fleets]
    known = [value for one in amounts if one for value in (one.low, one.mid, one.high) if value is not None]
    currencies = {found.currency for found in fleets if found.month}
    if known and max(known) >= MILLIONS_FROM and len(currencies) == 1:
        title = t("Cost per month, million {currency} (range)", currency=currencies.pop() or "")
        return title, [_millions(one, language) for one in amounts]
    return MONTH, [_amount(found.month, found.currency or "", language) for found in fleets]


def _amount(found: Interval | None, currency: str, language: str) -> str | None:
    if found is None or found.mid is None or found.low is None or found.high is None:
        return amount_text(found, currency, language)
    show = shower(found, currency, language)
    return f"{show(found.mid)} ({show(found.low)}{DASH}{show(found.high)})"


def _millions(found: Interval | None, language: str) -> str | None:
    """Return millions with both ends; an end that is open is said."""
    if found is None or found.mid is None:
        return None
    mid = plain(found.mid / MILLION, language)
    low, high = (None if end is None else plain(end / MILLION, language) for end in (found.low, found.high))
    return ended(mid, low, high, language)
