"""What the learned part of the method may look at: the bracket, its neighbours, all metrics; nothing has a unit.

The number of requests is not among them, nor what follows from it: see `core.fit.network`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from core.fit.interpolate import IntArray
from core.fit.noise import normal_quantile
from core.fit.points import Points
from core.fit.shape import Shape
from core.fit.sweep import Sweep
from core.model.metric import Metric, fraction
from core.model.stage import FloatArray

WINDOW = (-2, -1, 0, 1, 2, 3)
"""Levels that are seen, counted from the lower end of the bracket."""

_MIDDLES = (Metric.TTFT, Metric.TPOT, Metric.E2E, Metric.ITL)
_TAILS = (
    *((metric, q) for metric in (Metric.TTFT, Metric.TPOT, Metric.E2E) for q in ("p90", "p99")),
    (Metric.ITL, "p99"),
)
_SERIES = (*(m.value for m in _MIDDLES), "rate", *(f"{m.value}_{q}" for m, q in _TAILS))
_SLOPED = ("own", "ttft", "tpot", "e2e", "rate")
_RATIOS = (("ttft", "tpot"), ("itl", "tpot"), *((f"{m.value}_{q}", m.value) for m, q in _TAILS))
"""Pairs of series whose ratio says what kind of server and work it is."""

_ENDS = (
    *("waiting", "flight", "ttft_part", "tail", "spread", "off"),
    *(f"{over}/{under}" for over, under in _RATIOS),
    *(f"spread_{m.value}" for m in _MIDDLES[:3]),
)
_FAR = ("own", "ttft", "tpot", "e2e", "rate")
_SHAPE = ("gap", "place", "slope", "bend", "spread", "rough", "uneven", "restless")
_WAYS = ("way_linear", "way_pchip", "way_pchip_log", "way_log")
_WHOLE = ("load", "levels", "quantile", "is_mean", "is_ttft", "is_tpot", "is_itl", "is_e2e")

NAMES = (
    *(f"{name}{step:+d}" for name in ("load", "own", "running", "there") for step in WINDOW),
    *(f"{name}{step:+d}" for name in _SERIES for step in WINDOW if step),
    *(f"slope_{name}{step:+d}" for name in _SLOPED for step in WINDOW[:-1]),
    *(f"{name}_{end}" for name in _ENDS for end in ("low", "high")),
    *(f"has_{name}" for name in _SERIES),
    *_SHAPE,
    *_WAYS,
    "value_place",
    "rise",
    *(f"{name}_{end}" for name in ("load", *_FAR) for end in ("from_first", "to_last")),
    "below",
    "above",
    "knee",
    "has_knee",
    *_WHOLE,
)
_BESIDE = [0, 1, 3, 4, 5]
_PAIRS = [(_SERIES.index(over), _SERIES.index(under)) for over, under in _RATIOS]
_FAR_ROWS = [_SERIES.index(name) for name in _FAR[1:]]
_CLIP = 6.0


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The levels of a run at the loads of one statistic's points; NaN where unknown.

    Attributes:
        series: ln of every series of `_SERIES`, shape (len(_SERIES), n).
        middle: ln of the mean (or median) of the statistic's own metric, shape (n,).
        spread: ln of sd over mean of that metric.
        spreads: the same of the first three of `_MIDDLES`, shape (3, n).
    """

    series: FloatArray
    middle: FloatArray
    spread: FloatArray
    spreads: FloatArray


def surroundings_of(sweep: Sweep, points: Points) -> Surroundings:
    """Return every companion series at the loads of the points."""
    at = np.searchsorted(sweep.load, points.load)
    rate = np.where(sweep.rate > 0.0, sweep.rate, np.nan)
    every = [*(sweep.middle(m) for m in _MIDDLES), rate, *(sweep.values(m, q) for m, q in _TAILS)]
    series = np.log(np.stack(every))[:, at]
    middle = np.log(sweep.middle(points.metric))[at]
    spreads = np.log(np.stack([sweep.spread(m) for m in _MIDDLES[:3]]))[:, at]
    return Surroundings(series, middle, np.log(sweep.spread(points.metric))[at], spreads)


