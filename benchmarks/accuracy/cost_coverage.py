"""How often the 90 % ranges of cost and of replicas hold, on sweeps whose truth is known.

    python -m benchmarks.accuracy.cost_coverage

Every simulated question is answered by the product's own steps (`core.pipeline.answer_run`, `replicas_for`) with the
constants of the fold that did not see the deployment. True throughput is that of `true_rates.py`. Nothing is tuned on
these figures: the ranges are those of capacity and throughput, combined as docs/cost.md says, without a constant of
their own. Writes cost_coverage.json and cost_coverage.md.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.accuracy.questions import FOLDS, HERE, Question, Task, tasks
from benchmarks.accuracy.true_rates import TrueRates, true_rates
from core.decide.point import point_at
from core.fit.constants import Constants, read_constants
from core.fit.fit import Fit, fit_stages
from core.fit.method import METHOD
from core.model.answer import Interval, RunAnswer
from core.model.price import Price
from core.model.run import Conditions, Kind, Run
from core.model.scenario import Demand, DemandKind
from core.model.stage import Stage
from core.pipeline import answer_run
from core.price.cost import cost_at
from core.price.formula import per_million
from core.price.replicas import carried_at_limit, replicas_for, whole

COMMAND = "python -m benchmarks.accuracy.cost_coverage"
PRICE = Price(amount=36.0, per_accelerator=False)
THINK_S = 30.0
SIZES = {"1 to 5": (1.0, 5.0), "5 to 25": (5.0, 25.0), "25 to 125": (25.0, 125.0), "125 to 1,000": (125.0, 1000.0)}
"""Replicas that the true capacity makes of a demand, before they are made whole."""

SAFE, LIMIT, CURVE = "at the safe number", "at the limit", "at the limit, doubt of the throughput alone"
COLUMNS = ("n", "coverage", "error_of_coverage", "truth_below", "truth_above", "width", "median_error", "p90_error")
_GOLDEN = 0.6180339887498949
_Z = 1.645


@dataclass(frozen=True)
class Held:
    """One range with its truth.

    Attributes:
        group: of which table and row it is a part.
        deployment: questions of one share their luck.
        enough: whether the planned number suffices in truth, None where nothing is planned.
    """

    group: tuple[str, ...]
    deployment: str
    found: Interval
    true: float
    enough: bool | None = None


def run_of(task: Task) -> Run:
    return Run(
        id=task.id,
        label=task.id,
        kind=Kind.SIMULATED,
        format_id="accuracy",
        format_version=None,
        files=(),
        conditions=Conditions(),
        stages=task.stages,
    )


def rows_of(task: Task, constants: Constants) -> Iterator[Held]:
    """Answer every question of a simulated sweep and yield each range with its truth."""
    run, fit, rates = run_of(task), fit_stages(task.stages, constants), true_rates(task)
    for place, question in enumerate(task.questions):
        answer = answer_run(run, (question.target,), PRICE, fit)
        if answer.capacity.safe is None:
            continue
        yield from _costs(task, answer, fit, question, rates)
        if answer.capacity.safe:
            yield from _replicas(task, answer, question, rates, place)


def _costs(task: Task, answer: RunAnswer, fit: Fit, question: Question, rates: TrueRates) -> Iterator[Held]:
    """Yield the cost of a million output tokens at the load that is promised, and at the one that is really carried."""
    if answer.cost and answer.cost.per_million_output and answer.at_capacity:
        true = _cost(rates.tokens_at(answer.at_capacity.at))
        yield Held(("cost", SAFE), task.deployment, answer.cost.per_million_output, true)
    cost, point = answer.cost_at_estimate, answer.at_estimate
    if cost and cost.per_million_output and point:
        true = _cost(rates.tokens_at(question.true))
        kinds = (("cost, by metric", question.target.metric.value), ("cost, by grid", task.grid))
        for group in (("cost", LIMIT), *kinds):
            yield Held(group, task.deployment, cost.per_million_output, true)
        alone = cost_at(point_at(fit, point.at, ()), answer.run, PRICE, ())
        if alone and alone.per_million_output:
            yield Held(("cost", CURVE), task.deployment, alone.per_million_output, true)


def left_out(task: Task, constants: Constants) -> Iterator[Held]:
    """Answer every question of a real sweep, whose truth is the level that was left out, with its own noise."""
    run, fit = run_of(task), fit_stages(task.stages, constants)
    hidden = {stage.load: stage for other in tasks(task.dataset) for stage in _of(other, task.deployment)}
    for question in task.questions:
        stage, answer = hidden[question.true], answer_run(run, (question.target,), PRICE, fit)
        cost = answer.cost_at_estimate.per_million_output if answer.cost_at_estimate else None
        if cost and stage.output_tok_s and answer.capacity.safe is not None:
            yield Held(("cost, real sweeps", LIMIT), task.deployment, cost, _cost(stage.output_tok_s))


def _of(task: Task, deployment: str) -> tuple[Stage, ...]:
    return task.stages if task.deployment == deployment else ()


def _cost(tok_s: float) -> float:
    return per_million(per_hour=PRICE.amount, tok_s=tok_s) or math.inf


def _replicas(task: Task, answer: RunAnswer, question: Question, rates: TrueRates, place: int) -> Iterator[Held]:
    """Yield whole replicas for demands of every kind and size, and what one replica carries before that.

    The truth is the least number with which every one of them, loaded evenly, stays within the true capacity.
    """
    most = rates.most_requests_to(question.true)
    carried = {
        DemandKind.CONCURRENCY: question.true,
        DemandKind.REQ_S: most,
        DemandKind.USERS: question.true + THINK_S * most,
    }
    for kind, one in carried.items():
        limit = carried_at_limit(answer, Demand(peak=1.0, kind=kind), THINK_S)
        if limit and limit.mid:
            yield Held(("carried by one", kind.value), task.deployment, limit, one)
        for step, (size, (low, high)) in enumerate(SIZES.items()):
            parts = low * (high / low) ** math.modf((place + 1 + step) * _GOLDEN)[0]
            found = replicas_for(answer, Demand(peak=parts * one, kind=kind), THINK_S)
            true = whole(parts, 1.0)
            if found.count is None or true is None:
                continue
            ends = Interval(low=found.fewest, mid=found.count, high=found.most)
            yield Held((f"replicas, {kind.value}", size), task.deployment, ends, true, found.count >= true)


def figures(rows: Sequence[Held]) -> dict[str, float]:
    """Return what is said of a group of ranges; an end that is open counts as far away."""
    low = np.array([0.0 if row.found.low is None else row.found.low for row in rows])
    high = np.array([np.inf if row.found.high is None else row.found.high for row in rows])
    mid = np.array([row.found.mid for row in rows], float)
    true = np.array([row.true for row in rows])
    inside, rounding = (low <= true * (1 + 1e-9)) & (true <= high * (1 + 1e-9)), 4
    closed = (low > 0.0) & np.isfinite(high)
    error = np.abs(mid / true - 1.0)[np.isfinite(mid)]
    found = {
        "n": len(rows),
        "coverage": round(float(inside.mean()), rounding),
        "error_of_coverage": round(_error(inside, [row.deployment for row in rows]), rounding),
        "truth_below": round(float((true < low).mean()), rounding),
        "truth_above": round(float((true > high).mean()), rounding),
        "open": round(float((~closed).mean()), rounding),
        "width": round(float(np.median(np.log(high[closed] / low[closed]))), rounding),
        "median_error": round(float(np.median(error)), rounding),
        "p90_error": round(float(np.quantile(error, 0.9)), rounding),
    }
    planned = [row.enough for row in rows if row.enough is not None]
    return found | ({"enough": round(float(np.mean(planned)), rounding)} if planned else {})


def _error(inside: np.ndarray, deployments: Sequence[str]) -> float:
    """Return the half width of the 90 % interval of a share, counted by deployment."""
    places = {name: place for place, name in enumerate(sorted(set(deployments)))}
    off = np.bincount([places[name] for name in deployments], inside - inside.mean())
    return _Z * math.sqrt(float((off**2).sum())) / inside.size


def document_of(rows: Sequence[Held]) -> dict[str, Any]:
    tables: dict[str, dict[str, list[Held]]] = {}
    for row in rows:
        tables.setdefault(row.group[0], {}).setdefault(row.group[1], []).append(row)
    found = {table: {name: figures(group) for name, group in parts.items()} for table, parts in tables.items()}
    tables_of = {table: dict(sorted(rows.items(), key=_order)) for table, rows in sorted(found.items(), key=_order)}
    return {"command": COMMAND, "method": METHOD, "think_s": THINK_S, "tables": tables_of}


def _order(named: tuple[str, Any]) -> tuple[int, str]:
    """Return where a table or a row stands: as named here, else by name."""
    places = [SAFE, LIMIT, CURVE, *SIZES, *SAID]
    return (places.index(named[0]) if named[0] in places else len(places), named[0])


ABOUT = """# How often the ranges of cost and of replicas hold

