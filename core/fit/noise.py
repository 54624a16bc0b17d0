"""How far a measured statistic may lie from its true value, relative to itself."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

from core.model.stage import Statistics

CORRELATION = 1.5
"""Requests in flight together share their luck, so the error of a mean is larger than sd/sqrt(n) (fit.md 1)."""

OPEN_LOOP = 2.0
"""Errors of levels sent at a rate are this much larger: arrivals come in clusters and share their queue, and a short
run meets few of them (docs/decisions/0008-open-loop.md; python -m benchmarks.accuracy.open_loop)."""

UNKNOWN_SPREAD = 0.3
"""Sigma of ln latency assumed where a file gives neither sd nor two quantiles."""

RUN = 0.02
"""Relative change from one run of a level to the next, on a quiet machine (fit.md 4.1)."""

_NORMAL = NormalDist()


@cache
def normal_quantile(q: float) -> float:
    """Return the quantile of the standard normal distribution."""
    return _NORMAL.inv_cdf(q)


@cache
def _order_factor(q: float) -> float:
    """Return sqrt(q (1 - q)) over the normal density at q: the error of a quantile for sigma 1 and n 1."""
    return math.sqrt(q * (1.0 - q)) / _NORMAL.pdf(normal_quantile(q))


def relative_error(found: Statistics, q: float | None, n: int) -> float:
    """Return the relative standard error of the mean (q None) or of the quantile q.

    Mean: 1.5 sd / (mean sqrt(n)). Quantile: sigma sqrt(q(1-q)/n) / phi(z_q), sigma of ln latency (fit.md 4.2).
    """
    if q is None:
        spread = _variation(found)
        return CORRELATION * (log_spread(found) if spread is None else spread) / math.sqrt(n)
    return log_spread(found) * _order_factor(q) / math.sqrt(n)


def log_spread(found: Statistics) -> float:
    """Return sigma of ln latency in the tail: from p90 and p99, else the outermost quantiles, else sd over mean."""
    known = {p: v for p, v in found.quantiles.items() if 0.0 < p < 1.0 and v > 0.0 and math.isfinite(v)}
    low, high = (0.9, 0.99) if 0.9 in known and 0.99 in known else (min(known, default=0.5), max(known, default=0.5))
    if low < high:
        return max(math.log(known[high] / known[low]) / (normal_quantile(high) - normal_quantile(low)), 0.0)
    spread = _variation(found)
    return UNKNOWN_SPREAD if spread is None else math.sqrt(math.log1p(spread**2))


def _variation(found: Statistics) -> float | None:
    """Return sd over mean, None where either is unknown."""
    if found.mean is None or found.sd is None or not found.mean > 0.0 or not 0.0 <= found.sd < math.inf:
        return None
    return min(found.sd / found.mean, 1e6)
