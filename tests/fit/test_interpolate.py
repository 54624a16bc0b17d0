"""Crossings of the interpolants against scipy's curves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from core.fit.interpolate import Rising, slopes

LOAD = np.array([1.0, 2.0, 5.0, 12.0, 40.0, 41.0])
VALUE = np.array([0.02, 0.021, 0.05, 0.06, 0.9, 0.95])


def test_tangents_are_those_of_scipys_pchip():
    assert slopes(LOAD, VALUE) == pytest.approx(PchipInterpolator(LOAD, VALUE).derivative()(LOAD))


@pytest.mark.parametrize("limit", [0.0205, 0.03, 0.055, 0.3, 0.93])
def test_each_crossing_lies_on_its_own_curve(limit):
    linear, pchip, pchip_log, log = np.exp(Rising(LOAD, np.log(VALUE)).crossings(np.log([limit])))[:, 0]
    assert np.interp(linear, LOAD, VALUE) == pytest.approx(limit)
    assert PchipInterpolator(LOAD, VALUE)(pchip) == pytest.approx(limit)
    assert np.exp(PchipInterpolator(np.log(LOAD), np.log(VALUE))(np.log(pchip_log))) == pytest.approx(limit)
    assert np.exp(np.interp(np.log(log), np.log(LOAD), np.log(VALUE))) == pytest.approx(limit)


def test_limits_outside_the_points_give_the_nearest_end():
    curve = Rising(LOAD, np.log(VALUE))
    assert np.exp(curve.crossings(np.log([0.001]))) == pytest.approx(1.0)
    assert np.exp(curve.crossings(np.log([9.0]))) == pytest.approx(41.0)
