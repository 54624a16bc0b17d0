"""How wide the range should be after one more level: the level is invented and the run fitted anew.

What the new level will show is not known, so the crossing is tried at three places of its own range.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.decide.decide import Decision, combined
from core.decide.single import answer_target, as_latency
from core.errors import Place
from core.fit.fit import Fit, fit_stages
from core.model.answer import Interval, Status, TargetAnswer
from core.model.metric import Metric, fraction, quantile_name
from core.model.stage import FloatArray, Stage, Statistics
from core.model.target import Target

_PLACES = ((-1.28, 0.3), (0.0, 0.4), (1.28, 0.3))
"""Crossings tried, in standard deviations from the estimate, and how much each counts."""

_END = 1.645
"""Standard deviations from the estimate to an end of the 90 % range."""

_SHARES = frozenset({Metric.SUCCESS_RATE, Metric.GOODPUT})

_MANY = 10**9
"""Requests after which no sampling error is left."""


def widths(
    fit: Fit, decision: Decision, targets: Sequence[Target], load: float, counts: tuple[int, int]
) -> tuple[float, float] | None:
    """Return the ratio of the range's ends now and after one more level; None where the range is open.

    Args:
        fit: the run as it is.
        decision: the answer for `targets`.
        targets: the whole set.
        load: of the new level, > 0.
        counts: requests to send, and the number for which the new level is invented. The sampling
            part of the width falls with the root of the requests, so that more never widen.
    """
    now = _log_width(decision.capacity.concurrency)
    deciding = next((a for a in decision.per_target if a.target == decision.capacity.binding), None)
    if now is None or deciding is None or deciding.capacity.status is not Status.WITHIN:
        return None
    told = [(share, _after(fit, decision, targets, deciding, load, counts[1], place)) for place, share in _PLACES]
    known = [(share, width) for share, width in told if width is not None]
    least = _after(fit, decision, targets, deciding, load, _MANY, 0.0)
    if not known or least is None:
        return None
    mean = sum(share * width for share, width in known) / sum(share for share, _ in known)
    floor = min(mean, least)
    after = math.sqrt(floor**2 + (mean**2 - floor**2) * counts[1] / counts[0])
    return math.exp(now), math.exp(after)


def _after(
    fit: Fit,
    decision: Decision,
    targets: Sequence[Target],
    deciding: TargetAnswer,
    load: float,
    requests: int,
    place: float,
) -> float | None:
    """Return ln of the ratio after the new level, with the deciding target answered anew; None where it is open."""
    level = _invented(fit, deciding, load, requests, place)
    if level is None:
        return None
    anew = fit_stages((*fit.sweep.stages, level), fit.constants, max_num_seqs=fit.max_num_seqs)
    found = replace(deciding, capacity=answer_target(anew, deciding.target, targets))
    parts = tuple(found if part is deciding else part for part in decision.per_target)
    return _log_width(combined(parts).concurrency)


def _invented(fit: Fit, deciding: TargetAnswer, load: float, requests: int, place: float) -> Stage | None:
    """Return a level as the fit expects it at a load, if the deciding target's crossing lies at `place`.

    None for a share of requests: no level holds it as a statistic.
    """
    read = as_latency(deciding.target)
    if read.metric in _SHARES:
        return None
    span = deciding.capacity.concurrency
    curve = fit.curve(read.metric, read.statistic)
    if curve is None or span is None or span.mid is None or not span.low or not span.high:
        return None
    # The curve is moved along the load axis until it crosses the limit there.
    off = place / _END * math.log(span.mid / span.low if place < 0.0 else span.high / span.mid)
    expected = _read(curve.load, curve.points.log_fit, math.log(load))
    moved = _read(curve.load, curve.points.log_fit, math.log(load) - off)
    shift = math.exp(moved - expected)
    statistics = {
        metric: _statistics(fit, metric, names, load, requests, shift if metric is read.metric else 1.0)
        for metric, names in _held(fit).items()
    }
    rate = fit.sweep.rate
    known = np.isfinite(rate) & (rate > 0.0)
    achieved = math.exp(_read(fit.sweep.load[known], np.log(rate[known]), math.log(load))) if known.any() else None
    return Stage(
        where=Place(field="expected"),
        asked_concurrency=load,
        achieved_concurrency=load,
        achieved_rate=achieved,
        requests_good=requests,
        requests_failed=0,
        statistics=statistics,
    )


def _statistics(fit: Fit, metric: Metric, names: frozenset[str], load: float, n: int, shift: float) -> Statistics:
    values: dict[str, float] = {}
    for name in names:
        points = fit.points(metric, name)
        if points.load.size:
            values[name] = math.exp(_read(points.load, points.log_fit, math.log(load))) * shift
    quantiles = {q: value for name, value in values.items() if (q := fraction(name)) is not None}
    return Statistics(mean=values.get("mean"), n=n, quantiles=quantiles)


def _held(fit: Fit) -> dict[Metric, frozenset[str]]:
    """Return the statistics that the levels hold, by metric."""
    found: dict[Metric, set[str]] = {}
    for stage in fit.sweep.stages:
        for metric, statistics in stage.statistics.items():
            names = found.setdefault(metric, set())
            names.update(quantile_name(q) for q in statistics.quantiles)
            if statistics.mean is not None:
                names.add("mean")
    return {metric: frozenset(names) for metric, names in found.items()}


def _read(load: FloatArray, log_value: FloatArray, log_load: float) -> float:
    """Return ln of a value on straight lines through the levels, in logarithms; the ends are continued."""
    return float(np.interp(log_load, np.log(load), log_value))


def _log_width(span: Interval | None) -> float | None:
    if span is None or not span.low or span.high is None:
        return None
    return math.log(span.high / span.low)
