"""Questions as the method sees them: those with published answers, and those on simulated deployments.

No deployment that a question is asked about is learned from: the network sees our own simulated
deployments alone, and the questions only set by how much its ranges are stretched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from benchmarks.accuracy.questions import Task
from benchmarks.accuracy.simulate import METRICS, STATISTICS, Deployment
from benchmarks.accuracy.sweeps import Sample, sample, true_curve
from core.fit.constants import FLAT_BELOW, class_of
from core.fit.features import features_of, surroundings_of
from core.fit.fit import Fit, fit_stages
from core.fit.network import LEARNED_BEYOND, unit_of
from core.fit.scale import squared_terms
from core.fit.shape import shape_at
from core.model.metric import Metric, fraction

STATISTICS_A_SWEEP = 6
LIMITS = 3
BEYOND = 0.5
"""How far, in ln of the load, true answers may lie outside the levels: what the ends tell is learned too."""

NEAR = 0.15
"""sd of ln load of the questions around a load at which levels were added."""

_LEAST_SLOPE = 0.06
_LEAST_SLOPE_HIDDEN = 0.1
_APART = 0.15
"""Half the stretch of ln load over which a true slope is taken."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Questions as the method sees them, one per row.

    Attributes:
        fold: of a published question, -1 for our own.
        real: True where measured on a real server.
        kind: class of the statistic.
        residual: ln(true / estimate without the network).
        squares: squared terms of the scale, shape (m, 7).
        features: shape (m, features).
        shape, noise: squared unit of the network's outputs.
        flat: True where the curve rises slowly.
    """

    fold: np.ndarray
    real: np.ndarray
    kind: np.ndarray
    residual: np.ndarray
    squares: np.ndarray
    features: np.ndarray
    shape: np.ndarray
    noise: np.ndarray
    flat: np.ndarray

    def where(self, keep: np.ndarray) -> Rows:
        return Rows(**{each.name: getattr(self, each.name)[keep] for each in fields(self)})

    @property
    def size(self) -> int:
        return int(self.residual.size)


def joined(parts: Sequence[Rows]) -> Rows:
    return Rows(**{each.name: np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Rows)})


def asked(task: Task) -> Iterator[Rows]:
    """The questions of one task that the method does not refuse for want of requests."""
    fit = fit_stages(task.stages)
    for question in task.questions:
        target = question.target
        yield from _rows(fit, target.metric, target.statistic, [target.limit], [question.true], task)


def simulated(one: Deployment, sweeps: int, rng: np.random.Generator) -> Iterator[Rows]:
    """Limits on sparse sweeps of one of our own deployments."""
    for _ in range(sweeps):
        found = sample(one, rng)
        if found is None:
            continue
        fit = fit_stages(found.stages)
        if found.hidden:
            yield from _hidden_level(fit, found, found.hidden)
        else:
            yield from _random_limits(fit, found, one, rng)


def _random_limits(fit: Fit, found: Sample, one: Deployment, rng: np.random.Generator) -> Iterator[Rows]:
    log_load = np.log(one.loads)
    for place in rng.permutation(len(found.names))[:STATISTICS_A_SWEEP]:
        name = found.names[place]
        curve = true_curve(found, name)
        low = max(np.log(fit.levels[0]) - BEYOND, log_load[0])
        high = min(np.log(fit.levels[-1]) + BEYOND, log_load[-1])
        at = np.sort(rng.uniform(low, high, LIMITS))
        if found.centre is not None:
            at = np.sort(np.clip(found.centre + NEAR * rng.normal(size=LIMITS), low, high))
        rise = np.interp(at + _APART, log_load, curve) - np.interp(at - _APART, log_load, curve)
        at = at[rise / (2.0 * _APART) > _LEAST_SLOPE]
        limits = np.exp(np.interp(at, log_load, curve))
        yield from _rows(fit, Metric(METRICS[name[0]]), STATISTICS[name[1]], limits, np.exp(at))


def _hidden_level(fit: Fit, found: Sample, hidden: tuple[float, np.ndarray]) -> Iterator[Rows]:
    load, seconds = hidden
    after = int(np.searchsorted(fit.levels, load))
    if not 0 < after < len(fit.levels):
        return
    low, high = fit.levels[after - 1 : after + 1]
    for m, s in found.names:
        metric, statistic, limit = Metric(METRICS[m]), STATISTICS[s], float(seconds[m, s])
        ends = fit.sweep.values(metric, statistic)[after - 1 : after + 1]
        if ends[0] < limit < ends[1] and np.log(ends[1] / ends[0]) > _LEAST_SLOPE_HIDDEN * np.log(high / low):
            yield from _rows(fit, metric, statistic, [limit], [load])


def _rows(
    fit: Fit,
    metric: Metric,
    statistic: str,
    limits: Sequence[float] | np.ndarray,
    true: Sequence[float] | np.ndarray,
    task: Task | None = None,
) -> Iterator[Rows]:
    points = fit.points(metric, statistic)
    if points.load.size < 3:
        return
    limit, answer = np.asarray(limits, float), np.asarray(true, float)
    ends = points.log_fit[[0, -1]]
    keep = (np.log(limit) >= ends[0] - LEARNED_BEYOND) & (np.log(limit) <= ends[1] + LEARNED_BEYOND)
    at = np.log(limit[keep])
    if not at.size:
        return
    shape = shape_at(points, fit.restless, at)
    q = fraction(statistic)
    count = np.minimum(points.count[shape.segment], points.count[shape.segment + 1])
    told = np.ones(at.size, bool) if q is None else ~(count * (1.0 - q) < 1.0 - 1e-9)
    squares = squared_terms(shape)
    by_shape, by_noise = unit_of(squares)
    found = Rows(
        fold=np.full(at.size, task.fold if task else -1),
        real=np.full(at.size, bool(task and task.dataset == "real")),
        kind=np.full(at.size, class_of(metric, statistic)),
        residual=np.log(answer[keep]) - shape.log_mid,
        squares=squares.T,
        features=features_of(points, statistic, surroundings_of(fit.sweep, points), shape, at).astype(np.float32),
        shape=by_shape,
        noise=by_noise,
        flat=shape.slope < FLAT_BELOW,
    )
    yield found.where(told)
