"""What a deployment yields at its limit: at the estimate, with the doubt about where that lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.decide.point import audio_at, point_at
from core.fit.fit import Fit
from core.model.answer import Capacity, Interval, LoadPoint
from core.model.stage import FloatArray
from core.model.target import Target

_ROUNDING = 1e-9


def at_limit(fit: Fit, capacity: Capacity, targets: Sequence[Target]) -> LoadPoint | None:
    """Return the fitted values at the estimate, the system's rates with the doubt of the estimate itself.

    At a load that a person chooses only the curve of a rate is in doubt. At the limit the load is too: the rate may be
    that of any load in the capacity's range. Both doubts are taken as independent, so their ln widths to either side
    are added as squares. Where the range is open above, so is the rate: nothing was measured there.

    Args:
        fit: the run.
        capacity: within all targets.
        targets: whose statistics are wanted, as the curves say them at the estimate.

    Returns:
        None where there is no estimate.

    Sources:
        docs/cost.md, "The range"; how often it holds: `python -m benchmarks.accuracy.cost_coverage`.
    """
    found = capacity.concurrency
    if found is None or not found.mid:
        return None
    point, loads, ends_open = point_at(fit, found.mid, targets), _loads(fit, found), _open(fit, found)

    def ranged(name: str, rate: Interval | None) -> Interval | None:
        over = fit.middle_over(name, loads) if rate else None
        return _widened(rate, over, ends_open) if rate and over is not None else rate

    return replace(
        point,
        output_tok_s=ranged("output_tok_s", point.output_tok_s),
        total_tok_s=ranged("total_tok_s", point.total_tok_s),
        input_tok_s=ranged("input_tok_s", point.input_tok_s),
        req_s=ranged("req_s", point.req_s),
        audio_s_s=_audio(fit, point.audio_s_s, loads, found),
    )


def _audio(fit: Fit, rate: Interval | None, loads: FloatArray, capacity: Interval) -> Interval | None:
    if rate is None:
        return None
    over = [each.mid for load in loads if (each := audio_at(fit, float(load))) and each.mid]
    return _widened(rate, np.array(over), _open(fit, capacity)) if over else rate


def _widened(rate: Interval, over: FloatArray, ends_open: tuple[bool, bool]) -> Interval:
    """Return a rate at the estimate with ends that hold what the capacity's range makes of it.

    Args:
        rate: at the estimate, with the doubt of its own curve.
        over: the same curve at the loads of the range.
        ends_open: whether the range has no lower end above 0, and none above.
    """
    if not rate.mid:
        return rate
    falls, rises = math.log(rate.mid / min(rate.mid, over.min())), math.log(max(rate.mid, over.max()) / rate.mid)
    below = math.log(rate.mid / rate.low) if rate.low else math.inf
    above = math.log(rate.high / rate.mid) if rate.high else math.inf
    low = 0.0 if ends_open[0] else rate.mid * math.exp(-math.hypot(below, falls))
    high = None if ends_open[1] or above == math.inf else rate.mid * math.exp(math.hypot(above, rises))
    return Interval(low=low, mid=rate.mid, high=high, level=rate.level)


def _open(fit: Fit, capacity: Interval) -> tuple[bool, bool]:
    most = fit.levels[-1] * (1.0 + _ROUNDING)
    return not capacity.low, capacity.high is None or capacity.high > most


def _loads(fit: Fit, capacity: Interval) -> FloatArray:
    """Return the loads at which a rate through the levels may be least or most in the range: its ends, and levels."""
    top = fit.levels[-1]
    low = min(capacity.low or fit.levels[0], top)
    high = min(top if capacity.high is None else capacity.high, top)
    return np.array([low, *(load for load in fit.levels if low < load < high), high])
