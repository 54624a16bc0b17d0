"""How steep a curve is around each segment, and how well straight lines would have guessed its levels."""

from __future__ import annotations

import math

import numpy as np

from core.fit.interpolate import Rising
from core.model.stage import FloatArray

WINDOW = 1.8
"""A slope is taken over at least this factor in load, else noise makes it (fit.md 3.3)."""

FLAT = 0.05
"""The least local slope that is believed."""

_ROUGH_PRIOR = 2.0


def local_slopes(curve: Rising) -> tuple[FloatArray, FloatArray]:
    """Return d ln value / d ln load over a window around every segment, and how its neighbours differ from it."""
    u, v = curve.log_load.tolist(), curve.log_value.tolist()
    own = [(v[i + 1] - v[i]) / (u[i + 1] - u[i]) for i in range(len(u) - 1)]
    size, wanted = len(own), math.log(WINDOW)
    slope, bend = np.empty(size), np.empty(size)
    for i in range(size):
        left, right = i, i + 1
        while u[right] - u[left] < wanted and (left > 0 or right < size):
            left, right = max(left - 1, 0), min(right + 1, size)
        window = (v[right] - v[left]) / (u[right] - u[left])
        beside = own[max(i - 1, 0) : i] + own[i + 1 : i + 2]
        around = sum(beside) / len(beside) if beside else window
        slope[i] = max(window, 0.5 * around, FLAT)
        bend[i] = abs(window - around)
    return slope, bend


def leave_one_out(curve: Rising) -> float:
    """Return the shrunk median relative error of guessing each inner level by a straight line without it."""
    x, y = curve.load, np.maximum(curve.shares, np.finfo(float).tiny)
    if x.size < 3:
        return 0.0
    part = (x[1:-1] - x[:-2]) / (x[2:] - x[:-2])
    guess = y[:-2] + part * (y[2:] - y[:-2])
    off = np.abs(np.log(guess / y[1:-1]))
    shrink = off.size / (off.size + _ROUGH_PRIOR)
    return float(np.median(off) * shrink)
