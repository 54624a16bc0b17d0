"""What a correction may look at: the bracket, its neighbours and the other metrics, all without units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.fit.interpolate import IntArray
from core.fit.points import Points
from core.fit.shape import Shape
from core.fit.sweep import Sweep
from core.model.metric import Metric, fraction
from core.model.stage import FloatArray

_DIGITS = 7
_SIDES = ("own", "left", "right")
_SHAPE = ("gap", "place", "slope", "bend", "error", "spread", "rough", "uneven", "restless")
_COMPANIONS = ("ttft", "tpot", "e2e", "rate", "mean", "p90")

NAMES = (
    *_SHAPE,
    "rise",
    "value_place",
    *(f"slope_{side}" for side in _SIDES),
    "gap_left",
    "gap_right",
    *("way_linear", "way_pchip", "way_pchip_log", "way_log"),
    *("residual_low", "residual_high"),
    *("error_low", "error_high"),
    *("knee_above_low", "has_knee"),
    *("count_low", "count_high", "per_slot"),
    *("load", "levels", "quantile", "is_ttft", "is_tpot", "is_itl", "is_e2e"),
    *(f"{name}_{side}" for name in _COMPANIONS for side in _SIDES),
    *("flight_low", "flight_high", "tail_low", "tail_high", "tail_step_low", "tail_step_high", "ttft_part"),
)
"""Names of the features, in order; a feature that is unknown is 0."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The levels of a run at the loads of one statistic's points, as logarithms; NaN where unknown."""

    series: dict[str, FloatArray]
    flight: FloatArray


def surroundings_of(sweep: Sweep, points: Points) -> Surroundings:
    """Return every companion series at the loads of the points."""
    at = np.searchsorted(sweep.load, points.load)
    ttft, tpot, e2e = (sweep.middle(metric)[at] for metric in (Metric.TTFT, Metric.TPOT, Metric.E2E))
    metric = points.metric
    held = metric in (Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E, Metric.QUEUE, Metric.RTF)
    unknown = np.full(points.load.size, np.nan)
    rate = np.where(sweep.rate[at] > 0.0, sweep.rate[at], np.nan)
    series = {
        "ttft": np.log(ttft),
        "tpot": np.log(tpot),
        "e2e": np.log(e2e),
        "rate": np.log(rate),
        "mean": np.log(sweep.middle(metric)[at]) if held else unknown,
        "p90": np.log(sweep.values(metric, "p90")[at]) if held else unknown,
    }
    return Surroundings(series, np.log(rate * e2e / points.load))


def features_of(
    points: Points, statistic: str, around: Surroundings, shape: Shape, log_limit: FloatArray
) -> FloatArray:
    """Return the features at each limit, shape (m, len(NAMES)).

    Args:
        points: of the statistic, n levels.
        statistic: its name.
        around: the other series at the same levels.
        shape: estimate and scale features at the limits.
        log_limit: shape (m,).
    """
    plain = points.plain
    i, u, v = shape.segment, plain.log_load, plain.log_value
    own = np.diff(v) / np.diff(u)
    gaps = np.diff(u)
    q = fraction(statistic)
    one = np.ones(i.size)
    mean = around.series["mean"]
    tail = points.log_value - mean
    step = _against_neighbours(tail, u)
    knee = 0.0 if points.knee is None else np.log(points.knee)
    count = np.log(np.maximum(points.count, 1.0))
    columns = [
        *(getattr(shape, name) for name in _SHAPE),
        np.diff(v)[i],
        np.clip((log_limit - v[i]) / np.diff(v)[i], -1.0, 2.0),
        *_sides(own, i),
        *_sides(gaps, i)[1:],
        *(np.clip(shape.ways - shape.log_mid, -1.0, 1.0)),
        (points.log_value - v)[i],
        (points.log_value - v)[i + 1],
        points.error[i],
        points.error[i + 1],
        np.clip(knee - u[i], -3.0, 3.0) * (points.knee is not None),
        one * (points.knee is not None),
        count[i],
        count[i + 1],
        count[i] - u[i],
        u[i],
        one * points.load.size,
        one * (0.5 if q is None else q),
        *(one * (points.metric is metric) for metric in (Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E)),
        *(side for name in _COMPANIONS for side in _sides(np.diff(around.series[name]) / gaps, i)),
        around.flight[i],
        around.flight[i + 1],
        tail[i],
        tail[i + 1],
        step[i],
        step[i + 1],
        (around.series["ttft"] - around.series["e2e"])[i],
    ]
    # Rounded, so that the last bits of a unit's conversion do not decide which way a tree goes.
    found: FloatArray = np.round(np.nan_to_num(np.clip(np.stack(columns, axis=1), -20.0, 20.0)), _DIGITS)
    return found


def _sides(per_segment: FloatArray, i: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a quantity of the segment itself, the one before and the one after; its own where there is none."""
    last = per_segment.size - 1
    return per_segment[i], per_segment[np.maximum(i - 1, 0)], per_segment[np.minimum(i + 1, last)]


def _against_neighbours(values: FloatArray, log_load: FloatArray) -> FloatArray:
    """Return how far each level lies from the straight line between its neighbours, 0 at the ends."""
    off = np.zeros(values.size)
    if values.size > 2:
        part = (log_load[1:-1] - log_load[:-2]) / (log_load[2:] - log_load[:-2])
        off[1:-1] = values[1:-1] - (values[:-2] + part * (values[2:] - values[:-2]))
    return off
