"""Simple methods to compare with: best passing level, straight lines, isotonic + PCHIP, a cubic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.optimize import isotonic_regression

from core.model.stage import Stage
from core.model.target import Target

_SCAN = 4000


def best_pass(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """The largest level that passed."""
    load, value = _points(stages, target)
    passing = load[value <= target.limit]
    return _answer(float(passing.max()) if passing.size else 0.0)


def linear(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """The first upward crossing of straight lines through the levels."""
    load, value = _points(stages, target)
    return _answer(_first_crossing(load, value, target.limit))


def isotonic_pchip(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """PCHIP through the isotonic fit, as AIPerf searches."""
    load, value = _points(stages, target)
    fit = isotonic_regression(value).x
    dense = np.linspace(load[0], load[-1], _SCAN)
    return _answer(_first_crossing(dense, PchipInterpolator(load, fit)(dense), target.limit))


def cubic(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """A cubic polynomial through all levels, last crossing."""
    load, value = _points(stages, target)
    dense = np.linspace(load[0], load[-1], _SCAN)
    curve = np.polynomial.Polynomial.fit(load, value, min(3, load.size - 1))(dense)
    passing = dense[curve <= target.limit]
    return _answer(float(passing[-1]) if passing.size else 0.0)


BASELINES: dict[str, Callable[[Sequence[Stage], Target], dict[str, Any]]] = {
    "best_pass": best_pass,
    "linear": linear,
    "isotonic_pchip": isotonic_pchip,
    "cubic": cubic,
}


def _points(stages: Sequence[Stage], target: Target) -> tuple[np.ndarray, np.ndarray]:
    rows = [(stage.load, stage.value(target.metric, target.statistic)) for stage in stages]
    known = np.array([row for row in rows if None not in row], float)
    return known[:, 0], known[:, 1]


def _first_crossing(load: np.ndarray, value: np.ndarray, limit: float) -> float:
    up = np.flatnonzero((value[:-1] <= limit) & (limit < value[1:]))
    if not up.size:
        return float(load[-1]) if value[-1] <= limit else 0.0
    i = up[0]
    return float(load[i] + (limit - value[i]) / (value[i + 1] - value[i]) * (load[i + 1] - load[i]))


def _answer(load: float) -> dict[str, Any]:
    span = {"low": load, "mid": load, "high": load, "level": 0.9}
    return {"status": "within", "concurrency": span, "safe_concurrency": int(load)}
