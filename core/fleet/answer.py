"""What is said of a fleet. Numbers with ranges; None is unknown. Meanings and formulas: docs/fleet.md."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.fleet.amounts import Amounts
from core.fleet.size import Caution
from core.model.answer import Interval, RunAnswer
from core.model.demand_curve import Curve
from core.model.fleet import Fleet
from core.model.scenario import Demand
from core.price.replicas import Untold

Numbers = npt.NDArray[np.float64]
End = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole number with its range; None at an end is open, None in the middle unknown."""

    count: int | None
    fewest: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The copies of one run.

    Attributes:
        answer: of that run, for the requests that it serves. share, kinds: as in `Served`.
        untold: why nothing else is known, None where it is.
        in_flight: of its share of the demand, at the peak.
        safe: what one replica is loaded with at most. capacity: the range of that; its `mid` is the estimate.
        planned: requests in flight, each of the time of `in_flight.mid`, that one replica is planned with: the safe
            number, less what is kept back for the doubt about that time.
        least, most: a load and how much of it one replica carries, at the ends at which fewest and most are needed:
            both in requests in flight, or in what the demand counts.
        replicas: with every caution. accelerators: of one replica, None where nobody said.
        nodes: whole ones, None where single replicas are counted or the accelerators are unknown.
        each_hour: money per hour of one replica, None without a price or a count.
    """

    answer: RunAnswer
    share: float
    kinds: tuple[int, ...]
    untold: Untold | None
    in_flight: Interval
    safe: int
    planned: float
    capacity: Interval | None
    least: End
    most: End
    replicas: Whole
    accelerators: int | None
    nodes: Whole | None
    each_hour: float | None

    @property
    def sure_share(self) -> float:
        """Share of the safe number that is planned with: below 1 where the doubt about the rate keeps some back."""
        share = self.planned / self.safe if self.safe else 1.0
        return 1.0 if share > 1.0 - 1e-9 else share


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What one caution adds to the fleet.

    Attributes:
        alone: replicas beyond those of the estimate, with this caution only. stacked: beyond the cautions before it.
            Whole nodes may add part of a replica.
        saved: replicas fewer than planned without this caution and with all others, those after it too: more than
            `stacked` where they multiply it.
        alone_month, stacked_month, saved_month: the same as money a month, None without a price.
    """

    caution: Caution
    alone: float
    stacked: float
    saved: float
    alone_month: float | None
    stacked_month: float | None
    saved_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step of the cost of a million output tokens, from a full machine to the fleet as it is.

    Attributes:
        name: "peak", "slo", "rate", "day", the value of a caution, or "whole_replicas". Printed: never rename one.
        cost: of a million output tokens with everything up to this step. factor: over the step before, 1 at first.
    """

    name: str
    cost: float
    factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Effective:
    """What a million output tokens cost in the fleet, and how that comes from a full machine's.

    Attributes:
        stages: in order; the last one's cost is `cost.mid`. full: at the safe number, all the time.
        cost: with the fleet's bill over the tokens that are asked for.
        used: share of the safe capacity of all replicas that is used in the mean, 0 to 1.
    """

    stages: tuple[Stage, ...]
    full: Interval
    cost: Interval
    used: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OverTime:
    """The fleet step by step over its curve: fixed, autoscaled, and scaled by somebody who knows what comes.

    Attributes:
        step_s: seconds of a step. in_flight: demand of each step, shape (n,).
        needed: replicas without any caution at the safe number, ceil(demand / capacity): the lower bound.
        scaled: replicas that an autoscaler pays for at the beginning of each step, with floor and start-up time.
        fixed: replicas of the fixed fleet.
        mean_needed, mean_scaled: mean number of replicas that is paid for, with its range.
        month_scaled, month_needed: money a month, None without a price.
        rise: most replicas that have to start from one step to the next.
        above: share of the time in which the fixed fleet has replicas that nothing needs.
    """

    step_s: float
    in_flight: Numbers
    needed: Numbers
    scaled: Numbers
    fixed: int
    mean_needed: Interval
    mean_scaled: Interval
    month_scaled: Interval | None
    month_needed: Interval | None
    rise: int
    above: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How long the fleet lasts.

    Attributes:
        headroom: how much more than today's demand it carries with the same cautions, as a share; below 0 it does not.
        month: whole months until the demand passes that, 0 is today; None where it never does or that is open.
    """

    headroom: Interval
    month: Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class GrownMonth:
    """One month of a fleet that is bought in stages as the demand grows.

    Attributes:
        month: whole months from today, 0 is the first one. demand: at the peak of that month, as the demand counts.
        replicas, accelerators: in that month; accelerators None where nobody said how many a replica has.
        bill: money of that month. so_far: of all months up to it. None without a price.
    """

    month: int
    demand: float
    replicas: Whole
    accelerators: Whole
    bill: Interval | None
    so_far: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchases:
    """The fleet month by month: as planned until it is exceeded, then what each month needs.

    Attributes:
        months: from today on. total: money of all of them, None without a price.
    """

    months: tuple[GrownMonth, ...]
    total: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """What is asked for in a month.

    Attributes:
        requests: in the mean, with the range that the time of a request leaves.
        input_tokens, output_tokens: of one request, None where unknown. cached: share of the input, None unknown.
    """

    requests: Interval
    input_tokens: float | None
    output_tokens: float | None
    cached: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to pay for the same demand.

    Attributes:
        name: "rent", "autoscale", "perfect", "reserve", "reserve_base", "own", "api". Printed: never rename one.
        month: money a month. base: replicas that are reserved, of "reserve_base" only.
    """

    name: str
    month: Interval
    base: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """Where the fleet costs as much as another way.

    Attributes:
        name: the other way, as in `Way`.
        volume: requests a month from which the fixed fleet stays the cheaper one, however many there are; `mid` None
            where it never does, `low` then what it would be at the best end of the range.
        first: requests a month at which it is the cheaper one for the first time, where that does not last: whole
            replicas make its bill a staircase. None where it lasts from there on.
        month: whole months from today at the growth that was given, or after the purchase; None where never or open.
        month_fixed: the same against the fixed fleet, where `month` is against the autoscaled one; of "own" only.
        grown: months after which all purchases of a growing fleet have cost less than its rents; of "own" only.
        share: of the hours that a replica has to be needed for, of what is reserved or bought.
        each: requests a month that one replica carries in that share of the hours, at its safe number.
        why: stable word for what is not known or never happens: "never", "no_volume", "no_price", "no_growth"; "" for
            nothing.
    """

    name: str
    volume: Interval | None = None
    first: float | None = None
    month: Whole | None = None
    month_fixed: Whole | None = None
    grown: Whole | None = None
    share: float | None = None
    each: Interval | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetAnswer:
    """Everything that is said of a fleet.

    Attributes:
        demand: at its peak. fleet: what was asked, as typed. curve: as used, None is the peak all the time.
        pools: one for each run that serves.
        untold: why no fleet can be told, None where it can.
        replicas: of all pools. accelerators: the same in accelerators that are paid for.
        hour: money per hour. month: of 730 hours. currency: of both; None without a price.
        amounts: what was typed of money, in that currency; None without a price.
        unpriced: a price was given, and some pool has none or no count of accelerators.
        unpowered: some pool's hardware is owned and draws power at a price that nobody gave: money is a floor.
        added: what each caution adds. growth, purchases, over_time, effective, volume, ways, break_even: see there.
    """

    demand: Demand
    fleet: Fleet
    curve: Curve | None
    pools: tuple[Pool, ...]
    untold: Untold | None
    replicas: Whole
    accelerators: Whole
    hour: Interval | None = None
    month: Interval | None = None
    currency: str | None = None
    amounts: Amounts | None = None
    unpriced: bool = False
    unpowered: bool = False
    added: tuple[Added, ...] = ()
    growth: Growth | None = None
    purchases: Purchases | None = None
    over_time: OverTime | None = None
    effective: Effective | None = None
    volume: Volume | None = None
    ways: tuple[Way, ...] = ()
    break_even: tuple[BreakEven, ...] = ()
