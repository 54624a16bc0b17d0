"""Train the networks of the method: plain numpy, so that they can be made again wherever the tests run.

The loss is the pinball loss of ln load at the quantiles that an answer gives, weighted so that its
outer part is the interval score that a range is judged by.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from core.fit.network import FARTHEST, MOST, Layer, Member, reach

QUANTILES = (0.05, 0.1, 0.5, 0.95)
_WEIGHTS = np.array([5.0, 3.0, 1.5, 5.0], np.float32)
"""Of the pinball losses: twenty times a miss and once the width is ten pinballs of 5 % and 95 %."""

_BETAS = (0.9, 0.999)
_WARM = 0.1
_OUTPUTS = 7


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train.

    Attributes:
        blur: sd of noise added to standardised features. Without it, and with more neurons or longer training, the
            ranges of real sweeps hold less often (0.81 instead of 0.93), those of simulated ones as before.
    """

    hidden: tuple[int, ...] = (128, 64)
    epochs: int = 11
    batch: int = 1024
    rate: float = 2e-3
    decay: float = 1e-4
    blur: float = 0.08
    seed: int = 1


@dataclass(frozen=True, eq=False)
class Examples:
    """Features, shape (m, features), and for each what `core.fit.network.reach` takes and should have given."""

    features: np.ndarray
    shape: np.ndarray
    noise: np.ndarray
    residual: np.ndarray

    def at(self, rows: np.ndarray) -> Examples:
        return Examples(**{each.name: getattr(self, each.name)[rows] for each in fields(self)})


def train(rows: Examples, settings: Settings) -> Member:
    mean = rows.features.mean(axis=0)
    sd = rows.features.std(axis=0) + 1e-3
    x = np.clip((rows.features - mean) / sd, -FARTHEST, FARTHEST)
    plain = Examples(*(np.asarray(a, np.float32) for a in (x, rows.shape, rows.noise, rows.residual)))
    layers = _layers(plain, settings, np.random.default_rng(settings.seed))
    return Member(mean=mean.tolist(), sd=sd.tolist(), layers=layers)


def _layers(rows: Examples, settings: Settings, rng: np.random.Generator) -> list[Layer]:
    size, width = rows.features.shape
    layers = _start((width, *settings.hidden, _OUTPUTS), rng)
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in layers]
    steps, step = settings.epochs * (size // settings.batch), 0
    for _ in range(settings.epochs):
        order = rng.permutation(size)
        for start in range(0, size - settings.batch + 1, settings.batch):
            some = rows.at(order[start : start + settings.batch])
            seen = some.features + settings.blur * rng.standard_normal(some.features.shape, np.float32)
            step += 1
            _adam(layers, _gradients(layers, seen, some), moments, step, _pace(step / steps, settings))
    pairs = zip(layers[::2], layers[1::2], strict=True)
    return [Layer(weight=weight.tolist(), bias=bias.tolist()) for weight, bias in pairs]


def _start(sizes: tuple[int, ...], rng: np.random.Generator) -> list[np.ndarray]:
    """Return weight and bias of every layer in turn; the last one starts at zero: the unit itself."""
    found: list[np.ndarray] = []
    for inward, outward in pairwise(sizes):
        spread = 0.0 if outward == sizes[-1] else 1.0 / np.sqrt(inward)
        found += [rng.uniform(-spread, spread, (inward, outward)).astype(np.float32), np.zeros(outward, np.float32)]
    return found


def _gradients(layers: list[np.ndarray], seen: np.ndarray, rows: Examples) -> list[np.ndarray]:
    """Return the slope of the loss in every weight and bias, by walking forth and back through the layers."""
    inputs, before = [seen], []
    for weight, bias in zip(layers[:-2:2], layers[1:-2:2], strict=True):
        z = inputs[-1] @ weight + bias
        gate = 1.0 / (1.0 + np.exp(-z))
        before.append((z, gate))
        inputs.append(z * gate)
    back = _loss_slope(inputs[-1] @ layers[-2] + layers[-1], rows)
    found: list[np.ndarray] = []
    for k in range(len(layers) // 2 - 1, -1, -1):
        found += [back.sum(axis=0), inputs[k].T @ back]
        if k:
            z, gate = before[k - 1]
            back = (back @ layers[2 * k].T) * (gate * (1.0 + z * (1.0 - gate)))
    return found[::-1]


def _loss_slope(out: np.ndarray, rows: Examples) -> np.ndarray:
    """Return the slope of the mean loss in every output of the network."""
    low, safe, mid, high = answer = reach(out, rows.shape, rows.noise)
    slope = np.stack([np.where(rows.residual > each, -q, 1.0 - q) for each, q in zip(answer, QUANTILES, strict=True)])
    slope *= (_WEIGHTS / len(out))[:, None]
    clipped = safe <= low
    slope[0] += np.where(clipped, slope[1], 0.0)
    slope[1] = np.where(clipped, 0.0, slope[1])
    found = np.empty_like(out)
    unit = np.sqrt(rows.shape)
    found[:, 0] = slope.sum(axis=0) * unit * 0.5 * MOST * (1.0 - np.tanh(0.5 * out[:, 0]) ** 2)
    for k, (row, edge, sign) in enumerate(((0, low, -1.0), (1, safe, -1.0), (3, high, 1.0))):
        by_width = slope[row] * sign / np.maximum(sign * (edge - mid), 1e-6)
        for place, part in ((1 + 2 * k, rows.shape), (2 + 2 * k, rows.noise)):
            free = np.abs(out[:, place]) < MOST
            found[:, place] = by_width * np.exp(2.0 * np.clip(out[:, place], -MOST, MOST)) * part * free
    return found


def _pace(part: float, settings: Settings) -> tuple[float, float]:
    """Return the rate at some part of the training, and the decay."""
    if part < _WARM:
        return settings.rate * part / _WARM, settings.decay
    return settings.rate * 0.5 * (1.0 + float(np.cos(np.pi * (part - _WARM) / (1.0 - _WARM)))), settings.decay


def _adam(
    layers: list[np.ndarray],
    gradients: list[np.ndarray],
    moments: list[tuple[np.ndarray, np.ndarray]],
    step: int,
    pace: tuple[float, float],
) -> None:
    """Move every weight one step of Adam with decoupled decay (Kingma and Ba 2015; Loshchilov and Hutter 2019)."""
    rate, decay = pace
    for each, gradient, (first, second) in zip(layers, gradients, moments, strict=True):
        first += (1.0 - _BETAS[0]) * (gradient - first)  # noqa: PLW2901 - the moments are kept in place
        second += (1.0 - _BETAS[1]) * (gradient * gradient - second)  # noqa: PLW2901 - as above
        unbiased = first / (1.0 - _BETAS[0] ** step)
        each -= rate * (unbiased / (np.sqrt(second / (1.0 - _BETAS[1] ** step)) + 1e-8) + decay * each)  # noqa: PLW2901
