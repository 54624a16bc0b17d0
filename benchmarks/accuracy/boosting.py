"""Gradient boosting of several quantiles at once, with shared trees of depth 3, on numpy alone.

Each tree lowers the pinball loss of every quantile; a leaf holds one value per quantile.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from benchmarks.accuracy.fitting import weighted_quantile
from core.fit.trees import DEPTH, Trees

NODES, LEAVES = 2**DEPTH - 1, 2**DEPTH


@dataclass(frozen=True)
class Settings:
    trees: int = 80
    rate: float = 0.1
    least_weight: float = 0.01
    """Share of the whole weight that a leaf holds at least."""
    features_share: float = 0.3
    bins: int = 48
    seed: int = 0


@dataclass
class Booster:
    """Grows trees on binned features."""

    x: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    quantiles: tuple[float, ...]
    settings: Settings
    names: tuple[str, ...]
    grown: Trees = field(default_factory=lambda: Trees(features=[], thresholds=[], leaves=[]))

    def run(self) -> tuple[Trees, list[float]]:
        """Return the trees and the constants that they are added to."""
        rng = np.random.default_rng(self.settings.seed)
        edges = [self._edges(column) for column in self.x.T]
        binned = np.stack([np.searchsorted(e, c, side="left") for e, c in zip(edges, self.x.T, strict=True)], axis=1)
        start = [weighted_quantile(self.target, self.weight, q) for q in self.quantiles]
        fitted = np.tile(np.array(start), (self.target.size, 1))
        usable = np.array([j for j, e in enumerate(edges) if e.size])
        count = max(1, int(self.settings.features_share * usable.size))
        for _ in range(self.settings.trees):
            chosen = rng.choice(usable, count, replace=False)
            fitted += self._grow(binned, edges, fitted, chosen)
        return self.grown, start

    def _edges(self, column: np.ndarray) -> np.ndarray:
        cuts = np.unique(np.quantile(column, np.linspace(0, 1, self.settings.bins + 1)[1:-1]))
        return cuts[cuts < column.max()]

    def _grow(self, binned: np.ndarray, edges: list, fitted: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        below = self.target[:, None] < fitted
        slope = (np.array(self.quantiles) - below) * self.weight[:, None]
        node = np.zeros(self.target.size, int)
        feature, threshold = [0] * NODES, [np.inf] * NODES
        for depth in range(DEPTH):
            first = 2**depth - 1
            for place, found in enumerate(self._splits(binned[:, chosen], node - first, 2**depth, slope)):
                if found:
                    feature[first + place] = int(chosen[found[0]])
                    threshold[first + place] = float(edges[chosen[found[0]]][found[1]])
            asked = self.x[np.arange(node.size), np.array(feature)[node]]
            node = 2 * node + 1 + (asked > np.array(threshold)[node])
        leaf = node - NODES
        values = self._leaf_values(leaf, fitted)
        self.grown.features.append([self.names[f] for f in feature])
        self.grown.thresholds.append([t if np.isfinite(t) else 1e9 for t in threshold])
        self.grown.leaves.append(values.tolist())
        return values[leaf]

    def _splits(self, bins: np.ndarray, node: np.ndarray, nodes: int, slope: np.ndarray) -> list:
        """Best (feature, edge) of each node of one depth, None where nothing is gained."""
        size, width = bins.shape[1], self.settings.bins + 1
        key = ((node[:, None] * size + np.arange(size)) * width + bins).ravel()
        shape = (nodes, size, width)

        def summed(values: np.ndarray) -> np.ndarray:
            spread = np.broadcast_to(values[:, None], bins.shape).ravel()
            return np.cumsum(np.bincount(key, spread, minlength=np.prod(shape)).reshape(shape), axis=2)

        weight = summed(self.weight)
        whole = weight[:, :, -1:]
        least = self.settings.least_weight * self.weight.sum()
        gain = np.zeros(shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            for column in slope.T:
                left = summed(column)
                right = left[:, :, -1:] - left
                gain += left**2 / weight + right**2 / (whole - weight) - left[:, :, -1:] ** 2 / whole
        gain[(weight < least) | (whole - weight < least) | ~np.isfinite(gain)] = 0.0
        best = gain.reshape(nodes, -1).argmax(axis=1)
        return [divmod(int(b), width) if gain[k].ravel()[b] > 0.0 else None for k, b in enumerate(best)]

    def _leaf_values(self, leaf: np.ndarray, fitted: np.ndarray) -> np.ndarray:
        values = np.zeros((LEAVES, len(self.quantiles)))
        for place in range(LEAVES):
            own = leaf == place
            if own.any():
                for k, q in enumerate(self.quantiles):
                    off = self.target[own] - fitted[own, k]
                    values[place, k] = self.settings.rate * weighted_quantile(off, self.weight[own], q)
        return values
