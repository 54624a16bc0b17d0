"""How wrong the answers for open-loop sweeps are: Poisson arrivals at given rates, truth from long runs.

    python -m benchmarks.accuracy.open_loop             score the committed sweeps through `python -m core batch`
    python -m benchmarks.accuracy.open_loop make 11 30  make them anew (minutes; needs a C compiler): SEED COUNT

The load axis is the mean number of requests in flight, measured by the load generator over its whole run. The true
curve of a deployment is latency against the in-flight mean of long runs without their start, at rates up to 97 % of
what the server completes when overloaded. Sweeps have 4, 6 or 8 rates, evenly spaced or doubling, the largest at 80
to 130 % of that, with a fixed number of requests or of seconds a level, as people send them. No answer here was
learned from: all constants are those that are shipped.
"""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy.baselines import BASELINES
from benchmarks.accuracy.questions import HERE, Question, Task, Truth
from benchmarks.accuracy.run import batch
from benchmarks.accuracy.score import Scored, figures, report, score
from benchmarks.accuracy.simulate import deployment
from core.fit.isotonic import rising
from core.ingest.stage_json import stage_of
from core.model.metric import Metric
from core.model.stage import Stage
from core.model.target import Target

DATA = HERE / "data" / "open_loop" / "deployments.jsonl.gz"
RESULTS = HERE / "open_loop.json"
PATIENCE_S = 300
DENSE = (0.05, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.88, 0.93, 0.97)
"""Rates of the true curve, as shares of what the server completes when overloaded."""

WARM, COUNTED = 300, 2000
PARAMETERS = 19
"""Of a deployment that open_loop.c reads: neither experts nor prefill apart."""

LIMITS = 2
"""Questions per statistic of a sweep."""

_METRICS = ("ttft", "tpot", "e2e", "itl")
_STATISTICS = ("mean", "sd", "p50", "p90", "p99")
_LEAST_SLOPE = 0.1


def main() -> None:
    if sys.argv[1:2] == ["make"]:
        make(int(sys.argv[2]), int(sys.argv[3]))
    scored = every_scored()
    document = {"method": report(scored), "baselines": _baselines(scored)}
    RESULTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    for name, row in {"this method": document["method"]["overall"], **document["baselines"]}.items():
        print(name, row)


def every_scored() -> list[Scored]:
    """Return every question with its answer, by the command line."""
    every = list(tasks())
    answers = batch([task.record for task, _ in every], None)
    return [
        score(task, question, document, truth)
        for task, truth in every
        for question, document in zip(task.questions, answers[task.id], strict=True)
    ]


def _baselines(scored: Sequence[Scored]) -> dict[str, Any]:
    truths = {task.id: truth for task, truth in tasks()}
    found = {}
    for name, answer in BASELINES.items():
        rows = [
            score(one.task, one.question, answer(_ascending(one.task), one.question.target), truths[one.task.id])
            for one in scored
        ]
        found[name] = figures(rows)
    return found


def _ascending(task: Task) -> list[Stage]:
    """Return the levels by what was in flight: a short run at a higher rate may hold fewer."""
    return sorted(task.stages, key=lambda stage: stage.load or 0.0)


