"""The learned part of the method: how far and how wide, by what the bracket looks like.

The interpolants, the knee and the scale say most; the trees correct what they get wrong on
average, such as hinges that begin inside a bracket. Data, not code: docs/method.md.
"""

from __future__ import annotations

import numpy as np

from core.fit.constants import Correction
from core.fit.features import NAMES
from core.fit.trees import Forest
from core.model.metric import Metric
from core.model.stage import FloatArray

LEARNED_METRICS = frozenset({Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E})
"""What the sweeps with known answers hold."""

NARROWEST = 0.3
"""A bound is at least this many scales away from the estimate, the safe number a half of it."""

_forests: dict[int, tuple[Correction, Forest]] = {}


def corrected(correction: Correction, features: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the shift of the estimate and its quantiles `RISKS`, in scales.

    Args:
        correction: as calibrated.
        features: shape (m, features).

    Returns:
        Shapes (m,) and (3, m); the bounds lie on their side of the shift, in order.
    """
    raw = np.array(correction.start) + _forest(correction).predict(features)
    shift = correction.share * raw[:, 2]
    return shift, bounds(raw, shift, correction.inflation)


def bounds(raw: FloatArray, shift: FloatArray, inflation: tuple[float, float, float]) -> FloatArray:
    """Return 5 %, 10 % and 95 % bounds in scales, moved away from the shift by their inflation, shape (3, m)."""
    low, safe, high = (shift + k * (raw[:, column] - shift) for k, column in zip(inflation, (0, 1, 3), strict=True))
    low = np.minimum(low, shift - NARROWEST)
    safe = np.clip(safe, low, shift - 0.5 * NARROWEST)
    return np.stack((low, safe, np.maximum(high, shift + NARROWEST)))


def _forest(correction: Correction) -> Forest:
    """Return the trees as arrays, made once per set of constants."""
    kept = _forests.get(id(correction))
    if kept is None or kept[0] is not correction:
        kept = (correction, Forest(correction.trees, NAMES))
        _forests[id(correction)] = kept
    return kept[1]
