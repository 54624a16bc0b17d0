"""What an answer lets one believe of a number: a distribution where it has a range, bounds where it has only those.

A draw is an interval on the ln axis. Where the answer holds a range it is a point. Where it holds a bound, such as
"at least 512", it runs from the bound to infinity, in the share of draws in which the bound holds; in the rest nothing
is known. So a comparison counts what can be known and no more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.model.answer import Capacity, Interval, Status
from core.model.stage import FloatArray

SURE = 1.6448536269514722
"""Normal score of the ends of a range: one chance in twenty on each side."""

HELD = 1.959963984540054
"""Normal score of one chance in forty, in which nothing is known beside a bound. On simulated sweeps "at least" held in
99.9 and "below" in 97.7 of 100 answers (python -m benchmarks.compare.run)."""

CONTINUED = 2.0
"""How many times as wide as within the levels the doubt counts above them, where the curve is only continued."""

LOWEST, HIGHEST = -math.inf, math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What was drawn for one run, of any one shape.

    Attributes:
        score: standard normal; the number rises with it.
        error: the same as an error of the answer, in units of that side's range over 1.645.
        bias: added to ln of the number.
    """

    score: FloatArray
    error: FloatArray
    bias: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """What is known of one positive number of one run; larger is better after `better` was applied.

    Attributes:
        low, mid, high: as an `Interval`; None is open or unknown. Without `mid` the ends are bounds.
        beyond: where `high` is open although a number far above `mid` is unlikely (`Capacity.beyond`), the end that the
            curve continues to; None where nothing tells.
        lower_is_better: costs and counts of accelerators.
        steps: turns values, in the unit of `low`, into those that are compared, rising with them; None leaves them.
    """

    low: float | None = None
    mid: float | None = None
    high: float | None = None
    beyond: float | None = None
    lower_is_better: bool = False
    steps: Callable[[FloatArray], FloatArray] | None = None

    def draws(self, drawn: Drawn) -> tuple[FloatArray, FloatArray]:
        """Return both ends of every draw on the ln axis, larger is better."""
        least, most = (end + drawn.bias for end in self._between(drawn))
        if self.steps is not None:
            least, most = self.steps(least), self.steps(most)
        return (-most, -least) if self.lower_is_better else (least, most)

    def _between(self, drawn: Drawn) -> tuple[FloatArray, FloatArray]:
        if self.mid is None or self.mid <= 0.0:
            is_above = self.low and self.beyond and self.beyond > self.low
            return self._above(drawn) if is_above else self._bounds(drawn.score)
        off, middle = drawn.error, math.log(self.mid)
        if self.low and self.high:
            value = middle + off * np.where(off < 0.0, _unit(self.low, self.mid), _unit(self.mid, self.high))
            return value, value
        least = middle + off * _unit(self.low, self.mid)
        most = middle + off * (_unit(self.mid, self.high) if self.high else self._unit_beyond)
        upper = off >= 0.0
        # Of an open side it is known only that the number lies beyond the estimate, and perhaps how unlikely more is.
        open_above = most if self.beyond else HIGHEST
        low = np.where(upper, middle if self.high is None else most, LOWEST if not self.low else least)
        high = np.where(upper, open_above if self.high is None else most, middle if not self.low else least)
        return low, high

    @property
    def _unit_beyond(self) -> float:
        """Return one standard deviation of the side that is only continued, ln: `CONTINUED` times the wider side's."""
        return CONTINUED * max(_unit(self.mid, self.beyond), _unit(self.low, self.mid))

    def _above(self, drawn: Drawn) -> tuple[FloatArray, FloatArray]:
        """Return the low bound, and up to where the number may lie above every level: no estimate is known there.

        Half of the draws reach no further than halfway, ln, between the bound and the end that the curve continues to.
        """
        middle = 0.5 * (math.log(self.low or 1.0) + math.log(self.beyond or 1.0))
        unit = CONTINUED * _unit(math.exp(middle), self.beyond)
        return self._bounds(drawn.score)[0], middle + np.maximum(drawn.error, 0.0) * unit

    def _bounds(self, score: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the bounds in the draws in which they hold, and nothing in the rest."""
        held = np.ones(score.shape, bool)
        if self.low:
            held &= score > -HELD
        if self.high:
            held &= score < HELD
        low = np.where(held, math.log(self.low) if self.low else LOWEST, LOWEST)
        high = np.where(held, math.log(self.high) if self.high else HIGHEST, HIGHEST)
        return low, high

    @property
    def is_told(self) -> bool:
        """True where every draw is a point: the number has an estimate and both ends."""
        return bool(self.mid and self.low and self.high)

    @property
    def is_unknown(self) -> bool:
        """True where nothing is known, not even a bound."""
        return not (self.low or self.mid or self.high)


UNKNOWN = Belief()


def belief_of(capacity: Capacity) -> Belief:
    """Return what an answer lets one believe of the load that is carried.

    "At least" and "below" are bounds. So are the ends of a bracket beside "cannot tell".
    """
    found = capacity.concurrency
    if found is None:
        return UNKNOWN
    if capacity.status is Status.WITHIN:
        return Belief(low=found.low, mid=found.mid, high=found.high, beyond=None if found.high else capacity.beyond)
    return Belief(low=found.low, high=found.high)


def belief_in(interval: Interval | None, *, lower_is_better: bool = False) -> Belief:
    """Return what an interval lets one believe; unknown where there is none."""
    if interval is None or interval.mid is None:
        return replace(UNKNOWN, lower_is_better=lower_is_better)
    return Belief(low=interval.low, mid=interval.mid, high=interval.high, lower_is_better=lower_is_better)


def scaled(belief: Belief, factor: float | None) -> Belief:
    """Return a belief in so many times the number; unknown where the factor is."""
    if factor is None or not factor > 0.0:
        return replace(UNKNOWN, lower_is_better=belief.lower_is_better)
    ends = (None if end is None else end * factor for end in (belief.low, belief.mid, belief.high, belief.beyond))
    low, mid, high, beyond = ends
    return replace(belief, low=low, mid=mid, high=high, beyond=beyond)


def _unit(low: float | None, high: float | None) -> float:
    """Return one standard deviation of a side of a range, ln; 0 where it is open."""
    return math.log(high / low) / SURE if low and high else 0.0
