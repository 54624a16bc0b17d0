"""The ranges of cost once more, on deployments that nothing was made with, and with throughput itself as the truth.

    python -m benchmarks.accuracy.cost_fresh

Simulates `COUNT` new deployments like those of the questions (needs a C compiler), draws sparse sweeps of one run of
each load as `sweeps.py` does, and takes the mean throughput of all runs as true. Neither the network nor the shipped
constants saw them. Writes cost_fresh.json and cost_fresh.md: a check of `cost_coverage.py`, whose truth is derived.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.accuracy.cost_coverage import COLUMNS, CURVE, LIMIT, SAFE, Held, figures
from benchmarks.accuracy.questions import HERE
from benchmarks.accuracy.simulate import (
    COUNTS,
    METRICS,
    RUNS,
    STATISTICS,
    Deployment,
    compiled,
    dense,
    deployment,
    simulated,
)
from benchmarks.accuracy.sweeps import Sample, sample, true_curve
from core.decide.at_limit import at_limit
from core.decide.decide import decide
from core.decide.point import point_at
from core.fit.fit import Fit, fit_stages
from core.fit.method import METHOD
from core.model.answer import Interval
from core.model.metric import Metric
from core.model.target import Target
from core.price.formula import per_million, per_million_interval

COMMAND = "python -m benchmarks.accuracy.cost_fresh"
SEED, COUNT, SWEEPS, LIMITS = 777, 60, 6, 2
FIRST_RUN = 900_000_000
"""Far from the seeds of the runs that the network learned from."""

CARRIED = "capacity, in requests in flight"
PER_HOUR = 36.0
_LEAST_SLOPE, _APART = 0.1, 0.15


def fresh(program: Path, rng: np.random.Generator) -> Iterator[tuple[int, Deployment]]:
    for number in range(COUNT):
        parameters, top = deployment(rng, 1.0)
        one = simulated(program, parameters, dense(top), FIRST_RUN + number * 10_007)
        if one:
            yield number, one


def rows_of(number: int, one: Deployment, rng: np.random.Generator) -> Iterator[Held]:
    """Yield every range of some sweeps of a deployment with its truth."""
    counts = one.counts.astype(float)
    tok_s = (counts[:, :, COUNTS.index("rate")] * counts[:, :, COUNTS.index("om")]).mean(axis=1)
    for _ in range(SWEEPS):
        found = sample(one, rng)
        if found and found.hidden is None and all(stage.output_tok_s for stage in found.stages):
            yield from _asked(str(number), one, found, tok_s, rng)


def _asked(name: str, one: Deployment, found: Sample, tok_s: np.ndarray, rng: np.random.Generator) -> Iterator[Held]:
    fit, at = fit_stages(found.stages), np.log(one.loads)
    ends = np.log([found.stages[0].load or 1.0, found.stages[-1].load or 1.0])

    def cost(log_load: float) -> float:
        rate = float(np.exp(np.interp(log_load, at, np.log(tok_s))))
        return per_million(per_hour=PER_HOUR, tok_s=rate) or math.inf

    for metric, statistic in found.names:
        curve = true_curve(found, (metric, statistic))
        for true in rng.uniform(float(ends[0]), float(ends[1]), LIMITS).tolist():
            beside = np.interp([true - _APART, true + _APART], at, curve)
            if beside[1] - beside[0] >= 2.0 * _APART * _LEAST_SLOPE:
                limit = float(np.exp(np.interp(true, at, curve)))
                target = Target(Metric(METRICS[metric]), STATISTICS[statistic], limit)
                for group, range_, truth in _ranges(fit, target, true):
                    yield Held(("fresh", group), name, range_, math.exp(true) if group == CARRIED else cost(truth))


def _ranges(fit: Fit, target: Target, true: float) -> Iterator[tuple[str, Interval, float]]:
    """Yield each range of one answer with the ln load at which its truth lies."""
    capacity = decide(fit, (target,)).capacity
    point = at_limit(fit, capacity, ())
    if not capacity.safe or capacity.concurrency is None or point is None or point.output_tok_s is None:
        return
    yield CARRIED, capacity.concurrency, true
    alone, safe = point_at(fit, point.at, ()), point_at(fit, float(capacity.safe), ())
    for group, at, load in ((LIMIT, point, true), (CURVE, alone, true), (SAFE, safe, math.log(capacity.safe))):
        cost = per_million_interval(PER_HOUR, at.output_tok_s)
        if cost:
            yield group, cost, load


def markdown(document: dict[str, dict[str, dict[str, float]]]) -> str:
    head = ("", *("±" if column == "error_of_coverage" else column for column in COLUMNS))
    out = [
        "# The ranges of cost on fresh deployments",
        "",
        f"Made by `{COMMAND}` with {METHOD} and the shipped constants:",
        f"{COUNT} new simulated deployments (seed {SEED}) that nothing was made with. The truth is the mean throughput",
        f"of {RUNS} runs of a load, of which the sweep's is one. Columns as in [cost_coverage](cost_coverage.md).",
        "",
        *("| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head))),
    ]
    for group, row in document["groups"].items():
        out.append("| " + " | ".join((group, *(str(row[column]) for column in COLUMNS))) + " |")
    return "\n".join(out) + "\n"


def main() -> None:
    rng = np.random.default_rng(SEED)
    rows: list[Held] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, one in fresh(compiled(Path(folder)), rng):
            rows += rows_of(number, one, rng)
    groups = {group: [row for row in rows if row.group[1] == group] for group in (CARRIED, SAFE, LIMIT, CURVE)}
    document = {"groups": {group: figures(own) for group, own in groups.items()}}
    (HERE / "cost_fresh.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (HERE / "cost_fresh.md").write_text(markdown(document), encoding="utf-8")
    print(markdown(document))


if __name__ == "__main__":
    main()
