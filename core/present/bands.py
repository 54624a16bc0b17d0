"""Outlines of bands and their middle lines, from what `core.fit` knows of a curve."""

from __future__ import annotations

import numpy as np

from core.fit.curve import Curve
from core.fit.rate import RateBand
from core.model.stage import FloatArray

Line = tuple[FloatArray, FloatArray]
"""Loads and values of a line, shape (points,) each."""

_POINTS = 120
_REACH = 2.0
"""The outline goes on by this factor beyond the values measured, to fill the corners of the measured loads."""


def crossings(curve: Curve) -> tuple[Line, Line]:
    """Return the outline of the band and the estimate, within the loads that were measured.

    A curve tells at which load each value is reached. So the outline runs up along the low ends
    and down along the high ends; at a target its width is the range of the answer.
    """
    first, last = curve.load[[0, -1]]
    ends = curve.band(2).value[[0, -1]]
    value = np.geomspace(ends[0] / _REACH, ends[1] * _REACH, 2 * _POINTS)
    low, _, _, high = (np.clip(row, first, last) for row in curve.capacity(value))
    seen = np.isfinite(low) & np.isfinite(high) & (high > low)
    low, high, value = low[seen], high[seen], value[seen]
    outline = np.concatenate((low, high[::-1])), np.concatenate((value, value[::-1]))
    return outline, _estimate(curve, ends)


def _estimate(curve: Curve, ends: FloatArray) -> Line:
    """Return the estimate between the lowest and highest load, as far as the fit has a value there.

    What was learned from other runs moves the estimate off the values measured. Drawn between
    those, it would end at another load than the last level's, so its ends are asked for by load.
    """
    first, last = curve.load[[0, -1]]
    told = (curve.latency(first), curve.latency(last))
    start, end = (found.mid if found and found.mid else at for found, at in zip(told, ends, strict=True))
    value = np.geomspace(start, max(end, start), _POINTS)
    load = curve.capacity(value)[2]
    known = np.isfinite(load)
    return np.clip(load[known], first, last), value[known]


def rates(band: RateBand) -> tuple[Line, Line]:
    """Return the outline of a rate's band and its estimate."""
    outline = np.concatenate((band.load, band.load[::-1])), np.concatenate((band.low, band.high[::-1]))
    return outline, (band.load, band.mid)
