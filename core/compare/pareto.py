"""Every configuration, measured or simulated: speed of one user against what one accelerator delivers, and cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.compare.quantity import Question, counted, money_per_hour, user_speed
from core.model.answer import RunAnswer
from core.model.metric import Metric
from core.model.run import Kind
from core.model.stage import Stage
from core.model.target import Target
from core.price.formula import MILLION, SECONDS_PER_HOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One level of one run: a configuration with its load.

    Attributes:
        place: of the run in the comparison.
        load: concurrent requests.
        per_user: tokens/s of one user, 1 / TPOT. statistic: of that TPOT, "mean" or "p50".
        per_accelerator: output tokens/s of the system for each accelerator, None where unknown.
        cost: money per million output tokens at this level, None where unknown.
        inside: whether the level keeps every target, None where one cannot be told.
        is_best, is_cheapest: it keeps every target, and no other such point of the same kind is faster for a user and
            delivers more, or costs less.
    """

    place: int
    kind: Kind
    load: float
    per_user: float
    statistic: str
    per_accelerator: float | None
    cost: float | None
    inside: bool | None
    is_best: bool = False
    is_cheapest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Where targets on the speed of a user can be kept: `per_user` tokens/s and more, by the target that asks most.

    A level's speed is a mean. A target on a mean is kept there; one on a tail can be missed there, and only the level
    itself tells (`Point.inside`).
    """

    per_user: float
    target: Target

    @property
    def is_exact(self) -> bool:
        """Whether every level there keeps the target."""
        return self.target.statistic == "mean"


def points_of(answers: Sequence[RunAnswer], asked: Question) -> tuple[Point, ...]:
    """Return every level in use that tells the speed of a user, marked where none of its kind is better.

    What misses a target is no choice: it is on no front, and beats nothing. Nor is what is not known to keep them all.
    """
    found = [
        point
        for place, answer in enumerate(answers)
        for stage in answer.run.stages
        if (point := _point(place, answer, stage, asked))
    ]
    free = [p.inside or not answers[p.place].per_target for p in found]
    best = _front([(p.kind, p.per_user, p.per_accelerator if ok else None) for p, ok in zip(found, free, strict=True)])
    costs = [-p.cost if ok and p.cost is not None else None for p, ok in zip(found, free, strict=True)]
    cheapest = _front([(p.kind, p.per_user, cost) for p, cost in zip(found, costs, strict=True)])
    return tuple(replace(p, is_best=i in best, is_cheapest=i in cheapest) for i, p in enumerate(found))


def region_of(targets: Sequence[Target]) -> Region | None:
    """Return where the targets on TPOT, ITL or tokens/s of a user are kept, None where there are none."""
    known = [
        Region(per_user=target.limit if target.metric is Metric.TOK_S_USER else 1.0 / target.limit, target=target)
        for target in targets
        if target.metric in (Metric.TPOT, Metric.ITL, Metric.TOK_S_USER) and target.limit > 0.0
    ]
    return max(known, key=lambda region: region.per_user, default=None)


def _point(place: int, answer: RunAnswer, stage: Stage, asked: Question) -> Point | None:
    speed = user_speed(stage)
    if stage.excluded is not None or stage.load is None or speed is None:
        return None
    rate, count = stage.output_tok_s or None, counted(answer, asked.price)
    hourly = money_per_hour(answer, asked.price)
    return Point(
        place=place,
        kind=answer.run.kind,
        load=stage.load,
        per_user=speed[1],
        statistic=speed[0],
        per_accelerator=rate / count if rate and count else None,
        cost=hourly * MILLION / (SECONDS_PER_HOUR * rate) if rate and hourly is not None else None,
        inside=_inside(stage, tuple(each.target for each in answer.per_target)),
    )


def _inside(stage: Stage, targets: Sequence[Target]) -> bool | None:
    """Return whether a level keeps every target as measured; noise is not weighed here, the answer does that."""
    verdicts = [_kept(stage, target) for target in targets]
    if any(verdict is False for verdict in verdicts):
        return False
    return None if any(verdict is None for verdict in verdicts) or not verdicts else True


def _kept(stage: Stage, target: Target) -> bool | None:
    if target.metric is Metric.TOK_S_USER:
        value = stage.value(Metric.TPOT, target.statistic)
        return None if not value else 1.0 / value >= target.limit
    if target.metric is Metric.SUCCESS_RATE:
        good, failed = stage.requests_good, stage.requests_failed
        total = None if good is None or failed is None else good + failed
        return (good or 0) / total >= target.limit if total else None
    if target.metric is Metric.GOODPUT:
        return None
    found = stage.value(target.metric, target.statistic)
    return None if found is None else found <= target.limit


def _front(points: Sequence[tuple[Kind, float, float | None]]) -> set[int]:
    """Return the places of points that none of the same kind equals or beats in both ways."""
    found: set[int] = set()
    for kind in {point[0] for point in points}:
        known = [(x, y, i) for i, (k, x, y) in enumerate(points) if k is kind and y is not None]
        top = float("-inf")
        for _, y, i in sorted(known, key=lambda point: (-point[0], -point[1])):
            if y > top:
                found.add(i)
                top = y
    return found
