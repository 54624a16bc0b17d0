"""InferenceX sweeps as the product reads them, and how InferenceX itself reads a cost between measured points.

The files are read in place. The method of its dashboard is written here from its description
(docs/tco-calculator.md of InferenceX-app): throughput as a monotone spline over tokens/s per user, through the points
that no other beats in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.accuracy.questions import HERE, tasks
from core.fit.constants import Constants, read_constants
from core.fit.fit import fit_run
from core.ingest.raw import Upload
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage
from core.model.target import Target
from core.pipeline import load
from core.settings import ROOT

PUBLIC = ROOT.parent / "shared" / "data" / "public"
FOLDERS = (
    "inferencemax_agg_json",
    "inferencemax_benchmark_serving_seconds_json",
    "inferencemax_multiturn_csv",
    "vllm_benchmark_serving_json/SemiAnalysisAI__InferenceX",
)
FEWEST = 3
"""Levels of a sweep of which one can be left out between two others."""


@dataclass(frozen=True)
class Sweep:
    """One configuration.

    Attributes:
        folder: that its files lie in.
        run: as the product made it.
        levels: those that it uses, with throughput and a time per token, by ascending load.
        restless: noise that the product finds in it.
        constants: of the fold that did not see it, None where the shipped ones did not.
    """

    folder: str
    run: Run
    levels: tuple[Stage, ...]
    restless: float
    constants: Constants | None = None

    def without(self, level: Stage) -> Run:
        """Return the run as if a level had never been measured."""
        return replace(self.run, stages=tuple(stage for stage in self.run.stages if stage is not level))


@dataclass(frozen=True)
class Speed:
    """Time per output token of one level: the mean, where it is not known the median."""

    statistic: str
    seconds: float

    @property
    def target(self) -> Target:
        return Target(Metric.TPOT, self.statistic, self.seconds)


def sweeps(folder: Path) -> list[Sweep]:
    """Return the configurations of a folder that have enough levels, in the order of the product."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    runs = load([Upload(name=path.relative_to(folder).as_posix(), data=path.read_bytes()) for path in paths]).runs
    name = folder.relative_to(PUBLIC).parts[0]
    found = [
        Sweep(name, run, levels, fit_run(run).restless, unseeing(levels)) for run in runs if (levels := _levels(run))
    ]
    return [sweep for sweep in found if len(sweep.levels) >= FEWEST]


def unseeing(levels: Sequence[Stage]) -> Constants | None:
    """Return the constants that did not see a sweep, None where no question was asked about it."""
    own = {_mark(level) for level in levels}
    fold = next((task.fold for task in tasks("real") if len(own & {_mark(s) for s in task.stages}) >= FEWEST - 1), None)
    return None if fold is None else read_constants(HERE / "folds" / f"constants-{fold}.json")


def _mark(level: Stage) -> tuple[float | None, str]:
    """Return what tells a level from those of other sweeps: its load, and its time per token in four digits."""
    speed = speed_of(level)
    return level.load, f"{speed.seconds:.4g}" if speed else ""


def speed_of(level: Stage) -> Speed | None:
    known = ((name, level.value(Metric.TPOT, name)) for name in ("mean", "p50"))
    return next((Speed(name, value) for name, value in known if value and value > 0.0), None)


def _levels(run: Run) -> tuple[Stage, ...]:
    used = [s for s in run.stages if s.excluded is None and s.load and s.output_tok_s and speed_of(s)]
    return tuple(sorted(used, key=lambda stage: stage.load or 0.0))


def front(levels: Sequence[Stage]) -> list[Stage]:
    """Return the levels that no other equals or beats in both speed and throughput, by ascending speed."""
    found: list[Stage] = []
    best = 0.0
    for level in sorted(levels, key=lambda stage: (-_per_user(stage), -(stage.output_tok_s or 0.0))):
        if (level.output_tok_s or 0.0) > best:
            best = level.output_tok_s or 0.0
            found.append(level)
    return found[::-1]


def splined(levels: Sequence[Stage], per_user: float) -> float | None:
    """Return throughput at a speed by a monotone spline through the front of the levels, None outside of it."""
    known = front(levels)
    x, y = np.array([(_per_user(level), level.output_tok_s) for level in known], float).T
    if not x.size or not x[0] <= per_user <= x[-1]:
        return None
    return float(steffen(x, y, per_user)) if x.size > 1 else float(y[0])


def steffen(x: np.ndarray, y: np.ndarray, at: float) -> float:
    """Return a monotone cubic through points of ascending x at one place, ends as D3's monotone curves have them.

    Sources:
        Steffen 1990, A simple method for monotonic interpolation in one dimension.
    """
    h, s = np.diff(x), np.diff(y) / np.diff(x)
    inner = (s[:-1] * h[1:] + s[1:] * h[:-1]) / (h[:-1] + h[1:])
    least = np.minimum(np.minimum(np.abs(s[:-1]), np.abs(s[1:])), 0.5 * np.abs(inner))
    slope = (np.sign(s[:-1]) + np.sign(s[1:])) * least
    if slope.size:
        slope = np.concatenate(([(3.0 * s[0] - slope[0]) / 2.0], slope, [(3.0 * s[-1] - slope[-1]) / 2.0]))
    else:
        slope = np.array([s[0], s[0]])
    i = int(np.clip(np.searchsorted(x, at, side="right") - 1, 0, h.size - 1))
    t, a, b = (at - x[i]) / h[i], slope[i] * h[i], slope[i + 1] * h[i]
    rise = y[i + 1] - y[i]
    return float(y[i] + t * (a + t * (3.0 * rise - 2.0 * a - b + t * (a + b - 2.0 * rise))))


def _per_user(level: Stage) -> float:
    speed = speed_of(level)
    return 1.0 / speed.seconds if speed else 0.0
