"""Standard errors against the formulas and the tables they come from."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.fit.isotonic import rising
from core.fit.noise import log_spread, relative_error
from core.model.stage import Statistics


def test_the_error_of_a_mean_is_one_and_a_half_times_sd_over_root_n():
    found = Statistics(mean=2.0, sd=0.4, n=100)
    assert relative_error(found, None, 100) == pytest.approx(1.5 * 0.2 / 10)


def test_the_spread_is_taken_from_p90_and_p99():
    # A lognormal with sigma 0.5: p90 = exp(0.5 x 1.28155), p99 = exp(0.5 x 2.32635).
    found = Statistics(quantiles={0.9: math.exp(0.5 * 1.28155), 0.99: math.exp(0.5 * 2.32635)})
    assert log_spread(found) == pytest.approx(0.5, rel=1e-4)


@pytest.mark.parametrize(("q", "density"), [(0.5, 0.3989), (0.9, 0.1755), (0.95, 0.1031), (0.99, 0.02665)])
def test_the_error_of_a_quantile_follows_the_normal_density_there(q, density):
    found = Statistics(quantiles={0.9: math.exp(0.5 * 1.28155), 0.99: math.exp(0.5 * 2.32635)})
    by_hand = 0.5 * math.sqrt(q * (1 - q) / 400) / density
    assert relative_error(found, q, 400) == pytest.approx(by_hand, rel=2e-3)


def test_the_error_of_a_quantile_is_what_resampling_finds():
    rng = np.random.default_rng(7)
    sample = np.exp(0.5 * rng.normal(size=(4000, 500)))
    found = Statistics(quantiles={0.9: math.exp(0.5 * 1.28155), 0.99: math.exp(0.5 * 2.32635)})
    resampled = np.log(np.quantile(sample, 0.9, axis=1)).std()
    assert relative_error(found, 0.9, 500) == pytest.approx(resampled, rel=0.06)


def test_an_isotonic_fit_pools_what_falls():
    fit = rising(np.array([1.0, 3.0, 2.0, 2.0, 5.0]), np.array([1.0, 1.0, 1.0, 2.0, 1.0]))
    assert fit.tolist() == pytest.approx([1.0, 2.25, 2.25, 2.25, 5.0])


def test_an_isotonic_fit_equals_scipys():
    from scipy.optimize import isotonic_regression

    rng = np.random.default_rng(3)
    for size in (2, 5, 17, 40):
        values, weights = rng.normal(size=size), rng.uniform(0.1, 3.0, size)
        assert rising(values, weights) == pytest.approx(isotonic_regression(values, weights=weights).x)
