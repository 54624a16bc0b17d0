"""Other ways to pay for the same demand: reserved, bought, somebody else's API; and where they cost the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.fleet.against_api import against_api
from core.fleet.amounts import Amounts, amounts
from core.fleet.answer import BreakEven, OverTime, Pool, Purchases, Volume, Way
from core.fleet.owning import MONTHS_PER_YEAR, each_at, owned_against_rent
from core.fleet.pools import paid
from core.fleet.size import HOURS_PER_MONTH
from core.model.answer import Interval
from core.model.fleet import Fleet
from core.model.owned import Owned
from core.model.price import Price, price_for
from core.price.formula import MILLION, scaled
from core.price.hourly import exchange_factor, per_hour, tax_factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """Money a month of the fleet as planned, in the currency of the costs; `fleet` and `price` as they were typed."""

    pools: Sequence[Pool]
    fleet: Fleet
    price: Price
    month: Interval

    @property
    def prices(self) -> tuple[Price, ...]:
        """What each pool pays; those that have a price."""
        found = (price_for(self.price, pool.answer.run.id) for pool in self.pools)
        return tuple(price for price in found if price)

    @property
    def is_owned(self) -> bool:
        """True where all of it is bought."""
        return all(price.owned for price in self.prices)

    @property
    def is_rented(self) -> bool:
        """True where nothing of it is bought: what is bought is paid for whether it runs or not."""
        return not any(price.owned for price in self.prices)


def ways(bill: Bill, over: OverTime | None, volume: Volume | None) -> tuple[Way, ...]:
    """Return what the same demand costs in every way whose price is known, the rented fleet first."""
    found = [Way(name="own" if bill.is_owned else "rent", month=bill.month)]
    if over is not None and over.month_scaled and over.month_needed and bill.is_rented:
        found += [Way(name="autoscale", month=over.month_scaled), Way(name="perfect", month=over.month_needed)]
    reserved = reserved_share(bill)
    if reserved is not None:
        found.append(Way(name="reserve", month=scaled(bill.month, reserved)))
        if over is not None and bill.is_rented:
            found.append(_base(bill, over, reserved))
    if bill.fleet.owned is not None and bill.is_rented:
        share = _share_of(bill, owned=bill.fleet.owned)
        if share is not None:
            found.append(Way(name="own", month=scaled(bill.month, share)))
    one = api_request(amounts(bill.fleet, bill.price), volume) if bill.fleet.api and volume else None
    if one is not None and volume is not None:
        found.append(Way(name="api", month=scaled(volume.requests, one)))
    return tuple(found)


def break_even(
    bill: Bill, over: OverTime | None, volume: Volume | None, bought: Purchases | None = None
) -> tuple[BreakEven, ...]:
    """Return where the fleet and each other way cost the same, with the range that the fleet's own doubt leaves."""
    found = []
    reserved = reserved_share(bill)
    if reserved is not None:
        each = each_at(bill.pools, reserved, bill.fleet)
        found.append(BreakEven(name="reserve", share=reserved, each=each, why="never" if reserved >= 1.0 else ""))
    if bill.fleet.owned is not None and bill.is_rented:
        found.append(_owned(bill, bill.fleet.owned, over, bought))
    if bill.fleet.api is not None:
        found.append(_api(bill, volume))
    return tuple(found)


def reserved_share(bill: Bill) -> float | None:
    """Return a reservation's price over the rent: the share of the hours from which it pays. None without one."""
    if bill.fleet.reserved is None:
        return None
    return _share_of(bill, amount=bill.fleet.reserved, discount=0.0, owned=None, listed=None)


def _share_of(bill: Bill, **other: Any) -> float | None:  # noqa: ANN401 - fields of a price
    """Return another price of the same hardware over the bill's, weighted by the pools; `other` is what differs."""
    here, there = 0.0, 0.0
    for pool in bill.pools:
        run, count = pool.answer.run, paid(pool, pool.replicas.count or 0, bill.fleet)
        price = price_for(bill.price, run.id)
        one, same = (per_hour(run, replace(price, **other)), per_hour(run, price)) if price else (None, None)
        if one is None or same is None:
            return None
        here, there = here + count * same, there + count * one
    return there / here if here > 0.0 else None


def _base(bill: Bill, over: OverTime, reserved: float) -> Way:
    """Return the cheapest split: each replica that is needed for a larger share of the hours than pays is reserved.

    The k-th replica is needed while the autoscaler has k or more; reserved it costs the share r all the time, rented
    what it is needed for. Both ends scale as those of the autoscaled fleet.
    """
    counts = over.scaled
    falling = np.sort(counts)[::-1]
    idle = math.floor(reserved * len(counts))
    base = int(falling[idle]) if idle < len(counts) else 0
    whole = float(np.mean(counts))
    if over.month_scaled is None or over.month_scaled.mid is None or whole <= 0.0:
        return Way(name="reserve_base", month=scaled(bill.month, min(reserved, 1.0)), base=base)
    paid_for = base * reserved + float(np.mean(np.maximum(counts - base, 0.0)))
    return Way(name="reserve_base", month=scaled(over.month_scaled, paid_for / whole), base=base)


def api_request(asked: Amounts, volume: Volume) -> float | None:
    """Return what an API asks for one request, None where its tokens or the price of some of them are not known.

    A share of cached input that is not known counts as none; without a price of its own it costs as other input.
    """
    if volume.input_tokens is None or volume.output_tokens is None:
        return None
    cached = volume.input_tokens * (volume.cached or 0.0)
    parts = (
        (volume.input_tokens - cached, asked.input),
        (cached, asked.input if asked.cached is None else asked.cached),
        (volume.output_tokens, asked.output),
    )
    if any(count > 0.0 and each is None for count, each in parts):
        return None
    return sum(count * (each or 0.0) for count, each in parts) / MILLION


def _api(bill: Bill, volume: Volume | None) -> BreakEven:
    asked = amounts(bill.fleet, bill.price)
    one = api_request(asked, volume) if volume else None
    if volume is None or one is None or not volume.requests.mid:
        is_told = volume is not None and None not in (volume.input_tokens, volume.output_tokens)
        return BreakEven(name="api", why="no_price" if is_told and asked.lacking else "no_volume")
    return against_api(bill.pools, bill.fleet, volume, one)


def _owned(bill: Bill, owned: Owned, over: OverTime | None, bought: Purchases | None) -> BreakEven:
    capital, running = _owned_money(bill, owned)
    if capital is None or running is None:
        return BreakEven(name="own", why="no_price")
    # Where pools pay unlike rents, what is bought does not grow as their bill does.
    stages = bought if len(bill.pools) == 1 else None
    found, share = owned_against_rent((capital, running), bill.month, owned, over, stages), _share_of(bill, owned=owned)
    return replace(found, share=share, each=None if share is None else each_at(bill.pools, share, bill.fleet))


def _owned_money(bill: Bill, owned: Owned) -> tuple[float | None, float | None]:
    """Return the purchase, and money a month to keep it running, of the fleet as planned."""
    factor = tax_factor(bill.price) * exchange_factor(bill.price)
    capital, running = 0.0, 0.0
    yearly = owned.hosting + owned.licence + owned.operations
    for pool in bill.pools:
        count = paid(pool, pool.replicas.count or 0, bill.fleet)
        price = price_for(bill.price, pool.answer.run.id)
        if price is None or price.per_accelerator:
            if pool.accelerators is None:
                return None, None
            count *= pool.accelerators
        capital += count * owned.capex * factor
        running += count * (yearly / MONTHS_PER_YEAR + owned.energy_per_hour * HOURS_PER_MONTH) * factor
    return capital, running
