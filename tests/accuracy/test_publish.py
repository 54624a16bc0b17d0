"""What was measured stands alike everywhere that it is shown."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.accuracy.baselines import BASELINES
from benchmarks.accuracy.publish import (
    BEGIN,
    DIAGRAM,
    DOC,
    END,
    GAINS_BEGIN,
    GAINS_END,
    NAMES,
    SUMMARY,
    diagram,
    gains_text,
    inserted,
    markdown,
    outside,
    section,
    summary,
)
from benchmarks.accuracy.questions import HERE, SETS, Question, Task
from benchmarks.accuracy.reliability import reliability
from benchmarks.accuracy.score import Answer, Scored
from core.fit.edition import edition
from core.fit.method import METHOD
from core.model.metric import Metric
from core.model.target import Target
from core.present.accuracy import METHODS, accuracy


@pytest.fixture(scope="module")
def document():
    return json.loads((HERE / "results.json").read_text(encoding="utf-8"))


def test_the_page_of_the_method_shows_the_table_of_the_results(document):
    text = DOC.read_text(encoding="utf-8")
    shown = text.partition(BEGIN)[2].partition(END)[0].strip()
    assert shown == section(document).strip()


def test_the_page_of_the_method_says_how_often_the_range_of_a_gain_holds():
    found = json.loads((HERE / "gains.json").read_text(encoding="utf-8"))
    shown = DOC.read_text(encoding="utf-8").partition(GAINS_BEGIN)[2].partition(GAINS_END)[0].strip()
    assert shown == gains_text(found)
    assert all(row["coverage"] >= 0.88 for rows in found.values() for row in rows.values())


def test_a_page_without_markers_is_not_spoiled():
    with pytest.raises(ValueError, match="do not both stand"):
        inserted("a page", "new")


def test_the_full_table_and_the_diagram_are_those_of_the_results(document):
    assert (HERE / "results.md").read_text(encoding="utf-8") == markdown(document)
    assert DIAGRAM.read_text(encoding="utf-8") == diagram(document)


def test_the_summary_that_is_shipped_is_that_of_the_results(document):
    assert json.loads(SUMMARY.read_text(encoding="utf-8")) == json.loads(summary(document))


def test_the_shipped_figures_are_of_the_constants_that_answer():
    """Run `python -m benchmarks.accuracy.run` after the constants were made anew."""
    found = accuracy()
    assert (found.method, found.constants) == (METHOD, edition())


def test_every_method_has_a_name_wherever_it_is_shown():
    assert set(NAMES) == set(METHODS) == {"this", *BASELINES}


def test_every_cell_and_every_method_is_published(document):
    for dataset in SETS:
        assert list(document[dataset]["baselines"]) == list(BASELINES)
        for group in ("grid", "statistic", "metric", "slope"):
            cells = document[dataset][group]
            assert sum(cell["n"] for cell in cells.values()) == document[dataset]["overall"]["n"]
            assert set(document[dataset]["baselines_by_cell"][group]) == set(cells)


def test_only_large_cells_outside_the_band_are_marked():
    def cell(n, coverage):
        return {"n": n, "coverage": coverage}

    cells = {"a": cell(500, 0.859), "b": cell(499, 0.2), "c": cell(900, 0.951), "d": cell(900, 0.95)}
    empty = {"statistic": {}, "metric": {}, "slope": {}}
    assert outside({"x": {"grid": cells, **empty}}, "x") == ["grid a", "grid c"]


def test_markers_keep_what_stands_around_them():
    assert inserted(f"a\n{BEGIN}\nold\n{END}\nb\n", "new") == f"a\n{BEGIN}\nnew\n{END}\nb\n"


def scored(deployment, true, low, safe, mid, high):
    task = Task("t", "simulated", deployment, "log4", {}, (), ())
    return Scored(task, Question(Target(Metric.TPOT, "mean", 1.0), true, 0.5), Answer(low, mid, high, safe))


def test_shares_below_each_line_are_counted():
    every = [scored("a", true, 10.0, 12.0, 20.0, 40.0) for true in (5.0, 11.0, 15.0, 30.0)]
    every += [scored("b", 50.0, 10.0, 12.0, 20.0, 40.0)]
    found = reliability(every)
    assert {name: one["found"] for name, one in found["below"].items()} == {
        "low": 0.2,
        "safe": 0.4,
        "mid": 0.6,
        "high": 0.8,
    }
    assert found["inside"]["low-high"]["found"] == 0.6


def test_questions_of_one_deployment_share_their_luck():
    # Two deployments of ten, all of one below, none of the other: 1.645 sqrt(5^2 + 5^2) / 20.
    every = [scored("a", 1.0, 10.0, 12.0, 20.0, 40.0)] * 10 + [scored("b", 90.0, 10.0, 12.0, 20.0, 40.0)] * 10
    assert reliability(every)["below"]["low"]["error"] == pytest.approx(1.645 * np.sqrt(50.0) / 20.0, abs=1e-4)
