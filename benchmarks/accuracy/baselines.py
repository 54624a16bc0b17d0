"""Simple methods to compare with, written on numpy and scipy alone: nothing of `core.fit` is used.

Each answers with one load and no range. None looks beyond the largest level; a limit below the curve is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.optimize import isotonic_regression, nnls

from core.model.stage import Stage
from core.model.target import Target

_SCAN, _WITHIN = 4000, 400
_ZERO = 1e-9


def best_pass(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """The largest level that passed."""
    load, value = _points(stages, target)
    passing = load[value <= target.limit]
    return _answer(float(passing.max()) if passing.size else 0.0)


def linear(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """The first upward crossing of straight lines through the levels."""
    load, value = _points(stages, target)
    return _answer(_first_crossing(load, value, target.limit))


def log_linear(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """The same with the load on a logarithmic axis: straight in ln N."""
    load, value = _points(stages, target)
    found = _first_crossing(np.log(load), value, target.limit, nothing=-np.inf)
    return _answer(float(np.exp(found)))


def pchip(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """PCHIP through the levels as measured."""
    load, value = _points(stages, target)
    return _answer(_crossed(load, value, target.limit))


def isotonic_pchip(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """PCHIP through the isotonic fit, as AIPerf searches."""
    load, value = _points(stages, target)
    return _answer(_crossed(load, isotonic_regression(value).x, target.limit))


def cubic(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """A cubic polynomial through all levels, last crossing."""
    return _polynomial(stages, target, 3)


def quadratic(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """A parabola through all levels by least squares, last crossing."""
    return _polynomial(stages, target, 2)


def usl(stages: Sequence[Stage], target: Target) -> dict[str, Any]:
    """The universal scalability law, X = g N / (1 + a (N - 1) + b N (N - 1)) with a, b >= 0.

    With Little's law the time is N / X = (1 + a (N - 1) + b N (N - 1)) / g: linear in its three
    coefficients, of which none may be negative.
    """
    load, value = _points(stages, target)
    terms = np.stack((np.ones(load.size), load - 1.0, load * (load - 1.0)), axis=1)
    # Relative errors: a fit to the largest latencies alone would say nothing of the smaller ones.
    least, slope, bend = nnls(terms / value[:, None], np.ones(load.size))[0]
    if terms[-1] @ (least, slope, bend) <= target.limit:
        return _answer(float(load[-1]))
    roots = np.roots((bend, slope - bend, least - slope - target.limit))
    real = roots.real[np.abs(roots.imag) < _ZERO]
    above = real[real > 0.0]
    return _answer(float(above.max()) if above.size else 0.0)


BASELINES: dict[str, Callable[[Sequence[Stage], Target], dict[str, Any]]] = {
    "best_pass": best_pass,
    "linear": linear,
    "log_linear": log_linear,
    "pchip": pchip,
    "isotonic_pchip": isotonic_pchip,
    "cubic": cubic,
    "quadratic": quadratic,
    "usl": usl,
}


def _points(stages: Sequence[Stage], target: Target) -> tuple[np.ndarray, np.ndarray]:
    rows = [(stage.load, stage.value(target.metric, target.statistic)) for stage in stages]
    known = np.array([row for row in rows if None not in row], float)
    return known[:, 0], known[:, 1]


def _polynomial(stages: Sequence[Stage], target: Target, degree: int) -> dict[str, Any]:
    load, value = _points(stages, target)
    dense = np.linspace(load[0], load[-1], _SCAN)
    curve = np.polynomial.Polynomial.fit(load, value, min(degree, load.size - 1))(dense)
    passing = dense[curve <= target.limit]
    return _answer(float(passing[-1]) if passing.size else 0.0)


def _crossed(load: np.ndarray, value: np.ndarray, limit: float) -> float:
    """The first upward crossing of PCHIP, which between two points never leaves their values."""
    up = np.flatnonzero((value[:-1] <= limit) & (limit < value[1:]))
    if not up.size:
        return float(load[-1]) if value[-1] <= limit else 0.0
    dense = np.linspace(load[up[0]], load[up[0] + 1], _WITHIN)
    return _first_crossing(dense, PchipInterpolator(load, value)(dense), limit)


def _first_crossing(load: np.ndarray, value: np.ndarray, limit: float, nothing: float = 0.0) -> float:
    up = np.flatnonzero((value[:-1] <= limit) & (limit < value[1:]))
    if not up.size:
        return float(load[-1]) if value[-1] <= limit else nothing
    i = up[0]
    return float(load[i] + (limit - value[i]) / (value[i + 1] - value[i]) * (load[i + 1] - load[i]))


def _answer(load: float) -> dict[str, Any]:
    span = {"low": load, "mid": load, "high": load, "level": 0.9}
    return {"status": "within", "concurrency": span, "safe_concurrency": int(load)}
