"""Sweeps of a disturbed machine: are they warned of, and do the ranges hold or the answers stay away?

    python -m benchmarks.accuracy.noisy [FOLDER]

FOLDER holds the dense sweeps that were recorded on an overloaded machine, `vllm-bench-0.32.0` of the generated tool
results (by default beside this checkout). Of each sweep six sparse ones of four to six levels are answered; the
questions are the levels in between: the limit is the value there of the rising curve nearest to all levels, the true
answer its load. The truth is as noisy as the sweep. By sweep: share refused, warned, coverage, and the safe number.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.accuracy.questions import Question, Task, Truth
from benchmarks.accuracy.score import Scored, figures, score
from core.check.checks import check_run
from core.decide.decide import decide
from core.fit.fit import fit_stages
from core.fit.isotonic import rising
from core.ingest.raw import Upload
from core.model.metric import Metric
from core.model.run import Run
from core.model.stage import Stage
from core.model.target import Target
from core.pipeline import load
from core.present.documents import capacity_document
from core.settings import ROOT

FOLDER = ROOT.parent / "shared" / "data" / "generated" / "tools" / "vllm-bench-0.32.0"
SWEEPS = ("dense_emulator_mns16", "dense_mns8", "dense_mns8_quiet", "dense_mns16_128_64_pass1")
GRIDS = (
    (1, 4, 16, 32),
    (2, 6, 12, 24),
    (1, 3, 8, 16, 28),
    (2, 5, 10, 20, 40),
    (1, 2, 4, 8, 16, 32),
    (1, 6, 9, 14, 22, 36),
)
STATISTICS = tuple(
    (metric, statistic) for metric in (Metric.TTFT, Metric.TPOT, Metric.E2E) for statistic in ("mean", "p90", "p99")
)
WARNINGS = frozenset({"sweep.unstable", "sweep.throughput_falls", "sweep.latency_falls", "itl.as_tpot"})
NOISE = frozenset({"noise.raised", "noise.sweep_wide"})
"""Reasons of an answer that say the same."""

_LEAST_SLOPE = 0.1


def main() -> None:
    folder = Path(sys.argv[1]) if sys.argv[1:] else FOLDER
    for name in SWEEPS:
        print(name, json.dumps(measured(folder / name)))


def measured(folder: Path) -> dict[str, float]:
    """Return the figures of one dense sweep; `warned` is the share of sparse sweeps with a warning of noise."""
    run = run_of(folder)
    scored: list[Scored] = []
    warned = []
    for grid in GRIDS:
        found, warns = answered(run, grid)
        scored += found
        warned.append(warns)
    return {**figures(scored), "warned": round(float(np.mean(warned)), 4)}


def run_of(folder: Path) -> Run:
    """Read a folder as the product does; it holds one run."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    (run,) = load([Upload(path.name, path.read_bytes()) for path in files]).runs
    return run


def answered(run: Run, grid: Sequence[int]) -> tuple[list[Scored], bool]:
    """Return the questions on one sparse sweep with their answers, and whether anything warned of noise."""
    dense = [stage for stage in run.stages if stage.excluded is None]
    kept = tuple(stage for stage in dense if stage.load in grid)
    fit = fit_stages(kept)
    sparse = replace(run, stages=kept, findings=())
    warns = bool({finding.code for finding in check_run(sparse)} & WARNINGS)
    task = Task(id="", dataset="noisy", deployment="", grid=str(grid), record={}, stages=kept, questions=())
    scored = []
    for question, truth in _questions(dense, kept):
        capacity = decide(fit, [question.target]).capacity
        warns = warns or bool(NOISE & set(capacity.reasons))
        scored.append(score(task, question, capacity_document(capacity), truth))
    return scored, warns


def _questions(dense: Sequence[Stage], kept: Sequence[Stage]) -> Iterator[tuple[Question, Truth]]:
    """Yield every hidden level between two kept ones as a question, where the curve is not flat there."""
    loads = np.array([stage.load for stage in dense], float)
    low, high = kept[0].load or 0.0, kept[-1].load or 0.0
    for metric, statistic in STATISTICS:
        values = np.array([stage.value(metric, statistic) or np.nan for stage in dense])
        curve = np.exp(rising(np.log(values), np.ones(values.size)))
        slopes = np.gradient(np.log(curve), np.log(loads))
        truth = Truth(loads, {f"{metric}_{statistic}": curve})
        for load_, limit, slope in zip(loads.tolist(), curve.tolist(), slopes.tolist(), strict=True):
            if low < load_ < high and load_ not in {stage.load for stage in kept} and slope > _LEAST_SLOPE:
                yield Question(Target(metric, statistic, limit), load_, slope), truth


if __name__ == "__main__":
    main()
