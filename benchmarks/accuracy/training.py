"""What the method is calibrated on: questions with known answers, and many more limits on more sweeps.

Our own simulator (simulate.py) gives deployments that no question is asked about.

Simulated deployments have a dense true curve, so any limit on any statistic is a question with a
known answer, also after levels are dropped. A real sweep has only its levels: one of them is
hidden, and the truth in its bracket is the curve through all of them. Limits are spread over the
bracket, since a hidden level lies in the middle of it, and a limit of a service does not.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.accuracy.questions import HERE, Task, Truth, tasks, truths
from core.fit.constants import Constants, class_of
from core.fit.features import features_of, surroundings_of
from core.fit.fit import Fit, fit_stages
from core.fit.scale import squared_terms
from core.fit.shape import shape_at
from core.ingest.stage_json import stage_of
from core.model.metric import Metric, fraction
from core.model.stage import Stage

LIMITS = 4
"""Limits per statistic of a simulated sweep, and of each variant with levels dropped."""

REAL_LIMITS = 6
OWN_LIMITS = 2

NO_FOLD = -1
"""Of deployments that no question is asked about: they are in every training set."""

_LEAST_SLOPE = 0.1


@dataclass(frozen=True, eq=False)
class Rows:
    """Questions as the method sees them, one per row."""

    fold: np.ndarray
    real: np.ndarray
    kind: np.ndarray
    residual: np.ndarray
    squares: np.ndarray
    features: np.ndarray

    def where(self, keep: np.ndarray) -> Rows:
        return Rows(
            self.fold[keep],
            self.real[keep],
            self.kind[keep],
            self.residual[keep],
            self.squares[keep],
            self.features[keep],
        )

    @property
    def size(self) -> int:
        return int(self.residual.size)


@dataclass(frozen=True)
class _Origin:
    """Which fold a row belongs to, and whether it was measured on a real server."""

    fold: int
    real: bool


def _origin(task: Task) -> _Origin:
    return _Origin(fold=task.fold, real=task.dataset == "real")


def joined(parts: Sequence[Rows]) -> Rows:
    names = ("fold", "real", "kind", "residual", "squares", "features")
    return Rows(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def asked(task: Task, constants: Constants) -> Iterator[Rows]:
    """The questions of one task that the method does not refuse for want of requests."""
    fit = fit_stages(task.stages, constants)
    for question in task.questions:
        target = question.target
        yield from _rows(_origin(task), fit, target.metric, target.statistic, [target.limit], [question.true])


def widened(task: Task, constants: Constants, rng: np.random.Generator) -> Iterator[Rows]:
    """Many limits on the sweep of one task."""
    if task.dataset == "real":
        yield from _hidden_level(task, constants, rng)
        return
    truth = truths(task.dataset)[task.deployment]
    for stages in _variants(task.stages, rng):
        yield from _limits_on(_origin(task), fit_stages(stages, constants), truth, LIMITS, rng)


def simulated(constants: Constants, rng: np.random.Generator) -> Iterator[Rows]:
    """Limits on the sweeps of our own simulator."""
    with gzip.open(HERE / "data" / "learned" / "deployments.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            curves = {name: np.array(curve) for name, curve in record["curves_s"].items()}
            truth = Truth(np.array(record["concurrency"], float), curves)
            for levels in record["sweeps"].values():
                fit = fit_stages([stage_of(level) for level in levels], constants)
                yield from _limits_on(_Origin(fold=NO_FOLD, real=False), fit, truth, OWN_LIMITS, rng)


def _limits_on(origin: _Origin, fit: Fit, truth: Truth, count: int, rng: np.random.Generator) -> Iterator[Rows]:
    """Random loads on every true curve, where it is not flat, and the limits that they are the answers to."""
    log_load = np.log(truth.concurrency)
    low, high = math.log(fit.levels[0]), math.log(fit.levels[-1])
    for name, curve in truth.curves_s.items():
        metric, _, statistic = name.rpartition("_")
        at = np.sort(rng.uniform(low, high, count))
        rise = np.interp(at + 0.15, log_load, np.log(curve)) - np.interp(at - 0.15, log_load, np.log(curve))
        at = at[rise / 0.3 > _LEAST_SLOPE]
        limits = np.exp(np.interp(at, log_load, np.log(curve)))
        yield from _rows(origin, fit, Metric(metric), statistic, limits, np.exp(at))


def _variants(stages: Sequence[Stage], rng: np.random.Generator) -> Iterator[Sequence[Stage]]:
    """The sweep itself, and twice with some of its levels dropped."""
    yield stages
    if len(stages) >= 6:
        for _ in range(2):
            kept = np.sort(rng.choice(len(stages), rng.integers(4, len(stages)), replace=False))
            yield [stages[i] for i in kept]


def _hidden_level(task: Task, constants: Constants, rng: np.random.Generator) -> Iterator[Rows]:
    whole, fit = fit_stages(_whole_sweep()[task.deployment], constants), fit_stages(task.stages, constants)
    after = int(np.searchsorted(fit.levels, task.questions[0].true))
    if not 0 < after < len(fit.levels):
        return
    ends = np.log(fit.levels[after - 1 : after + 1])
    for target in (question.target for question in task.questions):
        points = whole.points(target.metric, target.statistic)
        if points.load.size < 4:
            continue
        curve = points.bent[0]
        bottom, top = np.interp(ends, curve.log_load, curve.log_value)
        if top - bottom < _LEAST_SLOPE * (ends[1] - ends[0]):
            continue
        at = np.sort(bottom + (top - bottom) * rng.uniform(0.03, 0.97, REAL_LIMITS))
        true = np.exp(curve.crossings(at)[:3].mean(axis=0))
        yield from _rows(_origin(task), fit, target.metric, target.statistic, np.exp(at), true)


@cache
def _whole_sweep() -> dict[str, list[Stage]]:
    """Every level of each real sweep, from the tasks that each lack one."""
    found: dict[str, dict[float, Stage]] = {}
    for task in tasks("real"):
        found.setdefault(task.deployment, {}).update({stage.load or 0.0: stage for stage in task.stages})
    return {name: [levels[load] for load in sorted(levels)] for name, levels in found.items()}


def _rows(
    origin: _Origin, fit: Fit, metric: Metric, statistic: str, limits: Sequence[float], true: Sequence[float]
) -> Iterator[Rows]:
    points = fit.points(metric, statistic)
    if points.load.size < 3:
        return
    limit, answer = np.asarray(limits, float), np.asarray(true, float)
    keep = limit >= points.value[0]
    at = np.log(limit[keep])
    if not at.size:
        return
    shape = shape_at(points, fit.restless, at)
    q = fraction(statistic)
    count = np.minimum(points.count[shape.segment], points.count[shape.segment + 1])
    told = np.ones(at.size, bool) if q is None else ~(count * (1.0 - q) < 1.0 - 1e-9)
    size = at.size
    found = Rows(
        fold=np.full(size, origin.fold),
        real=np.full(size, origin.real),
        kind=np.full(size, class_of(metric, statistic)),
        residual=np.log(answer[keep]) - shape.log_mid,
        squares=squared_terms(shape).T,
        features=features_of(points, statistic, surroundings_of(fit.sweep, points), shape, at),
    )
    yield found.where(told)
