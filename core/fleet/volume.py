"""What is asked for in a month: requests and their tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.fleet.answer import Pool, Volume
from core.fleet.size import HOURS_PER_MONTH
from core.model.answer import Interval, LoadPoint
from core.model.demand_curve import Curve
from core.model.scenario import Demand, DemandKind
from core.price.cost import cached_share, input_tok_s
from core.price.formula import SECONDS_PER_HOUR
from core.price.replicas import is_own_time, response_time

SECONDS_PER_MONTH = HOURS_PER_MONTH * SECONDS_PER_HOUR


def volume(pools: Sequence[Pool], demand: Demand, curve: Curve | None) -> Volume | None:
    """Return the requests of a month and the tokens of one, None where the requests are not known.

    Args:
        pools: all told.
        demand: in requests/s it is the requests themselves; else those that so many in flight make, each taking its
            time at the safe number.
        curve: mean over peak; None is the peak all the time.
    """
    mean = (curve.mean_share if curve else 1.0) * SECONDS_PER_MONTH
    rates = [_rate(pool, demand) for pool in pools]
    known = [rate for rate in rates if rate is not None]
    if len(known) < len(rates):
        return None

    def total(of: Callable[[Interval], float | None]) -> float | None:
        values = [of(rate) for rate in known]
        return None if None in values else mean * sum(value or 0.0 for value in values)

    requests = Interval(low=total(lambda r: r.low), mid=total(lambda r: r.mid), high=total(lambda r: r.high))
    weights = [rate.mid or 0.0 for rate in known]
    return Volume(
        requests=requests,
        input_tokens=_mean(weights, [_tokens(pool, input_tok_s) or _said(pool) for pool in pools]),
        output_tokens=_mean(weights, [_tokens(pool, lambda point: point.output_tok_s) for pool in pools]),
        cached=_mean(weights, [_cached(pool) for pool in pools]),
    )


def _rate(pool: Pool, demand: Demand) -> Interval | None:
    """Return requests/s at the peak; with requests that were not measured nothing tells how long they take."""
    if demand.kind is DemandKind.REQ_S:
        exact = demand.peak * pool.share
        return Interval(low=exact, mid=exact, high=exact)
    time = response_time(pool.answer) if is_own_time(pool.answer) else None
    if time is None or not time.mid or pool.in_flight.mid is None:
        return None

    def over(load: float | None, seconds: float | None) -> float | None:
        return load / seconds if load is not None and seconds else None

    # Few in flight and quick requests may go together: N / (R + Z) users' requests take less time in flight.
    if demand.kind is DemandKind.USERS:
        ends = sorted(
            end for end in (over(pool.in_flight.low, time.low), over(pool.in_flight.high, time.high)) if end is not None
        )
        low, high = (ends[0], ends[1]) if len(ends) == 2 else (None, None)
    else:
        low, high = over(pool.in_flight.low, time.high), over(pool.in_flight.high, time.low)
    return Interval(low=low, mid=over(pool.in_flight.mid, time.mid), high=high)


def _tokens(pool: Pool, of: Callable[[LoadPoint], Interval | None]) -> float | None:
    """Return tokens of one request at the safe number: tokens/s over requests/s."""
    point = pool.answer.at_capacity
    rate = of(point) if point else None
    requests = point.req_s if point else None
    if rate is None or not rate.mid or requests is None or not requests.mid:
        return None
    return rate.mid / requests.mid


def _said(pool: Pool) -> float | None:
    return pool.answer.run.conditions.input_tokens_mean


def _cached(pool: Pool) -> float | None:
    own = pool.answer.for_traffic.traffic.hit_rate if pool.answer.for_traffic else None
    return cached_share(pool.answer.run, float(pool.safe)) if own is None else own


def _mean(weights: Sequence[float], values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    whole = sum(weights)
    if len(known) < len(values) or whole <= 0.0:
        return None
    return sum(weight * value for weight, value in zip(weights, known, strict=True)) / whole
