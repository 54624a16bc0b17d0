"""How many deployments like the measured one a demand needs: whole ones, with the range that the doubt leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from core.model.answer import Interval, RunAnswer, Status
from core.model.difference import Difference, Match
from core.model.scenario import Demand, DemandKind

FEW_HITS = 0.05
"""Share of the prompts' tokens that a cache held in a run, up to which a service may have none."""


UNKNOWN = Interval(low=None, mid=None, high=None)


class Untold(StrEnum):
    """Why a number of replicas cannot be told."""

    NO_SAFE_NUMBER = "no_safe_number"
    NONE_PROMISED = "none_promised"
    THINK_TIME = "think_time"
    RESPONSE_TIME = "response_time"
    OWN_TRAFFIC = "own_traffic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicas:
    """Copies of what was measured that a demand needs; without spares, and with requests spread evenly.

    Attributes:
        count: to plan with, from the safe number; None where it cannot be told.
        fewest, most: from the ends of the answer's range and of the demand's; None is open or unknown.
        in_flight: the demand as concurrent requests, None where it cannot be told.
        untold: why there is no count, None where there is one.
    """

    count: int | None = None
    fewest: int | None = None
    most: int | None = None
    in_flight: Interval | None = None
    untold: Untold | None = None


def replicas_for(answer: RunAnswer, demand: Demand, think_s: float | None) -> Replicas:
    """Return how many replicas carry a demand at the safe number of each: ceil(in flight / (safe k)).

    k is what `sure_share` keeps back for the doubt about how quickly requests are answered there.

    Args:
        answer: the number for the service's own traffic is used where there is one.
        demand: at its peak. Users keep N R / (R + Z) requests in flight, a rate keeps X R (R: time of a request
            at the safe number, Z: think time).
        think_s: Z in seconds, None where nobody said; users alone need it.

    Sources:
        Little 1961, L = X R; Denning and Buzen 1978, the interactive response time law R = N/X - Z.
    """
    capacity = (answer.for_traffic or answer).capacity
    if capacity.safe is None or capacity.status not in (Status.WITHIN, Status.AT_LEAST):
        return Replicas(untold=Untold.NO_SAFE_NUMBER)
    if capacity.safe == 0:
        return Replicas(untold=Untold.NONE_PROMISED)
    wanted = in_flight(answer, demand, think_s)
    if isinstance(wanted, Untold):
        return Replicas(untold=wanted)
    limit, found = carried_at_limit(answer, demand, think_s), capacity.concurrency or UNKNOWN
    count = whole(wanted.mid, capacity.safe * sure_share(wanted, capacity.safe, limit, demand.peak))
    fewest, most = (
        (whole(demand.peak, limit.high), whole(demand.peak, limit.low))
        if limit
        else (whole(wanted.low, found.high), whole(wanted.high, found.low))
    )
    # Fewer than one there are not, however open the upper end is.
    fewest = 1 if count == 1 else fewest
    return Replicas(
        count=count,
        fewest=None if fewest is None or count is None else min(fewest, count),
        most=None if most is None or count is None else max(most, count),
        in_flight=wanted,
    )


def sure_share(load: Interval, safe: float, limit: Interval | None, peak: float) -> float:
    """Return which share of what one replica carries by the middles a plan may count on, nine times in ten.

    The safe number keeps back for the doubt about the load. A rate or users need the time of a request beside it, and
    near its limit a server yields hardly more for more in flight, so that the doubt about the rate has to be kept back
    too: planned with is what one replica carries at its limit in nine cases of ten, where that is less.

    Args:
        load: the demand in requests in flight, with the range that the time of a request leaves.
        safe: the safe number.
        limit: what one replica carries at its limit, as the demand counts; None where that is not known, and the time
            at the safe number has to do.
        peak: the part of the demand in question, in the unit of `limit`.

    Returns:
        Above 0 to 1; 1 for a demand in requests in flight of one run.
    """
    if not load.mid or not safe or peak <= 0.0 or load.low == load.high:
        return 1.0
    if limit is not None and limit.mid and limit.low:
        return min(nine_in_ten(limit.mid, limit.low) * load.mid / (peak * safe), 1.0)
    return load.mid / nine_in_ten(load.mid, load.high) if load.high else 1.0


def nine_in_ten(middle: float, end: float) -> float:
    """Return what holds in nine cases of ten, between the middle and an end that holds in nineteen of twenty.

    >>> round(nine_in_ten(100.0, 80.0), 1), nine_in_ten(5.0, 5.0)
    (84.0, 5.0)
    """
    return middle * math.exp(math.log(end / middle) * _TEN_OVER_TWENTY)


