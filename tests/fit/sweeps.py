"""Stages for tests, written the short way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.errors import Place
from core.fit.fit import Fit
from core.fit.shape import shape_at
from core.model.metric import Metric
from core.model.stage import Stage, Statistics


def stage(load: float, *, n: int | None = 1000, rate: float | None = None, **metrics: Mapping[str, float]) -> Stage:
    """A closed-loop level; `metrics` as {"ttft": {"mean": 0.1, "p99": 0.2}}."""
    return Stage(
        where=Place(file="sweep.json"),
        asked_concurrency=load,
        achieved_concurrency=load,
        achieved_rate=rate,
        requests_good=n,
        requests_failed=0,
        statistics={Metric(name): statistics(values, n) for name, values in metrics.items()},
    )


def statistics(values: Mapping[str, float], n: int | None) -> Statistics:
    quantiles = {round(float(name[1:]) / 100, 8): value for name, value in values.items() if name.startswith("p")}
    return Statistics(mean=values.get("mean"), sd=values.get("sd"), n=n, quantiles=quantiles)


def sweep(
    loads: Sequence[float], values: Sequence[float], *, statistic: str = "mean", n: int | None = 1000
) -> list[Stage]:
    """Levels of one statistic of TPOT."""
    return [stage(load, n=n, tpot={statistic: value}) for load, value in zip(loads, values, strict=True)]


def drawn(fit: Fit, metric: Metric, limit: float, statistic: str = "mean") -> float:
    """Where the curve through the levels reaches a limit, before anything learned moves it: exact on exact points."""
    shape = shape_at(fit.points(metric, statistic), fit.restless, np.log([limit]))
    return float(np.exp(shape.log_mid[0]))
