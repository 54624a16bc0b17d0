"""The two fits of the calibration: weights of the scale's terms, and the quantiles of what is left."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

LEAST = 1e-6


def laplace_weights(squares: np.ndarray, residual: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of squared terms, shape (k, m), under which ln-residuals are most likely Laplace."""

    def loss(log_weights: np.ndarray) -> tuple[float, np.ndarray]:
        parts = np.exp(log_weights)[:, None] * squares
        variance = parts.sum(axis=0) + LEAST
        scale = np.sqrt(variance)
        far = np.abs(residual) / scale
        value = float(weight @ (np.log(scale) + far))
        slope = (parts / variance) @ (weight * 0.5 * (1.0 - far))
        return value, slope

    start = np.full(squares.shape[0], -2.0)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(-14.0, 3.0)] * start.size)
    return np.exp(found.x)


def weighted_quantile(values: np.ndarray, weight: np.ndarray, q: float) -> float:
    order = np.argsort(values)
    share = (np.cumsum(weight[order]) - 0.5 * weight[order]) / weight.sum()
    return float(np.interp(q, share, values[order]))
