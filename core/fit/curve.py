"""Capacity as a function of the limit, for one statistic of one run: estimate and quantiles.

The band of a chart, the range of an answer and the latency expected at a load are three
readings of the same table, so that they can never disagree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.fit.constants import Constants, class_of
from core.fit.correction import LEARNED_METRICS, corrected
from core.fit.features import Surroundings, features_of
from core.fit.noise import RUN
from core.fit.points import Points
from core.fit.scale import doubt_of, scale_of
from core.fit.shape import Shape, shape_at
from core.model.answer import Doubt, Interval
from core.model.metric import Metric
from core.model.stage import FloatArray

_PER_SEGMENT = 8
_BEYOND = 6
_STEPS = np.linspace(0.0, 1.0, _PER_SEGMENT, endpoint=False)
_BEFORE = np.linspace(1.0, 0.0, _BEYOND, endpoint=False)
_AFTER = np.linspace(0.0, 1.0, _BEYOND)
_LEAST_OF_RUN = 0.5
_REACH = (0.05, 3.0)


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
        restless: noise of the whole sweep, relative (see `core.fit.fit`).
        around: the other series of the run, None where they say nothing about this one.
    """

    metric: Metric
    statistic: str
    points: Points
    restless: float
    constants: Constants
    around: Surroundings | None = None

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
        own = weight["run"] * RUN**2 + weight["restless"] * (self.points.roughness**2 + self.restless**2)
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
        shape = shape_at(self.points, self.restless, at)
        log_mid, risk = self._quantiles(shape, at)
        mid = np.maximum.accumulate(log_mid)
        # A load carried within a tighter limit is carried within a looser one, and the reverse:
        # so every bound is at least as good as its neighbour's, and all rise with the limit.
        low = np.maximum.accumulate(risk[:2], axis=1)
        high = np.minimum.accumulate(risk[2, ::-1])[::-1]
        log_risk = np.vstack((np.minimum(low, mid), np.maximum(high, mid)))
        return _Table(at, mid, log_risk, doubt_of(shape, self.constants))

    def _quantiles(self, shape: Shape, log_limit: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ln of the estimate and of its quantiles `RISKS` at each limit, shapes (m,) and (3, m)."""
        scale = scale_of(shape, self.constants)
        if self.around is None or self.constants.correction is None or self.metric not in LEARNED_METRICS:
            by_class = self.constants.quantiles[class_of(self.metric, self.statistic)]
            return shape.log_mid, shape.log_mid + np.array(by_class)[:, None] * scale
        # Beyond the ends nothing was learned: what holds at the end is continued.
        ends = self.points.log_fit[[0, -1]]
        features = features_of(self.points, self.statistic, self.around, shape, np.clip(log_limit, *ends))
        shift, risk = corrected(self.constants.correction, features)
        return shape.log_mid + shift * scale, shape.log_mid + risk * scale

    def _limits(self) -> FloatArray:
        """Return the ln limits of the table: each segment divided, and some way beyond both ends."""
        knots = self.points.bent[0].log_value
        inner = (knots[:-1, None] + (knots[1:] - knots[:-1])[:, None] * _STEPS).ravel()
        # The noise at the ends says how far a limit may lie beyond them and still not be told from them.
        first, last = (
            min(max(6.0 * math.hypot(error, self.run_error), _REACH[0]), _REACH[1])
            for error in self.points.error[[0, -1]].tolist()
        )
        return np.concatenate((knots[0] - first * _BEFORE, inner, knots[-1] + last * _AFTER))
