"""Make the constants of the method: from all deployments, and for each fold from the others.

    python -m benchmarks.accuracy.calibrate

writes data/method/constants-1.json (what is shipped) and benchmarks/accuracy/folds/constants-K.json
(each made without the deployments of fold K, so that none is scored with constants that saw it).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.accuracy.boosting import Booster, Settings
from benchmarks.accuracy.fitting import LEAST, laplace_weights, weighted_quantile
from benchmarks.accuracy.questions import FOLDS, HERE, SETS, every_task
from benchmarks.accuracy.rates import RateRow, coverage, scale_from
from benchmarks.accuracy.rates import rows_of as rates_of
from benchmarks.accuracy.training import Rows, asked, joined, simulated, widened
from core.fit.constants import LEARNED, RISKS, TERMS, Constants, Correction, RateScale
from core.fit.correction import bounds
from core.fit.features import NAMES
from core.fit.method import VERSION
from core.fit.trees import Forest, Trees
from core.settings import DATA

REAL_WEIGHT = 2.0
"""What a question of a real sweep counts against a simulated one, of which there are ten times more."""

SHARE = 0.5
"""Half of the learned shift is used: the simulated deployments that it is learned from share their physics."""

MARGIN = (1.0, 1.15, 1.0)
"""By how much each bound of `RISKS` is moved beyond what was needed: nineteen real sweeps are few to promise on."""

CLIP = 8.0

BLANK = Constants(
    version=VERSION,
    terms=dict.fromkeys(TERMS, 0.1),
    quantiles=dict.fromkeys(("middle", "p90", "p99", "itl_tail"), (-2.0, -1.3, 2.0)),
    rate=RateScale(floor=1.0, gap=0.05, bend=0.1, rough=1.0, low=-2.0, high=2.0),
)
"""Stands in for constants while features, which do not depend on them, are made."""


@dataclass(frozen=True)
class Learned:
    """The parts that are fitted to the rows of some folds."""

    terms: np.ndarray
    quantiles: dict[str, tuple[float, float, float]]
    start: tuple[float, float, float, float]
    trees: Trees

    def scale(self, rows: Rows) -> np.ndarray:
        return np.sqrt(rows.squares @ self.terms + LEAST)

    def raw(self, rows: Rows) -> np.ndarray:
        return np.array(self.start) + Forest(self.trees, NAMES).predict(rows.features)


@dataclass
class Calibration:
    """Constants without some folds; what was fitted once is kept."""

    questions: Rows
    training: Rows
    rates: list[RateRow]
    _kept: dict[frozenset[int], Learned] = field(default_factory=dict)

    def constants(self, without: frozenset[int]) -> Constants:
        own = self._learned(without)
        scale = scale_from([row for row in self.rates if row.fold not in without])
        return Constants(
            version=VERSION,
            terms=dict(zip(TERMS, own.terms.tolist(), strict=True)),
            quantiles=own.quantiles,
            rate=scale,
            correction=Correction(start=own.start, trees=own.trees, share=SHARE, inflation=self._inflation(without)),
        )

    def _learned(self, without: frozenset[int]) -> Learned:
        if without not in self._kept:
            self._kept[without] = _learn(_without(self.questions, without), _without(self.training, without))
        return self._kept[without]

    def _inflation(self, without: frozenset[int]) -> tuple[float, float, float]:
        """How far each bound has to move on deployments that were not learned from; the larger of both sets."""
        needed: list[list[np.ndarray]] = [[] for _ in RISKS]
        real: list[np.ndarray] = []
        for fold in set(range(FOLDS)) - without:
            left_out = self.questions.where(self.questions.fold == fold)
            own = self._learned(without | {fold})
            for place, values in enumerate(_needed(own, left_out)):
                needed[place].append(values)
            real.append(left_out.real)
        is_real = np.concatenate(real)
        found = []
        for values, q in zip(map(np.concatenate, needed), (0.95, 0.9, 0.95), strict=True):
            found.append(max(1.0, *(float(np.quantile(values[is_real == kind], q)) for kind in (False, True))))
        low, safe, high = (needed_most * margin for needed_most, margin in zip(found, MARGIN, strict=True))
        return low, safe, high


def _needed(own: Learned, rows: Rows) -> list[np.ndarray]:
    """By how much each bound would have had to be inflated to hold each truth."""
    raw, scale = own.raw(rows), own.scale(rows)
    shift = SHARE * raw[:, 2]
    true = rows.residual / scale
    plain = bounds(raw, shift, (1.0, 1.0, 1.0))
    return [np.maximum((true - shift) / (bound - shift), 0.0) for bound in plain]


def _learn(questions: Rows, training: Rows) -> Learned:
    weight = np.where(questions.real, REAL_WEIGHT, 1.0)
    terms = laplace_weights(questions.squares.T, questions.residual, weight)
    far = questions.residual / np.sqrt(questions.squares @ terms + LEAST)
    quantiles = {}
    for kind in sorted(set(questions.kind)):
        own = questions.kind == kind
        low, safe, high = (weighted_quantile(far[own], weight[own], q) for q in RISKS)
        quantiles[str(kind)] = (low, safe, high)
    scale = np.sqrt(training.squares @ terms + LEAST)
    # Weighted by the scale, the pinball loss is that of ln load, which is what a range is judged by.
    booster = Booster(
        training.features,
        np.clip(training.residual / scale, -CLIP, CLIP),
        scale,
        LEARNED,
        Settings(trees=100),
        NAMES,
    )
    trees, start = booster.run()
    return Learned(terms, quantiles, (start[0], start[1], start[2], start[3]), trees)


def _without(rows: Rows, folds: Iterable[int]) -> Rows:
    return rows.where(~np.isin(rows.fold, list(folds)))


def write(constants: Constants, path: Path) -> None:
    """Write constants with six digits: what is scored is what is shipped."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = msgspec.to_builtins(constants)
    correction = plain.pop("correction")
    text = json.dumps(_rounded(plain), indent=1)[:-2]
    trees = ",\n  ".join(f'"{key}": {json.dumps(_rounded(value))}' for key, value in correction.items())
    path.write_text(f'{text},\n "correction": {{\n  {trees}\n }}\n}}\n', encoding="utf-8")


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


def main() -> None:
    rng = np.random.default_rng(1)
    every = every_task()
    calibration = Calibration(
        questions=joined([rows for task in every for rows in asked(task, BLANK)]),
        training=joined([*simulated(BLANK, rng), *(rows for task in every for rows in widened(task, BLANK, rng))]),
        rates=[row for task in every for row in rates_of(task)],
    )
    print(f"{calibration.questions.size} questions, {calibration.training.size} rows to learn from")
    write(calibration.constants(frozenset()), DATA / "method" / f"constants-{VERSION}.json")
    scales = []
    for fold in range(FOLDS):
        constants = calibration.constants(frozenset({fold}))
        scales.append(constants.rate)
        write(constants, HERE / "folds" / f"constants-{fold}.json")
        print(f"fold {fold}: inflation {constants.correction.inflation if constants.correction else None}")
    found = {name: coverage([row for row in calibration.rates if row.dataset == name], scales) for name in SETS}
    (HERE / "rates.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
