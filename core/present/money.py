"""Amounts beside each other: a figure and its range are written with the same decimals."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.model.answer import Interval
from core.present.numbers import decimals_of, money, span

ALIKE = 10.0
"""Amounts further apart than this share no decimals: cents beside thousands would be made up."""


def shower(found: Interval, currency: str, language: str = "en") -> Callable[[float], str]:
    """Return what writes the amounts of an interval, all with the decimals of the one that needs most.

    >>> show = shower(Interval(low=0.43, mid=0.5, high=0.562), "USD")
    >>> show(0.43), show(0.5), show(0.562)
    ('$0.430', '$0.500', '$0.562')
    """
    decimals = _shared((found.low, found.mid, found.high), currency)
    return lambda amount: money(amount, currency, language, decimals=decimals)


def with_range(found: Interval | None, currency: str, language: str = "en") -> str | None:
    """Return an amount with its range behind it, None where it is not known.

    >>> with_range(Interval(low=9.5, mid=10.0, high=12.4), "USD"), with_range(Interval(low=None, mid=2, high=3), "USD")
    ('$10.00 ($9.50–$12.40)', '$2.00')
    """
    if found is None or found.mid is None:
        return None
    show = shower(found, currency, language)
    if found.low is None or found.high is None:
        return show(found.mid)
    return f"{show(found.mid)} ({span(found.low, found.high, show)})"


def _shared(amounts: Iterable[float | None], currency: str) -> int | None:
    """Return decimals for all amounts, None where each is better off with its own."""
    known = [abs(amount) for amount in amounts if amount]
    if not known or max(known) > ALIKE * min(known):
        return None
    return max(decimals_of(amount, currency) for amount in known)
