"""What the size of an answer's doubt depends on: the bracket, the slope, the noise, the shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.fit.interpolate import IntArray, Rising
from core.fit.points import Points
from core.model.stage import FloatArray


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
        ways: ln crossing of each interpolant, shape (4, m).
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
    ways: FloatArray


def shape_at(points: Points, restless: float, log_limit: FloatArray) -> Shape:
    """Return estimate and features at each limit; beyond the ends the end slope is continued.

    Needs two or more points.
    """
    curve, knee = points.bent
    plain = points.plain
    ways = curve.crossings(log_limit)
    part = curve.segment(log_limit)
    touches = _touches(curve, knee, part)
    log_mid = np.where(touches, ways[0], ways[:3].mean(axis=0))
    slope, bend = points.slopes
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
        rough=constant * points.rough,
        uneven=constant * points.roughness,
        restless=constant * restless,
        segment=segment,
        ways=ways,
    )


def _touches(curve: Rising, knee: float | None, part: IntArray) -> npt.NDArray[np.bool_]:
    if knee is None:
        return np.zeros(part.shape, bool)
    at = int(np.searchsorted(curve.load, knee))
    touching: npt.NDArray[np.bool_] = (part == at) | (part == at - 1)
    return touching
