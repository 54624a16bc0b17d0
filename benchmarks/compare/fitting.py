"""How answers err between and beyond the ends of their ranges, and how much of that two answers share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.special import ndtri

from benchmarks.compare.changed import Change
from benchmarks.compare.pairs import Pair, Side
from core.compare.belief import SURE, belief_of, scaled
from core.compare.lead import Lead, Together, leads
from core.compare.shape import VERSION, Shape
from core.model.answer import Status

PROBABILITY = (
    0.002,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.2,
    0.3,
    0.4,
    0.5,
    0.6,
    0.7,
    0.8,
    0.9,
    0.95,
    0.975,
    0.99,
    0.995,
    0.998,
)
STRETCHES = (1.0, 1.1, 1.2, 1.3, 1.4)
METHODS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95)
GAPS = (0.15, 0.3, 0.6)
"""sd of the true ln gap between two runs, made by prices: one in six is beyond 1.16, 1.35 and 1.8 times."""

FOR_STRETCH, FOR_METHOD = 160, 400
"""Pairs and changes that the two numbers are chosen on: more choose the same."""
FAR = 8.0


def has_range(side: Side) -> bool:
    """True where the answer holds an estimate and both ends of a range, and the truth lies within the deployment."""
    found = side.capacity.concurrency
    told = side.capacity.status is Status.WITHIN and found is not None and bool(found.low and found.mid and found.high)
    return told and 0.0 < side.true < math.inf


def errors_of(pairs: Iterable[Pair]) -> np.ndarray:
    """Return the error of every answer once."""
    seen = {(s.task, s.capacity.binding): s for pair in pairs for s in (pair.one, pair.other) if has_range(s)}
    return np.array([error_of(side) for side in seen.values()])


def error_of(side: Side) -> float:
    """Return ln(true / estimate) of an answer with a range, in units of that side's range over 1.645."""
    span = side.capacity.concurrency
    low, mid, high = math.log(span.low), math.log(span.mid), math.log(span.high)
    off = math.log(side.true) - mid
    return float(np.clip(off * SURE / max(mid - low if off < 0 else high - mid, 1e-6), -FAR, FAR))


def shape_of(pairs: Sequence[Pair], stretch: float = 1.0, method: float = 0.0) -> Shape:
    error = stretch * np.maximum.accumulate(np.quantile(errors_of(pairs), PROBABILITY))
    return Shape(
        version=VERSION,
        score=tuple(round(float(z), 4) for z in ndtri(np.array(PROBABILITY))),
        error=tuple(round(float(e), 4) for e in error),
        method=method,
        pairs=len(pairs),
    )


def calibrated(pairs: Sequence[Pair], changes: Sequence[Change]) -> Shape:
    """Return the shape with the stretch and the shared part that pairs and changes with a known leader fit best."""
    stretch = min(STRETCHES, key=lambda each: _loss_of_gaps(pairs, shape_of(pairs, each)))
    shape = shape_of(pairs, stretch)
    few = changes[:: max(len(changes) // FOR_METHOD, 1)]
    method = min(METHODS, key=lambda each: _loss_of_changes(few, shape, each))
    return shape_of(pairs, stretch, method)


def _loss_of_gaps(pairs: Sequence[Pair], shape: Shape) -> float:
    rows = [row for gap in GAPS for row in gap_rows(pairs, shape, gap, most=FOR_STRETCH)]
    return float(np.mean([(chance.low - leader) ** 2 for chance, leader, _ in rows]))


def _loss_of_changes(changes: Sequence[Change], shape: Shape, method: float) -> float:
    return float(np.mean([(chance.low - leader) ** 2 for chance, leader, _ in change_rows(changes, shape, method)]))


Row = tuple[Lead, bool, bool]
"""The chance that the first leads, whether it does, and whether its estimate is the better one."""


def gap_rows(pairs: Sequence[Pair], shape: Shape, gap: float, *, most: int | None = None, times: int = 1) -> list[Row]:
    """Return pairs whose prices bring them close: users per money, the true gap drawn around none, `times` each."""
    rng = np.random.default_rng(int(1000 * gap))
    usable = [pair for pair in pairs if has_range(pair.one) and has_range(pair.other)]
    if most is not None and len(usable) > most:
        usable = [usable[i] for i in rng.choice(len(usable), most, replace=False)]
    found = []
    for pair in (pair for pair in usable for _ in range(times)):
        true = gap * rng.normal()
        factor = pair.other.true / pair.one.true * math.exp(true)
        one, other = scaled(belief_of(pair.one.capacity), factor), belief_of(pair.other.capacity)
        found.append((leads((one, other), shape=shape)[0], true > 0.0, (one.mid or 0.0) > (other.mid or 0.0)))
    return found


def change_rows(changes: Sequence[Change], shape: Shape, method: float | None = None) -> list[Row]:
    """Return one deployment before and after: the shape of its curve is shared, the noise of the runs is not."""
    found = []
    for change in changes:
        both = (change.after, change.before)
        shared = shape.method if method is None else method
        together = [
            Together(measurement=i, method=shared * (1.0 - c.doubt.requests) if c.doubt else 0.0, deployment="one")
            for i, c in enumerate(both)
        ]
        beliefs = [belief_of(c) for c in both]
        chance = leads(beliefs, together, shape)[0]
        found.append((chance, change.is_faster, (beliefs[0].mid or 0.0) > (beliefs[1].mid or 0.0)))
    return found


def pair_rows(pairs: Sequence[Pair], shape: Shape) -> list[Row]:
    """Return pairs as they are: the same target on two deployments."""
    found = []
    for pair in pairs:
        one, other = belief_of(pair.one.capacity), belief_of(pair.other.capacity)
        chance = leads((one, other), shape=shape)[0]
        found.append((chance, pair.one.true > pair.other.true, (one.mid or 0.0) > (other.mid or 0.0)))
    return found
