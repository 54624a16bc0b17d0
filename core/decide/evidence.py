"""What the measured points say about a limit before any curve is drawn, and what weakens them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.fit.curve import Curve
from core.fit.fit import Fit
from core.fit.noise import RUN
from core.fit.points import Points
from core.model.answer import Interval
from core.model.metric import Metric, fraction
from core.model.target import Target

ONE_SIDED = 1.645
"""Standard errors that one chance in twenty exceeds: "beyond noise"."""

NOISE_RAISED = 0.10
WIDE_BRACKET = 4.0
FLAT_SLOPE = 0.1

_ENOUGH = 3.0
"""A quantile q wants this many requests beyond it, n (1 - q); with fewer than one it is the maximum."""

_HOPELESS = 5.0
"""A relative error beyond which no limit is told from the value: a factor of thousands."""

_SHARES = frozenset({Metric.SUCCESS_RATE, Metric.GOODPUT})


@dataclass(frozen=True, eq=False)
class Evidence:
    """The points against one limit.

    Attributes:
        points: by ascending load, one or more.
        limit: what their value may not exceed.
        fraction: the quantile that they are of, None for means.
        run_error: relative error of every level beside its sampling error.
        noise: of the whole sweep.
        saturated: True where some level fell behind the rate it was asked for.
        slope: local slope at the limit, None where no curve can be drawn.
        curve: through the points, None where there are fewer than two.
    """

    points: Points
    limit: float
    fraction: float | None
    run_error: float
    noise: float
    saturated: bool
    slope: float | None
    curve: Curve | None = None

    @cached_property
    def passes(self) -> npt.NDArray[np.bool_]:
        """Return which levels are within the limit as measured."""
        return (self.points.value if self.points.raw is None else self.points.raw) <= self.limit

    @cached_property
    def _distance(self) -> npt.NDArray[np.float64]:
        """Return how many standard errors each level lies above the limit."""
        error = np.hypot(self.points.error, self.run_error)
        return (self.points.log_value - math.log(self.limit)) / error

    @property
    def top_fails(self) -> bool:
        """Return True where the largest level fails beyond noise."""
        return bool(self._distance[-1] > ONE_SIDED)

    @property
    def top_passes(self) -> bool:
        """Return True where the largest level passes beyond noise."""
        return bool(self._distance[-1] < -ONE_SIDED)

    @property
    def all_fail(self) -> bool:
        """Return True where every level fails and the lowest one beyond noise."""
        return bool(not self.passes.any() and self._distance[0] > ONE_SIDED)

    @cached_property
    def capped(self) -> bool:
        """Return True where a saturated or failing level ends the usable ones from above."""
        return self.points.ceiling is not None

    @cached_property
    def reach(self) -> float:
        """Return the largest usable load that no saturated or failing level lies at or below; 0 if none."""
        ceiling = self.points.ceiling
        usable = self.points.load if ceiling is None else self.points.load[self.points.load < ceiling]
        return float(usable[-1]) if usable.size else 0.0

    @property
    def all_clear(self) -> bool:
        """Return True where every level passes, the largest beyond noise, and the low end reaches it."""
        if not self.passes.all() or not self.top_passes or self.capped:
            return False
        return self.curve is None or self.limit >= self.curve.carries_from

    @cached_property
    def clear_of_failure(self) -> int:
        """Return the largest whole load under every level that failed beyond noise."""
        failed = self.points.load[self._distance > ONE_SIDED]
        first = float(failed[0]) if failed.size else math.inf
        return math.ceil(min(first, self.points.ceiling or math.inf, self.reach + 1.0)) - 1

    @cached_property
    def bracket(self) -> Interval | None:
        """Return the last level before the first that fails, saturates or loses too much, and that one."""
        fails = self.points.load[~self.passes]
        ends = [float(fails[0])] if fails.size else []
        ends += [] if self.points.ceiling is None else [self.points.ceiling]
        high = min(ends, default=None)
        below = self.points.load if high is None else self.points.load[self.points.load < high]
        return Interval(low=float(below[-1]), mid=None, high=high) if below.size else None

    @cached_property
    def _around(self) -> slice:
        """Return the levels that the crossing lies between; the end level where it lies beyond."""
        after = int(np.searchsorted(self.points.log_fit, math.log(self.limit), side="right"))
        return slice(max(after - 1, 0), after + 1)

    @cached_property
    def _beyond(self) -> float | None:
        """Return how many requests lie beyond the quantile at the bracket levels, None where unknown."""
        share = None if self.fraction is None else 1.0 - self.fraction
        if self.points.metric in _SHARES:
            share = self.limit
        count = self.points.count[self._around]
        if share is None or not np.isfinite(count).any():
            return None
        return float(np.nanmin(count)) * share * (1.0 + 1e-9)

    @property
    def unsupported(self) -> bool:
        """Return True where the quantile is the maximum of too few requests."""
        return self._beyond is not None and self._beyond < 1.0

    @cached_property
    def sample_reasons(self) -> tuple[str, ...]:
        """Return codes of what the number of requests does to the answer."""
        known = np.isfinite(self.points.count[self._around]).all()
        few = self._beyond is not None and 1.0 <= self._beyond < _ENOUGH
        found = {
            "sample.size_unknown": not known,
            "sample.too_few_for_quantile": self.unsupported,
            "sample.weak_quantile": few,
        }
        return tuple(code for code, holds in found.items() if holds)

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Return codes of everything that weakens the answer."""
        load, passes = self.points.load, self.passes
        around = load[self._around]
        found = {
            "levels.three": load.size == 3,
            "levels.wide_bracket": bool(around.size == 2 and around[1] / around[0] > WIDE_BRACKET),
            "order.pass_above_fail": bool((passes[1:] & ~np.logical_and.accumulate(passes)[:-1]).any()),
            "noise.raised": self.noise > NOISE_RAISED,
            "curve.flat": self.slope is not None and self.slope <= FLAT_SLOPE,
            "load.saturated": self.capped and self.saturated,
            "sample.failed_requests": self.capped and not self.saturated,
        }
        return (*self.sample_reasons, *(code for code, holds in found.items() if holds))


def clear_from(points: Points, curve: Curve) -> float | None:
    """Return the limit above which every level passes and the largest does so beyond noise, None where none is."""
    if points.ceiling is not None:
        return None
    value = points.value if points.raw is None else points.raw
    error = math.hypot(float(points.error[-1]), curve.run_error)
    if error > _HOPELESS:
        return None
    return max(float(value.max()), float(points.value[-1]) * math.exp(ONE_SIDED * error), curve.carries_from)


def evidence_of(fit: Fit, points: Points, curve: Curve | None, read: Target) -> Evidence:
    """Return the points of a run against one limit."""
    inside = curve is not None and points.log_fit[0] <= math.log(read.limit) <= points.log_fit[-1]
    return Evidence(
        points=points,
        limit=read.limit,
        fraction=fraction(read.statistic),
        run_error=curve.run_error if curve else RUN,
        noise=fit.restless,
        saturated=bool(fit.sweep.saturated.any()),
        slope=curve.slope(read.limit) if curve and inside else None,
        curve=curve,
    )
