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
    """Trees ready for evaluation: arrays of shape (trees, nodes) and (trees, leaves, outputs)."""

    def __init__(self, trees: Trees, names: tuple[str, ...]) -> None:
        place = {name: index for index, name in enumerate(names)}
        self._feature = np.array([[place[name] for name in row] for row in trees.features], np.intp)
        self._threshold = np.array(trees.thresholds, float)
        self._leaf = np.array(trees.leaves, float)
        self._tree = np.arange(self._feature.shape[0])

    def predict(self, features: FloatArray) -> FloatArray:
        """Return the sum over trees for each row, shape (m, outputs)."""
        row = np.arange(features.shape[0])[:, None]
        node = np.zeros((features.shape[0], self._tree.size), np.intp)
        for _ in range(DEPTH):
            feature, threshold = self._feature[self._tree, node], self._threshold[self._tree, node]
            node = 2 * node + 1 + (features[row, feature] > threshold)
        total: FloatArray = self._leaf[self._tree, node - (2**DEPTH - 1)].sum(axis=1)
        return total
