"""Score the method, cross-fitted by deployment, against simple ones; publish the figures (publish.py says where).

python -m benchmarks.accuracy.run            every question through `python -m core batch`
python -m benchmarks.accuracy.run --shipped  with the shipped constants, which saw every deployment
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.accuracy.baselines import BASELINES
from benchmarks.accuracy.publish import GROUPS, SMALL, outside, publish
from benchmarks.accuracy.questions import FOLDS, HERE, SETS, Task, tasks, truths
from benchmarks.accuracy.reliability import reliability
from benchmarks.accuracy.score import Scored, report, score
from core.settings import DATA, ROOT


def batch(lines: Sequence[Mapping[str, Any]], constants: Path | None) -> dict[str, Any]:
    """Answer sweeps with the command line, in one process."""
    command = [sys.executable, "-m", "core", "batch", *(["--constants", str(constants)] if constants else [])]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT, check=True)
    return {record["id"]: record["answers"] for record in map(json.loads, done.stdout.splitlines())}


def answers_of(dataset: str, *, shipped: bool) -> dict[str, Any]:
    if shipped:
        return batch([task.record for task in tasks(dataset)], None)
    found: dict[str, Any] = {}
    for fold in range(FOLDS):
        lines = [task.record for task in tasks(dataset) if task.fold == fold]
        found |= batch(lines, HERE / "folds" / f"constants-{fold}.json")
    return found


def scored(dataset: str, answers: Mapping[str, Sequence[Any]]) -> list[Scored]:
    return [
        score(task, question, document, truths(dataset)[task.deployment])
        for task in tasks(dataset)
        for question, document in zip(task.questions, answers[task.id], strict=True)
    ]


def baseline_answers(name: str, every: Sequence[Task]) -> dict[str, Any]:
    return {task.id: [BASELINES[name](task.stages, q.target) for q in task.questions] for task in every}


def measured(*, shipped: bool) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for dataset in SETS:
        started = time.perf_counter()
        answers = answers_of(dataset, shipped=shipped)
        seconds = time.perf_counter() - started
        every = scored(dataset, answers)
        own = report(every)
        own["questions_per_second"] = round(sum(len(a) for a in answers.values()) / seconds)
        reports = {name: report(scored(dataset, baseline_answers(name, tasks(dataset)))) for name in BASELINES}
        own["baselines"] = {name: found["overall"] for name, found in reports.items()}
        own["baselines_by_cell"] = by_cell(reports)
        own["reliability"] = reliability(every)
        own["counts"] = counts(dataset)
        document[dataset] = own
    return document


def counts(dataset: str) -> dict[str, int]:
    """How much the figures rest on."""
    every = tasks(dataset)
    return {
        "sweeps": len(every) if dataset == "simulated" else len({task.deployment for task in every}),
        "deployments": len({task.deployment for task in every}),
        "questions": sum(len(task.questions) for task in every),
    }


def by_cell(reports: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The few figures of every simple method that stand beside those of the same cell."""
    first = next(iter(reports.values()))
    return {
        group: {
            cell: {name: {key: report_[group][cell][key] for key in SMALL} for name, report_ in reports.items()}
            for cell in first[group]
        }
        for group in GROUPS
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shipped", action="store_true")
    options = parser.parse_args()
    document = measured(shipped=options.shipped)
    for dataset in SETS:
        print(dataset, json.dumps(document[dataset]["overall"]))
        print("  outside in coverage:", ", ".join(outside(document, dataset)) or "none")
    if not options.shipped:
        publish(document)
    print(f"constants: {'shipped, ' + str(DATA / 'method') if options.shipped else 'cross-fitted'}")


if __name__ == "__main__":
    main()
