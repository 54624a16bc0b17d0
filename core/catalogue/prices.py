"""Prices of accelerators per hour: whose, for what commitment, where, when and according to whom (data/prices)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache

from core.catalogue.rows import rows


class Offer(StrEnum):
    """What kind of figure a price is, as data/prices/hourly.csv says."""

    LISTED = "listed"
    MARKETPLACE = "marketplace"
    MODELLED = "modelled"


class Age(StrEnum):
    """Whether a price may still be true."""

    FRESH = "fresh"
    STALE = "stale"
    UNDATED = "undated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPrice:
    """One price of one source. Rows that disagree stand side by side.

    Attributes:
        accelerators: how many the `per_hour` is for.
        region: "" where the source does not say.
        commitment: such as "on_demand", "spot", "reserved_1y", "capacity_block".
        offer: a model of what it should cost is no offer.
        as_of: ISO 8601 day or year, "" where the source has no date.
        certainty: "good", "partial", "uncertain", or "stale" where it was known to be old when it was read.
    """

    provider: str
    sku: str
    region: str
    accelerator: str
    accelerators: int
    commitment: str
    offer: Offer
    currency: str
    per_hour: float
    as_of: str
    certainty: str
    source: str
    notes: str

    @property
    def each(self) -> float:
        """Return money per accelerator and hour."""
        return self.per_hour / self.accelerators


@cache
def prices() -> tuple[ListPrice, ...]:
    """Return every price in the order of the table."""
    return tuple(
        ListPrice(
            **{name: row[name] for name in _TEXTS},
            accelerators=int(row["accelerators"]),
            offer=Offer(row["kind"]),
            per_hour=float(row["per_hour"]),
        )
        for row in rows("prices", "hourly.csv")
    )


_TEXTS = ("provider", "sku", "region", "accelerator", "commitment", "currency", "as_of", "certainty", "source", "notes")


def prices_of(accelerators: Iterable[str]) -> tuple[ListPrice, ...]:
    """Return the prices of accelerators by their names in data/hardware, in the order of the table."""
    wanted = frozenset(accelerators)
    return tuple(one for one in prices() if one.accelerator in wanted)


def age_in_days(as_of: str, today: date) -> int | None:
    """Return how old a price is at most, None where it has no date.

    Of a month or a year its first day counts: an age is never made to look younger than it may be.

    >>> age_in_days("2026-11-20", date(2026, 11, 30)), age_in_days("2026", date(2026, 1, 11)), age_in_days("", date.max)
    (10, 10, None)
    """
    parts = [int(part) for part in as_of.split("-") if part.isdecimal()]
    if not parts or not as_of[:4].isdecimal():
        return None
    try:
        return (today - date(*[*parts, 1, 1][:3])).days
    except ValueError:
        return None


def age_of(as_of: str, today: date, limit_days: int) -> Age:
    """Return whether a price is fresh, older than `limit_days`, or of unknown age.

    >>> age_of("2026-07-20", date(2026, 11, 30), 90), age_of("", date(2026, 11, 30), 90)
    (<Age.STALE: 'stale'>, <Age.UNDATED: 'undated'>)
    """
    days = age_in_days(as_of, today)
    if days is None:
        return Age.UNDATED
    return Age.STALE if days > limit_days else Age.FRESH
