"""How often ranges of cost and replicas hold: the truth, the counting, and what is published."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.accuracy import cost_fresh
from benchmarks.accuracy.cost_coverage import CURVE, LIMIT, SAFE, SIZES, Held, figures, markdown, rows_of
from benchmarks.accuracy.questions import HERE, tasks
from benchmarks.accuracy.true_rates import TrueRates, true_rates
from core.fit.constants import read_constants
from core.model.answer import Interval

PROMISED = (0.88, 0.93)


def held(low, mid, high, true, deployment="a", enough=None):
    return Held(("cost", SAFE), deployment, Interval(low=low, mid=mid, high=high), true, enough)


def test_true_throughput_is_that_of_the_levels_but_for_their_noise():
    """A level of the sweep itself is one run; the truth is made of five others and of latency alone."""
    off = []
    for task in tasks("simulated")[::20]:
        rates = true_rates(task)
        off += [np.log(rates.tokens_at(s.load) / s.output_tok_s) for s in task.stages]
    assert abs(np.median(off)) < 0.01
    assert np.quantile(np.abs(off), 0.9) < 0.12


def test_the_most_that_is_carried_may_lie_below_the_limit():
    rates = TrueRates(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0]), np.array([10.0, 30.0, 20.0]))
    assert rates.requests_at(2.0) == pytest.approx(3.0)
    assert rates.most_requests_to(4.0) == pytest.approx(3.0)
    assert rates.most_requests_to(1.0) == pytest.approx(1.0)
    assert rates.tokens_at(4.0) == pytest.approx(20.0)


def test_ranges_are_counted_with_their_open_ends():
    rows = [
        held(1.0, 2.0, 4.0, 2.0),
        held(1.0, 2.0, 4.0, 5.0),
        held(None, 2.0, 4.0, 1e-9),
        held(3.0, 4.0, None, 2.0),
    ]
    found = figures(rows)
    assert (found["n"], found["coverage"], found["truth_below"], found["truth_above"]) == (4, 0.5, 0.25, 0.25)
    assert found["open"] == 0.5
    assert found["width"] == pytest.approx(np.log(4.0), abs=1e-4)
    assert "enough" not in found
    assert figures([held(1.0, 2.0, 3.0, 2.0, enough=True), held(1.0, 2.0, 3.0, 2.0, enough=False)])["enough"] == 0.5


def test_questions_of_one_deployment_share_their_luck():
    one = [held(1.0, 2.0, 3.0, true, deployment="a") for true in (2.0, 2.0, 9.0, 9.0)]
    four = [held(1.0, 2.0, 3.0, true, deployment=name) for name, true in zip("abcd", (2.0, 2.0, 9.0, 9.0), strict=True)]
    assert figures(one)["error_of_coverage"] == 0.0
    # Half of four that are each on their own: 1.645 * sqrt(4 * 0.25) / 4.
    assert figures(four)["error_of_coverage"] == pytest.approx(1.645 / 4, abs=1e-4)


def test_ranges_of_some_sweeps_hold():
    """A sample that is quick to answer; the figures of all of them are the committed ones."""
    rows = [
        row
        for task in tasks("simulated")[7::60]
        for row in rows_of(task, read_constants(HERE / "folds" / f"constants-{task.fold}.json"))
    ]
    groups = {row.group for row in rows}
    assert {("cost", SAFE), ("cost", LIMIT), ("carried by one", "req_s")} <= groups
    for group in (("cost", SAFE), ("cost", LIMIT), ("carried by one", "concurrency"), ("carried by one", "users")):
        assert figures([row for row in rows if row.group == group])["coverage"] > 0.75


def test_what_is_committed_says_what_was_measured_and_holds_as_often_as_promised():
    document = json.loads((HERE / "cost_coverage.json").read_text(encoding="utf-8"))
    assert (HERE / "cost_coverage.md").read_text(encoding="utf-8") == markdown(document)
    tables = document["tables"]
    low, high = PROMISED
    for table, name in (("cost", SAFE), *(("carried by one", kind) for kind in ("concurrency", "req_s", "users"))):
        assert low <= tables[table][name]["coverage"] <= high
    # A little wide: within its own doubt of the upper end.
    limit = tables["cost"][LIMIT]
    assert low <= limit["coverage"] <= high + limit["error_of_coverage"]
    assert tables["cost"][CURVE]["coverage"] < low
    assert tables["cost, real sweeps"][LIMIT]["coverage"] >= low
    # Whole numbers hold at least as often as what they were made from, and the more so the fewer they are.
    for kind in ("concurrency", "req_s", "users"):
        found = [tables[f"replicas, {kind}"][size]["coverage"] for size in SIZES]
        assert found == sorted(found, reverse=True)
        assert found[-1] >= tables["carried by one"][kind]["coverage"] - 0.01
        # What is planned with suffices in nine cases of ten, however large the fleet.
        assert all(tables[f"replicas, {kind}"][size]["enough"] >= 0.9 for size in SIZES)


def test_on_deployments_that_nothing_was_made_with_the_ranges_hold_as_promised():
    document = json.loads((HERE / "cost_fresh.json").read_text(encoding="utf-8"))
    assert (HERE / "cost_fresh.md").read_text(encoding="utf-8") == cost_fresh.markdown(document)
    groups, (low, high) = document["groups"], PROMISED
    assert all(low <= groups[name]["coverage"] <= high for name in (SAFE, LIMIT, cost_fresh.CARRIED))
    assert groups[CURVE]["coverage"] < low
