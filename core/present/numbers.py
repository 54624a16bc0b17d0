"""How numbers are written: whole concurrency, three digits for money and rates, ms below one second.

Pure functions of a number and a language; nothing here decides what is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from babel import Locale
from babel.numbers import format_currency, format_decimal, get_currency_precision, is_currency
from babel.units import format_unit

DIGITS = 3
DASH = "–"
WHOLE_FROM = 10.0
_MINUTES_FROM = 1.5
_CENTS = 2
_CENTS_BELOW = 100
_EXACT = 1e15
"""Beyond this not every whole number is a float: digits would be made up."""


def plain(value: float, language: str = "en", *, digits: int = DIGITS) -> str:
    """Return a number with a limited count of significant digits and no idle zeros.

    >>> plain(12345.6), plain(0.98765), plain(2.0), plain(0.0)
    ('12,300', '0.988', '2', '0')
    """
    if not math.isfinite(value):
        return "∞" if value > 0 else "?"
    if abs(value) >= _EXACT:
        return f"{value:.{digits}g}"
    return _grouped(_significant(value, digits), language)


@lru_cache(maxsize=4096)
def _grouped(value: Decimal, language: str) -> str:
    """Return a number with the separators of a language; a screen repeats many, and Babel is slow.

    Zero has no sign: minus zero equals it, so that one of them would be remembered as the other.
    """
    return format_decimal(value or Decimal(0), format="#,##0.##########", locale=language)


def concurrency(value: float, language: str = "en", *, decimals: int = 0) -> str:
    """Return concurrent requests, replicas or people: whole, with thousands separators.

    >>> concurrency(41), concurrency(12345.4), concurrency(1.26, decimals=1)
    ('41', '12,345', '1.3')
    """
    if not abs(value) < _EXACT:
        return plain(value, language)
    rounded = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return _grouped(rounded, language)


def at_most(value: float, language: str = "en") -> str:
    """Return an upper bound of concurrency: never above it, whole where that says enough.

    >>> at_most(27.9), at_most(10.0), at_most(1.79), at_most(0.5)
    ('27', '10', '1.7', '0.5')
    """
    if value >= WHOLE_FROM:
        return concurrency(math.floor(value), language)
    # 0.3 * 10 is not exact in binary: what is meant as 0.3 must not become 0.2.
    return concurrency(math.floor(round(value * 10, 6)) / 10, language, decimals=1)


def concurrency_range(low: float, high: float, language: str = "en") -> str:
    """Return a range of concurrency; decimals appear only where whole numbers would hide its width.

    >>> concurrency_range(35.7, 53.2), concurrency_range(1.1, 1.4), concurrency_range(4, 4)
    ('36–53', '1.1–1.4', '4')
    """
    for decimals in range(3):
        first, last = (concurrency(x, language, decimals=decimals) for x in (low, high))
        if first != last:
            return f"{first}{DASH}{last}"
    return concurrency(low, language)


def about(value: float, language: str = "en") -> str:
    """Return a count that is known roughly: two significant digits.

    >>> about(497.2), about(8.4), about(12871)
    ('500', '8', '13,000')
    """
    return concurrency(_rounded(value, 2 if value >= 10 else 1), language)


def large(value: float, language: str = "en") -> str:
    """Return a large count with the word for its size, which every language counts by other powers.

    >>> large(608e9), large(608e9, "ko"), large(226.75e6)
    ('608 billion', '6,080억', '226.75 million')
    """
    power, word = next((one for one in _LARGE[language] if abs(value) >= one[0]), (1.0, ""))
    return f"{plain(value / power, language, digits=6)}{word}"


_LARGE: dict[str, tuple[tuple[float, str], ...]] = {
    "en": ((1e12, " trillion"), (1e9, " billion"), (1e6, " million")),
    "ko": ((1e12, "조"), (1e8, "억"), (1e4, "만")),
}


def seconds(value: float, language: str = "en") -> str:
    """Return a time: ms below one second, s from there on.

    >>> seconds(0.5), seconds(0.01234), seconds(0.99996), seconds(1.25), seconds(75), seconds(0)
    ('500 ms', '12.3 ms', '1 s', '1.25 s', '75 s', '0 ms')
    """
    small = abs(_rounded(value, DIGITS)) < 1
    return f"{plain(value * 1000, language)} ms" if small else f"{plain(value, language)} s"


_MINUTE, _HOUR = 60.0, 3600.0


def whole_time(value: float, language: str = "en") -> str:
    """Return a time that someone waits for, with its unit in words: seconds, minutes from 90 s, hours from 90 min.

    One minute and one hour are called that.

    >>> whole_time(1), whole_time(42.4), whole_time(90), whole_time(5400), whole_time(5399)
    ('1 second', '42 seconds', '2 minutes', '1.5 hours', '90 minutes')
    >>> whole_time(60), whole_time(3600)
    ('1 minute', '1 hour')
    """
    if value < _MINUTES_FROM * 60.0 and value != _MINUTE:
        return format_unit(max(round(value), 1), "second", locale=language)
    if value < _MINUTES_FROM * 3600.0 and value != _HOUR:
        return format_unit(math.floor(value / 60.0 + 0.5), "minute", locale=language)
    return format_unit(float(_significant(value / 3600.0, 2)), "hour", locale=language)


def rate(value: float, unit: str = "", language: str = "en") -> str:
    """Return a rate with three significant digits; `unit` such as "tok/s" follows.

    >>> rate(18234.0, "tok/s"), rate(3.14159)
    ('18,200 tok/s', '3.14')
    """
    shown = plain(value, language)
    return f"{shown} {unit}" if unit else shown


def exact_rate(value: float, language: str = "en") -> str:
    """Return a rate that someone is to set, with all the digits that its command has.

    >>> exact_rate(12.3456), exact_rate(1234.5), exact_rate(4.0)
    ('12.3456', '1,234.5', '4')
    """
    return plain(value, language, digits=9)


def percent(share: float, language: str = "en") -> str:
    """Return a share as a percentage; what is short of all never reads as 100 %.

    >>> percent(0.995), percent(0.5), percent(1.0), percent(0.99996), percent(0.0712)
    ('99.5%', '50%', '100%', '99.996%', '7.12%')
    """
    digits = next((d for d in range(DIGITS, 9) if share >= 1 or _rounded(share, d) < 1), 9)
    return f"{plain(share * 100, language, digits=digits)}%"


def money(
    value: float, currency: str = "USD", language: str = "en", *, decimals: int | None = None, digits: int = DIGITS
) -> str:
    """Return an amount with three significant digits, to the cent below a hundred where the currency has them.

    A label that is no currency code is written behind the number as it is.

    Args:
        value: the amount.
        currency: a code such as USD, or a label.
        language: of separators and of the currency's sign.
        decimals: written, at least those needed, so that amounts beside each other read alike.
        digits: significant ones; a price that somebody typed or listed is shown as it is, with more.

    >>> money(0.8342), money(0.9), money(2.5), money(1234.5), money(12.4, "EUR"), money(3, "credits")
    ('$0.834', '$0.90', '$2.50', '$1,230', '€12.40', '3.00 credits')
    >>> money(0.43, decimals=3), money(12.4, "KRW"), money(3, "KRW")
    ('$0.430', '₩12.4', '₩3')
    >>> money(55.04), money(55.04, digits=9)
    ('$55.04', '$55.04')
    """
    if not abs(value) < _EXACT:
        return f"{plain(value, language)} {currency}"
    shown = max(decimals_of(value, currency, digits=digits), decimals or 0)
    # Every digit that is written is one of the amount: none is a zero that fills up.
    rounded = _to_the(value, shown) if shown else _significant(value, digits)
    form = "#,##0" + ("." + "0" * shown if shown else "")
    if not is_currency(currency):
        return f"{format_decimal(rounded, format=form, locale=language)} {currency}".rstrip()
    pattern = Locale.parse(language).currency_formats["standard"].pattern.split(";")[0].replace("#,##0.00", form)
    return format_currency(rounded, currency, format=pattern, locale=language, currency_digits=False)


def decimals_of(value: float, currency: str, *, digits: int = DIGITS) -> int:
    """Return how many decimals an amount is written with on its own.

    >>> decimals_of(0.562, "USD"), decimals_of(10.0, "USD"), decimals_of(1230, "USD"), decimals_of(10.0, "KRW")
    (3, 2, 0, 0)
    """
    rounded = _significant(value, digits)
    cents = get_currency_precision(currency) if is_currency(currency) else _CENTS
    needed = -int(rounded.normalize().as_tuple().exponent)
    return max(needed, cents if abs(rounded) < _CENTS_BELOW else 0, 0)


def span(low: float, high: float, show: Callable[[float], str]) -> str:
    """Return "low–high" in the given notation, or one number where both read alike.

    >>> span(0.78, 0.9, money), span(0.02, 0.5, seconds), span(2.0, 2.0, plain)
    ('$0.78–$0.90', '20 ms–500 ms', '2')
    """
    first, last = show(low), show(high)
    return first if first == last else f"{first}{DASH}{last}"


def _rounded(value: float, digits: int) -> float:
    return float(_significant(value, digits)) if math.isfinite(value) else value


def _to_the(value: float, decimals: int) -> Decimal:
    return Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def _significant(value: float, digits: int) -> Decimal:
    """Round to `digits` significant digits, halves away from zero as people do."""
    exact = Decimal(repr(float(value)))
    if exact == 0:
        return Decimal(0)
    return exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), ROUND_HALF_UP)
