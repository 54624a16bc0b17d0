"""How far the estimate may be off, on the log axis: the calibrated scale model (fit.md 4.5)."""

from __future__ import annotations

import numpy as np

from core.fit.constants import TERMS, Constants
from core.fit.noise import RUN
from core.fit.shape import Shape
from core.model.stage import FloatArray

_LEAST = 1e-6
"""Added to the variance, so that no range has zero width."""


def squared_terms(shape: Shape) -> FloatArray:
    """Return the unweighted squared terms of the scale, shape (7, m), in the order of `TERMS`.

    A relative error of a latency moves the crossing by that error over the slope.
    """
    arch = 2.0 * np.sqrt(shape.place * (1.0 - shape.place)) * shape.gap
    slope = shape.slope
    return np.stack(
        (
            (shape.error / slope) ** 2,
            (RUN / slope) ** 2,
            arch**2,
            shape.spread**2,
            (arch * np.minimum(shape.bend, 2.0)) ** 2,
            (np.minimum(shape.rough, 0.7) / slope) ** 2,
            (shape.uneven**2 + shape.restless**2) / slope**2,
        )
    )


def scale_of(shape: Shape, constants: Constants) -> FloatArray:
    """Return the scale of ln(true / estimate) at each limit, shape (m,), > 0."""
    return np.sqrt(_weights(constants) @ squared_terms(shape) + _LEAST)


def doubt_of(shape: Shape, constants: Constants) -> FloatArray:
    """Return the shares of the variance that come from noise, levels and requests, shape (3, m)."""
    parts = _weights(constants)[:, None] * squared_terms(shape)
    noise, levels, requests = parts[[1, 6]].sum(axis=0), parts[2:6].sum(axis=0), parts[0]
    shares = np.stack((noise + _LEAST, levels, requests))
    parts_of_one: FloatArray = shares / shares.sum(axis=0)
    return parts_of_one


def _weights(constants: Constants) -> FloatArray:
    return np.array([constants.terms[name] for name in TERMS])