_TEN_OVER_TWENTY = 1.2815515655446004 / 1.6448536269514722
"""Normal scores of one chance in ten and of one in twenty; doubt is normal on the ln axis."""


def carried_at_limit(answer: RunAnswer, demand: Demand, think_s: float | None) -> Interval | None:
    """Return how much of a demand one replica carries at its limit, with the doubt about both; in the demand's unit.

    N requests in flight, X requests/s or N + X Z users, N and X at the limit. A time of a request at the safe number
    over an end of the capacity would count one doubt twice: more in flight take longer each.

    Returns:
        None where the rate at the limit is not known: the time at the safe number has to do.

    Sources:
        Denning and Buzen 1978, the interactive response time law: N + X Z users keep N requests in flight.
    """
    found = (answer.for_traffic or answer).capacity.concurrency
    if demand.kind is DemandKind.CONCURRENCY:
        return found
    rate = answer.at_estimate.req_s if answer.at_estimate else None
    if found is None or rate is None or answer.for_traffic is not None:
        return None

    def one(load: float | None, requests_s: float | None) -> float | None:
        if load is None or requests_s is None:
            return None
        return requests_s if demand.kind is DemandKind.REQ_S else load + requests_s * (think_s or 0.0)

    return Interval(low=one(found.low, rate.low), mid=one(found.mid, rate.mid), high=one(found.high, rate.high))


def in_flight(answer: RunAnswer, demand: Demand, think_s: float | None) -> Interval | Untold:
    """Return the demand at its peak in requests in flight, or why that is not known."""
    peak = demand.peak
    if demand.kind is DemandKind.CONCURRENCY:
        return Interval(low=peak, mid=peak, high=peak)
    if not is_own_time(answer):
        return Untold.OWN_TRAFFIC
    if demand.kind is DemandKind.USERS and think_s is None:
        return Untold.THINK_TIME
    time = response_time(answer, by_rate=demand.kind is DemandKind.REQ_S)
    if time is None or time.mid is None:
        return Untold.RESPONSE_TIME

    def held(seconds: float | None) -> float | None:
        if seconds is None:
            return None
        return peak * seconds if demand.kind is DemandKind.REQ_S else peak * seconds / (seconds + (think_s or 0.0))

    return Interval(low=held(time.low), mid=held(time.mid), high=held(time.high), level=time.level)


def is_own_time(answer: RunAnswer) -> bool:
    """Return True where the time of a request as measured is that of the service's own requests.

    So it is where nothing was said of them, or where the run sent prompts and answers of the same lengths and as many
    of them from a cache. Arrivals do not count: at the measured safe number, which is never below the service's own,
    a request takes as long or longer.
    """
    if answer.for_traffic is None:
        return True
    found = {each.condition: each for each in answer.for_traffic.differences if each.condition != "arrivals"}
    lengths = (found.get(name) for name in ("input_tokens", "output_tokens"))
    if any(each is None or each.match is not Match.EQUAL for each in lengths):
        return False
    return all(each.match is Match.EQUAL or _says_nothing(each) for each in found.values())


def _says_nothing(each: Difference) -> bool:
    """Return True where the service says nothing of a condition, and the run gained nothing by it."""
    hits = each.measured if isinstance(each.measured, float | int) else 0.0
    return each.match is Match.NOT_SAID and (each.condition != "hit_rate" or hits <= FEW_HITS)


def response_time(answer: RunAnswer, *, by_rate: bool = False) -> Interval | None:
    """Return the mean time of a request at the safe number in seconds, None where the files do not tell.

    As the tool gives it, else requests in flight over requests per second; `by_rate` asks for the latter first.
    """
    point, safe = answer.at_capacity, answer.capacity.safe
    if point is None or not safe:
        return None
    rate, whole = point.req_s, point.metrics.get("e2e mean")
    known_rate, known_time = rate is not None and bool(rate.mid), whole is not None and bool(whole.mid)
    if known_time and not (by_rate and known_rate):
        return whole
    if rate is None or not known_rate:
        return None

    def over(requests_s: float | None) -> float | None:
        return safe / requests_s if requests_s else None

    return Interval(low=over(rate.high), mid=over(rate.mid), high=over(rate.low), level=rate.level)


def whole(wanted: float | None, each: float | None) -> int | None:
    """Return how many whole ones carry it, at least one; None where an end is open.

    >>> whole(10.0, 5.0), whole(10.1, 5.0), whole(0.3, 5.0), whole(10.0, None), whole(0.3 * 10, 0.1 * 10)
    (2, 3, 1, None, 3)
    """
    if wanted is None or not each:
        return None
    # What is meant as a whole number must not become one more by a binary fraction.
    return max(math.ceil(round(wanted / each, 9)), 1)
