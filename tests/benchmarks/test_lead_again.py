"""Some pairs with known leaders are asked again: the chance that is said now is that often right."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.compare.beyond import widths_above
from benchmarks.compare.fitting import gap_rows, pair_rows
from benchmarks.compare.pairs import pairs
from benchmarks.compare.score import calibration_error
from core.compare.belief import CONTINUED
from core.compare.shape import shipped

FEW, GAP, DRAWS = 8, 0.3, 400
SLACK = 0.01


@pytest.fixture(scope="module")
def asked():
    """Some pairs of every two deployments, answered now."""
    return pairs(each=FEW)


@pytest.fixture(scope="module")
def rows(asked):
    """Chances, who led, and whom the better estimate names, of pairs as they are and priced close."""
    found, shape = asked, shipped()
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


def test_no_truth_lies_beyond_what_a_chance_counts_above_the_highest_level(asked, root):
    found = widths_above([side for pair in asked for side in (pair.one, pair.other)])
    told = [each for each in found if each < np.inf]
    assert len(told) > 10
    assert max(told) <= CONTINUED
    # What the decision says is what was measured on all pairs.
    document = json.loads((root / "benchmarks/compare/beyond.json").read_text(encoding="utf-8"))
    assert (document["beyond_widths"]["1"], document["beyond_widths"]["1.5"]) == (1, 0)
    text = " ".join((root / "docs/decisions/0019-beyond-the-highest-level.md").read_text(encoding="utf-8").split())
    assert f"of {document['answers']} simulated answers" in text
    assert f"({document['widths_at_most']:g} of it), none beyond 1.5" in text
