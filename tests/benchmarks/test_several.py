"""Two targets together: what docs/method.md says is what was measured, and some sweeps are asked again."""

from __future__ import annotations

import json

import numpy as np

from benchmarks.accuracy.publish import SEVERAL_BEGIN, SEVERAL_END, several_text
from benchmarks.accuracy.questions import FOLDS, HERE, tasks
from benchmarks.accuracy.several import CLOSE, pairs
from core.fit.constants import read_constants
from core.fit.fit import fit_stages

ONE_IN_TEN = 0.10
SOME = slice(0, None, 12)


def test_the_page_says_what_was_measured(root):
    document = json.loads((HERE / "several.json").read_text(encoding="utf-8"))
    page = (root / "docs" / "method.md").read_text(encoding="utf-8")
    said = page.partition(SEVERAL_BEGIN)[2].partition(SEVERAL_END)[0].strip()
    assert said == several_text(document, CLOSE)
    assert all(row["too_much"] <= ONE_IN_TEN for row in document.values())


def test_the_safe_number_of_two_targets_is_too_much_once_in_ten_at_most():
    constants = [read_constants(HERE / "folds" / f"constants-{fold}.json") for fold in range(FOLDS)]
    asked = tasks("simulated")[SOME]
    found = [row for task in asked for row in pairs(task, fit_stages(task.stages, constants[task.fold]))]
    too_much = np.array([bad for _, bad in found], float)
    assert too_much.size > 500
    # Pairs of one sweep share its levels: their number says less than so many independent ones would.
    assert too_much.mean() <= ONE_IN_TEN
    assert too_much.any(), "a bound that is never too much tells nothing"
