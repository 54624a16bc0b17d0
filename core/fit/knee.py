"""Where the running batch is full: found from Little's law on the waiting line, with no metadata.

With more requests in flight than the server runs at once, the rest wait: running = N - X W.
So one saturated level tells the batch limit, S = N - X (TTFT - TTFT(S)) (fit.md 4.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.fit.sweep import Sweep
from core.model.metric import Metric

_RUNNING = 0.88
_WAITING = (2.0, 0.1)
_HALVINGS = 24
"""Of the bracket that holds the knee: to a ten-millionth of it."""

_RATE_SLOPE = 0.75
_GROWTH = 0.7
"""How TTFT grows with load before saturation where one level is all there is to tell it: N^0.7."""


@dataclass(frozen=True, slots=True)
class _Level:
    load: float
    rate: float
    ttft: float
    flight: float


def find_knee(sweep: Sweep, max_num_seqs: float | None = None) -> float | None:
    """Return the load at which the running batch is full, None where no level shows a queue.

    Args:
        sweep: levels by ascending load; needs rate and TTFT.
        max_num_seqs: the limit that the server was given; the knee is never above it.
    """
    levels = _levels(sweep)
    free, limits = levels[:1], []
    for level in levels[1:]:
        waiting = level.rate * max(0.0, level.ttft - _free_ttft(free, level.load))
        growth = np.log(level.rate / free[-1].rate) / np.log(level.load / free[-1].load)
        queued = waiting > max(_WAITING[0], _WAITING[1] * level.load)
        if queued and level.flight - waiting < _RUNNING * level.flight and growth < _RATE_SLOPE:
            limits.append(_batch_limit(free, level))
        elif not limits:
            free.append(level)
    if not limits:
        return None
    knee = max(float(np.median(limits)), free[-1].load)
    return min(knee, max_num_seqs) if max_num_seqs else knee


def _levels(sweep: Sweep) -> list[_Level]:
    ttft, e2e = sweep.middle(Metric.TTFT), sweep.middle(Metric.E2E)
    flight = np.where(np.isfinite(e2e), np.minimum(sweep.rate * e2e, sweep.load), sweep.load)
    every = [_Level(*row) for row in zip(*(a.tolist() for a in (sweep.load, sweep.rate, ttft, flight)), strict=True)]
    known = [level for level in every if np.isfinite(level.ttft) and level.rate > 0.0]
    return known[:1] + [b for a, b in pairwise(known) if b.load > a.load]


def _free_ttft(free: list[_Level], load: float) -> float:
    """Return the TTFT that a level would have without a queue, continued from the levels before it."""
    last = free[-1]
    if len(free) == 1:
        return float(last.ttft * (load / last.load) ** _GROWTH)
    before = free[-2]
    slope = (last.ttft - before.ttft) / (last.load - before.load)
    return max(last.ttft + slope * (load - last.load), last.ttft)


def _batch_limit(free: list[_Level], level: _Level) -> float:
    """Solve S = N - X (TTFT - TTFT(S)) between the last free level and this one, by halving."""
    low, high = free[-1].load, level.load
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if level.flight - level.rate * (level.ttft - _free_ttft(free, middle)) > middle:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
