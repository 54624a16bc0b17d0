"""Ways to choose the next level, to compare with the advice of the product.

Each gets the run so far and returns (load, requests), or None where it would not measure again. Where the
answer is no range between two levels there is nothing to compare: all do what the product says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.decide.decide import Decision
from core.decide.expected import widths
from core.decide.measure import next_measurement
from core.decide.requests import PER_LEVEL, enough, requests_for, round_up
from core.decide.single import as_latency
from core.fit.fit import Fit
from core.model.answer import Interval, Status
from core.model.run import Conditions, Kind, Run
from core.model.stage import Stage
from core.model.target import Target

Choice = tuple[float, int] | None


@dataclass(frozen=True)
class State:
    """One run with its answer, `step` advised runs after the start."""

    stages: tuple[Stage, ...]
    fit: Fit
    decision: Decision
    target: Target
    step: int

    @property
    def span(self) -> Interval | None:
        """The range, where it lies between two levels and both its ends are known."""
        span = self.decision.capacity.concurrency
        within = self.decision.capacity.status is Status.WITHIN
        return span if within and span and span.mid and span.high is not None else None

    def sized(self, load: float) -> tuple[float, int]:
        """A whole load with as many requests as the product would send there."""
        load = max(1, round(load))
        read = as_latency(self.target)
        fewest = max(requests_for([self.target], 1.0), round_up(PER_LEVEL * load))
        return float(load), enough(self.fit.points(read.metric, read.statistic), load, fewest)


def product(state: State) -> Choice:
    """What Plimsoll says."""
    run = Run(
        id="run",
        label="run",
        kind=Kind.MEASURED,
        format_id="vllm_bench",
        format_version=None,
        files=(),
        conditions=Conditions(),
        stages=state.stages,
    )
    found = next_measurement(run, state.fit, state.decision, [state.target])
    return (found.concurrency, found.requests) if found else None


def at_estimate(state: State) -> Choice:
    """Always at the estimate, again and again where it does not move."""
    return state.sized(state.span.mid or 1.0) if state.span else product(state)


def alternate(state: State) -> Choice:
    """At the estimate, then halfway down to the low end, in turn."""
    if not state.span:
        return product(state)
    mid, low = state.span.mid or 1.0, state.span.low or 0.0
    return state.sized(mid if state.step % 2 == 0 else math.sqrt(mid * max(low, 0.1 * mid)))


def bisection(state: State) -> Choice:
    """In the middle of the last passing and the first failing level, on the log axis."""
    read = as_latency(state.target)
    points = state.fit.points(read.metric, read.statistic)
    fails = np.flatnonzero(points.value > read.limit)
    if not state.span or not fails.size or not fails[0]:
        return product(state)
    return state.sized(math.sqrt(points.load[fails[0] - 1] * points.load[fails[0]]))


def narrowest(state: State) -> Choice:
    """The level after which the range is expected to be narrowest, of eight."""
    span = state.span
    if not span:
        return product(state)
    mid, low, high = span.mid or 1.0, max(span.low or 0.0, 0.1 * (span.mid or 1.0)), span.high or 1.0
    loads = np.array(state.fit.levels)
    around = loads[np.clip(np.searchsorted(loads, mid) + np.array([-1, 0]), 0, loads.size - 1)]
    tried = (mid, math.sqrt(mid * low), math.sqrt(mid * high), 0.8 * mid + 0.2 * low, 0.25 * mid + 0.75 * low)
    choices = [state.sized(load) for load in (*tried, *around, math.sqrt(around[0] * around[1]))]
    return min(dict.fromkeys(choices), key=lambda choice: _expected(state, *choice))


def _expected(state: State, load: float, requests: int) -> float:
    fewest = requests_for([state.target], load)
    told = widths(state.fit, state.decision, [state.target], load, (requests, fewest))
    return told[1] if told else math.inf


POLICIES: dict[str, Callable[[State], Choice]] = {
    "advice": product,
    "at the estimate": at_estimate,
    "alternate": alternate,
    "bisection": bisection,
    "narrowest": narrowest,
}
"""By name; the first is the product's own, the last takes a hundred times as long as the others."""
