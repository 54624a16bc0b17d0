"""Capacity as a function of each limit, and what a looser one is worth: the fitted curve read at more limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.decide.decide import Decision, combined
from core.decide.evidence import clear_from
from core.decide.single import as_latency, read_target
from core.fit.fit import Fit
from core.model.answer import Capacity, Interval, Reach, Relaxed, Sensitivity, Status, Step, TargetAnswer
from core.model.metric import Metric
from core.model.target import Target

FACTORS = (1.1, 1.2, 1.5)
"""A limit is relaxed by these; the first is what "per ten per cent" means."""

MOST_STEPS = 25
_NEAR = np.geomspace(0.6, 1.7, 9)
"""Limits around the present one, as shares of it: that is where people look."""

_WIDE = 12
LEAST_SHARE, MOST_SHARE, OF_WIDTH = 0.5, 1.5, 0.15
"""The true growth of ln capacity lies, nine times of ten, between half and one and a half of the growth that is read,
and that much of the answer's ln width further up."""

WIDEST = math.log(4.0)
_JUST_ABOVE = 1.0 + 1e-6
_LARGEST_LOSS = 1.0 - 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moved:
    """One target of the set whose limit moves; limits are those of `as_latency`, so larger is looser."""

    fit: Fit
    targets: tuple[Target, ...]
    answers: tuple[TargetAnswer, ...]
    place: int

    @property
    def target(self) -> Target:
        return self.targets[self.place]

    def at(self, limit: float) -> Step:
        """Return the answers with the limit moved; the present limit gives the present answer."""
        moved = self.target if limit == as_latency(self.target).limit else looser(self.target, limit)
        targets = tuple(moved if i == self.place else target for i, target in enumerate(self.targets))
        alone = read_target(self.fit, moved, targets)
        parts = [
            TargetAnswer(target=target, capacity=alone if i == self.place else self._other(i, targets))
            for i, target in enumerate(targets)
        ]
        return Step(limit=moved.limit, alone=_reach(alone), whole=_reach(combined(parts)))

    def _other(self, place: int, targets: tuple[Target, ...]) -> Capacity:
        # Goodput is the share within all the other limits, so it moves with them.
        if targets[place].metric is Metric.GOODPUT:
            return read_target(self.fit, targets[place], targets)
        return self.answers[place].capacity


def sensitivities(fit: Fit, decision: Decision) -> tuple[Sensitivity, ...]:
    """Return one sensitivity for each target that is read from a curve, in the order of the set.

    Nothing is fitted and nothing extrapolated: a limit below all measured values is `below`, one
    that every level meets beyond noise is `at_least`. Goodput itself is counted, not read.

    Args:
        fit: the run.
        decision: the answers to the present set.
    """
    targets = tuple(answer.target for answer in decision.per_target)
    found = (
        _sensitivity(_Moved(fit=fit, targets=targets, answers=decision.per_target, place=place), decision)
        for place, target in enumerate(targets)
        if target.metric is not Metric.GOODPUT
    )
    return tuple(one for one in found if one is not None)


def read_at(fit: Fit, answers: Sequence[TargetAnswer], place: int, limit: float) -> Step:
    """Return the answers with one limit moved, between those of the steps of its sensitivity.

    Args:
        fit: the run.
        answers: to the present set.
        place: of the target in it.
        limit: as `as_latency` has it, larger is looser.
    """
    targets = tuple(answer.target for answer in answers)
    return _Moved(fit=fit, targets=targets, answers=tuple(answers), place=place).at(limit)


def worth_most(found: Sequence[Sensitivity]) -> Sensitivity | None:
    """Return the target that is worth relaxing first, None where none of them alone gains a request.

    The largest gain of the safe number at the smallest factor that gains anything; the estimate decides ties.
    """
    for place in range(len(FACTORS)):
        ranked = [(_gain(one.relaxed[place]), one) for one in found if len(one.relaxed) > place]
        best = max(ranked, key=lambda pair: pair[0], default=None)
        if best and best[0][0] > 0:
            return best[1]
    return None


def looser(target: Target, limit: float) -> Target:
    """Return a target with the limit that `as_latency` would read as `limit`.

    >>> looser(Target(Metric.TOK_S_USER, "p95", 20.0), 0.1).limit
    10.0
    """
    if target.metric is Metric.TOK_S_USER:
        return replace(target, limit=_tidy(1.0 / limit))
    return replace(target, limit=_tidy(1.0 - limit if target.metric is Metric.SUCCESS_RATE else limit))


