"""Which numbers of an axis are written where a chart on paper is too small for all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

AIR = 1.15
"""Of its own size that a number takes on its axis, with the space to the next one."""


def written(places: Sequence[float], sizes: Sequence[float], ranks: Sequence[int]) -> list[bool]:
    """Return which numbers stand without touching each other: all of them where they can.

    Steps of one width keep every second, third or further one; others give way to rounder ones.

    Args:
        places: of the numbers along their axis, in points, rising.
        sizes: of each along the axis, in points.
        ranks: how round each is, `rank` of its value; the lowest are written first.

    >>> written([0.0, 10.0, 20.0, 30.0, 40.0], [9.0] * 5, [0] * 5)
    [True, False, True, False, True]
    >>> written([0.0, 3.0, 7.0, 10.0, 13.0, 17.0], [6.0] * 6, [0, 2, 1, 0, 2, 1])
    [True, False, False, True, False, True]
    """
    every = range(len(places))
    if _apart(list(every), places, sizes):
        return [True] * len(places)
    gaps = [after - before for before, after in pairwise(places)]
    if max(gaps) - min(gaps) <= 0.01 * max(gaps):
        step = next(step for step in range(2, len(places) + 1) if _apart(list(every[::step]), places, sizes))
        return [at % step == 0 for at in every]
    kept: list[int] = []
    for at in sorted(every, key=lambda at: (ranks[at], at)):
        if _apart(sorted([*kept, at]), places, sizes):
            kept.append(at)
    return [at in kept for at in every]


def rank(value: float) -> int:
    """Return how round a number is: a power of ten first, then a five and a two of one, then every other.

    >>> [rank(value) for value in (1000.0, 50.0, 0.2, 30.0, 0.0)]
    [0, 1, 2, 3, 0]
    """
    if value == 0.0:
        return 0
    first = round(abs(value) / 10.0 ** math.floor(math.log10(abs(value)) + 1e-9), 6)
    return {1.0: 0, 5.0: 1, 2.0: 2}.get(first, 3)


def _apart(kept: Sequence[int], places: Sequence[float], sizes: Sequence[float]) -> bool:
    return all(
        places[after] - places[before] >= AIR * (sizes[before] + sizes[after]) / 2.0 for before, after in pairwise(kept)
    )
