"""The answer to one target: which curve it reads, and what its limit is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.decide.crossing import answer_points
from core.decide.goodput import answer_goodput
from core.fit.fit import Fit
from core.model.answer import Capacity, Status
from core.model.metric import Metric, fraction, quantile_name
from core.model.target import Target

LOWER_QUANTILES = (0.999, 0.99, 0.95, 0.9, 0.75, 0.5)
"""Tried from the top where the quantile that was asked for cannot be told."""

MOST_KEPT = 256
"""Readings that a fit keeps: where one limit of several moves, the others are not read again, nor what each of them
would be worth."""


def answer_target(fit: Fit, target: Target, targets: Sequence[Target]) -> Capacity:
    """Return the capacity within one target.

    Args:
        fit: the run.
        target: the one to answer.
        targets: the whole set, which goodput is about.
    """
    capacity = read_target(fit, target, targets)
    if capacity.status is not Status.CANNOT_TELL:
        return capacity
    return replace(capacity, supported=_supported(fit, target, targets))


def read_target(fit: Fit, target: Target, targets: Sequence[Target]) -> Capacity:
    """Return the capacity within one target, without `supported`; goodput hangs on the whole set and is not kept."""
    if target.metric is Metric.GOODPUT:
        return answer_goodput(fit, target, targets)
    known = fit.answers.get(target)
    if known is None:
        read = as_latency(target)
        known = answer_points(fit, target, fit.points(read.metric, read.statistic), read)
        if len(fit.answers) >= MOST_KEPT:
            fit.answers.clear()
        fit.answers[target] = known
    return known


def as_latency(target: Target) -> Target:
    """Return the target on what rises with load that means the same.

    A rate per user of at least v for a share of the requests is a TPOT of at most 1/v for
    that share. For the mean, 1 / mean TPOT is what a file tells. A share of good requests
    of at least v is a lost share of at most 1 - v.
    """
    if target.metric is Metric.TOK_S_USER:
        return Target(Metric.TPOT, target.statistic, 1.0 / target.limit)
    if target.metric in (Metric.SUCCESS_RATE, Metric.GOODPUT):
        return Target(target.metric, target.statistic, max(1.0 - target.limit, 1e-12))
    return target


def _supported(fit: Fit, target: Target, targets: Sequence[Target]) -> Capacity | None:
    """Return the answer at the highest lower quantile that can be told; never one at the mean."""
    asked = fraction(target.statistic)
    if asked is None:
        return None
    for q in LOWER_QUANTILES:
        if q < asked:
            capacity = read_target(fit, replace(target, statistic=quantile_name(q)), targets)
            if capacity.status is not Status.CANNOT_TELL:
                return capacity
    return None
