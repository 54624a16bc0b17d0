"""The capacity for other requests, between the least and the most that the difference can do.

Let a run with N requests in flight take g(N, N k, N p): k the tokens that each holds, p the prompt tokens computed for
each output token, g rising in all three. With factors on k and p, other requests at N are then no slower than these at
N times the largest factor, and no faster than these at N times the smallest (1 among them, since N counts by itself).
What a request waits for its own prompt grows at most with the prompt. So every bound is a reading of the measured
curve: at the limit over the value's factor, and divided by the load's factor. docs/traffic.md tells what that leaves
out, and benchmarks/traffic how often the truth lies inside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.decide.single import answer_target, as_latency
from core.decide.traffic_arrivals import steady_mean, z_of
from core.decide.traffic_range import ANSWERED, between, end_of, untold
from core.decide.traffic_shift import Factor, Shift
from core.fit.fit import Fit
from core.model.answer import Capacity, Interval, Status
from core.model.metric import Metric, fraction
from core.model.target import Target

MOST = 2.0
"""A factor above this carries no answer over: the bounds would be too far apart to be of use."""

LEAST_KEPT = 0.25
"""Share of what is carried that the swings of arrivals have to leave."""

MOST_BURST = 1.5
"""Variance over mean of the number in flight up to which arrivals are like those at random."""

_TAIL_FROM = 0.9
_SHARES = frozenset({Metric.SUCCESS_RATE, Metric.GOODPUT, Metric.RTF})
_PACE = frozenset({Metric.TPOT, Metric.TOK_S_USER, Metric.ITL})
_FIRST = frozenset({Metric.TTFT, Metric.QUEUE, Metric.ITL})


@dataclass(frozen=True, slots=True)
class Corner:
    """One extreme: the latency times `value` at the load times `load`."""

    value: float = 1.0
    load: float = 1.0


NOTHING = Corner()


def carried_over(fit: Fit, target: Target, targets: Sequence[Target], shift: Shift) -> Capacity:
    """Return the capacity within one target for the service's own requests.

    Args:
        fit: the run.
        target: the one to answer.
        targets: the whole set, which goodput is about.
        shift: how the service's requests differ.
    """
    measured = answer_target(fit, target, targets)
    if measured.status is Status.CANNOT_TELL or shift.nothing:
        return measured
    if target.metric in _SHARES:
        return untold(measured, "traffic.not_carried_over")
    lost = [name for name in shift.untold if name != "arrivals" or z_of(target.statistic) > 0.0]
    if lost:
        return untold(measured, "traffic.run_unknown")
    if _too_unlike(target, shift):
        return untold(measured, "traffic.tail_unlike")
    harsh, mild = corners(fit, target, shift, measured)
    if max(max(each.value, each.load) for each in harsh) > MOST:
        return untold(measured, "traffic.too_far")
    moved = _moved(fit, target, shift, measured)
    longer = max(1.0, shift.fresh.high, shift.answer * shift.answer_tail.high)
    stretch = moved if as_latency(target).metric in _PACE else longer
    worst = [_scaled(fit, target, targets, Corner(each.value * moved, each.load), stretch) for each in harsh]
    best = [_scaled(fit, target, targets, corner, stretch) for corner in mild]
    found = _swung(between(measured, worst, best), target, shift, fit.knee)
    return _opened(found) if _unbounded(target, shift) else found


def _too_unlike(target: Target, shift: Shift) -> bool:
    """Return True where the tail, or the wait for the first token, is made by what the run did not have.

    A percentile of TPOT is that of short answers that meet a long prompt, so it follows how lengths vary;
    requests that come in bursts wait for each other's prompts, however few are in flight on average.
    """
    read = as_latency(target)
    is_tail = (fraction(read.statistic) or 0.0) > 0.5
    bursts = shift.swing is not None and shift.swing[1] > MOST_BURST * max(1.0, shift.swing[0])
    return (is_tail and read.metric in _PACE and shift.varied) or (bursts and (is_tail or read.metric in _FIRST))


def _unbounded(target: Target, shift: Shift) -> bool:
    """Return True where nothing tells how much more is carried: requests out of step wait less for each other."""
    read = as_latency(target)
    is_tail = (fraction(read.statistic) or 0.0) >= _TAIL_FROM
    unlike = shift.answer_tail != Factor() or shift.prompt_tail != Factor()
    return (shift.out_of_step and read.metric in _FIRST) or (is_tail and unlike)


def _opened(capacity: Capacity) -> Capacity:
    found = capacity.concurrency
    if found is None or capacity.status not in ANSWERED:
        return capacity
    return replace(capacity, concurrency=replace(found, high=None), beyond=None)


def corners(fit: Fit, target: Target, shift: Shift, measured: Capacity) -> tuple[list[Corner], list[Corner]]:
    """Return the extremes that slow requests down most, and those that do so least; no effect is among both."""
    read = as_latency(target)
    loads = (Factor(), shift.held, shift.pressed)
    if read.metric in _PACE:
        own = shift.fresh if read.metric is Metric.ITL and fraction(read.statistic) else Factor()
        harsh = [Corner(1.0, each.high) for each in loads] + [Corner(max(own.high, 1.0), 1.0)]
        mild = [Corner(1.0, each.low) for each in loads] + [Corner(min(own.low, 1.0), 1.0)]
        return [NOTHING, *harsh], [NOTHING, *mild]
    own = _own_prompt(shift, read.statistic)
    if read.metric is Metric.E2E:
        return _whole(fit, read.statistic, shift, measured, own)
    harsh = [NOTHING, Corner(own.high, 1.0), Corner(1.0, shift.held.high), Corner(1.0, shift.pressed.high)]
    mild = [NOTHING, Corner(own.low, 1.0), Corner(1.0, shift.held.low), Corner(1.0, shift.pressed.low)]
    return harsh, mild


def _moved(fit: Fit, target: Target, shift: Shift, measured: Capacity) -> float:
    """Return how much slower later tokens come out of step: at worst they wait all that the first one waited."""
    if as_latency(target).metric not in _PACE or not shift.out_of_step:
        return 1.0
    return 1.0 / max(1.0 - max(_first_token_shares(fit, measured)), 1e-3)


def _own_prompt(shift: Shift, statistic: str) -> Factor:
    """Return the factor of the wait for the first token at one load: none to proportional, or as records tell."""
    tail = shift.prompt_tail if (fraction(statistic) or 0.0) >= _TAIL_FROM else Factor()
    whole = shift.fresh.times(tail)
    if shift.slope is None:
        return whole
    powers = [factor**slope for factor in (whole.low, whole.high) for slope in (shift.slope.low, shift.slope.high)]
    return Factor(min(powers), max(powers))


def _whole(
    fit: Fit, statistic: str, shift: Shift, measured: Capacity, own: Factor
) -> tuple[list[Corner], list[Corner]]:
    """Return the extremes of a request's whole time, e2e = ttft + (n - 1) tpot, by the share that TTFT has of it."""
    tail = shift.answer_tail if (fraction(statistic) or 0.0) >= _TAIL_FROM else Factor()
    answer = Factor(shift.answer, shift.answer).times(tail)
    shares = _first_token_shares(fit, measured)
    values = [
        share * first + (1.0 - share) * rest
        for share in shares
        for first, rest in ((min(own.low, 1.0), answer.low), (max(own.high, 1.0), answer.high))
    ]
    loads = (1.0, shift.held.low, shift.held.high, shift.pressed.low, shift.pressed.high)
    return [NOTHING, Corner(max(values), max(loads))], [Corner(min(values), min(loads))]