def features_of(
    points: Points, statistic: str, around: Surroundings, shape: Shape, log_limit: FloatArray
) -> FloatArray:
    """Return the features at each limit, shape (m, len(NAMES)); what is unknown is 0.

    Args:
        points: of the statistic, n levels.
        statistic: its name.
        around: the other series at the same levels.
        shape: estimate and scale features at the limits.
        log_limit: shape (m,).
    """
    still = _still(points, around)
    i = shape.segment
    moving = _moving(points, shape, log_limit)
    found: FloatArray = np.concatenate((moving, still[i], _whole(points, statistic, around, shape, log_limit)), axis=1)
    return np.clip(np.nan_to_num(found, posinf=_CLIP, neginf=-_CLIP), -_CLIP, _CLIP)


def _seen(n: int) -> tuple[IntArray, FloatArray]:
    """Return the levels in the window of every segment, and 1 where there is one; shapes (n - 1, 6)."""
    at = np.arange(n - 1)[:, None] + np.array(WINDOW)
    there = (at >= 0) & (at < n)
    return np.clip(at, 0, n - 1), there.astype(float)


def _moving(points: Points, shape: Shape, log_limit: FloatArray) -> FloatArray:
    """Return what changes with the limit: levels against the estimate, values against the limit."""
    at, there = _seen(points.load.size)
    at, there = at[shape.segment], there[shape.segment]
    u = points.plain.log_load[at] - shape.log_mid[:, None]
    own = points.log_value[at] - log_limit[:, None]
    running = points.log_running[at] - shape.log_mid[:, None]
    return np.concatenate([there * np.nan_to_num(part) for part in (u, own, running)] + [there], axis=1)


def _still(points: Points, around: Surroundings) -> FloatArray:
    """Return what is the same for every limit of a segment, shape (n - 1, features)."""
    n, u = points.load.size, points.plain.log_load
    at, there = _seen(n)
    series = around.series
    steps = ((series[:, at] - series[:, :-1, None]) * there)[:, :, _BESIDE]
    slopes = np.full((len(_SLOPED), n + 3), np.nan)
    slopes[0, 2:-2] = np.diff(points.log_value) / np.diff(u)
    slopes[1:, 2:-2] = np.diff(series[[0, 1, 2, 4]]) / np.diff(u)
    ttft, e2e, rate = series[0], series[2], series[4]
    ends = np.stack(
        (
            rate + ttft - u,
            rate + e2e - u,
            ttft - e2e,
            points.log_value - around.middle,
            around.spread,
            points.log_value - points.log_fit,
            *(series[over] - series[under] for over, under in _PAIRS),
            *around.spreads,
        )
    )
    parts = (steps, sliding_window_view(slopes, 5, axis=1), sliding_window_view(ends, 2, axis=1))
    flat = [part.transpose(1, 0, 2).reshape(n - 1, -1) for part in parts]
    known = np.isfinite(series[:, :-1] + series[:, 1:]).T
    return np.concatenate([*flat, known], axis=1)


def _whole(points: Points, statistic: str, around: Surroundings, shape: Shape, log_limit: FloatArray) -> FloatArray:
    plain, i = points.plain, shape.segment
    u, v = plain.log_load, plain.log_value
    q = fraction(statistic)
    one = np.ones(i.size)
    knee = np.full(i.size, 0.0 if points.knee is None else np.log(points.knee))
    columns = [
        *(getattr(shape, name) for name in _SHAPE),
        *(shape.ways - shape.log_mid),
        (log_limit - v[i]) / np.diff(v)[i],
        np.diff(v)[i],
        u[0] - shape.log_mid,
        u[-1] - shape.log_mid,
        *(part[i] for part in _far(points, around)),
        1.0 * i,
        u.size - 2.0 - i,
        (knee - shape.log_mid) * (points.knee is not None),
        one * (points.knee is not None),
        u[i],
        one * points.load.size,
        one * (0.0 if q is None else normal_quantile(q)),
        one * (q is None),
        *(one * (points.metric is metric) for metric in (Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E)),
    ]
    return np.stack(columns, axis=1)


def _far(points: Points, around: Surroundings) -> list[FloatArray]:
    """Return how every series of `_FAR` changed from the first level to a segment, and does from there to the last."""
    every = np.vstack((points.log_value, around.series[_FAR_ROWS]))
    found = []
    for row in every:
        found += [row[:-1] - row[0], row[-1] - row[1:]]
    return found
