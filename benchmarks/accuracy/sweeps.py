"""Sparse sweeps as files hold them, from deployments that were simulated at every load.

A file rarely holds all: some levels, some statistics of some metrics, from a machine that is now and then
busy with something else, or from levels that did not quite do the same work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.accuracy.simulate import METRICS, RUNS, STATISTICS, Deployment
from core.errors import Place
from core.fit.isotonic import rising
from core.model.metric import Metric
from core.model.stage import Stage, Statistics

_QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
_NO_MEDIAN = ("mean", "sd", "p90", "p99")
_NO_SD = ("mean", "p50", "p90", "p99")
PATTERNS = {
    "as asked": {"ttft": STATISTICS, "tpot": _NO_MEDIAN, "e2e": _NO_MEDIAN, "itl": ("mean", "p99")},
    "everything": dict.fromkeys(METRICS, STATISTICS),
    "means": dict.fromkeys(METRICS[:3], ("mean",)),
    "median and tail": dict.fromkeys(METRICS[:3], ("p50", "p99")),
    "no sd": dict.fromkeys(METRICS[:3], _NO_SD),
    "vllm": {**dict.fromkeys(METRICS[:3], STATISTICS), "itl": _NO_SD},
    "no e2e": dict.fromkeys(METRICS[:2], ("mean", "p99")),
    "no tpot": dict.fromkeys(("ttft", "e2e"), _NO_SD),
    "ttft alone": {"ttft": ("mean", "p90", "p99")},
    "tpot alone": {"tpot": ("mean", "p90", "p99")},
    "itl alone": {"itl": ("mean", "p99")},
    "e2e alone": {"e2e": ("mean", "p90", "p99")},
}
"""Statistics by metric that a file may hold; the first is what the questions have."""

_HOW_OFTEN = (0.5, 0.09, 0.09, 0.08, 0.07, 0.06, 0.03, 0.02, 0.015, 0.02, 0.01, 0.015)
_GRIDS = {
    "pow2": 0.13,
    "pow4": 0.13,
    "log4": 0.13,
    "log6": 0.1,
    "log8": 0.1,
    "log12": 0.08,
    "rand6": 0.13,
    "rand": 0.08,
    "even": 0.12,
}
_STYLES = {"clean": 0.0, "busy": 0.2, "uneven": 0.15}
"""How a sweep was run, with the largest sd of ln speed from level to level."""

_LEAST_LEVELS = 4
REFINED = 0.2
"""Share of the sweeps that had levels added around one load."""

CUT = 0.3
"""Share of the sweeps that end below the largest simulated load."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One sparse sweep with what is true of it.

    Attributes:
        stages: its levels.
        names: (metric, statistic) that it holds.
        truth: seconds at every load of the deployment, shape (loads, METRICS, STATISTICS).
        hidden: load and statistics of a level left out, the only truth where it is given.
        centre: ln load around which levels were added, as after an advised measurement; None where none were.
    """

    stages: Sequence[Stage]
    names: Sequence[tuple[int, int]]
    truth: np.ndarray
    hidden: tuple[float, np.ndarray] | None
    centre: float | None = None


def sample(one: Deployment, rng: np.random.Generator) -> Sample | None:
    """Draw a sweep of a deployment, None where its grid has too few levels."""
    at, centre = _grid(one.loads, rng), None
    if len(at) < _LEAST_LEVELS:
        return None
    if rng.uniform() < REFINED:
        at, centre = _refined(one.loads, at, rng)
    pattern = str(rng.choice(list(PATTERNS), p=_HOW_OFTEN))
    plain = pattern == "as asked"
    style = str(rng.choice(list(_STYLES), p=(0.85, 0.1, 0.05) if plain else (0.5, 0.25, 0.25)))
    run = rng.integers(0, RUNS, len(one.loads))
    every = np.arange(len(one.loads))
    measured, counts = one.statistics[every, run].astype(float), one.counts[every, run].astype(float)
    truth = (one.statistics.astype(float).sum(axis=1) - measured) / (RUNS - 1)
    statistics, level_counts = _as_run(measured[at], counts[at], style, rng)
    loads, hidden = one.loads[at], None
    if (style != "clean" and not centre and rng.uniform() < 0.6) or (not plain and not centre and rng.uniform() < 0.35):
        place = int(rng.integers(1, len(at) - 1))
        hidden = (float(loads[place]), statistics[place])
        loads, statistics, level_counts = (np.delete(a, place, 0) for a in (loads, statistics, level_counts))
    has_flight, has_count = rng.uniform() < 0.8, rng.uniform() < 0.95
    has_rate = rng.uniform() < (0.5 if pattern.endswith("alone") else 0.96)
    stages = [
        _stage(load, seconds, count, pattern, _Known(has_flight, has_count, has_rate))
        for load, seconds, count in zip(loads, statistics, level_counts, strict=True)
    ]
    names = [
        (m, STATISTICS.index(name))
        for m, metric in enumerate(METRICS)
        for name in PATTERNS[pattern].get(metric, ())
        if name != "sd"
    ]
    return Sample(stages, names, truth, hidden, centre)


def true_curve(found: Sample, name: tuple[int, int]) -> np.ndarray:
    """Return ln seconds at every load of the deployment, rising."""
    curve = found.truth[:, name[0], name[1]]
    return np.log(rising(curve, np.ones(curve.size)))


def _grid(loads: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the places of the levels of one sweep."""
    kind, top = str(rng.choice(list(_GRIDS), p=list(_GRIDS.values()))), loads[-1]
    if kind.startswith("pow"):
        first = int(rng.choice([0, 0, 0, 1, 2])) if kind == "pow2" else 0
        wanted = float(kind[3:]) ** np.arange(first, 10)
    elif kind.startswith("log"):
        wanted = np.geomspace(1, top, int(kind[3:]))
    elif kind == "rand6":
        wanted = rng.choice(loads, min(6, len(loads)), replace=False)
    elif kind == "rand":
        wanted = np.exp(rng.uniform(0, np.log(top), int(rng.integers(4, 10))))
    else:
        step = top / rng.uniform(3, 10)
        wanted = np.array([1.0 if rng.uniform() < 0.5 else step / 4, step / 2, *(step * np.arange(1, 10))])
    wanted = wanted[(wanted >= 0.8) & (wanted <= 1.1 * top)]
    at = np.unique(np.abs(np.log(loads)[:, None] - np.log(wanted)).argmin(axis=0))
    # Many sweeps end before the server does, and some begin late.
    ends = rng.integers(1, 3) if rng.uniform() < CUT and at.size > _LEAST_LEVELS + 1 else 0
    begins = 1 if rng.uniform() < CUT / 3 and at.size > _LEAST_LEVELS + 2 else 0
    return at[begins : at.size - ends]


