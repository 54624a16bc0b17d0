"""The highest rate of a batch workload: within the measured loads and the targets, never beyond either.

Between levels the curve does not rise above both of them, so the highest rate is that of a level or, where
targets stop the load between two levels, that at the safe number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.decide.decide import Decision
from core.decide.point import point_at
from core.fit.fit import Fit
from core.model.answer import BatchAnswer, Capacity, Interval, Status, Throughput
from core.model.stage import FloatArray
from core.model.target import Target

ENOUGH = 0.95
"""Share of the highest rate from which more load is hardly worth its latency."""

RISING = 0.1
"""Slope d ln rate / d ln load between the last two levels above which the rate still rises: twice the load
would then bring more than 7 %."""

FEWEST = 3
"""Levels with a rate below which nothing shows that it has stopped rising."""

NAMES = ("output_tok_s", "total_tok_s", "req_s")
"""Rates in the order in which one is taken."""

_GRID = 240


def unbound(fit: Fit) -> Decision:
    """Return the answer to no target at all: every load measured will do."""
    if not fit.levels:
        nothing = Capacity(
            status=Status.CANNOT_TELL, concurrency=None, safe=None, binding=None, reasons=("throughput.unknown",)
        )
        return Decision(capacity=nothing, per_target=())
    top = fit.levels[-1]
    carried = Capacity(
        status=Status.AT_LEAST,
        concurrency=Interval(low=top, mid=None, high=None),
        safe=math.floor(top),
        binding=None,
    )
    return Decision(capacity=carried, per_target=())


def best_throughput(fit: Fit, capacity: Capacity, targets: Sequence[Target]) -> Throughput:
    """Return the highest rate that the measured loads reach within the targets.

    Args:
        fit: the run.
        capacity: within all targets; no load above its safe number is looked at.
        targets: as asked, none for a job without limits on latency.
    """
    name = next((name for name in NAMES if fit.rate_band(name) is not None), None)
    band = fit.rate_band(name) if name else None
    if name is None or band is None:
        return Throughput(status=Status.CANNOT_TELL, reasons=("throughput.unknown",))
    if targets and capacity.status in (Status.BELOW, Status.CANNOT_TELL):
        return Throughput(status=capacity.status, rate_name=name, reasons=("throughput.targets", *capacity.reasons))
    first, top = float(band.load[0]), float(band.load[-1])
    within = targets and capacity.status is Status.WITHIN and capacity.safe is not None
    most = min(top, float(capacity.safe or 0)) if within else top
    if most < first:
        return Throughput(status=Status.CANNOT_TELL, rate_name=name, reasons=("throughput.below_levels",))
    return _highest(fit, name, _loads(fit, first, most), capacity if most < top else None, targets)


def at_highest(capacity: Capacity, batch: BatchAnswer) -> Capacity:
    """Return the capacity with its safe number at the load of the highest rate: what a batch is to be run at."""
    best = batch.throughput
    return replace(capacity, status=best.status, safe=None if best.at is None else math.floor(best.at))


def _loads(fit: Fit, first: float, most: float) -> FloatArray:
    """Return loads to look at, shape (n,): evenly on a log axis, every level among them."""
    own = [load for load in fit.levels if first <= load <= most]
    loads: FloatArray = np.unique(np.concatenate((np.geomspace(first, most, _GRID), own, [first, most])))
    return loads[(loads >= first) & (loads <= most)]


def _highest(fit: Fit, name: str, loads: FloatArray, stopped: Capacity | None, targets: Sequence[Target]) -> Throughput:
    """Return the highest rate among loads; `stopped` is what keeps the load below the largest level."""
    rates = fit.rates_over(name, loads)
    if rates is None:
        return Throughput(status=Status.CANNOT_TELL, reasons=("throughput.unknown",))
    best = int(np.argmax(rates.mid))
    at, last = float(loads[best]), best == loads.size - 1
    levels = [load for load in fit.levels if loads[0] <= load <= loads[-1]]
    few = stopped is None and len(levels) < FEWEST
    open_end = few or (stopped is None and last and _slope(fit, name, levels) > RISING)
    found = {"throughput.rising": open_end and not few, "throughput.few_levels": few}
    return Throughput(
        status=Status.AT_LEAST if open_end else Status.WITHIN,
        rate_name=name,
        at=at,
        rate=Interval(
            low=float(rates.low.max()),
            mid=float(rates.mid[best]),
            high=None if open_end else float(rates.high.max()),
        ),
        point=point_at(fit, at, targets),
        enough=None if open_end else _enough(loads, rates.low, rates.mid, rates.high),
        limited_by=stopped.binding if stopped and last else None,
        reasons=tuple(code for code, holds in found.items() if holds),
    )


def _slope(fit: Fit, name: str, levels: Sequence[float]) -> float:
    """Return d ln rate / d ln load between the last two levels."""
    ends = np.array(levels[-2:])
    rates = fit.rates_over(name, ends)
    return float(np.diff(np.log(rates.mid))[0] / np.diff(np.log(ends))[0]) if rates is not None else math.inf


def _enough(loads: FloatArray, low: FloatArray, mid: FloatArray, high: FloatArray) -> Interval:
    """Return the smallest load at which each bound of the rate reaches `ENOUGH` of the highest rate."""
    wanted = ENOUGH * float(mid.max())

    def first(rate: FloatArray) -> float | None:
        reached = np.flatnonzero(rate >= wanted)
        return float(loads[reached[0]]) if reached.size else None

    return Interval(low=first(high), mid=first(mid), high=first(low))
