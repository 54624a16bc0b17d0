"""Load actually reached, from request start times or from Little's law."""

from __future__ import annotations

import math

import numpy as np

from core.model.stage import FloatArray


def mean_in_flight(start_s: FloatArray, stay_s: FloatArray) -> float | None:
    """Return the time-average number of requests in flight: sum of stays over the span.

    Args:
        start_s: send times, seconds on any clock, shape (n,), any order, NaN where unknown.
        stay_s: time in the system, seconds, shape (n,), NaN where unknown.

    Returns:
        Requests in flight, > 0; None where no request has both, or the span is zero.

    Sources:
        Little 1961, Operations Research 9(3): L = lambda * W.

    >>> mean_in_flight(np.array([0.0, 0.0]), np.array([1.0, 3.0]))
    1.3333333333333333
    """
    span_s = span(start_s, stay_s)
    if span_s is None:
        return None
    both = np.isfinite(start_s) & np.isfinite(stay_s)
    total = float(stay_s[both].sum())
    return total / span_s if total > 0.0 else None


def span(start_s: FloatArray, stay_s: FloatArray) -> float | None:
    """Return the seconds from the first send to the last end, None where that is unknown or zero.

    >>> span(np.array([5.0, 6.0]), np.array([1.0, 3.0]))
    4.0
    """
    both = np.isfinite(start_s) & np.isfinite(stay_s)
    if not both.any():
        return None
    start, stay = start_s[both], stay_s[both]
    width = float((start + stay).max() - start.min())
    return width if width > 0.0 else None


def by_little(rate: float | None, stay_mean_s: float | None) -> float | None:
    """Return requests in flight as rate (1/s) x mean time in the system (s), None where one is unknown.

    >>> by_little(4.0, 0.5)
    2.0
    """
    if rate is None or stay_mean_s is None:
        return None
    load = rate * stay_mean_s
    return load if 0.0 < load < math.inf else None