def _refined(loads: np.ndarray, at: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """Return a grid with one to three more levels around some load, and that load."""
    ends = np.log(loads[at[[0, -1]]])
    centre = float(rng.uniform(*ends))
    more = centre + rng.choice([0.05, 0.2, 0.4]) * rng.normal(size=int(rng.integers(1, 4)))
    places = np.abs(np.log(loads)[:, None] - np.clip(more, *ends)).argmin(axis=0)
    return np.unique(np.concatenate((at, places))), centre


def _as_run(
    statistics: np.ndarray, counts: np.ndarray, style: str, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the levels as a busy machine, or levels of uneven work, would have shown them."""
    most = _STYLES[style]
    if not most:
        return statistics, counts
    sd, size = float(np.exp(rng.uniform(np.log(0.01), np.log(most)))), len(counts)
    speed = np.exp(sd * rng.normal(size=size))
    uneven = style == "uneven"
    answers = np.exp((rng.uniform(0, 0.3) if uneven else 0.0) * rng.normal(size=size))
    prompts = np.exp((rng.uniform(0, 0.4) if uneven else 0.3 * sd) * rng.normal(size=size))
    ttft, tpot, e2e, itl = (METRICS.index(name) for name in METRICS)
    first, whole = statistics[:, ttft, 0].copy(), statistics[:, e2e, 0].copy()
    statistics[:, ttft] *= (speed * prompts)[:, None]
    for metric in (tpot, itl):
        statistics[:, metric] *= speed[:, None]
    took = first * speed * prompts + (whole - first) * speed * answers
    statistics[:, e2e] *= (took / whole)[:, None]
    counts[:, 1] *= whole / took
    counts[:, 4] *= answers
    return statistics, counts


@dataclass(frozen=True, slots=True)
class _Known:
    """What a file tells beside latencies."""

    flight: bool
    count: bool
    rate: bool


def _stage(load: float, seconds: np.ndarray, counts: np.ndarray, pattern: str, known: _Known) -> Stage:
    requests, rate, flight, _, tokens = counts.tolist()
    n = int(requests) if known.count else None
    found = {}
    for place, metric in enumerate(METRICS):
        names = PATTERNS[pattern].get(metric, ())
        value = dict(zip(STATISTICS, seconds[place].tolist(), strict=True))
        if names:
            found[Metric(metric)] = Statistics(
                mean=value["mean"] if "mean" in names else None,
                sd=value["sd"] if "sd" in names else None,
                n=n,
                quantiles={_QUANTILES[name]: value[name] for name in names if name in _QUANTILES},
            )
    return Stage(
        where=Place(),
        asked_concurrency=float(load),
        achieved_concurrency=flight if known.flight else None,
        achieved_rate=rate if known.rate else None,
        requests_good=n,
        requests_failed=0,
        output_tokens_mean=tokens,
        output_tok_s=rate * tokens if known.rate else None,
        statistics=found,
    )