def tasks() -> Iterator[tuple[Task, Truth]]:
    """Read the committed sweeps: each with its questions and the true curves of its deployment."""
    with gzip.open(DATA, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            truth = Truth(np.array(record["in_flight"]), {k: np.array(v) for k, v in record["curves_s"].items()})
            for name, sweep in record["sweeps"].items():
                yield _task(f"{record['deployment']}-{name}", record["deployment"], name, sweep), truth


def _task(task: str, deployment_id: str, grid: str, sweep: dict[str, Any]) -> Task:
    questions = [
        Question(Target(Metric(metric), statistic, limit), true, slope)
        for metric, statistic, limit, true, slope in sweep["questions"]
    ]
    sets = [[{"metric": q.target.metric, "statistic": q.target.statistic, "limit": q.target.limit}] for q in questions]
    return Task(
        id=task,
        dataset="open_loop",
        deployment=deployment_id,
        grid=grid,
        record={"id": task, "stages": sweep["stages"], "target_sets": sets},
        stages=tuple(stage_of(stage) for stage in sweep["stages"]),
        questions=tuple(questions),
    )


def make(seed: int, count: int) -> None:
    """Simulate deployments and write them, one a line; those that take too long are left out."""
    rng = np.random.default_rng(seed)
    DATA.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "open_loop"
        subprocess.run(["cc", "-O2", "-o", program, HERE / "open_loop.c", "-lm"], check=True)
        with gzip.open(DATA, "wt", encoding="utf-8") as out:
            for index in range(count):
                record = simulated(program, f"{seed}-{index}", rng)
                if record:
                    out.write(json.dumps(_short(record), separators=(",", ":")) + "\n")
                    out.flush()


def simulated(program: Path, name: str, rng: np.random.Generator) -> dict[str, Any] | None:
    """One deployment: the true curves, and sweeps as load generators would file them."""
    parameters = deployment(rng, share=1.0)[0][:PARAMETERS]
    sweep_rng = np.random.default_rng(rng.integers(2**32))
    try:
        most = _completed(program, parameters)
        jobs = [(share * most, WARM + COUNTED, WARM) for share in DENSE]
        grids = _grids(most, sweep_rng)
        jobs += [(rate, requests, 0) for grid in grids.values() for rate, requests in grid]
        levels = _levels(program, parameters, jobs, int(sweep_rng.integers(2**31)))
    except subprocess.SubprocessError:
        return None
    dense, measured = levels[: len(DENSE)], iter(levels[len(DENSE) :])
    order = np.argsort([level["flight"] for level in dense])
    flight = np.array([dense[i]["flight"] for i in order])
    curves = _curves([dense[i] for i in order])
    sweeps = {}
    for grid, rates in grids.items():
        stages = [_stage(next(measured)) for _ in rates]
        sweeps[grid] = {"stages": stages, "questions": _questions(stages, flight, curves, sweep_rng)}
    return {"deployment": name, "in_flight": flight.tolist(), "curves_s": curves, "sweeps": sweeps}


def _completed(program: Path, parameters: Sequence[float]) -> float:
    """Return the requests/s that the server completes with everything waiting, between start and drain."""
    level = _levels(program, parameters, [(0.0, 1200, 0)], 1, records=1)[0]
    ends = np.sort([start + stay for start, _, stay in level["records"]])
    low, high = ends.size // 5, ends.size * 7 // 10
    return float((high - low) / (ends[high] - ends[low]))


def _levels(
    program: Path, parameters: Sequence[float], jobs: Sequence[tuple[float, int, int]], seed: int, records: int = 0
) -> list[dict[str, Any]]:
    lines = [f"{rate:.8g} {n} {warm} {records} {seed + i}" for i, (rate, n, warm) in enumerate(jobs)]
    text = " ".join(f"{value:.10g}" for value in parameters) + "\n" + "\n".join(lines) + "\n"
    done = subprocess.run([program], input=text, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _grids(most: float, rng: np.random.Generator) -> dict[str, list[tuple[float, int]]]:
    """Rates and requests of three sweeps."""
    found = {}
    for count in (4, 6, 8):
        top = float(rng.uniform(0.8, 1.3))
        evenly = bool(rng.integers(2))
        shares = np.linspace(0.15 * top, top, count) if evenly else top * 2.0 ** -np.arange(count)[::-1].astype(float)
        fixed = int(np.exp(rng.uniform(np.log(100), np.log(800))))
        by_time = bool(rng.integers(2))
        sizes = [int(np.clip(fixed * share / shares[-1], 40, 1500)) if by_time else fixed for share in shares]
        name = f"{'even' if evenly else 'doubling'}{count}"
        found[name] = [(float(share) * most, size) for share, size in zip(shares, sizes, strict=True)]
    return found


def _curves(levels: Sequence[dict[str, Any]]) -> dict[str, list[float]]:
    curves = {}
    for metric in _METRICS:
        for statistic in ("p99",) if metric == "itl" else ("mean", "p90", "p99"):
            values = np.array([level[metric][_STATISTICS.index(statistic)] for level in levels])
            curves[f"{metric}_{statistic}"] = np.exp(rising(np.log(values), np.ones(values.size))).tolist()
    return curves


def _stage(level: dict[str, Any]) -> dict[str, Any]:
    statistics = {m: dict(zip(_STATISTICS, level[m], strict=True)) | {"n": level["req"]} for m in _METRICS}
    return {
        "asked_rate": level["asked"],
        "achieved_concurrency": level["flight"],
        "achieved_rate": level["rate"],
        "requests_good": level["req"],
        "requests_failed": 0,
        "duration_s": level["dur"],
        "output_tokens_mean": level["om"],
        "output_tok_s": level["rate"] * level["om"],
        "statistics": statistics,
    }


def _questions(
    stages: Sequence[dict[str, Any]], flight: np.ndarray, curves: dict[str, list[float]], rng: np.random.Generator
) -> list[tuple[str, str, float, float, float]]:
    """Limits on every true curve where it is not flat, within what the sweep measured and the truth reaches."""
    reached = [stage["achieved_concurrency"] for stage in stages]
    low, high = max(min(reached), flight[0]), min(max(reached), flight[-1])
    found = []
    if high <= 1.2 * low:
        return []
    log_load = np.log(flight)
    for name, curve in curves.items():
        metric, _, statistic = name.rpartition("_")
        for at in rng.uniform(math.log(low), math.log(high), LIMITS):
            rise = np.interp(at + 0.15, log_load, np.log(curve)) - np.interp(at - 0.15, log_load, np.log(curve))
            if rise / 0.3 > _LEAST_SLOPE:
                limit = float(np.exp(np.interp(at, log_load, np.log(curve))))
                found.append((metric, statistic, limit, math.exp(at), float(rise / 0.3)))
    return found


def _short(value: object) -> object:
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_short(each) for each in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()
