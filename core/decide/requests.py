"""How many requests the next level needs, and about how long they take."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.fit.fit import Fit
from core.fit.noise import RUN
from core.fit.points import Points
from core.model.metric import fraction
from core.model.target import Target

PER_LEVEL = 10
"""Requests for each one in flight: fewer, and filling and draining weigh too much."""

MOST = 4
"""Times the fewest requests that are ever asked for."""

_FEWEST = 50


def requests_for(targets: Sequence[Target], load: float) -> int:
    """Return how many requests a level needs: 10 per slot, and 3 beyond the highest quantile asked for.

    >>> from core.model.target import parse_target
    >>> requests_for([parse_target("ttft p99 <= 1 s")], 8)
    300
    """
    q = max((fraction(target.statistic) or 0.0 for target in targets), default=0.0)
    shares = [1.0 - target.limit for target in targets if target.statistic == "value" and target.limit < 1.0]
    rarest = min([1.0 - q, *shares])
    return round_up(max(3.0 / rarest - 1e-6, PER_LEVEL * load, _FEWEST))


def enough(points: Points, load: float, fewest: int) -> int:
    """Return the requests at which sampling adds no more to the error than the change from run to run.

    More would be spent on what the next run changes anyway. Between `fewest` and `MOST` times that.

    Args:
        points: of the statistic that decides; their errors fall with the root of their counts.
        load: of the new level, > 0.
        fewest: that any level needs.
    """
    one = points.error * np.sqrt(points.count)
    known = np.isfinite(one) & (one > 0.0)
    if not known.any():
        return fewest
    error_of_one = float(np.interp(math.log(load), np.log(points.load[known]), one[known]))
    return min(max(fewest, round_up((error_of_one / RUN) ** 2)), MOST * fewest)


def duration(fit: Fit, load: float, requests: int, rate: float | None) -> float | None:
    """Return about how many seconds the requests take; None where no level tells.

    Args:
        fit: the run; beyond its largest level the throughput there is taken.
        load: in flight, > 0.
        requests: to send.
        rate: requests/s that are sent, None for a closed loop.
    """
    if rate is None:
        found = fit.rate("req_s", min(load, fit.levels[-1]))
        rate = found.mid if found else None
    return requests / rate if rate else None


def round_up(count: float) -> int:
    """Round up to a number that is easy to read: two leading digits.

    >>> round_up(123)
    130
    """
    step = 10 ** max(math.floor(math.log10(count)) - 1, 0)
    return int(math.ceil(count / step) * step)