def _first_token_shares(fit: Fit, measured: Capacity) -> tuple[float, ...]:
    """Return the share of the whole time that the first token takes, at both ends of the range; 0 and 1 if unknown."""
    found = measured.concurrency
    shares = []
    for load in (found.low, found.high or (fit.levels[-1] if fit.levels else None)) if found else ():
        if load:
            first, whole = (fit.value(metric, "mean", load) for metric in (Metric.TTFT, Metric.E2E))
            if first and whole and first.mid and whole.mid:
                shares.append(min(first.mid / whole.mid, 1.0))
    return tuple(shares) or (0.0, 1.0)


def _scaled(fit: Fit, target: Target, targets: Sequence[Target], corner: Corner, stretch: float) -> Capacity:
    """Read the measured answer at one extreme.

    Below a full batch the load is divided. A full batch holds more tokens with longer requests, which no level has
    measured, so there the reading ends; or else the time of a request, and with it every wait, grows by no more
    than `stretch` times the load's factor, and the curve is read at the limit over that.
    """
    capacity = answer_target(fit, _tightened(target, corner.value), targets)
    if corner.load == 1.0 or capacity.status not in ANSWERED:
        return capacity
    if corner.load < 1.0 or not fit.knee:
        return _divided(capacity, corner.load, math.inf)
    ended = _divided(capacity, corner.load, fit.knee)
    slower = max(corner.value, stretch * corner.load)
    queued = answer_target(fit, _tightened(target, slower), targets)
    if queued.status not in ANSWERED:
        return ended
    return max(
        ended, _divided(queued, corner.load, math.inf), key=lambda each: (each.safe or 0, end_of(each, "low") or 0.0)
    )


