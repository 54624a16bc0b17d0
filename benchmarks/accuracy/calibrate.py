"""Make the constants of the method from the questions: from all deployments, and for each fold from the others.

    python -m benchmarks.accuracy.calibrate

writes data/method/constants-2.json (what is shipped) and benchmarks/accuracy/folds/constants-K.json
(each made without the deployments of fold K, so that none is scored with constants that saw it).
The network (`benchmarks.accuracy.learn`) saw none of these deployments.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.accuracy.fitting import LEAST, laplace_weights, weighted_quantile
from benchmarks.accuracy.questions import FOLDS, HERE, SETS, every_task
from benchmarks.accuracy.rates import RateRow, coverage, scale_from
from benchmarks.accuracy.rates import rows_of as rates_of
from benchmarks.accuracy.training import Rows, asked, joined
from core.fit.constants import FLAT, RISKS, TERMS, Constants
from core.fit.edition import edition_of
from core.fit.method import VERSION
from core.fit.network import NETWORK, Arrays, reach, shipped_network
from core.settings import DATA

REAL_WEIGHT = 2.0
"""What a question of a real sweep counts against a simulated one, of which there are ten times more."""

HELD = (0.955, 0.88, 0.955)
"""Share of the truths on the right side of each bound of `RISKS`. The ends a little more than said, since folds have
their luck; the safe number a little less, since it is rounded down and kept under levels that failed."""

PRIOR = 100
"""Questions that a class is stretched like all together before its own count more."""


Bounds = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Constants without some folds."""

    questions: Rows
    rates: list[RateRow]

    def constants(self, without: frozenset[int]) -> Constants:
        kept = list(without)
        rows = self.questions.where(~np.isin(self.questions.fold, kept))
        terms, quantiles = _scale(rows)
        return Constants(
            version=VERSION,
            terms=terms,
            quantiles=quantiles,
            rate=scale_from([row for row in self.rates if row.fold not in without]),
            stretch=_stretch(rows),
            network=edition_of(NETWORK),
        )


def _scale(rows: Rows) -> tuple[dict[str, float], dict[str, Bounds]]:
    """Fit the weights of the scale, and its quantiles for metrics that the network did not learn."""
    weight = np.where(rows.real, REAL_WEIGHT, 1.0)
    terms = laplace_weights(rows.squares.T, rows.residual, weight)
    far = rows.residual / np.sqrt(rows.squares @ terms + LEAST)
    quantiles = {}
    for kind in sorted(set(rows.kind)):
        own = rows.kind == kind
        low, safe, high = (weighted_quantile(far[own], weight[own], q) for q in RISKS)
        quantiles[str(kind)] = (low, safe, high)
    return dict(zip(TERMS, terms.tolist(), strict=True)), quantiles


def _stretch(rows: Rows) -> dict[str, Bounds]:
    """How far each bound has to move so that it holds as often as it says, by class of statistic.

    A class borrows from all questions, by `PRIOR`; real and simulated sweeps are each held, so the larger counts.
    """
    needed = _needed(rows)
    low, safe, high = (_held(values, rows.real, q) for values, q in zip(needed, HELD, strict=True))
    whole = (low, safe, high)
    found = {}
    for kind in sorted(set(rows.kind)):
        own = rows.kind == kind
        of_class = _towards(whole, needed, own)
        found[str(kind)] = _towards(of_class, needed, own & ~rows.flat)
        found[f"{kind}_{FLAT}"] = _towards(of_class, needed, own & rows.flat)
    return found


def _towards(start: Bounds, needed: list[np.ndarray], own: np.ndarray) -> Bounds:
    """Return what some questions need, drawn towards a wider class by `PRIOR`."""
    part = own.sum() / (own.sum() + PRIOR)
    low, safe, high = (
        float(part * np.quantile(values[own], q) + (1.0 - part) * before) if part else before
        for values, q, before in zip(needed, HELD, start, strict=True)
    )
    return low, safe, high


def _held(values: np.ndarray, real: np.ndarray, q: float) -> float:
    return max(float(np.quantile(values[real == kind], q)) for kind in (False, True))


def _needed(rows: Rows) -> list[np.ndarray]:
    """By how much each bound would have had to be stretched to hold each truth."""
    out = Arrays(shipped_network()).outputs(rows.features)
    low, safe, mid, high = reach(out, rows.shape, rows.noise)
    off = rows.residual - mid
    return [np.maximum(off / (bound - mid), 0.0) for bound in (low, safe, high)]


def write(constants: Constants, path: Path) -> None:
    """Write constants with five digits: what is scored is what is shipped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(_rounded(msgspec.to_builtins(constants)), indent=1) + "\n", encoding="utf-8")


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


def main() -> None:
    every = every_task()
    calibration = Calibration(
        questions=joined([rows for task in every for rows in asked(task)]),
        rates=[row for task in every for row in rates_of(task)],
    )
    print(f"{calibration.questions.size} questions")
    write(calibration.constants(frozenset()), DATA / "method" / f"constants-{VERSION}.json")
    scales = []
    for fold in range(FOLDS):
        constants = calibration.constants(frozenset({fold}))
        scales.append(constants.rate)
        write(constants, HERE / "folds" / f"constants-{fold}.json")
        print(f"fold {fold}: {constants.stretch}")
    found = {name: coverage([row for row in calibration.rates if row.dataset == name], scales) for name in SETS}
    (HERE / "rates.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