Made by `{command}` with {method}: every simulated question, constants cross-fitted by deployment, true throughput from
true latency by Little's law (`true_rates.py`). Promised: 0.90. ±: 90 % doubt of the share, counted by deployment. An
open end counts as far away. Width: ln(high / low). Error: of the estimate; for replicas of the number planned with,
which is the safe one and therefore more. Nothing was tuned on these figures.
"""

SAID = {
    "cost": (
        "Money per million output tokens. *At the safe number*: the load is chosen, and the truth is the true cost at "
        "that load. *At the limit*: the truth is the true cost at the true capacity, wherever the estimate lies; the "
        "third line is the same truth against a range that takes the estimate for certain."
    ),
    "cost, by metric": "At the limit.",
    "cost, by grid": "At the limit.",
    "cost, real sweeps": (
        "Every inner level left out in turn, the targets its own latencies, the truth its own cost: one noisy run."
    ),
    "carried by one": (
        "What one replica carries at its limit, in requests in flight, requests/s, and users who pause for 30 s: "
        "the inverse of replicas before they are made whole, whatever the size of the demand. The truth is the most "
        "that the true server carries within the limit."
    ),
    "replicas": (
        "Whole replicas without spares, by the number that the true capacity makes of the demand. The truth is the "
        "least number with which every replica stays within the true limit. Whole numbers hold more often than the "
        "range that they were made from: few replicas have few values. `enough`: the planned number suffices."
    ),
}


def markdown(document: Mapping[str, Any]) -> str:
    out = [ABOUT.format(**document).rstrip()]
    said: set[str] = set()
    for table, rows in document["tables"].items():
        kind = table if table in SAID else table.split(",")[0]
        out += ["", f"## {table}", *(["", SAID[kind]] if kind not in said else []), ""]
        said.add(kind)
        columns = (*COLUMNS, *(("enough",) if "enough" in next(iter(rows.values())) else ()))
        out += [
            _line(("", *("±" if c == "error_of_coverage" else c for c in columns))),
            _line(["---"] * (len(columns) + 1)),
        ]
        out += [_line((name, *(str(row[column]) for column in columns))) for name, row in rows.items()]
    return "\n".join(out) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    constants = [read_constants(HERE / "folds" / f"constants-{fold}.json") for fold in range(FOLDS)]
    rows = [row for task in tasks("simulated") for row in rows_of(task, constants[task.fold])]
    rows += [row for task in tasks("real") for row in left_out(task, constants[task.fold])]
    document = document_of(rows)
    (HERE / "cost_coverage.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (HERE / "cost_coverage.md").write_text(markdown(document), encoding="utf-8")
    print(markdown(document))


if __name__ == "__main__":
    main()
