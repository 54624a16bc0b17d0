"""Rising curves through points, and where they cross a limit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.model.stage import FloatArray

IntArray = npt.NDArray[np.intp]

_STEPS = 60
"""At most, of which five or so are needed: the rest are for cubics that are all but flat somewhere."""

_NEAR_ENOUGH = 1e-12
_FLATTEST = 1e-12


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
    def shares(self) -> FloatArray:
        """Return latency as a share of the largest, so that the unit does not matter."""
        share: FloatArray = np.exp(self.log_value - self.log_value[-1])
        return share

    @cached_property
    def _steps(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return width and rise of every segment: load, ln load, value, ln value."""
        least = np.finfo(float).tiny
        rise = np.maximum(np.diff(self.shares), least)
        return np.diff(self.load), np.diff(self.log_load), rise, np.diff(self.log_value)

    @cached_property
    def _tangents(self) -> tuple[FloatArray, FloatArray]:
        """Return the slopes at both ends of every segment in units of the segment; rows: PCHIP, in logarithms."""
        width, log_width, rise, log_rise = self._steps
        plain, logs = slopes(self.load, self.shares), slopes(self.log_load, self.log_value)
        scale = np.stack((width / rise, log_width / log_rise))
        every = np.stack((plain, logs))
        return every[:, :-1] * scale, every[:, 1:] * scale

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
        u, v, y = self.log_load, self.log_value, self.shares
        at = np.clip(log_limit, v[0], v[-1])
        width, log_width, rise, log_rise = self._steps
        part = np.clip((np.exp(at - v[-1]) - y[i]) / rise[i], 0.0, 1.0)
        log_part = (at - v[i]) / log_rise[i]
        start, end = self._tangents
        bent, bent_log = _solve(start[:, i], end[:, i], np.stack((part, log_part)))
        left = self.load[i]
        return np.stack(
            (
                np.log(left + part * width[i]),
                np.log(left + bent * width[i]),
                u[i] + bent_log * log_width[i],
                u[i] + log_part * log_width[i],
            )
        )


def _solve(start: FloatArray, end: FloatArray, part: FloatArray) -> FloatArray:
    """Return where a rising cubic from 0 to 1 reaches each part, by Newton's steps kept in a bracket.

    Args:
        start: slope at 0, in units of the segment; any shape.
        end: slope at 1.
        part: in [0, 1].
    """
    third, second = start + end - 2.0, 3.0 - 2.0 * start - end
    low, high, at = np.zeros(part.shape), np.ones(part.shape), part.copy()
    for _ in range(_STEPS):
        off = ((third * at + second) * at + start) * at - part
        np.copyto(low, at, where=off <= 0.0)
        np.copyto(high, at, where=off >= 0.0)
        steepness = (3.0 * third * at + 2.0 * second) * at + start
        step = at - off / np.maximum(steepness, _FLATTEST)
        following = np.where((step > low) & (step < high), step, 0.5 * (low + high))
        moved = np.abs(following - at).max(initial=0.0)
        at = following
        if moved < _NEAR_ENOUGH:
            break
    return at
