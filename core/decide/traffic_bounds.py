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

import numpy as np

from core.decide.single import answer_target, as_latency
from core.decide.traffic_arrivals import steady_mean, z_of
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
_ANSWERED = frozenset({Status.WITHIN, Status.AT_LEAST})
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
    worst = [_scaled(fit, target, targets, Corner(each.value * moved, each.load)) for each in harsh]
    best = [_scaled(fit, target, targets, corner) for corner in mild]
    found = _swung(_between(measured, worst, best), target, shift, fit.knee)
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
    if found is None or capacity.status not in _ANSWERED:
        return capacity
    return replace(capacity, concurrency=replace(found, high=None))


def untold(measured: Capacity, code: str) -> Capacity:
    """Return that nothing can be told for the service's traffic, and why."""
    return Capacity(status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=measured.binding, reasons=(code,))


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


def _scaled(fit: Fit, target: Target, targets: Sequence[Target], corner: Corner) -> Capacity:
    """Read the measured answer at one extreme; beyond a full batch nothing is divided."""
    capacity = answer_target(fit, _tightened(target, corner.value), targets)
    found = capacity.concurrency
    if corner.load == 1.0 or found is None or capacity.status not in _ANSWERED:
        return capacity
    # A full batch holds more tokens with longer requests, which no level beyond it has measured.
    most = fit.knee if corner.load > 1.0 and fit.knee else math.inf
    low, mid, high = (None if end is None else float(end / corner.load) for end in (found.low, found.mid, found.high))
    low, mid = (None if end is None else min(end, float(most / corner.load)) for end in (low, mid))
    safe = capacity.safe if capacity.safe is None else math.floor(min(capacity.safe, most) / corner.load)
    return replace(capacity, concurrency=Interval(low=low, mid=mid, high=high), safe=safe)


def _tightened(target: Target, value: float) -> Target:
    if value == 1.0:
        return target
    limit = target.limit * value if target.metric is Metric.TOK_S_USER else target.limit / value
    return replace(target, limit=limit)


def _between(measured: Capacity, worst: Sequence[Capacity], best: Sequence[Capacity]) -> Capacity:
    """Put the readings of all extremes together: the lowest of the low ends, the highest of the high ones."""
    if measured.status is Status.BELOW:
        slower = all(each.status is Status.BELOW for each in best)
        return measured if slower else untold(measured, "traffic.not_measured")
    failed = [each for each in worst if each.status not in _ANSWERED]
    if failed:
        return untold(measured, "traffic.not_measured")
    highs = [_end(each, "high") for each in best]
    mids = [_end(each, "mid") for each in (*worst, *best)]
    high = None if None in highs else max(each for each in highs if each is not None)
    mid = None if None in mids else math.sqrt(min(m for m in mids if m) * max(m for m in mids if m))
    low, lowest = _lower_ends(measured, worst, best)
    safe = math.floor(lowest * (1.0 + 1e-9))
    reasons = (*measured.reasons, "traffic.widened")
    still = all(each.status is Status.AT_LEAST for each in worst)
    return replace(
        measured,
        status=Status.AT_LEAST if still else Status.WITHIN,
        concurrency=_no_narrower(Interval(low=min(low, float(safe)), mid=mid, high=high), measured),
        safe=safe,
        reasons=tuple(dict.fromkeys(reasons)),
    )


def _lower_ends(measured: Capacity, worst: Sequence[Capacity], best: Sequence[Capacity]) -> tuple[float, float]:
    """Return the low end and the safe number before it is rounded, never above the measured ones.

    What the difference does and what the measurement leaves open are apart, so their distances from the
    middle are added as squares, in logarithms.
    """
    own = (_end(measured, "low") or 0.0, float(measured.safe or 0))
    ends = [(_end(each, "low") or 0.0, float(each.safe or 0)) for each in worst]
    lowest = (min(low for low, _ in ends), min(safe for _, safe in ends))
    mids = [_end(each, "mid") for each in worst]
    most = max((mid for each in best if (mid := _end(each, "mid"))), default=None)
    if None in mids or not most or min(lowest) <= 0.0:
        return min(lowest[0], own[0]), min(lowest[1], own[1])
    at = int(np.argmin([mid or math.inf for mid in mids]))
    least = mids[at] or 0.0
    middle = 0.5 * (math.log(least) + math.log(max(most, least)))
    low, safe = (
        min(math.exp(middle - math.hypot(middle - math.log(least), math.log(least / end))), bound)
        for end, bound in zip(ends[at], own, strict=True)
    )
    return low, safe


def _end(capacity: Capacity, name: str) -> float | None:
    return getattr(capacity.concurrency, name) if capacity.concurrency else None


def _no_narrower(found: Interval, measured: Capacity) -> Interval:
    """Return the range, as wide as the measured one at least: a reading elsewhere on the curve may be narrower."""
    own = measured.concurrency
    if own is None or not own.low or not own.high or not found.low or found.high is None:
        return found
    return replace(found, high=max(found.high, found.low * own.high / own.low))


def _swung(capacity: Capacity, target: Target, shift: Shift, knee: float | None) -> Capacity:
    """Return the mean in flight that keeps the swings of the service's arrivals within what is carried.

    On average no more may be in flight than the batch holds, or the queue grows without end.
    """
    z, found = z_of(target.statistic), capacity.concurrency
    if shift.swing is None or z == 0.0 or found is None or capacity.status not in _ANSWERED:
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
        return replace(capacity, concurrency=replace(found, mid=mid, high=high), reasons=(*capacity.reasons, code))
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
