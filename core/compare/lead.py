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

from core.compare.belief import Belief
from core.compare.shape import Shape, shipped
from core.model.stage import FloatArray

DRAWS = 4096
"""Of each run; the error of a probability from them is below 0.01."""

_TURNS = 8
"""Rounds in which runs change the streams that they draw from, so that none is favoured by its place."""

_SEED = 1875


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What one run's doubt has in common with others'.

    Attributes:
        measurement: runs with the same one are the same levels: all their doubt is shared.
        method: share of the variance that is the error of the method about this deployment, 0 to 1.
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
    least, most = [], []
    for low, high in _rounds((one, other), together or _apart(2), shape or shipped()):
        with np.errstate(invalid="ignore"):
            least.append(_known(low[0] - high[1], -np.inf))
            most.append(_known(high[0] - low[1], np.inf))
    ends = (
        np.quantile(np.concatenate(least), 0.05, method="lower"),
        np.quantile(np.concatenate(most), 0.95, method="higher"),
    )
    middles = [np.quantile(np.concatenate(each), 0.5, method="nearest") for each in (least, most)]
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
    own = list(dict.fromkeys(each.measurement for each in together))
    common = list(dict.fromkeys(each.deployment for each in together if each.deployment is not None))
    sources = list(dict.fromkeys(source for each in together for source, _ in each.biases))
    shared = {name: _stream(-1 - place) for place, name in enumerate([("m", c) for c in common])}
    biases = {name: _stream(-101 - place) for place, name in enumerate(sources)}
    found = []
    for turn in range(min(len(own), _TURNS)):
        streams = {name: _stream((place + turn) % len(own)) for place, name in enumerate(own)}
        rows = []
        for belief, each in zip(beliefs, together, strict=True):
            score = streams[each.measurement]
            if each.deployment is not None and each.method > 0.0:
                score = np.sqrt(each.method) * shared["m", each.deployment] + np.sqrt(1.0 - each.method) * score
            bias = sum((sd * biases[source] for source, sd in each.biases), np.zeros(DRAWS))
            rows.append(belief.draws(score, shape, bias))
        found.append((np.stack([row[0] for row in rows]), np.stack([row[1] for row in rows])))
    return found


@lru_cache(maxsize=256)
def _stream(place: int) -> FloatArray:
    """Return standard normal scores in strata, in an order of this stream's own."""
    order = np.random.default_rng((_SEED, place + 1000)).permutation(DRAWS)
    found: FloatArray = ndtri((order + 0.5) / DRAWS)
    found.setflags(write=False)
    return found


def _shares(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return in which share of draws each run leads: surely, and possibly."""
    surely, possibly = [], []
    for place in range(low.shape[0]):
        most, least = np.delete(high, place, 0), np.delete(low, place, 0)
        surely.append(_won(low[place], most))
        possibly.append(_won(high[place], least))
    return np.array(surely), np.array(possibly)


def _won(own: FloatArray, others: FloatArray) -> float:
    best = others.max(axis=0)
    tied = (others == best).sum(axis=0)
    return float(np.mean(np.where(own > best, 1.0, np.where(own == best, 1.0 / (1.0 + tied), 0.0))))
