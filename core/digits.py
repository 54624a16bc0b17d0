"""Numbers as a person writes them, for what was typed and for the bounds of what may be."""

from __future__ import annotations

from decimal import Decimal

_COUNTABLE = 1e21
"""From here on nobody counts the zeros, and an exponent says more."""


def spelled(value: float) -> str:
    """Return a number with its thousands apart and without an exponent, to twelve digits.

    >>> spelled(1e12), spelled(1e20), spelled(1e-9), spelled(0.25), spelled(1e300)
    ('1,000,000,000,000', '100,000,000,000,000,000,000', '0.000000001', '0.25', '1e+300')
    """
    short = f"{value:,.12g}"
    return f"{Decimal(f'{value:.12g}'):,f}" if "e" in short and abs(value) < _COUNTABLE else short


def as_typed(value: float) -> str:
    """Return a number as somebody typed it; with thousands apart where it would have an exponent otherwise.

    >>> as_typed(1000000), as_typed(2.5), as_typed(1e20)
    ('1000000', '2.5', '100,000,000,000,000,000,000')
    """
    short = f"{value:.12g}"
    return spelled(value) if "e" in short else short
