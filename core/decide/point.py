"""Every fitted value at one load: what a promise means there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.decide.single import as_latency
from core.fit.fit import Fit
from core.model.answer import Interval, LoadPoint
from core.model.metric import Metric
from core.model.target import Target


def point_at(fit: Fit, load: float, targets: Sequence[Target]) -> LoadPoint:
    """Return the fitted values at a load.

    Args:
        fit: the run.
        load: concurrent requests, > 0.
        targets: whose statistics are wanted, beside throughput.
    """
    tpot = fit.value(Metric.TPOT, "mean", load)
    metrics = {f"{t.metric.value} {t.statistic}": value for t in targets if (value := _value(fit, t, load))}
    return LoadPoint(
        at=load,
        output_tok_s=fit.rate("output_tok_s", load),
        total_tok_s=fit.rate("total_tok_s", load),
        input_tok_s=fit.rate("input_tok_s", load),
        req_s=fit.rate("req_s", load),
        tok_s_user=_inverse(tpot) if tpot else None,
        metrics=metrics,
        memory_used_fraction=_between(fit, "memory_used_fraction", load),
        kv_used_fraction=_between(fit, "kv_used_fraction", load),
        audio_s_s=audio_at(fit, load),
    )


def audio_at(fit: Fit, load: float) -> Interval | None:
    """Return seconds of sound made per second at a load: each request in flight makes 1 / RTF of them."""
    rtf = fit.value(Metric.RTF, "mean", load)
    inverse = _inverse(rtf) if rtf else None
    if inverse is None:
        return None
    low, mid, high = (None if end is None else load * end for end in (inverse.low, inverse.mid, inverse.high))
    return Interval(low=low, mid=mid, high=high, level=inverse.level)


def _value(fit: Fit, target: Target, load: float) -> Interval | None:
    """Return the value that a target is about, in the target's own terms."""
    if target.metric is Metric.GOODPUT:
        return None
    read = as_latency(target)
    value = fit.value(read.metric, read.statistic, load)
    if value is None or read.metric is target.metric is not Metric.SUCCESS_RATE:
        return value
    return _inverse(value) if target.metric is Metric.TOK_S_USER else _complement(value)


def _inverse(value: Interval) -> Interval:
    """Return a time per token as a rate; the ends change places."""

    def one(x: float | None) -> float | None:
        return 1.0 / x if x else None

    return Interval(low=one(value.high), mid=one(value.mid), high=one(value.low), level=value.level)


def _complement(value: Interval) -> Interval:
    """Return a lost share as the share that is kept; the ends change places."""

    def one(x: float | None) -> float | None:
        return None if x is None else min(max(1.0 - x, 0.0), 1.0)

    return Interval(low=one(value.high), mid=one(value.mid), high=one(value.low), level=value.level)


def _between(fit: Fit, name: str, load: float) -> float | None:
    """Return a field of the levels on a straight line between them, None outside or where unknown."""
    value = fit.sweep.field(name)
    known = np.isfinite(value)
    at = fit.sweep.load[known]
    if not at.size or not at[0] <= load <= at[-1]:
        return None
    return float(np.interp(load, at, value[known]))
