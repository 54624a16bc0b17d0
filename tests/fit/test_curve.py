"""Curves through points whose crossing is known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.fit.fit import fit_stages
from core.model.metric import Metric
from tests.fit.sweeps import drawn, stage, sweep


def crossing(stages, limit, statistic="mean"):
    """5 %, 10 %, estimate and 95 % of the load at which TPOT reaches a limit."""
    curve = fit_stages(stages).curve(Metric.TPOT, statistic)
    return curve.capacity(np.array([limit]))[:, 0]


def test_proportional_latency_crosses_where_the_rule_of_three_says():
    # 2 ms per request in flight: 50 ms is reached at 25.
    stages = sweep([1, 2, 4, 8, 16, 32, 64], [0.002 * n for n in (1, 2, 4, 8, 16, 32, 64)])
    assert drawn(fit_stages(stages), Metric.TPOT, 0.05) == pytest.approx(25.0, rel=1e-6)
    low, _, mid, high = crossing(stages, 0.05)
    assert low < 25.0 < high
    assert mid == pytest.approx(25.0, rel=0.02)


def test_a_straight_line_is_crossed_near_its_exact_place():
    # 10 ms + 1 ms a request: 42 ms at 32, between 24 and 40; the three interpolants agree within 2 %.
    loads = (8, 16, 24, 40, 56, 72)
    stages = sweep(loads, [0.010 + 0.001 * n for n in loads])
    assert crossing(stages, 0.042)[2] == pytest.approx(32.0, rel=0.02)


def test_at_a_measured_level_the_estimate_is_that_level_but_for_the_noise_of_its_run():
    # A run changes by 2 % or so, and below the level TPOT rises with the power ln(0.05 / 0.02) / ln 4 = 0.66 of the
    # load: that is 3 % of load. The range holds the level, and the estimate is nearer than that.
    stages = sweep([1, 4, 16, 64], [0.01, 0.02, 0.05, 0.3])
    low, _, mid, high = crossing(stages, 0.05)
    assert low < 16.0 < high
    assert mid == pytest.approx(16.0, rel=0.03)


def test_the_emulator_of_known_step_time_is_recovered():
    """ITL = 20 + 0.8 min(C, 16) ms by construction: 28 ms is reached at 10."""
    loads = (1, 2, 4, 8, 12, 16)
    stages = [stage(n, itl={"mean": 0.020 + 0.0008 * min(n, 16)}) for n in loads]
    fit = fit_stages(stages)
    assert drawn(fit, Metric.ITL, 0.028) == pytest.approx(10.0, rel=0.02)
    low, _, _, high = fit.curve(Metric.ITL, "mean").capacity(np.array([0.028]))[:, 0]
    assert low < 10.0 < high


def test_fewer_requests_widen_the_range():
    loads, values = (1, 4, 16, 64), (0.01, 0.02, 0.05, 0.3)
    few, many = (crossing(sweep(loads, values, n=n, statistic="p99"), 0.1, "p99") for n in (100, 10_000))
    assert few[3] / few[0] > many[3] / many[0]


def test_an_unsteady_sweep_widens_the_range():
    calm = sweep((1, 2, 4, 8, 16, 32), (0.010, 0.012, 0.015, 0.02, 0.03, 0.05))
    restless = sweep((1, 2, 4, 8, 16, 32), (0.012, 0.010, 0.017, 0.018, 0.03, 0.05))
    one, other = crossing(calm, 0.025), crossing(restless, 0.025)
    assert other[3] / other[0] > one[3] / one[0]


def test_the_latency_at_a_load_is_the_same_table_read_backwards():
    curve = fit_stages(sweep([1, 4, 16, 64], [0.01, 0.02, 0.05, 0.3])).curve(Metric.TPOT, "mean")
    value = curve.latency(30.0)
    low, _, mid, high = curve.capacity(np.array([value.high, value.mid, value.low]))
    assert low[0] == pytest.approx(30.0)
    assert mid[1] == pytest.approx(30.0)
    assert high[2] == pytest.approx(30.0)
    assert value.low < value.mid < value.high


def test_no_latency_is_given_beyond_the_largest_level():
    curve = fit_stages(sweep([1, 4, 16], [0.01, 0.02, 0.05])).curve(Metric.TPOT, "mean")
    assert curve.latency(16.0) is not None
    assert curve.latency(17.0) is None


def test_two_runs_of_one_level_are_one_point_between_them():
    stages = [*sweep([1, 4, 16], [0.01, 0.02, 0.05]), *sweep([4], [0.0242])]
    curve = fit_stages(stages).curve(Metric.TPOT, "mean")
    assert curve.load.tolist() == [1.0, 4.0, 16.0]
    assert curve.value[1] == pytest.approx(math.sqrt(0.02 * 0.0242))


def test_a_level_without_the_statistic_is_left_out_and_one_with_zero_too():
    stages = [*sweep([1, 4, 16], [0.01, 0.02, 0.05]), stage(8, ttft={"mean": 0.1}), stage(9, tpot={"mean": 0.0})]
    assert fit_stages(stages).curve(Metric.TPOT, "mean").load.tolist() == [1.0, 4.0, 16.0]


def test_a_saturated_rate_is_no_point_of_the_curve():
    from dataclasses import replace

    open_loop = [
        replace(level, asked_concurrency=None, asked_rate=rate, achieved_rate=answered)
        for level, rate, answered in zip(
            sweep([2, 4, 9, 80], [0.01, 0.012, 0.02, 0.021]), (1.0, 2.0, 4.0, 8.0), (1.0, 1.99, 3.9, 5.0), strict=True
        )
    ]
    points = fit_stages(open_loop).points(Metric.TPOT, "mean")
    assert points.load.tolist() == [2.0, 4.0, 9.0]
    assert points.ceiling == 80.0