def _sensitivity(moved: _Moved, decision: Decision) -> Sensitivity | None:
    read = as_latency(moved.target)
    points = moved.fit.points(read.metric, read.statistic)
    curve = moved.fit.curve_of(points, read.statistic)
    if curve is None:
        return None
    value = points.value if points.raw is None else points.raw
    lowest, clear = float(value.min()), clear_from(points, curve)
    most = _LARGEST_LOSS if read.metric is Metric.SUCCESS_RATE else np.inf
    end = clear * _JUST_ABOVE if clear is not None and clear * _JUST_ABOVE < most else None
    free, then = _free_from(moved, read, end)
    ends = [limit for limit in (lowest, end, free, read.limit) if limit is not None and 0.0 < limit < most]
    top = min(end or float(value.max()), most)
    steps = [moved.at(limit) for limit in _limits(read.limit, max(lowest, 0.0), top, ends)]
    at_least = next((step.limit for step in steps if step.alone.status is Status.AT_LEAST), None)
    relaxed = (_relaxed(moved, decision, read.limit, factor) for factor in FACTORS if read.limit * factor < most)

    def shown(limit: float | None) -> float | None:
        return None if limit is None or not 0.0 < limit < most else looser(moved.target, limit).limit

    return Sensitivity(
        target=moved.target,
        steps=tuple(steps),
        relaxed=tuple(relaxed),
        lowest=shown(lowest),
        at_least_from=None if at_least is None else shown(end) or at_least,
        free_from=shown(free),
        then=then,
    )


def _free_from(moved: _Moved, read: Target, end: float | None) -> tuple[float | None, Target | None]:
    """Return the limit from which the others stop the set and which of them does, None where they never do."""
    others = [answer for place, answer in enumerate(moved.answers) if place != moved.place]
    if not others:
        return None, None
    rest = combined(others)
    mid = rest.concurrency.mid if rest.status is Status.WITHIN and rest.concurrency else None
    found = moved.fit.value(read.metric, read.statistic, mid) if mid else None
    # Where the others allow more than this target's curve tells, they stop it only where it stops nothing itself.
    limit = min(limit for limit in (found.mid if found else None, end, math.inf) if limit is not None)
    if mid is None or limit == math.inf:
        return None, None
    alone = moved.at(limit * _JUST_ABOVE).alone
    reached = alone.concurrency.mid if alone.concurrency else None
    is_free = alone.status is Status.AT_LEAST or (reached is not None and reached * _JUST_ABOVE >= mid)
    return (limit, rest.binding) if is_free else (None, None)


def _limits(now: float, low: float, high: float, ends: Sequence[float]) -> list[float]:
    """Return up to `MOST_STEPS` ascending limits: the ends, some near the present one, some over the whole range."""
    near = [float(limit) for limit in now * _NEAR if low < limit < high]
    start = max(low, high * 1e-6)
    wide = np.geomspace(start, high, _WIDE)[1:-1].tolist() if high > start else []
    round_ = {float(f"{limit:.4g}") for limit in (*near, *wide)}
    inner = {limit for limit in round_ if low < limit < high}
    kept = sorted({*inner, *ends})
    return kept if len(kept) <= MOST_STEPS else _thinned(kept, ends)


def _thinned(limits: list[float], kept: Sequence[float]) -> list[float]:
    spare = [limit for limit in limits if limit not in kept]
    places = np.unique(np.linspace(0, len(spare) - 1, MOST_STEPS - len(set(kept))).round().astype(int))
    return sorted({*kept, *(spare[place] for place in places)})


def _relaxed(moved: _Moved, decision: Decision, limit: float, factor: float) -> Relaxed:
    step, now = moved.at(limit * factor), decision.capacity
    known = step.whole.safe is not None and now.safe is not None
    return Relaxed(
        factor=factor,
        limit=step.limit,
        whole=step.whole,
        more_safe=(step.whole.safe or 0) - (now.safe or 0) if known else None,
        more=gain(now.concurrency, step.whole.concurrency),
    )


def gain(now: Interval | None, then: Interval | None) -> Interval | None:
    """Return by how much the estimate grows, with its range.

    Two readings of one curve err alike, so that their difference is surer than either; but a local slope
    may be wrong by half. How far is measured on sweeps with known answers (benchmarks/accuracy/gains.py).
    """
    if now is None or then is None or not now.mid or then.mid is None:
        return None
    if now == then:
        return Interval(low=0.0, mid=0.0, high=0.0)
    growth, width = math.log(then.mid / now.mid), max(_log_width(now), _log_width(then))
    least = min(LEAST_SHARE * growth, max(growth - OF_WIDTH * width, 0.0))
    most = MOST_SHARE * growth + OF_WIDTH * width
    return Interval(
        low=now.mid * math.expm1(least),
        mid=then.mid - now.mid,
        high=None if then.high is None else now.mid * math.expm1(most),
    )


def _log_width(span: Interval) -> float:
    """Return ln of the ratio of the ends, at most `WIDEST`; an open or empty end counts as that."""
    if span.high is None or not span.low:
        return WIDEST
    return min(math.log(span.high / span.low), WIDEST)


def _gain(relaxed: Relaxed) -> tuple[int, float]:
    more = relaxed.more.mid if relaxed.more else None
    return relaxed.more_safe or 0, more or 0.0


def _reach(capacity: Capacity) -> Reach:
    return Reach(status=capacity.status, concurrency=capacity.concurrency, safe=capacity.safe, binding=capacity.binding)


def _tidy(limit: float) -> float:
    """Return a limit without the dust of a multiplication."""
    return float(f"{limit:.12g}")
