"""Pairs of one deployment before and after a change: every time scaled by a factor, so the leader is known.

A closed loop whose every time is scaled is the same deployment on a faster or slower machine. Both are measured by the
same grid of levels, in runs of their own. So what the method does not know of the shape of the curve is wrong in both
in the same way, and the noise of the runs is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.accuracy.simulate import COUNTS, METRICS, STATISTICS, Deployment, read
from benchmarks.accuracy.sweeps import Sample, sample, true_curve
from core.decide.decide import decide
from core.fit.fit import fit_stages
from core.model.answer import Capacity, Status
from core.model.metric import Metric
from core.model.target import Target

HERE = Path(__file__).resolve().parent
DEPLOYMENTS = HERE / "data" / "deployments.npz"
"""Made by python -m benchmarks.accuracy.simulate 77 60 0.5 OUT. Nothing was learned from this seed."""

SEED = 77

EACH = 20
"""Pairs drawn for each deployment."""

SPREAD = 0.1
"""sd of ln of the factor: most changes are worth less than a fifth."""


@dataclass(frozen=True, slots=True)
class Change:
    """Answers before and after, and whether times became shorter."""

    fold: int
    before: Capacity
    after: Capacity
    is_faster: bool


def changes(path: Path = DEPLOYMENTS, folds: int = 6) -> Iterator[Change]:
    """Yield changes whose answers both hold a range."""
    for place, one in enumerate(read(path)):
        rng = np.random.default_rng((SEED, place))
        for _ in range(EACH):
            seed, factor = int(rng.integers(2**31)), math.exp(SPREAD * rng.normal())
            both = [sample(each, np.random.default_rng(seed)) for each in (one, _changed(one, factor))]
            target = _asked(both[0], rng) if both[0] else None
            if target is None or both[0] is None or both[1] is None:
                continue
            found = [decide(fit_stages(each.stages), (target,)).capacity for each in both if each]
            if all(c.status is Status.WITHIN for c in found):
                yield Change(place % folds, found[0], found[1], factor < 1.0)


def _changed(one: Deployment, factor: float) -> Deployment:
    """Return the deployment with its times scaled, and measured in other runs."""
    counts = np.roll(one.counts, 1, axis=1).copy()
    counts[:, :, COUNTS.index("rate")] /= factor
    counts[:, :, COUNTS.index("dur")] *= factor
    return replace(one, statistics=np.roll(one.statistics, 1, axis=1) * factor, counts=counts)


def _asked(found: Sample, rng: np.random.Generator) -> Target | None:
    """Return a target whose limit lies within what was measured."""
    name = found.names[int(rng.integers(len(found.names)))]
    curve = true_curve(found, name)
    metric, statistic = Metric(METRICS[name[0]]), STATISTICS[name[1]]
    known = [value for stage in found.stages if (value := stage.value(metric, statistic))]
    if len(known) < 2 or not np.isfinite(curve).all():
        return None
    low, high = math.log(known[0]), math.log(known[-1])
    return Target(metric, statistic, math.exp(rng.uniform(low, high))) if high > low + 0.05 else None
