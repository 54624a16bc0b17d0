"""The nearest rising curve: pool adjacent violators (Ayer et al. 1955), on logarithms."""

from __future__ import annotations

import numpy as np

from core.model.stage import FloatArray

TIE = 1e-9
"""How much a pooled level rises over the one before it, so that the curve can be turned round."""


def rising(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the non-decreasing sequence nearest to `values` in weighted least squares.

    Args:
        values: shape (n,), such as ln latency by ascending load.
        weights: shape (n,), > 0.

    >>> rising(np.array([1.0, 4.0, 2.0]), np.ones(3)).tolist()
    [1.0, 3.0, 3.0]
    """
    means: list[float] = []
    totals: list[float] = []
    counts: list[int] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        mean, total, count = value, weight, 1
        while means and means[-1] >= mean:
            before = totals.pop()
            mean = (means.pop() * before + mean * total) / (before + total)
            total += before
            count += counts.pop()
        means.append(mean)
        totals.append(total)
        counts.append(count)
    return np.repeat(means, counts)


def strictly_rising(values: FloatArray) -> FloatArray:
    """Return a non-decreasing sequence with its ties parted by `TIE`."""
    parted: FloatArray = np.maximum.accumulate(values) + TIE * np.arange(values.size)
    return parted