def _divided(capacity: Capacity, factor: float, most: float) -> Capacity:
    """Return every bound over a factor; the lower ones no higher than `most` over it."""
    found = capacity.concurrency or Interval(low=None, mid=None, high=None)
    low, mid, high = (None if end is None else float(end / factor) for end in (found.low, found.mid, found.high))
    low, mid = (None if end is None else min(end, float(most / factor)) for end in (low, mid))
    safe = capacity.safe if capacity.safe is None else math.floor(min(capacity.safe, most) / factor)
    beyond = None if capacity.beyond is None else capacity.beyond / factor
    return replace(capacity, concurrency=Interval(low=low, mid=mid, high=high), safe=safe, beyond=beyond)


def _tightened(target: Target, value: float) -> Target:
    if value == 1.0:
        return target
    limit = target.limit * value if target.metric is Metric.TOK_S_USER else target.limit / value
    return replace(target, limit=limit)


def _swung(capacity: Capacity, target: Target, shift: Shift, knee: float | None) -> Capacity:
    """Return the mean in flight that keeps the swings of the service's arrivals within what is carried.

    On average no more may be in flight than the batch holds, or the queue grows without end.
    """
    z, found = z_of(target.statistic), capacity.concurrency
    if shift.swing is None or z == 0.0 or found is None or capacity.status not in ANSWERED:
        return capacity
    measured, yours = shift.swing
    most = knee if knee and yours > measured else math.inf

    def steady(end: float | None) -> float | None:
        return None if end is None else min(steady_mean(end, z, measured, yours), most)

    low, mid, high = found.low, found.mid, found.high
    code = "traffic.arrivals_calmer" if yours < measured else "traffic.arrivals_swing"
    if yours < measured:
        high = steady(high)
        mid = math.sqrt(mid * (steady(mid) or mid)) if mid else mid
        return replace(
            capacity,
            concurrency=replace(found, mid=mid, high=high),
            reasons=(*capacity.reasons, code),
            beyond=steady(capacity.beyond),
        )
    safe = capacity.safe
    low, lowest = steady(low), None if safe is None else math.floor((steady(float(safe)) or 0.0) * (1.0 + 1e-9))
    if low is not None and found.low and low < found.low * LEAST_KEPT:
        return untold(capacity, "traffic.arrivals_too_far")
    mid = math.sqrt(mid * (steady(mid) or mid)) if mid else mid
    if low is not None and lowest is not None:
        low = min(low, float(lowest))
    return replace(
        capacity,
        concurrency=Interval(low=low, mid=mid, high=high),
        safe=lowest,
        reasons=(*capacity.reasons, code),
    )
