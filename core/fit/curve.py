"""Capacity as a function of the limit, for one statistic of one run: estimate and quantiles.

The band of a chart, the range of an answer and the latency expected at a load are three
readings of the same table, so that they can never disagree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from core.fit.constants import FLAT, FLAT_BELOW, NEAR, NEAR_GAP, OPEN_LOOP_WIDTH, Constants, class_of
from core.fit.features import Surroundings, features_of
from core.fit.network import LEARNED_BEYOND, LEARNED_METRICS, Arrays, reach, shipped_network, unit_of
from core.fit.noise import RUN
from core.fit.points import Points
from core.fit.scale import doubt_of, scale_of, squared_terms
from core.fit.shape import Shape, shape_at
from core.model.answer import Doubt, Interval
from core.model.metric import Metric
from core.model.stage import FloatArray

_PER_SEGMENT = 8
_BEYOND = np.array([0.03, 0.08, 0.15, 0.25, 1.0, 3.0])
"""How far, in ln of the latency, limits of the table lie beyond the ends."""

_STEPS = (np.arange(_PER_SEGMENT) + 0.5) / _PER_SEGMENT
"""Never at a level itself: there it would be rounding that says which side is looked at."""
_EASE = np.array([1.0, 2.0, 1.0]) / 4.0
_NORMAL = (1.645, 1.282, 1.645)
"""Standard deviations to the 5 %, 10 % and 95 % quantiles."""

_LEAST_OF_RUN = 0.5
_FEWEST = 3
"""Levels that a range is read from; with fewer the curve is only drawn."""


@dataclass(frozen=True, eq=False, slots=True)
class Band:
    """What a chart draws: loads at which each value is reached; shape (points,)."""

    load_low: FloatArray
    load_mid: FloatArray
    load_high: FloatArray
    value: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class _Table:
    log_limit: FloatArray
    log_mid: FloatArray
    log_risk: FloatArray
    doubt: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """One statistic against load.

    Attributes:
        points: the measured points, two or more.
        restless: noise between the levels of the sweep, relative (see `core.fit.fit`).
        host: noise within its levels, relative, 0 where no requests tell.
        sent_at_rates: True where levels were sent at rates and not held in flight.
        around: the other series of the run, None where they say nothing about this one.
    """

    metric: Metric
    statistic: str
    points: Points
    restless: float
    constants: Constants
    around: Surroundings | None = None
    host: float = 0.0
    sent_at_rates: bool = False

    @property
    def load(self) -> FloatArray:
        """Return the loads of the measured points."""
        return self.points.load

    @property
    def value(self) -> FloatArray:
        """Return the measured values, seconds (rtf and shares: ratio)."""
        return self.points.value

    @property
    def error(self) -> FloatArray:
        """Return the relative standard error of each measured value, that of a run included."""
        return np.sqrt(self.points.error**2 + self.run_error**2)

    @property
    def run_error(self) -> float:
        """Return the relative error that every level has, however many requests it sent."""
        weight = self.constants.terms
        own = weight["run"] * RUN**2 + weight["restless"] * (
            self.points.roughness**2 + max(self.restless, self.host) ** 2
        )
        return float(np.sqrt(own))

    def slope(self, limit: float) -> float:
        """Return the local slope d ln value / d ln load at a limit."""
        segment = self.points.bent[0].segment(np.array([np.log(limit)]))
        return float(self.points.slopes[0][segment[0]])

    def doubt(self, limit: float) -> Doubt:
        """Return what the range at one limit comes from."""
        table, at = self._table, np.log(limit)
        noise, levels, requests = (float(np.interp(at, table.log_limit, row)) for row in table.doubt)
        return Doubt(noise=noise, levels=levels, requests=requests)

    def capacity(self, limits: FloatArray) -> FloatArray:
        """Return the load at which each limit is reached, shape (4, m): 5 %, 10 %, estimate, 95 %.

        Rising with the limit. Outside the measured values the end slope is continued: a caller
        that shows such a number says so, or shows the end instead.
        """
        table = self._table
        at = np.log(np.asarray(limits, float))
        rows = (*table.log_risk[:2], table.log_mid, table.log_risk[2])
        found: FloatArray = np.exp(np.stack([np.interp(at, table.log_limit, row) for row in rows]))
        return found

    @cached_property
    def carries_from(self) -> float:
        """Return the limit from which even the low end of the range reaches the largest level; 0 where it is not known.

        Far beyond the levels nothing more is asked for: a limit outside the table carries them all.
        """
        if self.around is None or self.points.load.size < _FEWEST:
            return 0.0
        table, top = self._table, math.log(self.load[-1])
        carried = np.flatnonzero(table.log_risk[0] >= top)
        if not carried.size or not carried[0]:
            return float(np.exp(table.log_limit[-1 if not carried.size else 0]))
        pair = slice(carried[0] - 1, carried[0] + 1)
        return float(np.exp(np.interp(top, table.log_risk[0][pair], table.log_limit[pair])))

    def latency(self, load: float) -> Interval | None:
        """Return the value expected at a load: the same table read the other way round.

        None beyond the largest level, and below the smallest where nothing tells it.
        """
        table, at = self._table, np.log(load)
        if load > self.load[-1] or at < table.log_mid[0]:
            return None
        low, mid, high = (
            float(np.exp(np.interp(at, row, table.log_limit)))
            for row in (table.log_risk[2], table.log_mid, table.log_risk[0])
        )
        # On a plateau the edges of the band meet; a level is still not known better than its run.
        least = math.exp(_LEAST_OF_RUN * self.run_error)
        told = table.log_risk[0][-1] >= at
        return Interval(low=min(low, mid / least), mid=mid, high=max(high, mid * least) if told else None)

    def band(self, points: int = 120) -> Band:
        """Return the curve and its range between the lowest and highest fitted value."""
        ends = self.points.log_fit[[0, -1]]
        value = np.exp(np.linspace(ends[0], ends[1], points))
        low, _, mid, high = self.capacity(value)
        return Band(low, mid, high, value)

    @cached_property
    def _table(self) -> _Table:
        at = self._limits()
        # Far beyond the ends nothing was learned: what holds there is continued along the slope.
        ends = self.points.log_fit[[0, -1]]
        inner = np.clip(at, ends[0] - LEARNED_BEYOND, ends[1] + LEARNED_BEYOND)
        shape = shape_at(self.points, self.restless, inner)
        offsets = self._widened(self._offsets(shape, inner), shape)
        low, safe, mid, high = shape.log_mid + _eased(offsets) + (at - inner) / shape.slope
        # A load carried within a tighter limit is carried within a looser one, and the reverse:
        # so every bound is at least as good as its neighbour's, and all rise with the limit.
        log_mid = np.maximum.accumulate(mid)
        below = np.maximum.accumulate(np.stack((low, safe)), axis=1)
        above = np.minimum.accumulate(high[::-1])[::-1]
        log_risk = np.vstack((np.minimum(below, log_mid), np.maximum(above, log_mid)))
        return _Table(at, log_mid, log_risk, doubt_of(shape, self.constants))

    def _offsets(self, shape: Shape, log_limit: FloatArray) -> FloatArray:
        """Return how far the 5 %, 10 %, 50 % and 95 % quantiles lie from ln of the drawn estimate, shape (4, m)."""
        kind, stretch = class_of(self.metric, self.statistic), self.constants.stretch
        if self.around is None or stretch is None or self.metric not in LEARNED_METRICS:
            low, safe, high = self.constants.quantiles[kind]
            by_class: FloatArray = np.array((low, safe, 0.0, high))[:, None] * scale_of(shape, self.constants)
            return by_class
        features = features_of(self.points, self.statistic, self.around, shape, log_limit)
        below, safely, mid, above = reach(_network().outputs(features), *unit_of(squared_terms(shape)))
        by_form = np.array((stretch[kind], stretch[f"{kind}_{FLAT}"]))
        near = 1.0 + NEAR * np.exp(-shape.gap / NEAR_GAP)
        by_low, by_safe, by_high = by_form[(shape.slope < FLAT_BELOW).astype(int)].T * near
        below, above = mid - by_low * (mid - below), mid + by_high * (above - mid)
        learned: FloatArray = np.stack((below, np.maximum(mid - by_safe * (mid - safely), below), mid, above))
        return learned

    def _widened(self, offsets: FloatArray, shape: Shape) -> FloatArray:
        """Return the offsets with what was not learned: arrivals at random, and a machine disturbed within a level."""
        if not self.host and not self.sent_at_rates:
            return offsets
        low, safe, mid, high = offsets
        more, factor = self.host / shape.slope, OPEN_LOOP_WIDTH if self.sent_at_rates else 1.0
        below, safely, above = (
            np.hypot(factor * width, z * more)
            for width, z in zip((mid - low, mid - safe, high - mid), _NORMAL, strict=True)
        )
        widened: FloatArray = np.stack((mid - below, np.maximum(mid - safely, mid - below), mid, mid + above))
        return widened

    def _limits(self) -> FloatArray:
        """Return the ln limits of the table: each segment divided, and some way beyond both ends.

        None depends on the number of requests: a table that moved with it could widen a range.
        """
        knots = self.points.bent[0].log_value
        inner = (knots[:-1, None] + (knots[1:] - knots[:-1])[:, None] * _STEPS).ravel()
        return np.concatenate((knots[0] - _BEYOND[::-1], inner, knots[-1:], knots[-1] + _BEYOND))


def _eased(offsets: FloatArray) -> FloatArray:
    """Return the rows as weighted means over neighbouring limits: at a level, what is seen changes at once."""
    span = len(_EASE) // 2
    padded = np.pad(offsets, ((0, 0), (span, span)), mode="edge")
    eased: FloatArray = sliding_window_view(padded, len(_EASE), axis=1) @ _EASE
    return eased


@cache
def _network() -> Arrays:
    return Arrays(shipped_network())
