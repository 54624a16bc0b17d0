"""A demand, the answers for its requests, a price: whole replicas, a bill a month, and what both rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.fleet.amounts import amounts
from core.fleet.answer import FleetAnswer, Pool, Whole
from core.fleet.cautions import added
from core.fleet.effective import effective
from core.fleet.growth import growth_of
from core.fleet.over_time import over_time
from core.fleet.pools import bought, hourly, pools_of, together
from core.fleet.purchases import purchases
from core.fleet.served import Served
from core.fleet.size import HOURS_PER_MONTH
from core.fleet.volume import volume
from core.fleet.ways import Bill, break_even, ways
from core.model.answer import RunAnswer
from core.model.fleet import Fleet
from core.model.price import Price, price_for
from core.model.scenario import Demand, DemandKind
from core.price.formula import scaled

UNKNOWN = Whole(count=None)


def fleet_of(
    served: Sequence[Served], demand: Demand, think_s: float | None, fleet: Fleet, price: Price | None
) -> FleetAnswer:
    """Return everything that is said of a fleet. Nothing is fitted: the answers are read as they are.

    Args:
        served: the runs whose copies serve, each with its share of the requests; at least one.
        demand: at its peak: the mean of the highest step where it moves over time.
        think_s: pause of a user, seconds; needed for a demand in users.
        fleet: what else was asked.
        price: None leaves every amount unknown.

    Sources:
        docs/fleet.md, with the formulas and where they come from.
    """
    pools = pools_of(served, demand, think_s, fleet, price)
    untold = next((pool.untold for pool in pools if pool.untold), None)
    count = together([pool.replicas for pool in pools])
    found = FleetAnswer(
        demand=demand,
        fleet=fleet,
        curve=fleet.curve,
        pools=pools,
        untold=untold,
        replicas=UNKNOWN if untold else count,
        accelerators=UNKNOWN if untold else together([bought(pool, fleet) for pool in pools]),
        amounts=amounts(fleet, price) if price else None,
    )
    return found if untold else _worked_out(found, pools, price)


def fleet_for(
    answer: RunAnswer, demand: Demand, think_s: float | None, fleet: Fleet | None, price: Price | None
) -> FleetAnswer:
    """Return the fleet of one run that serves everything; without a `fleet` nothing is added to the demand."""
    return fleet_of((Served(answer=answer),), demand, think_s, fleet or Fleet(), price)


def _worked_out(found: FleetAnswer, pools: Sequence[Pool], price: Price | None) -> FleetAnswer:
    fleet, curve, by_rate = found.fleet, found.curve, found.demand.kind is DemandKind.REQ_S
    hour = hourly(pools, fleet) if price else None
    month = scaled(hour, HOURS_PER_MONTH) if hour else None
    over = over_time(pools, fleet, curve) if curve else None
    asked = volume(pools, found.demand, curve)
    bought = purchases(pools, fleet, found.demand)
    bill = Bill(pools=pools, fleet=fleet, price=price, month=month) if price and month else None
    return replace(
        found,
        hour=hour,
        month=month,
        currency=price.currency if price else None,
        unpriced=price is not None and hour is None,
        unpowered=hour is not None and any(_lacks_tariff(pool, price) for pool in pools),
        added=added(pools, fleet),
        growth=growth_of(pools, fleet),
        purchases=bought,
        over_time=over,
        effective=effective(pools, fleet, curve, hour, by_rate=by_rate) if hour else None,
        volume=asked,
        ways=ways(bill, over, asked) if bill else (),
        break_even=break_even(bill, over, asked, bought) if bill else (),
    )


def _lacks_tariff(pool: Pool, price: Price | None) -> bool:
    paid = price_for(price, pool.answer.run.id)
    return paid is not None and paid.owned is not None and paid.owned.lacks_tariff
