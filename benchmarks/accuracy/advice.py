"""Follow the advice on the next measurement, on deployments whose true curve is known; write advice.md and .json.

    python -m benchmarks.accuracy.advice

starts from the sweeps of `data/simulated`, answers with constants that did not see the deployment, measures
where it is told to (`closed_loop.py` says with which noise), and answers again. A few CPU minutes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.accuracy.closed_loop import measured
from benchmarks.accuracy.policies import POLICIES, Choice, State
from benchmarks.accuracy.questions import FOLDS, HERE, Task, tasks, truths
from benchmarks.accuracy.score import Scored, figures, score
from core.decide.decide import decide
from core.decide.expected import widths
from core.decide.requests import requests_for
from core.fit.constants import Constants, read_constants
from core.fit.fit import fit_stages
from core.fit.method import METHOD
from core.present.documents import capacity_document

COMMAND = "python -m benchmarks.accuracy.advice"
RUNS = (0, 1, 2, 4)
STARTS = {"4 levels": ({"log4"}, 6), "every grid": (None, 1)}
"""Which sweeps are started from, and how many questions are asked of each."""

FEWER = {"narrowest": 8}
"""Slow policies are scored on every so many-th question only, and two runs far."""

GOALS = {"median_error": (0.035, "at most"), "coverage": (0.88, "at least"), "safe_unsafe": (0.04, "at most")}
"""After two advised runs."""

SEED = 20261129
COLUMNS = ("refused", "median_error", "p90_error", "coverage", "width", "safe_unsafe", "safe_unsafe5", "safe_loss")
Item = tuple[Task, int]


def sample(grids: set[str] | None, each: int) -> list[Item]:
    """Some questions of every sweep on these grids, the same ones each time."""
    found: list[Item] = []
    for place, task in enumerate(tasks("simulated")):
        if grids is None or task.grid in grids:
            rng = np.random.default_rng([SEED, place])
            count = min(each, len(task.questions))
            found += [(task, int(j)) for j in sorted(rng.choice(len(task.questions), count, replace=False))]
    return found


def followed(
    item: Item, place: int, policy: Callable[[State], Choice], runs: int, constants: Constants
) -> tuple[list[Scored], int]:
    """The answer after each run, and the requests that were sent; one that asks for no more stays as it is."""
    task, number = item
    question, truth = task.questions[number], truths("simulated")[task.deployment]
    stages, scores, sent = task.stages, [], 0
    for step in range(runs + 1):
        fit = fit_stages(stages, constants)
        decision = decide(fit, [question.target])
        scores.append(score(replace(task, stages=stages), question, capacity_document(decision.capacity), truth))
        choice = policy(State(stages, fit, decision, question.target, step)) if step < runs else None
        if choice is None:
            return scores + scores[-1:] * (runs - step), sent
        load, requests = choice
        stages = (*stages, measured(truth, load, requests, np.random.default_rng([SEED, place, number, step])))
        sent += requests
    return scores, sent


def scored(items: Sequence[Item], name: str, constants: Sequence[Constants]) -> dict[str, Any]:
    """The figures of one policy after each number of runs."""
    runs = 2 if name in FEWER else max(RUNS)
    used = list(items)[:: FEWER.get(name, 1)]
    started = time.process_time()
    every = [followed(item, i, POLICIES[name], runs, constants[item[0].fold]) for i, item in enumerate(used)]
    return {
        "runs": {str(n): figures(scores[n] for scores, _ in every) for n in RUNS if n <= runs},
        "requests_a_run": round(float(np.mean([sent for _, sent in every])) / runs),
        "cpu_s": round(time.process_time() - started, 1),
    }


def foreseen(items: Sequence[Item], constants: Sequence[Constants]) -> dict[str, float]:
    """How the width that is announced compares with the one that the first advised run brings (ln of the ratio)."""
    pairs = []
    for place, (task, number) in enumerate(items):
        own = constants[task.fold]
        target = task.questions[number].target
        fit = fit_stages(task.stages, own)
        decision = decide(fit, [target])
        choice = POLICIES["advice"](State(task.stages, fit, decision, target, 0))
        if choice is None:
            continue
        told = widths(fit, decision, [target], choice[0], (choice[1], requests_for([target], choice[0])))
        scores, _ = followed((task, number), place, POLICIES["advice"], 1, own)
        if told and all(one.answer for one in scores):
            pairs.append((np.log(told[0]), np.log(told[1]), scores[1].width))
    before, announced, after = np.array(pairs).T
    return {
        "n": len(pairs),
        "width_before": round(float(np.median(before)), 3),
        "width_announced": round(float(np.median(announced)), 3),
        "width_after": round(float(np.median(after)), 3),
        "after_over_announced_p10": round(float(np.quantile(after / announced, 0.1)), 2),
        "after_over_announced_p50": round(float(np.quantile(after / announced, 0.5)), 2),
        "after_over_announced_p90": round(float(np.quantile(after / announced, 0.9)), 2),
    }


def markdown(document: dict[str, Any]) -> str:
    """The report; every number is in the document."""
    out = [
        "# Following the advice",
        "",
        f"Made by `{COMMAND}` with {document['method']}: constants cross-fitted by deployment, simulated truth,",
        "measured values with noise (`closed_loop.py`). `safe_unsafe`: the true latency at the safe number is above",
        "the limit by more than 0.1 %; `safe_unsafe5`: by more than 5 %. Goals after two advised runs: median error",
        "≤ 3.5 %, coverage ≥ 0.88, safe number over the limit ≤ 4 %.",
    ]
    for start, found in document["starts"].items():
        head = ("policy", "runs", "n", *COLUMNS, "requests a run")
        out += ["", f"## From {start}", "", _row(head), _row(["---"] * len(head))]
        for name, own in found["policies"].items():
            for runs, row in own["runs"].items():
                cells = [name, runs, str(row["n"]), *(_cell(row.get(column)) for column in COLUMNS)]
                out.append(_row([*cells, str(own["requests_a_run"])]))
        out += ["", _announced(found["foreseen"])]
    return "\n".join(out) + "\n"


def _announced(seen: dict[str, float]) -> str:
    return (
        f"Width (ln high / low) in the median of {seen['n']} questions: {seen['width_before']} before,"
        f" {seen['width_announced']} announced, {seen['width_after']} after the first advised run. After over"
        f" announced: {seen['after_over_announced_p50']} in the median, {seen['after_over_announced_p10']} to"
        f" {seen['after_over_announced_p90']} in 80 % of the questions."
    )


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def goals(document: dict[str, Any]) -> list[str]:
    """Each goal with the figure reached."""
    said = []
    for start, found in document["starts"].items():
        reached = found["policies"]["advice"]["runs"]["2"]
        for name, (goal, side) in GOALS.items():
            met = reached[name] <= goal if side == "at most" else reached[name] >= goal
            said.append(f"{start}: {name} {reached[name]} ({side} {goal}: {'met' if met else 'MISSED'})")
    return said


def main() -> None:
    constants = [read_constants(HERE / "folds" / f"constants-{fold}.json") for fold in range(FOLDS)]
    document: dict[str, Any] = {"command": COMMAND, "method": METHOD, "starts": {}}
    for start, (grids, each) in STARTS.items():
        items = sample(grids, each)
        policies = {}
        for name in POLICIES:
            policies[name] = scored(items, name, constants)
            print(f"{start}, {name}: {policies[name]['cpu_s']} s", file=sys.stderr)
        document["starts"][start] = {"policies": policies, "foreseen": foreseen(items[::2], constants)}
    (HERE / "advice.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (HERE / "advice.md").write_text(markdown(document), encoding="utf-8")
    print(markdown(document))
    print("\n".join(goals(document)))


if __name__ == "__main__":
    main()
