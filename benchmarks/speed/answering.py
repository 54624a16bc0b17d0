"""What an answer costs without the app: in bulk, fitted anew, and read again for a moved target."""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.speed.measure import Row, cpu, timed
from benchmarks.speed.samples import six_runs
from core.decide.decide import decide
from core.fit.fit import fit_run, fit_stages
from core.ingest.stage_json import read_line
from core.model.metric import Metric
from core.model.price import Price
from core.model.target import Target, parse_target
from core.pipeline import answer_run
from core.present.figures import cost_figure, latency_figure, throughput_figure

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "benchmarks" / "accuracy" / "data" / "simulated" / "tasks.jsonl.gz"
TARGETS = tuple(map(parse_target, ("ttft p99 <= 500ms", "ttft mean <= 200ms", "tpot p99 <= 40ms", "e2e p90 <= 3s")))
QUESTIONS = 1000
LEVELS = 12
SWEEPS = 20


def rows(unit: float) -> list[Row]:
    """Return every line of this part; `unit` is the yardstick in seconds."""
    rate = f"{QUESTIONS} questions, start-up taken off"
    return [
        timed("one single-target question in batch, JSON included", batch_question(), 5.0, unit, rate),
        timed("fit and ranges of one run of 12 levels, four targets", fit_four_targets(), 100.0, unit),
        timed("a moved target without the app: answers of six runs, charts of one", moved_target(), 150.0, unit),
    ]


def batch_question() -> float:
    """Return CPU seconds per single-target question of `python -m core batch`, one a line."""
    lines = []
    with gzip.open(TASKS, "rt") as tasks:
        for line in tasks:
            task = json.loads(line)
            lines += [json.dumps({**task, "target_sets": [targets]}) for targets in task["target_sets"]]
    spread = lines[:: max(len(lines) // QUESTIONS, 1)][:QUESTIONS]
    used = min(_batch_cpu(spread) for _ in range(3))
    return (used - min(_batch_cpu(spread[:1]) for _ in range(3))) / (len(spread) - 1)


def _batch_cpu(lines: list[str]) -> float:
    before = _of_children()
    done = subprocess.run(
        [sys.executable, "-m", "core", "batch"],
        input="\n".join(lines).encode(),
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        check=True,
    )
    used = _of_children() - before
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(lines) or any("error" in answer for answer in answers):
        raise RuntimeError("batch did not answer every question")
    return used


def _of_children() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def fit_four_targets() -> float:
    """Return CPU seconds of fitting one run and answering four targets, averaged over sweeps."""
    with gzip.open(TASKS) as tasks:
        questions = [read_line(line) for line in tasks]
    sweeps = [question.stages for question in questions if len(question.stages) == LEVELS][:SWEEPS]

    def work() -> None:
        for stages in sweeps:
            decide(fit_stages(stages), TARGETS)

    return cpu(work) / len(sweeps)


def moved_target() -> float:
    """Return CPU seconds of new answers of six runs and three charts of one; the fits are kept."""
    runs = six_runs()
    fits = [fit_run(run) for run in runs]
    price = Price(amount=2.5, per_accelerator=True, accelerators=tuple((run.id, 1) for run in runs))
    limits = iter(np.linspace(0.2, 0.6, 1000).tolist())

    def work() -> None:
        targets = (Target(Metric.TTFT, "p99", next(limits)), Target(Metric.TPOT, "p99", 0.05))
        answers = [answer_run(run, targets, price, fit) for run, fit in zip(runs, fits, strict=True)]
        answer, fit = answers[0], fits[0]
        figures = (
            latency_figure(answer, fit, Metric.TTFT, "p99", targets),
            throughput_figure(answer, fit),
            cost_figure(answer, fit),
        )
        if sum(len(figure.chart.to_json()) > 0 for figure in figures if figure) != len(figures):
            raise RuntimeError("a chart is missing")

    work()
    return cpu(work, 15)
