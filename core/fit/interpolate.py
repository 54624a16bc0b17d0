"""Rising curves through points, and where they cross a limit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.model.stage import FloatArray

IntArray = npt.NDArray[np.intp]

_HALVINGS = 44


def slopes(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return monotone tangents at each point (Fritsch and Butland 1984, as PCHIP uses them).

    Args:
        x: shape (n,), ascending, n >= 2.
        y: shape (n,).
    """
    width, rise = np.diff(x), np.diff(y) / np.diff(x)
    if rise.size == 1:
        return np.repeat(rise, 2)
    inner = np.zeros(rise.size - 1)
    same = rise[:-1] * rise[1:] > 0.0
    heavy, light = 2 * width[1:] + width[:-1], width[1:] + 2 * width[:-1]
    inner[same] = ((heavy + light)[same]) / (heavy[same] / rise[:-1][same] + light[same] / rise[1:][same])
    first = _end(width[0], width[1], rise[0], rise[1])
    last = _end(width[-1], width[-2], rise[-1], rise[-2])
    return np.concatenate(([first], inner, [last]))


def _end(near: float, far: float, rise: float, next_rise: float) -> float:
    """Three-point estimate at an end, kept from overshooting."""
    slope = ((2 * near + far) * rise - near * next_rise) / (near + far)
    if slope * rise <= 0.0:
        return 0.0
    if rise * next_rise <= 0.0 and abs(slope) > 3 * abs(rise):
        return 3 * rise
    return float(slope)


@dataclass(frozen=True, eq=False)
class Rising:
    """A curve through strictly rising points, read backwards.

    Attributes:
        load: shape (n,), ascending, > 0.
        log_value: shape (n,), ln of the latency, strictly rising.
    """

    load: FloatArray
    log_value: FloatArray

    @cached_property
    def log_load(self) -> FloatArray:
        """Return ln load."""
        return np.log(self.load)

    @cached_property
    def _value(self) -> FloatArray:
        """Return latency as a share of the largest, so that the unit does not matter."""
        share: FloatArray = np.exp(self.log_value - self.log_value[-1])
        return share

    @cached_property
    def _tangents(self) -> tuple[FloatArray, FloatArray]:
        return slopes(self.load, self._value), slopes(self.log_load, self.log_value)

    def segment(self, log_limit: FloatArray) -> IntArray:
        """Return the index of the last point at or under each limit, in [0, n - 2]."""
        found = np.searchsorted(self.log_value, log_limit, side="right") - 1
        return np.clip(found, 0, self.load.size - 2)

    def crossings(self, log_limit: FloatArray) -> FloatArray:
        """Return ln of the load where each interpolant reaches each limit, shape (4, m).

        Rows: straight lines, PCHIP, PCHIP in logarithms, straight lines in logarithms.
        Limits outside the points give the nearest end.
        """
        i = self.segment(log_limit)
        at = np.clip(log_limit, self.log_value[0], self.log_value[-1])
        u, v = self.log_load, self.log_value
        y = self._value
        width, log_width = np.diff(self.load)[i], np.diff(u)[i]
        part = (np.exp(at - v[-1]) - y[i]) / np.maximum(np.diff(y)[i], np.finfo(float).tiny)
        log_part = (at - v[i]) / np.diff(v)[i]
        plain, logs = self._tangents
        bent = _solve(y, plain, np.diff(self.load), i, part)
        bent_log = _solve(v, logs, np.diff(u), i, log_part)
        left = self.load[i]
        return np.stack(
            (
                np.log(left + np.clip(part, 0.0, 1.0) * width),
                np.log(left + bent * width),
                u[i] + bent_log * log_width,
                u[i] + np.clip(log_part, 0.0, 1.0) * log_width,
            )
        )


def _solve(y: FloatArray, tangent: FloatArray, width: FloatArray, i: IntArray, part: FloatArray) -> FloatArray:
    """Return where in segment i a cubic reaches the given part of its rise, by halving."""
    rise = np.maximum(np.diff(y), np.finfo(float).tiny)
    start = (tangent[:-1] * width / rise)[i]
    end = (tangent[1:] * width / rise)[i]
    low, high = np.zeros(part.shape), np.ones(part.shape)
    third, second = start + end - 2.0, 3.0 - 2.0 * start - end
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        under = ((third * middle + second) * middle + start) * middle <= part
        low = np.where(under, middle, low)
        high = np.where(under, high, middle)
    return 0.5 * (low + high)
