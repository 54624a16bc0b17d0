"""The learned part of the method: a small network from what the bracket looks like to quantiles of the answer.

Data, not code: docs/method.md says what it was trained on. Its form keeps what must always hold. The
distance of each bound from the estimate is sqrt(A shape + B noise) with A and B that the network gives
without seeing the number of requests, and `noise` falls with it: more requests never widen a range.
"""

from __future__ import annotations

import msgspec
import numpy as np

from core.fit.method import VERSION
from core.model.metric import Metric
from core.model.stage import FloatArray
from core.settings import DATA

LEARNED_METRICS = frozenset({Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E})
"""What the simulated deployments have."""

LEARNED_BEYOND = 0.25
"""How far, in ln of the latency, limits beyond the lowest and the highest level were learned from."""

NETWORK = DATA / "method" / f"network-{VERSION}.json"

FARTHEST = 6.0
"""Standardised features are clipped here: nothing beyond was learned from."""

MOST = 4.0
"""Of the outputs: an estimate moves by so many units at most, a width by a factor of e^4."""

UNIT = np.array([0.23, 0.48, 0.002, 0.26, 0.065, 0.09, 0.48])
"""Weights of the squared terms of `core.fit.scale` in the unit of the outputs (fit.md 4.5)."""

_LEAST = 1e-6


class Layer(msgspec.Struct, frozen=True):
    """Weights, shape (inputs, outputs), and bias of one layer."""

    weight: list[list[float]]
    bias: list[float]


class Member(msgspec.Struct, frozen=True):
    """One network for features that are standardised by `mean` and `sd`; SiLU between its layers."""

    mean: list[float]
    sd: list[float]
    layers: list[Layer]


class Network(msgspec.Struct, frozen=True):
    """A few networks whose outputs are averaged; they differ by seed, size and the sweeps that they learned from.

    Attributes:
        features: their names, in order (`core.fit.features.NAMES`).
    """

    features: list[str]
    members: list[Member]


class Arrays:
    """The same as arrays, made once."""

    def __init__(self, network: Network) -> None:
        self._members = [_arrays(member) for member in network.members]

    def outputs(self, features: FloatArray) -> FloatArray:
        """Return the outputs, shape (m, 7), for features of shape (m, features)."""
        total: FloatArray = np.sum([_forward(features, *member) for member in self._members], axis=0)
        return total / len(self._members)


def _arrays(member: Member) -> tuple[FloatArray, FloatArray, list[tuple[FloatArray, FloatArray]]]:
    layers = [(np.array(layer.weight), np.array(layer.bias)) for layer in member.layers]
    return np.array(member.mean), 1.0 / np.array(member.sd), layers


def _forward(
    features: FloatArray, mean: FloatArray, per_sd: FloatArray, layers: list[tuple[FloatArray, FloatArray]]
) -> FloatArray:
    x = np.clip((features - mean) * per_sd, -FARTHEST, FARTHEST)
    for weight, bias in layers[:-1]:
        x = x @ weight + bias
        x = x / (1.0 + np.exp(-x))
    weight, bias = layers[-1]
    return x @ weight + bias


def unit_of(squares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the squared unit of the outputs: from the form of the curve, and from too few requests, shapes (m,).

    Args:
        squares: `core.fit.scale.squared_terms`, shape (7, m).
    """
    return UNIT[1:] @ squares[1:] + _LEAST, UNIT[0] * squares[0]


def reach(
    out: FloatArray, shape: FloatArray, noise: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return 5 %, 10 %, 50 % and 95 % quantiles of ln(true / estimate), each of shape (m,).

    Args:
        out: outputs of the network, shape (m, 7).
        shape: squared scale from the form of the curve, shape (m,).
        noise: squared scale from too few requests, shape (m,).
    """
    mid = np.sqrt(shape) * MOST * np.tanh(0.5 * out[:, 0])
    weights = np.exp(2.0 * np.clip(out[:, 1:], -MOST, MOST))
    below, safe, above = (np.sqrt(weights[:, k] * shape + weights[:, k + 1] * noise) for k in (0, 2, 4))
    return mid - below, mid - np.minimum(safe, below), mid, mid + above


def shipped_network() -> Network:
    """Read the network that comes with Plimsoll."""
    return msgspec.json.decode(NETWORK.read_bytes(), type=Network)
