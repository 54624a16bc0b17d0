"""The simple methods on sweeps whose answers were worked out by hand."""

from __future__ import annotations

import math

import pytest

from benchmarks.accuracy.baselines import BASELINES
from core.model.metric import Metric
from core.model.target import Target
from tests.fit.sweeps import sweep

STRAIGHT = sweep([10, 20, 40], [0.010, 0.020, 0.040])


def load(name, stages, limit):
    return BASELINES[name](stages, Target(Metric.TPOT, "mean", limit))["concurrency"]["mid"]


@pytest.mark.parametrize("name", ["linear", "pchip", "isotonic_pchip", "cubic", "quadratic", "usl"])
def test_a_straight_line_is_crossed_where_it_is(name):
    assert load(name, STRAIGHT, 0.030) == pytest.approx(30.0, rel=2e-3)


def test_on_a_logarithmic_axis_the_middle_is_the_geometric_one():
    assert load("log_linear", STRAIGHT, 0.030) == pytest.approx(math.sqrt(20 * 40))


def test_the_largest_level_that_passed():
    assert load("best_pass", STRAIGHT, 0.030) == 20.0
    assert load("best_pass", STRAIGHT, 0.005) == 0.0


@pytest.mark.parametrize("name", sorted(BASELINES))
def test_nothing_looks_beyond_the_largest_level(name):
    assert load(name, STRAIGHT, 1.0) == 40.0


def test_pchip_takes_the_slope_of_fritsch_and_butland():
    # h = 10, 20; slopes 0.001 and 0.003 a request: interior tangent by the weighted harmonic mean,
    # (50 + 40) / (50 / 0.001 + 40 / 0.003) = 0.00142105; at the end (2*20+10)*0.003 - 20*0.001 over 30 = 0.0043333.
    stages = sweep([10, 20, 40], [0.010, 0.020, 0.080])
    found = load("pchip", stages, 0.050)
    s = (found - 20.0) / 20.0
    value = (
        0.020 * (2 * s**3 - 3 * s**2 + 1)
        + 0.080 * (3 * s**2 - 2 * s**3)
        + 20 * 0.00142105 * (s**3 - 2 * s**2 + s)
        + 20 * 0.0043333 * (s**3 - s**2)
    )
    assert value == pytest.approx(0.050, rel=1e-3)


def test_isotonic_pools_what_falls_and_pchip_does_not():
    # 10 and 6 pool to 8: the plateau is crossed by the rise after it; unpooled PCHIP crosses 9 before the fall.
    stages = sweep([1, 2, 3, 4], [0.004, 0.010, 0.006, 0.020])
    assert 1.0 < load("pchip", stages, 0.009) < 2.0
    assert 3.0 < load("isotonic_pchip", stages, 0.009) < 4.0


def test_the_last_crossing_of_a_parabola_is_taken():
    # y = (N - 3)^2 + 1 through 1, 3, 6 is 5, 1, 10; at 2 it is crossed at 2 and 4.
    stages = sweep([1, 3, 6], [5.0, 1.0, 10.0])
    assert load("quadratic", stages, 2.0) == pytest.approx(4.0, rel=2e-3)


def test_the_scalability_law_finds_its_own_coefficients():
    # 0.01 (1 + 0.1 (N - 1) + 0.01 N (N - 1)) at 10 is 0.01 (1 + 0.9 + 0.9) = 0.028.
    loads = [1, 4, 16, 32]
    stages = sweep(loads, [0.01 * (1 + 0.1 * (n - 1) + 0.01 * n * (n - 1)) for n in loads])
    assert load("usl", stages, 0.028) == pytest.approx(10.0)


def test_the_scalability_law_never_falls():
    assert load("usl", sweep([1, 2, 4], [0.03, 0.02, 0.01]), 0.005) == 0.0
