"""The closed loop of the advice: noise as stated, Little's law, the same numbers each time."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from benchmarks.accuracy.advice import COLUMNS, RUNS, STARTS, markdown
from benchmarks.accuracy.closed_loop import measured, relative_sd, true_value
from benchmarks.accuracy.policies import POLICIES
from benchmarks.accuracy.questions import HERE, Truth
from core.model.metric import Metric

TRUTH = Truth(
    np.array([1.0, 10.0, 100.0]),
    {
        "ttft_mean": np.array([0.1, 0.1, 1.0]),
        "ttft_p99": np.array([0.2, 0.2, 2.0]),
        "e2e_mean": np.array([1.0, 2.0, 4.0]),
    },
)


@pytest.mark.parametrize(
    ("statistic", "requests", "by_hand"),
    [
        ("mean", 100, 1.5 * 0.3 / 10.0),
        # Densities of the standard normal at the quantiles, from a table: 0.1755 and 0.02665.
        ("p90", 100, 0.03 * 0.15 / 0.1755),
        ("p99", 400, math.sqrt(0.99 * 0.01 / 400) * 0.15 / 0.02665),
    ],
)
def test_the_noise_is_as_stated(statistic, requests, by_hand):
    assert relative_sd(statistic, requests) == pytest.approx(by_hand, rel=1e-3)


def test_the_truth_is_read_on_straight_lines_in_logarithms():
    assert true_value(TRUTH, "ttft_mean", 5.0) == pytest.approx(0.1)
    assert true_value(TRUTH, "ttft_mean", math.sqrt(1000.0)) == pytest.approx(math.sqrt(0.1))
    assert true_value(TRUTH, "e2e_mean", 10.0) == pytest.approx(2.0)


def test_a_measured_level_obeys_littles_law_and_comes_out_the_same_again():
    level = measured(TRUTH, 10.0, 300, np.random.default_rng(7))
    again = measured(TRUTH, 10.0, 300, np.random.default_rng(7))
    e2e = level.statistics[Metric.E2E].mean
    assert level.achieved_rate * e2e == pytest.approx(10.0)
    assert again.statistics == level.statistics
    assert level.statistics[Metric.TTFT].quantiles.keys() == {0.99}


def test_the_spread_of_many_levels_is_that_of_sampling_and_of_runs():
    rng = np.random.default_rng(1)
    off = [math.log(measured(TRUTH, 10.0, 100, rng).statistics[Metric.E2E].mean / 2.0) for _ in range(4000)]
    assert np.std(off) == pytest.approx(math.hypot(0.045, 0.015), rel=0.05)
    assert np.mean(off) == pytest.approx(0.0, abs=0.004)


def test_the_report_says_what_the_figures_say():
    document = json.loads((HERE / "advice.json").read_text(encoding="utf-8"))
    assert set(document["starts"]) == set(STARTS)
    for found in document["starts"].values():
        assert set(found["policies"]) == set(POLICIES)
        assert set(found["policies"]["advice"]["runs"]) == {str(n) for n in RUNS}
        assert set(COLUMNS) <= set(found["policies"]["advice"]["runs"]["2"])
    assert (HERE / "advice.md").read_text(encoding="utf-8") == markdown(document)
