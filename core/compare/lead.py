"""How probable it is that a run leads, by resampling what the answers leave open.

Every run draws its number from its belief, all together, many times; the share of draws in which it is the best is
its probability. Doubt that two runs share is drawn once for both: it moves them the same way and decides nothing
between them. The draws are the same at every call, in strata, so that answers do not flicker.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from core.compare.belief import Belief, Drawn
from core.compare.shape import Shape, shipped
from core.model.stage import FloatArray

DRAWS = 4096
"""Of each run; the error of a probability from them is below 0.01."""

_EACH_TURN, _FEWER_TURNS = 3, 2
"""Up to so many runs take turns with the streams that they draw from, so that none is favoured by its place; more are
close enough with two turns."""

_SEED = 1875


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What one run's doubt has in common with others'.

    Attributes:
        measurement: runs with the same one are the same levels: all their doubt is shared.
        method: share of the variance that is the error of the method about this deployment and grid, 0 to 1.
        deployment: runs with the same one share that error; None shares it with nobody.
        biases: doubt that is in no range, as (what it comes from, sd of ln): runs with the same source share it.
    """

    measurement: Hashable
    method: float = 0.0
    deployment: Hashable | None = None
    biases: tuple[tuple[Hashable, float], ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """How probable it is that one run leads all others: from `low` to `high`, apart where only bounds are known."""

    low: float
    high: float

    @property
    def is_told(self) -> bool:
        """True where it is one number."""
        return self.high - self.low < 0.005


def leads(
    beliefs: Sequence[Belief], together: Sequence[Together] | None = None, shape: Shape | None = None
) -> tuple[Lead, ...]:
    """Return how probable it is that each run leads; among equals a lead is shared.

    Of two runs the low end of one and the high end of the other add up to 1. Nobody leads alone.

    Args:
        beliefs: of one quantity, one for each run.
        together: what doubt they share, in the same order; nothing by default.
        shape: of errors; the shipped one by default.
    """
    if len(beliefs) < 2:
        return tuple(Lead(low=1.0, high=1.0) for _ in beliefs)
    found = [_shares(*ends) for ends in _rounds(beliefs, together or _apart(len(beliefs)), shape or shipped())]
    low, high = (np.mean([pair[side] for pair in found], axis=0) for side in (0, 1))
    return tuple(Lead(low=float(a), high=float(max(a, b))) for a, b in zip(low, high, strict=True))


def ratio(
    one: Belief,
    other: Belief,
    together: tuple[Together, Together] | None = None,
    shape: Shape | None = None,
) -> tuple[float | None, float | None, float | None]:
    """Return how many times better one run is than the other: 5 %, 50 % and 95 % quantiles, None where open."""
    low, high = _rounds((one, other), together or _apart(2), shape or shipped())[0]
    with np.errstate(invalid="ignore"):
        least, most = _known(low[0] - high[1], -np.inf), _known(high[0] - low[1], np.inf)
    tail, half = round(0.05 * DRAWS), DRAWS // 2
    least.partition((tail, half))
    most.partition((half, DRAWS - 1 - tail))
    ends, middles = (least[tail], most[DRAWS - 1 - tail]), (least[half], most[half])
    told = bool(np.isfinite(middles).all()) and abs(middles[1] - middles[0]) < 1e-9
    low_end, high_end = (float(np.exp(end)) if np.isfinite(end) else None for end in ends)
    return low_end, float(np.exp(middles[0])) if told else None, high_end


def _known(values: FloatArray, unknown: float) -> FloatArray:
    """Return differences with those of two infinities as the bound that says nothing."""
    found: FloatArray = np.where(np.isnan(values), unknown, values)
    return found


def _apart(count: int) -> tuple[Together, ...]:
    return tuple(Together(measurement=place) for place in range(count))


def _rounds(
    beliefs: Sequence[Belief], together: Sequence[Together], shape: Shape
) -> list[tuple[FloatArray, FloatArray]]:
    """Return both ends of all draws, shape (runs, DRAWS) each, once for every turn."""
    found = []
    for turn in _drawn(tuple(together), shape):
        ends = [belief.draws(drawn) for belief, drawn in zip(beliefs, turn, strict=True)]
        found.append((np.stack([low for low, _ in ends]), np.stack([high for _, high in ends])))
    return found


@lru_cache(maxsize=8)
def _drawn(together: tuple[Together, ...], shape: Shape) -> tuple[tuple[Drawn, ...], ...]:
    """Return what each run draws in each turn; the quantities of one comparison share it."""
    # In an order of their own: in that of the runs it would move a chance which of them comes first.
    own = sorted({each.measurement for each in together}, key=repr)
    common = sorted({each.deployment for each in together if each.deployment is not None}, key=repr)
    sources = sorted({source for each in together for source, _ in each.biases}, key=repr)
    shared = {name: _stream(-1 - place) for place, name in enumerate(common)}
    biases = {name: _stream(-101 - place) for place, name in enumerate(sources)}
    turns = len(own) if len(own) <= _EACH_TURN else _FEWER_TURNS
    found = []
    for turn in range(turns):
        streams = {name: _stream((place + turn) % len(own)) for place, name in enumerate(own)}
        drawn = []
        for each in together:
            score = streams[each.measurement]
            if each.deployment is not None and each.method > 0.0:
                score = np.sqrt(each.method) * shared[each.deployment] + np.sqrt(1.0 - each.method) * score
            bias = np.zeros(DRAWS)
            for source, sd in each.biases:
                bias = bias + sd * biases[source]
            drawn.append(Drawn(score, np.interp(score, shape.score, shape.error), bias))
        found.append(tuple(drawn))
    return tuple(found)


@lru_cache(maxsize=256)
def _stream(place: int) -> FloatArray:
    """Return standard normal scores in strata, in an order of this stream's own."""
    order = np.random.default_rng((_SEED, place + 1000)).permutation(DRAWS)
    found: FloatArray = ndtri((order + 0.5) / DRAWS)
    found.setflags(write=False)
    return found


def _shares(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return in which share of draws each run leads: surely, and possibly."""
    if np.array_equal(low, high):
        one = _won(low, low)
        return one, one
    return _won(low, high), _won(high, low)


def _won(own: FloatArray, others: FloatArray) -> FloatArray:
    """Return in which share of draws each row of `own` is above every other row of `others`; ties are shared."""
    top = np.argmax(others, axis=0)
    best = others[top, np.arange(others.shape[1])]
    below = np.partition(others, -2, axis=0)[-2]
    shares = []
    for place, mine in enumerate(own):
        rival = np.where(top == place, below, best)
        won = float(np.count_nonzero(mine > rival))
        tied = np.flatnonzero(mine == rival)
        if tied.size:
            equal = (np.delete(others[:, tied], place, 0) == rival[tied]).sum(axis=0)
            won += float((1.0 / (1.0 + equal)).sum())
        shares.append(won / mine.size)
    return np.array(shares)
