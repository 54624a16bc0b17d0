"""Hardware that is bought against the same hardware rented: from which use it pays, and when it has paid for itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.fleet.answer import BreakEven, Numbers, OverTime, Pool, Purchases, Whole
from core.fleet.size import HOURS_PER_MONTH
from core.model.answer import Interval
from core.model.fleet import Fleet
from core.model.owned import Owned
from core.price.formula import scaled

MONTHS_PER_YEAR = 12.0
_SECONDS = 3600.0


def owned_against_rent(
    money: tuple[float, float],
    month: Interval,
    owned: Owned,
    over: OverTime | None,
    bought: Purchases | None,
) -> BreakEven:
    """Return when what is bought has cost less than the rent: capital first, then what it runs on.

    What is bought or rented for good is the fleet as planned, so that against the fixed rent there is no range; what an
    autoscaler would have paid lies anywhere in the range of its bill. With growth it is bought in the stages in which
    it grows, and the purchases of all months so far are held against all rents so far of the same replicas: at the low
    end of their range, as planned, and at the high end.

    Args:
        money: the purchase of the fleet as planned, and money a month to keep it running.
        month: rent of the fleet as planned.
        owned: what it costs, and for how long it lasts.
        over: with the rent of an autoscaled fleet, which is held against first, being the cheaper one.
        bought: the bill of each month as the demand grows, None without growth.
    """
    scaled_rent = over.month_scaled if over is not None else None
    alike = Interval(low=month.mid, mid=month.mid, high=month.mid)
    found = _months(money, scaled_rent or alike, owned)
    fixed = _months(money, alike, owned) if scaled_rent else None
    grown = _grown(money, month, bought) if bought and bought.total else None
    why = "never" if found.count is None else ""
    return BreakEven(name="own", month=found, month_fixed=fixed, grown=grown, why=why)


def each_at(pools: Sequence[Pool], share: float, fleet: Fleet) -> Interval | None:
    """Return the requests a month that one replica carries in a share of the hours, as it is planned.

    In the middle what is planned with of its rate at the safe number, `Pool.sure_share`; the ends are those of the rate
    itself, whose doubt that share is for. A ceiling and bursts leave so much less of each.

    None for runs that serve a mix together, and where the rate for the service's own traffic was not measured.
    """
    if len(pools) != 1:
        return None
    (pool,) = pools
    point = pool.answer.at_capacity
    if point is None or point.req_s is None or pool.answer.for_traffic is not None:
        return None
    rate = point.req_s
    planned = None if rate.mid is None else rate.mid * pool.sure_share
    low = rate.low if rate.low is None or planned is None else min(rate.low, planned)
    loaded = share * fleet.ceiling / fleet.burst
    return scaled(replace(rate, low=low, mid=planned), loaded * _SECONDS * HOURS_PER_MONTH)


def _months(money: tuple[float, float], rent: Interval, owned: Owned) -> Whole:
    """Return the months until the purchase is saved, within the life of the hardware."""
    capital, running = money

    def until(paid_else: float | None) -> int | None:
        life = owned.years * MONTHS_PER_YEAR
        if paid_else is None or capital > (paid_else - running) * life:
            return None
        return math.ceil(round(capital / (paid_else - running), 9))

    return Whole(count=until(rent.mid), fewest=until(rent.high), most=until(rent.low))


def _grown(money: tuple[float, float], month: Interval, bought: Purchases) -> Whole | None:
    """Return the months after which all rents so far stay above all purchases so far; None: not within those shown."""
    if not month.mid:
        return None
    bills = np.array([_ends(each.bill) for each in bought.months], float)
    # What is bought goes with the replicas, and so with the rent of the same ones.
    capital, running = (part / month.mid for part in money)

    def until(rents: Numbers) -> int | None:
        spent = capital * np.maximum.accumulate(rents) + running * np.cumsum(rents)
        saved = np.cumsum(rents) >= spent * (1.0 - 1e-12)
        if not saved[-1]:
            return None
        lost = np.flatnonzero(~saved)
        return int(lost[-1]) + 2 if lost.size else 1

    planned = until(bills[:, 1])
    if planned is None or np.isnan(bills).any():
        return Whole(count=planned)
    ends = (until(bills[:, 0]), until(bills[:, 2]))
    known = [each for each in ends if each is not None]
    return Whole(count=planned, fewest=min(planned, *known), most=None if None in ends else max(planned, *known))


def _ends(bill: Interval | None) -> list[float]:
    ends = (bill.low, bill.mid, bill.high) if bill else (None, None, None)
    return [math.nan if end is None else end for end in ends]
