"""Width of the throughput band: from levels left out of the sweeps with known answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.accuracy.fitting import laplace_weights, weighted_quantile
from benchmarks.accuracy.questions import Task
from core.fit.constants import RateScale
from core.fit.fit import fit_stages
from core.fit.rate import RateCurve

UNIT = RateScale(floor=1.0, gap=1.0, bend=1.0, rough=1.0, low=-1.0, high=1.0)


@dataclass(frozen=True)
class RateRow:
    """One level left out: what the others expect there, in squared terms, and how far it lay off."""

    fold: int
    dataset: str
    residual: float
    squares: np.ndarray


def rows_of(task: Task) -> Iterator[RateRow]:
    """Leave out each inner level that has a level beside it at most a factor 4 away on either side."""
    fit = fit_stages(task.stages)
    load, value = fit.sweep.load, fit.sweep.rate
    for i in range(1, load.size - 1):
        rest = np.arange(load.size) != i
        if rest.sum() < 3 or load[i + 1] / load[i - 1] > 16.0 or not np.isfinite(value).all():
            continue
        noise = fit_stages([s for s, keep in zip(fit.sweep.stages, rest, strict=True) if keep]).restless
        curve = RateCurve(load[rest], value[rest], noise, UNIT)
        _, mid, _ = curve.at(load[i : i + 1])
        squares = curve.squared_terms(load[i : i + 1])[:, 0]
        yield RateRow(task.fold, task.dataset, float(np.log(value[i] / mid[0])), squares)


def scale_from(rows: Sequence[RateRow]) -> RateScale:
    squares = np.array([row.squares for row in rows]).T
    residual = np.array([row.residual for row in rows])
    weight = np.ones(residual.size)
    terms = laplace_weights(squares, residual, weight)
    far = residual / np.sqrt(terms @ squares + 1e-6)
    floor, gap, bend, rough = np.sqrt(terms).tolist()
    low, high = (weighted_quantile(far, weight, q) for q in (0.05, 0.95))
    return RateScale(floor=floor, gap=gap, bend=bend, rough=rough, low=low, high=high)


def coverage(rows: Sequence[RateRow], scales: Sequence[RateScale]) -> dict[str, float]:
    """Share of left-out levels inside the 90 % band made without their deployment, and the band's median width."""
    inside, width = [], []
    for row in rows:
        k = scales[row.fold]
        weights = np.array([k.floor, k.gap, k.bend, k.rough]) ** 2
        scale = float(np.sqrt(weights @ row.squares))
        inside.append(k.low * scale <= row.residual <= k.high * scale)
        width.append((k.high - k.low) * scale)
    error = [abs(np.expm1(row.residual)) for row in rows]
    return {
        "n": len(rows),
        "coverage": round(float(np.mean(inside)), 4),
        "width": round(float(np.median(width)), 4),
        "median_error": round(float(np.median(error)), 4),
        "p90_error": round(float(np.quantile(error, 0.9)), 4),
    }
