"""What the size of an answer's doubt depends on: the bracket, the slope, the noise, the shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.fit.interpolate import IntArray, Rising
from core.fit.points import Points
from core.model.stage import FloatArray

WINDOW = 1.8
"""A slope is taken over at least this factor in load, else noise makes it (fit.md 3.3)."""

FLAT = 0.05
"""The least local slope that is believed."""

_ROUGH_PRIOR = 2.0


@dataclass(frozen=True, eq=False, slots=True)
class Shape:
    """Estimate and the ingredients of its doubt, one entry per limit, shape (m,).

    Attributes:
        log_mid: ln of the estimate.
        gap: ln of the ratio of the bracket's loads.
        place: where in the bracket the estimate lies, 0 to 1, on the log axis.
        slope: d ln value / d ln load, over a window.
        bend: how much the slopes left and right differ from it.
        error: relative standard error of the measured values around it.
        spread: ln range of the crossings of the interpolants.
        rough: leave-one-out error of straight lines at the inner levels.
        uneven: rms distance of this statistic from a rising curve.
        restless: the same over all means of the sweep and the throughput.
        segment: index of the measured bracket.
    """

    log_mid: FloatArray
    gap: FloatArray
    place: FloatArray
    slope: FloatArray
    bend: FloatArray
    error: FloatArray
    spread: FloatArray
    rough: FloatArray
    uneven: FloatArray
    restless: FloatArray
    segment: IntArray


def shape_at(points: Points, restless: float, log_limit: FloatArray) -> Shape:
    """Return estimate and features at each limit; beyond the ends the end slope is continued.

    Needs two or more points.
    """
    curve, knee = points.bent
    plain = Rising(points.load, points.log_fit)
    ways = curve.crossings(log_limit)
    part = curve.segment(log_limit)
    touches = _touches(curve, knee, part)
    log_mid = np.where(touches, ways[0], ways[:3].mean(axis=0))
    slope, bend = _slopes(curve)
    beyond = log_limit - np.clip(log_limit, curve.log_value[0], curve.log_value[-1])
    log_mid = log_mid + beyond / slope[part]
    segment = plain.segment(log_limit)
    gap = np.diff(plain.log_load)[segment]
    place = np.clip((log_mid - plain.log_load[segment]) / gap, 0.0, 1.0)
    error = points.error[segment] * (1.0 - place) + points.error[segment + 1] * place
    constant = np.ones(log_limit.shape)
    return Shape(
        log_mid=log_mid,
        gap=gap,
        place=place,
        slope=slope[part],
        bend=bend[part],
        error=error,
        spread=np.ptp(ways, axis=0),
        rough=constant * _roughness(points),
        uneven=constant * points.roughness,
        restless=constant * restless,
        segment=segment,
    )


def _touches(curve: Rising, knee: float | None, part: IntArray) -> npt.NDArray[np.bool_]:
    if knee is None:
        return np.zeros(part.shape, bool)
    at = int(np.searchsorted(curve.load, knee))
    touching: npt.NDArray[np.bool_] = (part == at) | (part == at - 1)
    return touching


def _slopes(curve: Rising) -> tuple[FloatArray, FloatArray]:
    """Return slope and bend of every segment."""
    u, v = curve.log_load, curve.log_value
    own = np.diff(v) / np.diff(u)
    size = own.size
    slope, bend = np.empty(size), np.empty(size)
    for i in range(size):
        left, right = i, i + 1
        while u[right] - u[left] < np.log(WINDOW) and (left > 0 or right < size):
            left, right = max(left - 1, 0), min(right + 1, size)
        window = (v[right] - v[left]) / (u[right] - u[left])
        beside = own[[j for j in (i - 1, i + 1) if 0 <= j < size]]
        around = float(beside.mean()) if beside.size else window
        slope[i] = max(window, 0.5 * around, FLAT)
        bend[i] = abs(window - around)
    return slope, bend


def _roughness(points: Points) -> float:
    """Return the shrunk median leave-one-out error of straight lines, relative."""
    x, v = points.load, points.log_fit
    if x.size < 3:
        return 0.0
    y = np.exp(v - v[-1])
    part = (x[1:-1] - x[:-2]) / (x[2:] - x[:-2])
    guess = y[:-2] + part * (y[2:] - y[:-2])
    off = np.abs(np.log(guess / y[1:-1]))
    shrink = off.size / (off.size + _ROUGH_PRIOR)
    return float(np.median(off) * shrink)
