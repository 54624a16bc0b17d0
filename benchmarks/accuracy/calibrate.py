"""Make the constants of the method: from all deployments, and for each fold from the others.

    python -m benchmarks.accuracy.calibrate

writes data/method/constants-1.json (what is shipped) and benchmarks/accuracy/folds/constants-K.json
(each made without the deployments of fold K, so that none is scored with constants that saw it).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.accuracy.fitting import laplace_weights, weighted_quantile
from benchmarks.accuracy.questions import FOLDS, HERE, SETS, Task, every_task
from benchmarks.accuracy.rates import coverage, scale_from
from benchmarks.accuracy.rates import rows_of as rates_of
from core.fit.constants import RISKS, TERMS, Constants, RateScale, class_of
from core.fit.fit import fit_stages
from core.fit.method import VERSION
from core.fit.scale import squared_terms
from core.fit.shape import shape_at
from core.settings import DATA

REAL_WEIGHT = 2.0
"""What a question of a real sweep counts against a simulated one, of which there are ten times more."""

INFLATION = 1.0


@dataclass(frozen=True)
class Row:
    """One question as the scale model sees it."""

    fold: int
    weight: float
    kind: str
    residual: float
    squares: np.ndarray


def rows_of(task: Task) -> list[Row]:
    fit = fit_stages(task.stages, BLANK)
    found = []
    for question in task.questions:
        points = fit.points(question.target.metric, question.target.statistic)
        limit = np.array([math.log(question.target.limit)])
        if points.load.size < 2 or points.value[0] > question.target.limit:
            continue
        shape = shape_at(points, fit.restless, limit)
        found.append(
            Row(
                fold=task.fold,
                weight=REAL_WEIGHT if task.dataset == "real" else 1.0,
                kind=class_of(question.target.metric, question.target.statistic),
                residual=math.log(question.true) - float(shape.log_mid[0]),
                squares=squared_terms(shape)[:, 0],
            )
        )
    return found


BLANK = Constants(
    version=VERSION,
    terms=dict.fromkeys(TERMS, 0.1),
    quantiles=dict.fromkeys(("middle", "p90", "p99", "itl_tail"), (-2.0, -1.3, 2.0)),
    rate=RateScale(floor=0.02, gap=0.05, bend=0.1, rough=1.0, low=-2.0, high=2.0),
)
"""Stands in for constants while features, which do not depend on them, are made."""


def constants_from(rows: Sequence[Row], rate: RateScale) -> Constants:
    squares = np.array([row.squares for row in rows]).T
    residual = np.array([row.residual for row in rows])
    weight = np.array([row.weight for row in rows])
    kinds = np.array([row.kind for row in rows])
    theta = laplace_weights(squares, residual, weight)
    far = residual / np.sqrt(theta @ squares + 1e-6)
    quantiles = {}
    for kind in sorted(set(kinds)):
        own = kinds == kind
        quantiles[kind] = tuple(INFLATION * weighted_quantile(far[own], weight[own], q) for q in RISKS)
    return Constants(
        version=VERSION, terms=dict(zip(TERMS, theta.tolist(), strict=True)), quantiles=quantiles, rate=rate
    )


def write(constants: Constants, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rounded = msgspec.json.decode(msgspec.json.encode(constants))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(_round(rounded)), indent=1) + b"\n")


def _round(value: object) -> object:
    if isinstance(value, dict):
        return {k: _round(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_round(v) for v in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def main() -> None:
    rows = [row for task in every_task() for row in rows_of(task)]
    rates = [row for task in every_task() for row in rates_of(task)]
    write(constants_from(rows, scale_from(rates)), DATA / "method" / f"constants-{VERSION}.json")
    scales = [scale_from([row for row in rates if row.fold != fold]) for fold in range(FOLDS)]
    for fold, scale in enumerate(scales):
        others = [row for row in rows if row.fold != fold]
        write(constants_from(others, scale), HERE / "folds" / f"constants-{fold}.json")
    found = {name: coverage([row for row in rates if row.dataset == name], scales) for name in SETS}
    (HERE / "rates.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
