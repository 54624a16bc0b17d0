"""Some pairs with known leaders are asked again: the chance that is said now is that often right."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.compare.fitting import gap_rows, pair_rows
from benchmarks.compare.pairs import pairs
from benchmarks.compare.score import calibration_error
from core.compare.shape import shipped

FEW, GAP, DRAWS = 8, 0.3, 400
SLACK = 0.01


@pytest.fixture(scope="module")
def rows():
    """Chances, who led, and whom the better estimate names, of pairs as they are and priced close."""
    found, shape = pairs(each=FEW), shipped()
    told = [row for row in (*pair_rows(found, shape), *gap_rows(found, shape, GAP, times=1)) if row[0].is_told]
    return np.array([row[0].low for row in told]), np.array([row[1:] for row in told], float).T


def allowed(chance):
    """Return the calibration error that chances which are exactly right stay below in 99 of 100 draws, with slack."""
    rng = np.random.default_rng(20_261_201)
    drawn = [calibration_error(chance, (rng.uniform(size=chance.size) < chance).astype(float)) for _ in range(DRAWS)]
    return float(np.quantile(drawn, 0.99)) + SLACK


def test_the_chance_of_a_leader_is_right_as_often_as_it_says(rows):
    chance, (leads, _) = rows
    assert chance.size > 500
    assert calibration_error(chance, leads) <= allowed(chance)


def test_it_beats_taking_the_better_estimate(rows):
    chance, (leads, best) = rows
    assert np.mean((chance - leads) ** 2) < np.mean((best - leads) ** 2)


@pytest.mark.parametrize("power", [0.4, 2.5])
def test_chances_that_are_too_timid_or_too_bold_would_be_found(rows, power):
    chance, (leads, _) = rows
    odds = (np.clip(chance, 1e-6, 1.0 - 1e-6) / np.clip(1.0 - chance, 1e-6, 1.0)) ** power
    assert calibration_error(odds / (1.0 + odds), leads) > allowed(chance)
