"""Throughput against load, with its doubt. Cost is derived from it, never fitted itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.fit.constants import RateScale
from core.fit.interpolate import IntArray, slopes
from core.fit.noise import RUN
from core.model.answer import Interval
from core.model.stage import FloatArray

_SLACK = 4.0
"""Standard errors by which a rate may leave what its neighbours allow: short runs fill and drain, so that levels
scatter more than one error says. The bounds narrow the widest bands by an eighth and cost 0.6 points of coverage on
simulated sweeps, none on real ones (`python -m benchmarks.accuracy.rate_coverage`)."""

_MOST = 700.0
"""ln of the largest rate and slack: levels that contradict each other by powers of ten leave the numbers finite."""

_LARGEST = math.exp(_MOST)

_LEAST = 1e-6
"""Added to the variance, so that no band has zero width."""


@dataclass(frozen=True, eq=False, slots=True)
class RateBand:
    """What a chart draws; each of shape (points,)."""

    load: FloatArray
    low: FloatArray
    mid: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False)
class RateCurve:
    """A system rate (tokens or requests per second) by load, through the measured levels.

    Attributes:
        load: shape (n,), ascending, distinct, n >= 2.
        value: shape (n,), > 0.
        noise: relative error of one level, from the whole sweep.
    """

    load: FloatArray
    value: FloatArray
    noise: float
    constants: RateScale

    def at(self, load: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return low, mid and high at each load, shape (m,) each.

        Below the smallest level the rate per request in flight is taken as there.
        """
        x = np.log(load)
        i, place = self._position(x)
        log_mid, k = self._log_mid(x, i, place), self.constants
        scale = np.sqrt(self._weights @ self._squared_terms(x, i, place) + _LEAST)
        mid = np.exp(log_mid)
        least, most = self._possible(load, i)
        low = np.maximum(mid * np.exp(k.low * scale), np.minimum(least, mid))
        high = np.exp(np.minimum(log_mid + k.high * scale, _MOST))
        return low, mid, np.minimum(np.maximum(high, mid), np.maximum(most, mid))

    def mid(self, load: FloatArray) -> FloatArray:
        """Return what `at` gives in the middle, shape (m,), without the work for both ends."""
        x = np.log(load)
        middle: FloatArray = np.exp(self._log_mid(x, *self._position(x)))
        return middle

    def _log_mid(self, x: FloatArray, i: IntArray, place: FloatArray) -> FloatArray:
        third, second, first, start = self._cubics[:, i]
        middle: FloatArray = ((third * place + second) * place + first) * place + start
        middle += np.minimum(x - self._log_load[0], 0.0)
        return middle

    def _possible(self, load: FloatArray, i: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the rates between which a server lies that neighbours' levels allow, with their noise.

        More load neither lowers the rate nor raises the rate per request in flight (no request
        gets faster by company); outside the levels, and where a level contradicts this, all is possible.
        """
        slack, (before, after) = self._slack, (self.value[i], self.value[i + 1])
        least = np.maximum(before, after * load / self.load[i + 1]) / slack
        most = np.minimum(np.minimum(after, before * load / self.load[i]), _LARGEST / slack) * slack
        lawful = (least <= most) & (after >= before) & (load >= self.load[0]) & (load <= self.load[-1])
        return np.where(lawful, least, 0.0), np.where(lawful, most, np.inf)

    def squared_terms(self, load: FloatArray) -> FloatArray:
        """Return the unweighted squared terms of the scale, shape (4, m): run, gap, bend, noise."""
        x = np.log(load)
        return self._squared_terms(x, *self._position(x))

    def _squared_terms(self, x: FloatArray, i: IntArray, place: FloatArray) -> FloatArray:
        below = np.maximum(self._log_load[0] - x, 0.0)
        arch = 2.0 * np.sqrt(place * (1.0 - place)) * self._steps[i] + below
        terms = (np.full(x.shape, RUN), arch, arch * self._bend[i], np.full(x.shape, self.noise))
        squares: FloatArray = np.stack(terms) ** 2
        return squares

    def _position(self, log_load: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the segment that each load is in, and where in it on the log axis."""
        u = self._log_load
        at = np.minimum(np.maximum(log_load, u[0]), u[-1])
        i = np.minimum(np.maximum(np.searchsorted(u, at, side="right") - 1, 0), u.size - 2)
        return i, (at - u[i]) / self._steps[i]

    def interval(self, load: float) -> Interval | None:
        """Return the rate at one load, None beyond the largest level."""
        if not 0.0 < load <= self.load[-1]:
            return None
        low, mid, high = (float(a[0]) for a in self.at(np.array([load])))
        return Interval(low=low, mid=mid, high=high)

    def band(self, points: int = 120) -> RateBand:
        """Return the curve between the smallest and the largest level."""
        load = np.geomspace(self.load[0], self.load[-1], points)
        return RateBand(load, *self.at(load))

    # A moved limit reads the curve some hundred times: what depends on the levels alone is worked out once.

    @cached_property
    def _log_load(self) -> FloatArray:
        logs: FloatArray = np.log(self.load)
        return logs

    @cached_property
    def _log_value(self) -> FloatArray:
        logs: FloatArray = np.log(self.value)
        return logs

    @cached_property
    def _steps(self) -> FloatArray:
        return np.diff(self._log_load)

    @cached_property
    def _weights(self) -> FloatArray:
        k = self.constants
        return np.array([k.floor, k.gap, k.bend, k.rough]) ** 2

    @cached_property
    def _slack(self) -> float:
        return math.exp(min(_SLACK * math.hypot(RUN, self.noise), _MOST))

    @cached_property
    def _cubics(self) -> FloatArray:
        """Return the cubic of each segment by the part of it that is passed, highest power first, shape (4, n - 1)."""
        tangents, rise = slopes(self._log_load, self._log_value), np.diff(self._log_value)
        start, end = tangents[:-1] * self._steps, tangents[1:] * self._steps
        return np.stack((start + end - 2.0 * rise, 3.0 * rise - 2.0 * start - end, start, self._log_value[:-1]))

    @cached_property
    def _bend(self) -> FloatArray:
        """Return how much the slope changes around each segment."""
        own = np.diff(self._log_value) / self._steps
        before, after = np.concatenate((own[:1], own[:-1])), np.concatenate((own[1:], own[-1:]))
        return np.minimum(np.maximum(np.abs(own - before), np.abs(own - after)), 2.0)
