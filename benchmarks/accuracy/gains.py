"""How often the range of a gain holds: one limit made looser on sweeps with known answers.

    python -m benchmarks.accuracy.gains

Asks for 10, 20 and 50 per cent with the constants of the fold that did not see the deployment, and writes
gains.json and the sentence of docs/method.md.
Questions that are refused, or whose looser limit lies beyond what was measured, are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.accuracy.publish import GAINS_BEGIN, GAINS_END, gains_text, publish_page
from benchmarks.accuracy.questions import FOLDS, HERE, SETS, Question, Task, tasks, truths
from core.decide.sensitivity import FACTORS, gain
from core.decide.single import read_target
from core.fit.constants import read_constants
from core.fit.fit import Fit, fit_stages
from core.model.answer import Interval

EVERY = 2
"""Of the simulated sweeps every second is asked: there are many alike."""


def gains(task: Task, fit: Fit, factor: float) -> Iterator[tuple[bool, float]]:
    """Yield whether each true gain lies in its range, and how far the estimate of the gain is off, as a share of N."""
    for question in task.questions:
        found, true = _read(fit, question, factor), _true(task, question, factor)
        if found is None or found.mid is None or found.low is None or true is None:
            continue
        high = np.inf if found.high is None else found.high
        yield bool(found.low - 1e-6 <= true <= high + 1e-6), abs(found.mid - true) / question.true


def _read(fit: Fit, question: Question, factor: float) -> Interval | None:
    looser = replace(question.target, limit=question.target.limit * factor)
    now, then = (read_target(fit, target, (target,)) for target in (question.target, looser))
    return gain(now.concurrency, then.concurrency)


def _true(task: Task, question: Question, factor: float) -> float | None:
    truth = truths(task.dataset)[task.deployment]
    curve = np.maximum.accumulate(truth.curves_s[f"{question.target.metric}_{question.target.statistic}"])
    limit = question.target.limit
    if limit * factor > curve[-1]:
        return None
    rising = np.log(curve) + 1e-9 * np.arange(curve.size)
    at = np.exp(np.interp(np.log([limit, limit * factor]), rising, np.log(truth.concurrency)))
    return float(at[1] - at[0])


def main() -> None:
    constants = [read_constants(HERE / "folds" / f"constants-{fold}.json") for fold in range(FOLDS)]
    document: dict[str, dict[str, dict[str, float]]] = {}
    for dataset in SETS:
        asked = tasks(dataset)[:: EVERY if dataset == "simulated" else 1]
        fits = [(task, fit_stages(task.stages, constants[task.fold])) for task in asked]
        document[dataset] = {}
        for factor in FACTORS:
            inside, off = np.array([row for task, fit in fits for row in gains(task, fit, factor)]).T
            row = {
                "n": int(inside.size),
                "coverage": round(float(inside.mean()), 3),
                "median_error": round(float(np.median(off)), 4),
            }
            document[dataset][f"{factor:g}"] = row
            print(dataset, factor, row)
    (HERE / "gains.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    publish_page(gains_text(document), GAINS_BEGIN, GAINS_END)


if __name__ == "__main__":
    main()
