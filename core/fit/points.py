"""The measured points of one statistic, made to rise, with the knee put in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.fit.interpolate import Rising
from core.fit.isotonic import rising, strictly_rising
from core.fit.local import leave_one_out, local_slopes
from core.fit.noise import RUN
from core.model.metric import Metric
from core.model.stage import FloatArray

_NEAR = 1.03
"""A knee nearer than this factor to a level adds nothing to it."""

_LEAST_RUNNING = 0.02
"""Share of a load that is taken to run at the least, where Little's law leaves nothing."""

_PLATEAU = frozenset({Metric.TPOT, Metric.ITL})
_HINGE = frozenset({Metric.TTFT, Metric.E2E, Metric.QUEUE})


@dataclass(frozen=True, eq=False, kw_only=True)
class Points:
    """What is known of one statistic by ascending, distinct load; every array has shape (n,).

    Attributes:
        load: > 0.
        value: as measured.
        error: relative standard error from the sample size; 0 where unknown.
        count: observations, NaN where unknown.
        rate: good requests per second, NaN where unknown.
        ttft: mean (or median) TTFT at the same loads, seconds, NaN where unknown; None where it says nothing.
        raw: values without what was added to keep logarithms finite, None where they are the same.
        ceiling: first load above that is known not to carry it without a value
            (saturated, or too many failures), None where there is none.
    """

    metric: Metric
    load: FloatArray
    value: FloatArray
    error: FloatArray
    count: FloatArray
    rate: FloatArray
    raw: FloatArray | None = None
    knee: float | None = None
    ceiling: float | None = None
    ttft: FloatArray | None = None

    @cached_property
    def log_value(self) -> FloatArray:
        """Return ln of the measured values."""
        return np.log(self.value)

    @cached_property
    def log_running(self) -> FloatArray:
        """Return ln of the requests past their first token, by Little's law; NaN where rate or TTFT is unknown."""
        first = np.full(self.load.size, np.nan) if self.ttft is None else self.rate * self.ttft
        return np.log(np.maximum(self.load - first, _LEAST_RUNNING * self.load))

    @cached_property
    def log_fit(self) -> FloatArray:
        """Return ln of the rising values nearest to the measured ones.

        Every level counts alike: were they weighted by their sample sizes, more requests at the same
        values would bend the curve, and could widen a range.
        """
        return strictly_rising(rising(self.log_value, np.ones(self.load.size)))

    @cached_property
    def roughness(self) -> float:
        """Return the rms distance between measured and rising values, relative."""
        return float(np.sqrt(np.mean((self.log_value - self.log_fit) ** 2)))

    @cached_property
    def plain(self) -> Rising:
        """Return the curve through the levels alone."""
        return Rising(self.load, self.log_fit)

    @cached_property
    def slopes(self) -> tuple[FloatArray, FloatArray]:
        """Return local slope and bend of every segment of `bent`."""
        return local_slopes(self.bent[0])

    @cached_property
    def rough(self) -> float:
        """Return how far straight lines miss the inner levels, relative."""
        return leave_one_out(self.plain)

    @cached_property
    def bent(self) -> tuple[Rising, float | None]:
        """Return the curve with the knee as one more point, and where that is (None: not put in)."""
        load, fit = self.load, self.log_fit
        if self.knee is None or self.metric not in _PLATEAU | _HINGE:
            return self.plain, None
        after = int(np.searchsorted(load, self.knee))
        if not 0 < after < load.size or self.knee < load[after - 1] * _NEAR or self.knee > load[after] / _NEAR:
            return self.plain, None
        top = fit[after] - fit[0] if self.metric in _PLATEAU else self._hinge(after)
        level = np.clip(top + fit[0], fit[after - 1], fit[after])
        fit = strictly_rising(np.insert(fit, after, level))
        return Rising(np.insert(load, after, self.knee), fit), self.knee

    def distinct(self) -> Points:
        """Return the points with those of one load pooled: mean of ln value, weighted by 1 / error^2."""
        load, at = np.unique(self.load, return_inverse=True)
        if load.size == self.load.size:
            return self
        weight = 1.0 / (self.error**2 + RUN**2)
        total = np.bincount(at, weight)

        def pooled(values: FloatArray) -> FloatArray:
            return np.bincount(at, weight * values) / total

        return replace(
            self,
            load=load,
            value=np.exp(pooled(self.log_value)),
            error=np.sqrt(pooled(self.error**2) / np.bincount(at)),
            count=np.bincount(at, self.count).astype(float),
            rate=pooled(self.rate),
            ttft=None if self.ttft is None else pooled(self.ttft),
            raw=None if self.raw is None else pooled(self.raw),
        )

    def _hinge(self, after: int) -> float:
        """Return ln of the value at the knee over the first one: mean of both sides' continuations."""
        load, y, knee = self.load, np.exp(self.log_fit - self.log_fit[0]), self.knee or 0.0
        left = after - 1
        rise = (y[left] - y[left - 1]) / (load[left] - load[left - 1]) if left else 0.0
        up = y[left] + rise * (knee - load[left])
        if after + 1 < load.size:
            fall = (y[after + 1] - y[after]) / (load[after + 1] - load[after])
        else:
            fall = (y[after] - y[left]) / (load[after] - load[left])
            if np.isfinite(self.rate[after]) and self.rate[after] > 0.0:
                fall = 1.0 / self.rate[after] / np.exp(self.log_fit[0])
        down = y[after] - fall * (load[after] - knee)
        return float(np.log(np.clip(0.5 * (up + down), y[left], y[after])))
