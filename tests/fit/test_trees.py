"""Trees against a walk by hand, and as the calibration grows them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.accuracy.boosting import Booster, Settings
from core.fit.trees import Forest, Trees

NAMES = ("a", "b")


def test_every_leaf_is_reached_by_its_own_answers():
    """Root asks a > 0; then b > 1 on the left, b > 2 on the right; then a > -1, a > -2, a > 1, a > 2."""
    tree = Trees(
        features=[["a", "b", "b", "a", "a", "a", "a"]],
        thresholds=[[0.0, 1.0, 2.0, -1.0, -2.0, 1.0, 2.0]],
        leaves=[[[float(leaf), -float(leaf)] for leaf in range(8)]],
    )
    rows = np.array([[-1.5, 0], [-0.5, 0], [-2.5, 1.5], [-1.5, 1.5], [0.5, 1.5], [1.5, 1.5], [1.5, 2.5], [2.5, 2.5]])
    assert Forest(tree, NAMES).predict(rows).tolist() == [[leaf, -leaf] for leaf in range(8)]


def test_several_trees_add_up():
    trees = Trees(
        features=[["a"] * 7] * 3,
        thresholds=[[0.0] * 7] * 3,
        leaves=[[[1.0]] * 8, [[2.0]] * 8, [[4.0]] * 8],
    )
    assert Forest(trees, NAMES).predict(np.zeros((2, 2))).tolist() == [[7.0], [7.0]]


def test_boosting_finds_quantiles_that_depend_on_a_feature():
    """y = 3 a + (1 + b) e, e standard normal: the 10 % quantile is 3 a - 1.2816 (1 + b)."""
    rng = np.random.default_rng(5)
    x = rng.uniform(0, 1, (6000, 2))
    y = 3.0 * x[:, 0] + (1.0 + x[:, 1]) * rng.normal(size=6000)
    trees, start = Booster(x, y, np.ones(6000), (0.1, 0.5), Settings(features_share=1.0), NAMES).run()
    asked = np.array([[0.25, 0.25], [0.75, 0.75]])
    found = np.array(start) + Forest(trees, NAMES).predict(asked)
    assert found[:, 1] == pytest.approx(3.0 * asked[:, 0], abs=0.25)
    assert found[:, 0] == pytest.approx(3.0 * asked[:, 0] - 1.2816 * (1.0 + asked[:, 1]), abs=0.35)
