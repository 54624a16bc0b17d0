"""How often the safe number of two targets together is too much: pairs of questions on one sweep.

    python -m benchmarks.accuracy.several

The answer to several targets is the lowest of their bounds. Were their doubts independent, two bounds of one in ten
would together be too much in up to one case in five. Asked with the constants of the fold that did not see the
deployment; writes several.json and the sentence of docs/method.md. Questions that are not answered within are left
out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from benchmarks.accuracy.publish import SEVERAL_BEGIN, SEVERAL_END, publish_page, several_text
from benchmarks.accuracy.questions import FOLDS, HERE, Question, Task, tasks
from core.decide.decide import decide
from core.fit.constants import read_constants
from core.fit.fit import Fit, fit_stages
from core.model.answer import Status

CLOSE = 1.3
"""Estimates within this factor of each other: only there do both doubts weigh."""

MOST_PAIRS = 60
"""Of one sweep, drawn evenly over its pairs."""


def single(task: Task, fit: Fit) -> Iterator[bool]:
    """Yield for each question whether its safe number is above the truth."""
    for question in task.questions:
        found = decide(fit, (question.target,)).capacity
        if found.status is Status.WITHIN and found.safe:
            yield found.safe > question.true


def pairs(task: Task, fit: Fit) -> Iterator[tuple[bool, bool]]:
    """Yield for pairs of questions on two metrics whether they are close, and whether the safe number is too much."""
    every = [two for two in combinations(task.questions, 2) if two[0].target.metric is not two[1].target.metric]
    places = np.unique(np.linspace(0, len(every) - 1, min(MOST_PAIRS, len(every))).round().astype(int))
    for one, other in (every[place] for place in places):
        yield from _asked(fit, one, other)


def _asked(fit: Fit, one: Question, other: Question) -> Iterator[tuple[bool, bool]]:
    found = decide(fit, (one.target, other.target))
    alone = [each.capacity for each in found.per_target]
    mids = [each.concurrency.mid for each in alone if each.concurrency and each.concurrency.mid]
    within = all(each.status is Status.WITHIN for each in (found.capacity, *alone))
    if within and found.capacity.safe and len(mids) == 2:
        yield max(mids) <= CLOSE * min(mids), found.capacity.safe > min(one.true, other.true)


def measured() -> dict[str, dict[str, float]]:
    """Return the share of safe numbers that are too much: of single targets, of pairs, and of close pairs."""
    constants = [read_constants(HERE / "folds" / f"constants-{fold}.json") for fold in range(FOLDS)]
    fits = [(task, fit_stages(task.stages, constants[task.fold])) for task in tasks("simulated")]
    alone = [bad for task, fit in fits for bad in single(task, fit)]
    both = [row for task, fit in fits for row in pairs(task, fit)]
    return {
        "single": _share(alone),
        "pairs": _share([bad for _, bad in both]),
        "close": _share([bad for close, bad in both if close]),
    }


def _share(too_much: list[bool]) -> dict[str, float]:
    return {"n": len(too_much), "too_much": round(float(np.mean(too_much)), 3)}


def main() -> None:
    document = measured()
    (HERE / "several.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    publish_page(several_text(document, CLOSE), SEVERAL_BEGIN, SEVERAL_END)
    print(json.dumps(document))


if __name__ == "__main__":
    main()
