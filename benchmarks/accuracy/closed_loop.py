"""Measure where one is told to, on deployments whose true curve is known.

A measured value is the truth at that load times exp(normal noise), with the relative standard deviation
1.5 cv / sqrt(n) for a mean (cv 0.3) and sqrt(q (1 - q) / n) 0.15 / phi(z_q) for a quantile, times one
factor of the whole run of 1.5 %. Throughput follows from Little's law with the measured mean e2e.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist

import numpy as np

from benchmarks.accuracy.questions import Truth
from core.errors import Place
from core.model.metric import Metric, fraction
from core.model.stage import Stage, Statistics

CV = 0.3
TAIL = 0.15
RUN = 0.015
_NORMAL = NormalDist()


def relative_sd(statistic: str, requests: int) -> float:
    """How far one run's statistic of so many requests lies from the truth, relative, one sd."""
    q = fraction(statistic)
    if q is None:
        return 1.5 * CV / math.sqrt(requests)
    return math.sqrt(q * (1.0 - q) / requests) * TAIL / _NORMAL.pdf(_NORMAL.inv_cdf(q))


def true_value(truth: Truth, name: str, load: float) -> float:
    """The true latency at a load: straight lines between the dense levels, in logarithms."""
    return float(np.exp(np.interp(math.log(load), np.log(truth.concurrency), np.log(truth.curves_s[name]))))


def measured(truth: Truth, load: float, requests: int, rng: np.random.Generator) -> Stage:
    """One more level, as a load generator would have found it; a load beyond the truth is taken at its end."""
    at = float(np.clip(load, truth.concurrency[0], truth.concurrency[-1]))
    factor = math.exp(RUN * rng.standard_normal())
    values: dict[Metric, dict[str, float]] = {}
    for name in sorted(truth.curves_s):
        metric, statistic = name.rsplit("_", 1)
        noise = math.exp(relative_sd(statistic, requests) * rng.standard_normal())
        values.setdefault(Metric(metric), {})[statistic] = true_value(truth, name, at) * factor * noise
    return Stage(
        where=Place(field=f"advised {at:g}"),
        asked_concurrency=at,
        achieved_concurrency=at,
        achieved_rate=at / values[Metric.E2E]["mean"],
        requests_good=requests,
        requests_failed=0,
        statistics={metric: _statistics(found, requests) for metric, found in values.items()},
    )


def _statistics(found: Mapping[str, float], requests: int) -> Statistics:
    quantiles = {q: value for name, value in found.items() if (q := fraction(name)) is not None}
    return Statistics(mean=found.get("mean"), n=requests, quantiles=quantiles)
