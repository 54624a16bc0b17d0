"""The questions with known answers, and their sweeps as the product reads them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.ingest.stage_json import stage_of
from core.model.metric import Metric
from core.model.stage import Stage
from core.model.target import Target

HERE = Path(__file__).resolve().parent
SETS = ("simulated", "real")
FOLDS = 6


@dataclass(frozen=True)
class Question:
    """One target on one sweep, with the load at which the truth crosses its limit."""

    target: Target
    true: float
    slope: float


@dataclass(frozen=True)
class Task:
    """One sweep and its questions; `record` is the line as it stands in the data."""

    id: str
    dataset: str
    deployment: str
    grid: str
    record: dict[str, Any]
    stages: tuple[Stage, ...]
    questions: tuple[Question, ...]

    @property
    def fold(self) -> int:
        return fold_of(self.deployment)


@dataclass(frozen=True)
class Truth:
    """The dense curve of one deployment."""

    concurrency: np.ndarray
    curves_s: dict[str, np.ndarray]


def fold_of(deployment: str) -> int:
    """Which fold a deployment belongs to: alternating within each data set, whatever its sweeps."""
    return _folds()[deployment]


@cache
def tasks(dataset: str) -> tuple[Task, ...]:
    truth = {record["id"]: record for record in _lines(dataset, "truth")}
    return tuple(_task(dataset, record, truth[record["id"]]) for record in _lines(dataset, "tasks"))


@cache
def truths(dataset: str) -> dict[str, Truth]:
    return {
        _deployment(dataset, record): Truth(
            np.array(record["concurrency"], float), {k: np.array(v) for k, v in record["curves_s"].items()}
        )
        for record in _lines(dataset, "curves")
    }


def every_task() -> tuple[Task, ...]:
    return tuple(task for dataset in SETS for task in tasks(dataset))


@cache
def _folds() -> dict[str, int]:
    found: dict[str, int] = {}
    for dataset in SETS:
        for place, name in enumerate(truths(dataset)):
            found[name] = place % FOLDS
    return found


def _task(dataset: str, record: dict[str, Any], truth: dict[str, Any]) -> Task:
    return Task(
        id=record["id"],
        dataset=dataset,
        deployment=_deployment(dataset, truth),
        grid=truth["grid"],
        record=record,
        stages=tuple(stage_of(stage) for stage in record["stages"]),
        questions=tuple(_questions(record["target_sets"], truth)),
    )


def _questions(sets: Sequence[Any], truth: dict[str, Any]) -> Iterator[Question]:
    for (asked,), true, slope in zip(sets, truth["true_concurrency"], truth["local_log_slope"], strict=True):
        yield Question(Target(Metric(asked["metric"]), asked["statistic"], asked["limit"]), true, slope)


def _deployment(dataset: str, record: dict[str, Any]) -> str:
    return f"{dataset}/{record['deployment']}"


def _lines(dataset: str, name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(HERE / "data" / dataset / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
