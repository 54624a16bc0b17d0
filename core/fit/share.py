"""Shares of requests as curves: the part that is lost rises with load, as a latency does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.fit.points import Points
from core.fit.sweep import Sweep
from core.model.metric import Metric
from core.model.stage import FloatArray

_HALF = 0.5
"""Requests taken as lost where none was: less than one, more than never."""


def share_points(sweep: Sweep) -> Points:
    """Return the share of requests that failed or were cut off, at the levels that record failures."""
    good, failed = sweep.good, sweep.field("requests_failed")
    lost = failed + np.nan_to_num(sweep.field("requests_cut_off"))
    return lost_points(Metric.SUCCESS_RATE, sweep, lost, good + lost)


def lost_points(metric: Metric, sweep: Sweep, lost: FloatArray, total: FloatArray) -> Points:
    """Return points of the share lost over total; levels where either is unknown are left out.

    Args:
        metric: success_rate or goodput.
        sweep: the levels.
        lost: requests outside the promise, shape (n,), NaN where unknown.
        total: requests that were sent, shape (n,).
    """
    keep: npt.NDArray[np.bool_] = np.isfinite(lost) & np.isfinite(total) & (total > 0.0)
    count = total[keep]
    share = np.minimum(np.maximum(lost[keep], _HALF) / count, 1.0)
    error = np.sqrt((1.0 - share) / (share * count))
    return Points(
        metric=metric,
        load=sweep.load[keep],
        value=share,
        error=error,
        count=count,
        rate=sweep.rate[keep],
        raw=np.minimum(lost[keep] / count, 1.0),
    ).distinct()
