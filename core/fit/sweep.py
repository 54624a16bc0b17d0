"""The levels of one run as arrays, for fitting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

import numpy as np
import numpy.typing as npt

from core.check.levels import NONE_COMPLETED
from core.check.saturation import saturated
from core.fit.noise import OPEN_LOOP, relative_error
from core.model.metric import Metric, fraction, quantile_name
from core.model.stage import FloatArray, Stage, Statistics

_NOTHING = Statistics()
_RECORDED = {Metric.TTFT: "ttft_s", Metric.TPOT: "tpot_s", Metric.E2E: "e2e_s"}


@dataclass(frozen=True, eq=False)
class Sweep:
    """Usable levels by ascending load; every array has shape (n,), NaN where unknown.

    Attributes:
        stages: the levels that are used.
        dead: loads of levels that answered no request: kept out of the fit, but known not to carry.
    """

    stages: tuple[Stage, ...]
    dead: tuple[float, ...] = ()
    _known: dict[tuple[Metric, str], FloatArray] = field(default_factory=dict, repr=False)

    @cached_property
    def load(self) -> FloatArray:
        """Return the position of each level on the load axis."""
        return np.array([stage.load for stage in self.stages], float)

    @cached_property
    def rate(self) -> FloatArray:
        """Return good requests per second."""
        return self.field("achieved_rate")

    @cached_property
    def good(self) -> FloatArray:
        """Return the number of good requests."""
        return self.field("requests_good")

    @cached_property
    def saturated(self) -> npt.NDArray[np.bool_]:
        """Return True where an open-loop level fell behind the rate it was asked for."""
        return np.array(saturated(self.stages), bool)

    @cached_property
    def failed_share(self) -> FloatArray:
        """Return failed and cut-off requests over all that ended, 0 where no failure is recorded."""
        lost = np.nan_to_num(self.field("requests_failed")) + np.nan_to_num(self.field("requests_cut_off"))
        return lost / np.maximum(np.nan_to_num(self.good) + lost, 1.0)

    def field(self, name: str) -> FloatArray:
        """Return one numeric field of every stage; a number that is not finite counts as unknown."""
        return _finite([getattr(stage, name) for stage in self.stages])

    def values(self, metric: Metric, statistic: str) -> FloatArray:
        """Return one statistic of one metric; a value that is not above zero counts as unknown.

        A quantile that no file names is taken from the requests where they are recorded.
        """
        if (metric, statistic) not in self._known:
            found = _finite([_value(stage, metric, statistic) for stage in self.stages])
            self._known[metric, statistic] = np.where(found > 0.0, found, np.nan)
        return self._known[metric, statistic]

    def count(self, metric: Metric) -> FloatArray:
        """Return how many observations a metric rests on, else the good requests, else at most those sent."""
        own = [found.n if (found := stage.statistics.get(metric)) else None for stage in self.stages]
        n = _finite(own)
        most = np.where(np.isfinite(self.good), self.good, self.field("requests_sent"))
        return np.where(np.isfinite(n), n, most)

    def middle(self, metric: Metric) -> FloatArray:
        """Return the mean of a metric, its median where the mean is unknown."""
        mean = self.values(metric, "mean")
        if np.isfinite(mean).any():
            return mean
        held = {q for stage in self.stages for q in stage.statistics.get(metric, _NOTHING).quantiles}
        # A table that holds nothing but its p99 still shows how restless the machine was.
        return self.values(metric, quantile_name(0.5 if 0.5 in held or not held else min(held)))

    def spread(self, metric: Metric) -> FloatArray:
        """Return sd over mean of a metric at each level."""
        every = [stage.statistics.get(metric, _NOTHING) for stage in self.stages]
        return _finite([one.sd / one.mean if one.sd and one.mean else None for one in every])

    def noise(self, metric: Metric, statistic: str) -> FloatArray:
        """Return the relative standard error of a statistic at each level; 0 where it cannot be known."""
        return np.array([_noise(stage, metric, statistic) for stage in self.stages], float)


def sweep_of(stages: Sequence[Stage]) -> Sweep:
    """Return the stages that have a load and are not excluded, by ascending load."""
    placed = [stage for stage in stages if stage.load is not None and 0.0 < stage.load < float("inf")]
    usable = sorted((s for s in placed if s.excluded is None), key=lambda s: (s.load or 0.0, s.achieved_rate or 0.0))
    dead = sorted(stage.load or 0.0 for stage in placed if stage.excluded == NONE_COMPLETED)
    return Sweep(tuple(_without_copies(usable)), tuple(dead))


def _without_copies(stages: Sequence[Stage]) -> list[Stage]:
    """Return levels by ascending load, each once: a copy of every figure is no second run."""
    kept: list[Stage] = []
    for _, of_one_load in groupby(stages, key=lambda stage: stage.load):
        once: list[Stage] = []
        for stage in of_one_load:
            if not any(_is_copy(stage, other) for other in once):
                once.append(stage)
        kept += once
    return kept


def _is_copy(one: Stage, other: Stage) -> bool:
    return replace(one, where=other.where) == other


def _value(stage: Stage, metric: Metric, statistic: str) -> float | None:
    given = stage.value(metric, statistic)
    q = fraction(statistic)
    if given is not None or q is None or stage.requests is None or metric not in _RECORDED:
        return given
    values = getattr(stage.requests, _RECORDED[metric])[stage.requests.good]
    known = values[np.isfinite(values)]
    return float(np.quantile(known, q)) if known.size else None


def _noise(stage: Stage, metric: Metric, statistic: str) -> float:
    found = stage.statistics.get(metric, _NOTHING)
    n = found.n if found.n is not None else stage.requests_good
    if not n or n < 1:
        return 0.0
    error = relative_error(found, fraction(statistic), n)
    return OPEN_LOOP * error if stage.open_loop else error


def _finite(values: Sequence[float | None]) -> FloatArray:
    array = np.array([np.nan if value is None else value for value in values], float)
    return np.where(np.isfinite(array), array, np.nan)
