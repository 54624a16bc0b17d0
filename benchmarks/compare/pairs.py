"""Pairs of simulated deployments under one target, each answered by constants that saw neither; the leader is known."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchmarks.accuracy.questions import FOLDS, HERE, Task, Truth, tasks, truths
from core.decide.decide import decide
from core.fit.constants import read_constants
from core.fit.fit import Fit, fit_stages
from core.model.answer import Capacity
from core.model.target import Target

PER_DEPLOYMENTS = 48
"""Pairs of sweeps drawn for each two deployments of a fold."""

SEED = 20_261_130


@dataclass(frozen=True, slots=True)
class Side:
    """One run of a pair: its answer, and the load at which the truth crosses the limit (inf: beyond every load)."""

    task: str
    capacity: Capacity
    true: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs under one target; `fold` saw neither of the deployments."""

    fold: int
    same_grid: bool
    one: Side
    other: Side


def pairs(dataset: str = "simulated", each: int = PER_DEPLOYMENTS) -> tuple[Pair, ...]:
    """Return the pairs of all folds, whichever run leads in a random place."""
    return tuple(pair for fold in range(FOLDS) for pair in _of_fold(dataset, fold, each))


def _of_fold(dataset: str, fold: int, each: int) -> Iterator[Pair]:
    rng = np.random.default_rng(SEED + fold)
    constants = read_constants(HERE / "folds" / f"constants-{fold}.json")
    by_deployment: dict[str, list[Task]] = {}
    for task in tasks(dataset):
        if task.fold == fold:
            by_deployment.setdefault(task.deployment, []).append(task)
    fits: dict[str, Fit] = {}

    def answered(task: Task, target: Target) -> Side | None:
        if task.id not in fits:
            fits[task.id] = fit_stages(task.stages, constants)
        true = true_load(truths(dataset)[task.deployment], target)
        return None if true is None else Side(task.id, decide(fits[task.id], (target,)).capacity, true)

    for names in combinations(sorted(by_deployment), 2):
        for _ in range(each):
            turned = names[::-1] if rng.uniform() < 0.5 else names
            both = [_drawn(by_deployment[name], rng) for name in turned]
            asked = both[int(rng.integers(2))]
            target = asked.questions[int(rng.integers(len(asked.questions)))].target
            sides = [answered(task, target) for task in both]
            if sides[0] is None or sides[1] is None or sides[0].true == sides[1].true:
                continue
            yield Pair(fold, both[0].grid == both[1].grid, sides[0], sides[1])


def _drawn(sweeps: Sequence[Task], rng: np.random.Generator) -> Task:
    return sweeps[int(rng.integers(len(sweeps)))]


def true_load(truth: Truth, target: Target) -> float | None:
    """Return the load at which the true curve crosses a limit; 0 or inf beyond its ends, None without such a curve."""
    curve = truth.curves_s.get(f"{target.metric.value}_{target.statistic}")
    if curve is None:
        return None
    if target.limit < curve[0]:
        return 0.0
    if target.limit >= curve[-1]:
        return math.inf
    after = int(np.searchsorted(curve, target.limit, side="right"))
    low, high = np.log(curve[after - 1]), np.log(curve[after])
    place = (math.log(target.limit) - low) / (high - low)
    ends = np.log(truth.concurrency[[after - 1, after]])
    return float(np.exp(ends[0] + place * (ends[1] - ends[0])))
