"""One run, fitted: levels, knee, noise; curves are made on demand and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from core.fit.constants import Constants, shipped
from core.fit.curve import Curve
from core.fit.features import surroundings_of
from core.fit.isotonic import rising
from core.fit.knee import find_knee
from core.fit.points import Points
from core.fit.rate import RateBand, RateCurve
from core.fit.share import share_points
from core.fit.sweep import Sweep, sweep_of
from core.fit.wobble import HEARD, HOST, spread, wobble
from core.model.answer import Capacity, Interval
from core.model.metric import Metric, fraction
from core.model.run import Run
from core.model.stage import FloatArray, Stage
from core.model.target import Target

FAILED_SHARE_OF_MEAN = 0.05
"""A level that lost more than this share of its requests tells no mean: the slowest are missing."""

_SHARES = frozenset({Metric.SUCCESS_RATE, Metric.GOODPUT})
_RATES = {"output_tok_s": "output_tok_s", "total_tok_s": "total_tok_s", "req_s": "achieved_rate"}


@dataclass(frozen=True, eq=False)
class Fit:
    """What is known of one run against load.

    Attributes:
        sweep: the usable levels.
        max_num_seqs: the server's own limit of the running batch, None where unknown.
        answers: capacities read at single limits that were asked for already, kept by `core.decide`.
    """

    sweep: Sweep
    max_num_seqs: float | None
    constants: Constants
    _points: dict[tuple[Metric, str], Points] = field(default_factory=dict)
    _curves: dict[tuple[Metric, str], Curve] = field(default_factory=dict)
    _rates: dict[str, RateCurve | None] = field(default_factory=dict)
    answers: dict[Target, Capacity] = field(default_factory=dict)

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """Return the distinct loads that are used, ascending."""
        return tuple(dict.fromkeys(self.sweep.load.tolist()))

    @cached_property
    def knee(self) -> float | None:
        """Return the load at which the running batch is full, None where no level shows it."""
        return find_knee(self.sweep, self.max_num_seqs)

    @cached_property
    def restless(self) -> float:
        """Return the noise of the whole sweep: how far its levels contradict each other, or one level itself."""
        return max(self.uneven, HEARD * self.wobble)

    @cached_property
    def uneven(self) -> float:
        """Return the rms distance of all means and of throughput from rising curves, relative."""
        series = [self.sweep.middle(m) for m in (Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E)]
        off = [_off_rising(values[~self.sweep.saturated]) for values in (*series, self.sweep.rate)]
        every = np.concatenate(off)
        return float(np.sqrt(np.mean(every**2))) if every.size else 0.0

    @cached_property
    def wobble(self) -> float:
        """Return how much the speed changes within a level, from the requests; 0 where they are not recorded."""
        return wobble(self.sweep.stages)

    @cached_property
    def spread(self) -> float:
        """Return the median over the levels of sd over mean of TPOT, 0 where not known."""
        return spread(self.sweep.stages)

    def curve(self, metric: Metric, statistic: str) -> Curve | None:
        """Return latency against load, None with fewer than two levels that have it.

        For success_rate: the share that is lost, which rises with load.
        """
        return self.curve_of(self.points(metric, statistic), statistic)

    def curve_of(self, points: Points, statistic: str) -> Curve | None:
        """Return the curve through given points, None with fewer than two."""
        if points.load.size < 2:
            return None
        key = (points.metric, statistic)
        kept = self._curves.get(key)
        if kept is None or kept.points is not points:
            kept = Curve(
                metric=points.metric,
                statistic=statistic,
                points=points,
                restless=self.uneven,
                host=HOST * self.wobble,
                sent_at_rates=any(stage.open_loop for stage in self.sweep.stages),
                constants=self.constants,
                around=None if points.metric in _SHARES else surroundings_of(self.sweep, points),
            )
            self._curves[key] = kept
        return kept

    def points(self, metric: Metric, statistic: str) -> Points:
        """Return the measured points of one statistic, possibly none; made once."""
        key = (metric, statistic)
        if key not in self._points:
            shares = metric is Metric.SUCCESS_RATE
            self._points[key] = share_points(self.sweep) if shares else self._measured(metric, statistic)
        return self._points[key]

    def _measured(self, metric: Metric, statistic: str) -> Points:
        sweep = self.sweep
        value = sweep.values(metric, statistic)
        lost = sweep.saturated | (sweep.failed_share > _tolerated(statistic))
        blocked = np.concatenate((sweep.load[lost], sweep.dead))
        keep = np.isfinite(value) & ~lost
        points = Points(
            metric=metric,
            load=sweep.load[keep],
            value=value[keep],
            error=sweep.noise(metric, statistic)[keep],
            count=sweep.count(metric)[keep],
            rate=sweep.rate[keep],
            ttft=sweep.middle(Metric.TTFT)[keep],
            knee=self.knee,
            ceiling=float(blocked.min()) if blocked.size else None,
        )
        return points.distinct()

    def value(self, metric: Metric, statistic: str, load: float) -> Interval | None:
        """Return the fitted latency at a load, None where the levels do not reach it."""
        curve = self.curve(metric, statistic)
        return curve.latency(load) if curve and load > 0.0 else None

    def rate(self, name: str, load: float) -> Interval | None:
        """Return output_tok_s, total_tok_s, input_tok_s or req_s at a load, None where unknown."""
        curve = self._rate_curve(name)
        return curve.interval(load) if curve else None

    def rate_band(self, name: str) -> RateBand | None:
        """Return a rate against load for drawing, None where unknown."""
        curve = self._rate_curve(name)
        return curve.band() if curve else None

    def rates_over(self, name: str, load: FloatArray) -> RateBand | None:
        """Return a rate at loads of shape (n,) within those of `rate_band`, None where unknown."""
        curve = self._rate_curve(name)
        return RateBand(load, *curve.at(load)) if curve else None

    def middle_over(self, name: str, load: FloatArray) -> FloatArray | None:
        """Return the middle of `rates_over`, shape (n,), without its ends."""
        curve = self._rate_curve(name)
        return curve.mid(load) if curve else None

    def rate_at_levels(self, name: str) -> FloatArray:
        """Return a rate at every level of `sweep`, NaN where unknown."""
        if name == "input_tok_s":
            value = self.sweep.field("total_tok_s") - self.sweep.field("output_tok_s")
        else:
            value = self.sweep.field(_RATES[name])
        return np.where(value > 0.0, value, np.nan)

    def _rate_curve(self, name: str) -> RateCurve | None:
        if name not in self._rates:
            value = self.rate_at_levels(name)
            keep = np.isfinite(value) & ~self.sweep.saturated
            load, at = np.unique(self.sweep.load[keep], return_inverse=True)
            mean = np.bincount(at, value[keep]) / np.bincount(at) if load.size else load
            usable = load.size > 1
            self._rates[name] = RateCurve(load, mean, self.restless, self.constants.rate) if usable else None
        return self._rates[name]


def fit_run(run: Run, constants: Constants | None = None) -> Fit:
    """Fit one run: its levels that are not excluded.

    `max_num_seqs` is a setting of one replica, the levels are those of the endpoint: the batch is full at so many
    times the setting as there are replicas behind it (one where their number is not known).
    """
    known = run.conditions
    own = [stage.max_num_seqs for stage in run.stages if stage.max_num_seqs and stage.excluded is None]
    limit = known.max_num_seqs or (max(own) if own else None)
    return fit_stages(run.stages, constants, max_num_seqs=limit * (known.replicas or 1) if limit else None)


def fit_stages(
    stages: Sequence[Stage], constants: Constants | None = None, *, max_num_seqs: float | None = None
) -> Fit:
    """Fit levels that share every condition but load.

    Args:
        stages: in any order; those excluded or without a load are left out.
        constants: of the method; the shipped ones by default.
        max_num_seqs: the endpoint's limit of the running batch where known, all replicas together.
    """
    own = [stage.max_num_seqs for stage in stages if stage.max_num_seqs]
    limit = max_num_seqs or (max(own) if own else None)
    return Fit(sweep_of(stages), limit, constants or shipped())


def _tolerated(statistic: str) -> float:
    q = fraction(statistic)
    return FAILED_SHARE_OF_MEAN if q is None else 1.0 - q


def _off_rising(values: FloatArray) -> FloatArray:
    known = np.log(values[values > 0.0])
    return known - rising(known, np.ones(known.size)) if known.size > 1 else known[:0]
