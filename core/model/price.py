"""What the hardware costs, as the person says it; nothing is looked up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from core.letters import flatten
from core.model.owned import Owned


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """Where a price was picked from: one row of data/prices, as it was on that day.

    Attributes:
        provider, sku, region: whose offer, and where. accelerator: name in data/hardware.
        commitment: how it is paid for, such as "on_demand" or "reserved_1y".
        amount: money per accelerator and hour as listed. currency: of it.
        as_of: day, month or year of the row, ISO 8601; "" where the source gives none.
        certainty: "good", "partial", "uncertain" or "stale", as data/prices says.
        source: where the figure was read. notes: what the row says of itself.
    """

    provider: str
    sku: str
    region: str
    accelerator: str
    commitment: str
    amount: float
    currency: str
    as_of: str
    certainty: str
    source: str
    notes: str = ""

    def __post_init__(self) -> None:
        flatten(self, "provider", "sku", "region", "accelerator", "commitment", "currency", "as_of", "certainty")
        flatten(self, "source", "notes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A rate of exchange that the person typed.

    Attributes:
        quoted: currency of the price as given. rate: money of the price's `currency` for one of `quoted`, > 0.
        as_of: day of the rate, ISO 8601; "" where nobody said.
    """

    quoted: str
    rate: float
    as_of: str = ""

    def __post_init__(self) -> None:
        flatten(self, "quoted", "as_of")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tax:
    """A tax on the price.

    Attributes:
        rate: share of the price without it, such as 0.1.
        quoted_with: the price as given holds it already. counted: the figures hold it.
    """

    rate: float
    quoted_with: bool = False
    counted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPrice:
    """The price of one run, in place of the common one. Currency, exchange, tax, weights and power stay common.

    Attributes:
        amount: money per hour as given, > 0, in the currency that prices are given in; with `owned` what that comes to.
        per_accelerator: True if `amount` is for one accelerator.
        discount: share taken off `amount`, 0 to below 1; None where that of the common price is taken off.
        owned: what the hardware costs where it is bought instead of rented.
        listed: the row that `amount` was picked from, None where the person typed it.
        as_of: day of a price that the person typed, ISO 8601; "" where nobody said.
    """

    amount: float
    per_accelerator: bool = True
    discount: float | None = None
    owned: Owned | None = None
    listed: Listed | None = None
    as_of: str = ""

    def __post_init__(self) -> None:
        flatten(self, "as_of")

    def kept_in(self, currency: str) -> RunPrice:
        """Return the same amount in another currency: then it is no longer that of a row in this one."""
        return replace(self, listed=None) if self.listed and self.listed.currency != currency else self


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A price per hour, of one accelerator or of the whole deployment; runs may have their own.

    What one run pays is `price_for`, and what one hour of its deployment costs in the end is
    `core.price.hourly.per_hour`: nothing else chooses between prices, nothing else multiplies them.

    Attributes:
        amount: money per hour as given, > 0: before discount, tax and exchange. With `owned` it is what that
            comes to per hour. None where only the runs of `by_run` have a price.
        per_accelerator: True if `amount` is for one accelerator and has to be multiplied.
        accelerators: count by run id, from the person; the run's own count is used otherwise.
        currency: a label, of every figure that follows from the price.
        output_weight: how many input tokens cost as much as one output token
            (GKE convention, cost.md 1.1: 4; a convention, not a measurement).
        cached_weight: share of an uncached input token's price that a cached one costs.
        discount: share taken off `amount`, 0 to below 1.
        exchange: None where `amount` is in `currency` already.
        tax: None where nothing is said of one.
        owned: what the hardware costs where it is bought instead of rented.
        listed: the row that `amount` was picked from, None where the person typed it.
        pools: run id, prefill accelerators, decode accelerators, as the person confirmed them.
        power_kw: all-in power of one accelerator with its share of host, network and cooling, kW; None unknown.
        as_of: day of a price that the person typed, ISO 8601; "" where nobody said.
        by_run: run id and the price of that run, where it has its own.
    """

    amount: float | None
    per_accelerator: bool
    accelerators: tuple[tuple[str, int], ...] = ()
    currency: str = "USD"
    output_weight: float = 4.0
    cached_weight: float = 0.0
    discount: float = 0.0
    exchange: Exchange | None = None
    tax: Tax | None = None
    owned: Owned | None = None
    listed: Listed | None = None
    pools: tuple[tuple[str, int, int], ...] = ()
    power_kw: float | None = None
    as_of: str = ""
    by_run: tuple[tuple[str, RunPrice], ...] = ()

    def __post_init__(self) -> None:
        flatten(self, "currency", "as_of")


def price_for(price: Price | None, run_id: str) -> Price | None:
    """Return what one run pays: its own price with what is common to all, else the common one; None where neither is.

    What it returns knows no other run's price, and is returned as it is when asked for again.

    >>> both = Price(amount=2.5, per_accelerator=True, by_run=(("b", RunPrice(amount=20.0, per_accelerator=False)),))
    >>> [price_for(both, run).amount for run in "ab"]
    [2.5, 20.0]
    >>> price_for(Price(amount=None, per_accelerator=True, by_run=both.by_run), "a") is None
    True
    """
    if price is None:
        return None
    own = dict(price.by_run).get(run_id)
    if own is not None:
        return replace(
            price,
            amount=own.amount,
            per_accelerator=own.per_accelerator,
            discount=price.discount if own.discount is None else own.discount,
            owned=own.owned,
            listed=own.listed,
            as_of=own.as_of,
            by_run=(),
        )
    if price.amount is None:
        return None
    return replace(price, by_run=()) if price.by_run else price


class PaidFor(StrEnum):
    """What the prices of all runs are for."""

    EACH = "each"
    WHOLE = "whole"
    MIXED = "mixed"


def paid_for(price: Price | None) -> PaidFor:
    """Return what prices are for; one accelerator where there is none.

    >>> paid_for(Price(amount=20.0, per_accelerator=False)).value
    'whole'
    >>> own = RunPrice(amount=9.0, per_accelerator=False)
    >>> paid_for(Price(amount=2.0, per_accelerator=True, by_run=(("b", own),))).value
    'mixed'
    """
    if price is None:
        return PaidFor.EACH
    found = {own.per_accelerator for _, own in price.by_run}
    if price.amount is not None or not found:
        found.add(price.per_accelerator)
    if len(found) > 1:
        return PaidFor.MIXED
    return PaidFor.EACH if found == {True} else PaidFor.WHOLE


def quoted_in(price: Price | None) -> str:
    """Return the currency that a price is given in, and what is typed beside it; "" where there is none.

    >>> quoted_in(Price(amount=2.0, per_accelerator=True, currency="KRW", exchange=Exchange(quoted="USD", rate=1380.0)))
    'USD'
    """
    if price is None:
        return ""
    return price.exchange.quoted if price.exchange else price.currency


def any_owned(price: Price | None) -> bool:
    """Return True where the common price or that of some run is of bought hardware."""
    return price is not None and (price.owned is not None or any(own.owned for _, own in price.by_run))


def own_price(price: Price | None) -> RunPrice | None:
    """Return the common price as that of one run, which then pays the same as before; None where there is none."""
    if price is None or price.amount is None:
        return None
    return RunPrice(
        amount=price.amount,
        per_accelerator=price.per_accelerator,
        owned=price.owned,
        listed=price.listed,
        as_of=price.as_of,
    )
