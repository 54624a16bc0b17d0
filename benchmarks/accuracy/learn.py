"""Train the network of the method on simulated deployments.

    python -m benchmarks.accuracy.learn DEPLOYMENTS.npz…

(made by `benchmarks.accuracy.simulate`) writes data/method/network-2.json. Takes minutes for thousands of deployments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.accuracy.learning import Examples, Settings, train
from benchmarks.accuracy.simulate import read
from benchmarks.accuracy.training import Rows, joined, simulated
from core.fit.features import NAMES
from core.fit.network import NETWORK, Network

SWEEPS = 16
"""Sweeps per deployment."""

SHIPPED = (
    *(Settings(seed=seed) for seed in (1, 2, 3)),
    Settings(seed=1, epochs=18),
    Settings(seed=1, hidden=(192, 96), epochs=14),
)
"""Of the networks that are averaged. The first three of those in the repository learned before files with a single
metric, or without a throughput, were among the sweeps; the others after."""

CLIP = 3.0
"""ln-residuals beyond are no further lesson."""

DIGITS = 4


def rows_from(paths: Iterable[Path], seed: int = 1) -> Rows:
    rng = np.random.default_rng(seed)
    return joined([rows for path in paths for one in read(path) for rows in simulated(one, SWEEPS, rng)])


def learned(rows: Rows, every: Sequence[Settings]) -> Network:
    residual = np.clip(rows.residual, -CLIP, CLIP)
    examples = Examples(rows.features, rows.shape, rows.noise, residual)
    members = []
    for settings in every:
        members.append(train(examples, settings))
        print(f"{len(members)} of {len(every)} trained", flush=True)
    return Network(features=list(NAMES), members=members)


def write(network: Network, path: Path) -> None:
    """Write it with `DIGITS` digits: what is scored is what is shipped."""
    path.write_text(
        json.dumps(_rounded(msgspec.to_builtins(network)), separators=(",", ":")).replace("],[", "],\n[") + "\n",
        encoding="utf-8",
    )


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def main() -> None:
    rows = rows_from(map(Path, sys.argv[1:]))
    print(f"{rows.size} questions to learn from", flush=True)
    write(learned(rows, SHIPPED), NETWORK)


if __name__ == "__main__":
    main()
