"""Score the method, cross-fitted by deployment, against simple ones; write results.md and results.json.

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
from benchmarks.accuracy.questions import FOLDS, HERE, SETS, Task, tasks, truths
from benchmarks.accuracy.score import Scored, report, score
from core.settings import DATA, ROOT

COMMAND = "python -m benchmarks.accuracy.run"
COLUMNS = (
    "refused",
    "median_error",
    "p90_error",
    "coverage",
    "width",
    "interval_score",
    "safe_unsafe",
    "safe_unsafe5",
    "safe_loss",
)


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
        own = report(scored(dataset, answers))
        own["questions_per_second"] = round(sum(len(a) for a in answers.values()) / seconds)
        own["baselines"] = {
            name: report(scored(dataset, baseline_answers(name, tasks(dataset))))["overall"] for name in BASELINES
        }
        document[dataset] = own
    return document


def markdown(document: Mapping[str, Any]) -> str:
    out = ["# Accuracy", "", f"Made by `{COMMAND}` (constants cross-fitted by deployment: see docs/method.md).", ""]
    for dataset in SETS:
        own = document[dataset]
        out += [f"## {dataset}", "", *_table({"this method": own["overall"]} | own["baselines"], "method")]
        for group in ("grid", "statistic", "metric", "slope"):
            out += [f"### by {group}", "", *_table(own[group], group)]
    return "\n".join(out)


def _table(rows: Mapping[str, Mapping[str, float]], first: str) -> list[str]:
    names = ("n", *COLUMNS)
    lines = [f"| {first} | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for name, values in rows.items():
        lines.append(f"| {name} | " + " | ".join(str(values.get(column, "-")) for column in names) + " |")
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shipped", action="store_true")
    options = parser.parse_args()
    document = measured(shipped=options.shipped)
    for dataset in SETS:
        print(dataset, "\n".join(_table({"this method": document[dataset]["overall"]}, "method")), sep="\n")
    if not options.shipped:
        (HERE / "results.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        (HERE / "results.md").write_text(markdown(document), encoding="utf-8")
    print(f"constants: {'shipped, ' + str(DATA / 'method') if options.shipped else 'cross-fitted'}")


if __name__ == "__main__":
    main()
