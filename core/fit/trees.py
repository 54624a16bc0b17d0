"""Small regression trees, as data: every tree asks three questions and gives one value per output."""

from __future__ import annotations

import msgspec
import numpy as np

from core.model.stage import FloatArray

DEPTH = 3


class Trees(msgspec.Struct, frozen=True, kw_only=True):
    """A sum of trees of depth 3; node k asks "feature > threshold?" and goes on to 2k + 1 or 2k + 2.

    Attributes:
        features: name of the feature of each node, seven a tree, root first.
        thresholds: what it is compared with.
        leaves: per tree and leaf, from left to right, one value per output.
    """

    features: list[list[str]]
    thresholds: list[list[float]]
    leaves: list[list[list[float]]]


class Forest:
    """Trees ready for evaluation: nodes one tree after another, leaves as (outputs, trees x leaves)."""

    def __init__(self, trees: Trees, names: tuple[str, ...]) -> None:
        place = {name: index for index, name in enumerate(names)}
        self._feature = np.array([place[name] for row in trees.features for name in row], np.intp)
        self._threshold = np.array(trees.thresholds, float).ravel()
        leaves = np.array(trees.leaves, float)
        self._leaf = np.ascontiguousarray(leaves.reshape(-1, leaves.shape[2]).T)
        self._tree = np.arange(len(trees.features))

    def predict(self, features: FloatArray) -> FloatArray:
        """Return the sum over trees for each row, shape (m, outputs)."""
        rows, width = features.shape
        flat, row = features.ravel(), np.arange(rows)[:, None] * width
        node = np.zeros((rows, self._tree.size), np.intp)
        for _ in range(DEPTH):
            at = node + self._tree * (2**DEPTH - 1)
            node = 2 * node + 1 + (flat.take(row + self._feature.take(at)) > self._threshold.take(at))
        leaf = node - (2**DEPTH - 1) + self._tree * 2**DEPTH
        total: FloatArray = self._leaf.take(leaf, axis=1).sum(axis=2).T
        return total
