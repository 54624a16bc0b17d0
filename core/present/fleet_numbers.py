"""Numbers of a fleet as text: whole ones with their range, months, money a month, days in hours."""

from __future__ import annotations

from core.fleet.answer import Whole
from core.i18n import t
from core.model.answer import Interval
from core.present.money import shower
from core.present.numbers import DASH, concurrency, plain


def whole_text(found: Whole, language: str = "en") -> str | None:
    """Return a whole number with its range; an open end is said, None where there is no number.

    >>> whole_text(Whole(count=12, fewest=9, most=14)), whole_text(Whole(count=1200, fewest=900))
    ('12 (9–14)', '1,200 (900 or more)')
    """
    if found.count is None:
        return None
    count = concurrency(found.count, language)
    low, high = (None if end is None else concurrency(end, language) for end in (found.fewest, found.most))
    if low is None and high is None:
        return t("{count}, range not known", count=count).render(language)
    if low is None:
        return t("{count} ({most} or fewer)", count=count, most=high or "").render(language)
    if high is None:
        return t("{count} ({fewest} or more)", count=count, fewest=low).render(language)
    if low == high:
        return t("{count} (the same over the whole range)", count=count).render(language)
    return f"{count} ({low}{DASH}{high})"


def whole_range(found: Whole, language: str = "en") -> str:
    """Return the range of a whole number in words, for behind its noun.

    >>> whole_range(Whole(count=12, fewest=9, most=14)), whole_range(Whole(count=2, fewest=2, most=2))
    ('range 9–14', 'the same over the whole range')
    """
    low, high = (None if end is None else concurrency(end, language) for end in (found.fewest, found.most))
    if low is None and high is None:
        return t("range not known").render(language)
    if low is None:
        return t("{most} or fewer", most=high or "").render(language)
    if high is None:
        return t("{fewest} or more", fewest=low).render(language)
    if low == high:
        return t("the same over the whole range").render(language)
    return t("range {range}", range=f"{low}{DASH}{high}").render(language)


def amount_text(found: Interval | None, currency: str, language: str = "en") -> str | None:
    """Return an amount with its range; an open end is said, None where it is not known.

    >>> amount_text(Interval(low=9.5, mid=10.0, high=12.4), "USD")
    '$10.00 ($9.50–$12.40)'
    """
    if found is None or found.mid is None:
        return None
    show = shower(found, currency, language)
    mid = show(found.mid)
    low, high = (None if end is None else show(end) for end in (found.low, found.high))
    if low is not None and low == high:
        return t("{amount} (the same over the whole range)", amount=mid).render(language)
    return ended(mid, low, high, language)


def ended(mid: str, low: str | None, high: str | None, language: str = "en") -> str:
    """Return an amount with both ends of its range; one that is open, None, is said.

    >>> ended("5", "4", "6"), ended("5", "4", None)
    ('5 (4–6)', '5 (4 or more)')
    """
    if low is None and high is None:
        return t("{amount}, range not known", amount=mid).render(language)
    if low is None:
        return t("{amount} ({most} or less)", amount=mid, most=high or "").render(language)
    if high is None:
        return t("{amount} ({least} or more)", amount=mid, least=low).render(language)
    return f"{mid} ({low}{DASH}{high})"


def rough_text(found: Interval | None, language: str = "en") -> str | None:
    """Return a number of three digits with its range, None where it is not known.

    >>> rough_text(Interval(low=5.5, mid=7.2083, high=8.29))
    '7.21 (5.5–8.29)'
    """
    if found is None or found.mid is None:
        return None
    mid = rough(found.mid, language)
    if found.low is None or found.high is None:
        return mid
    low, high = rough(found.low, language), rough(found.high, language)
    return mid if low == high else f"{mid} ({low}{DASH}{high})"


def rough(value: float, language: str = "en") -> str:
    """Return a number of three digits; one that is whole and was typed so stays whole.

    >>> rough(1024.0), rough(1024.3), rough(7.2083)
    ('1,024', '1,020', '7.21')
    """
    return concurrency(value, language) if abs(value) < _TYPED and float(value).is_integer() else plain(value, language)


_TYPED = 1e5
"""Below it a whole number is one that somebody typed; above it every number of this size is."""


def share_text(found: Interval, language: str = "en") -> str | None:
    """Return a share with its range, None where it is not known."""
    if found.mid is None:
        return None
    mid = rough_percent(found.mid, language)
    if found.low is None or found.high is None:
        return mid
    low, high = rough_percent(found.low, language), rough_percent(found.high, language)
    return mid if low == high else f"{mid} ({low}{DASH}{high})"


def rough_percent(share: float, language: str = "en") -> str:
    """Return a share that is known roughly: whole per cent, one decimal below one.

    >>> rough_percent(0.184), rough_percent(-0.0697), rough_percent(0.00129), rough_percent(-0.0001)
    ('18%', '-7%', '0.1%', '0%')
    """
    decimals = 1 if abs(share) < 0.01 else 0
    return f"{plain(round(100.0 * share, decimals) + 0.0, language)}%"


def added_text(count: float, language: str = "en") -> str:
    """Return replicas that something adds; whole nodes may add part of one.

    >>> added_text(2.0), added_text(0.5), added_text(0.0)
    ('+2', '+0.5', '+0')
    """
    return f"+{plain(count, language)}"
