"""A scenario without its prices: what a link shows whose owner hides them.

Money is taken out before anything is drawn or written, so that no page, chart, download or copy can forget to.
The person's own columns go too: a vendor or a discount is often among them. The name, the notes and the names of
runs stay, since they are the person's own words; whoever shares is told so.
"""

from __future__ import annotations

from dataclasses import replace

from core.model.answer import BatchAnswer, RunAnswer, Sensitivity, TrafficAnswer
from core.model.counted import counted
from core.model.finding import Finding
from core.model.run import Run
from core.model.scenario import Scenario

_OF_PRICES = "price."
"""How codes of findings about the bill begin."""


def without_prices(scenario: Scenario) -> Scenario:
    """Return the scenario without price, costs, budgets, findings about the bill and the person's own columns.

    Everything else stays bit by bit, but for the number of accelerators that stood with the price: it is a condition
    that readers need, and moves to those of the run. Doing it twice changes nothing more.
    """
    scenario = counted(scenario)
    return replace(
        scenario,
        price=None,
        decision=(),
        fleet=scenario.fleet.without_money if scenario.fleet else None,
        runs=tuple(_run(run) for run in scenario.runs),
        answers=tuple(_answer(answer) for answer in scenario.answers),
    )


def _run(run: Run) -> Run:
    return replace(run, findings=_findings(run.findings))


def _findings(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if not finding.code.startswith(_OF_PRICES))


def _answer(answer: RunAnswer) -> RunAnswer:
    return replace(
        answer,
        run=_run(answer.run),
        findings=_findings(answer.findings),
        cost=None,
        cost_at_estimate=None,
        sensitivity=tuple(_sensitivity(one) for one in answer.sensitivity),
        batch=_batch(answer.batch) if answer.batch else None,
        for_traffic=_traffic(answer.for_traffic) if answer.for_traffic else None,
    )


def _sensitivity(found: Sensitivity) -> Sensitivity:
    return replace(found, relaxed=tuple(replace(relaxed, cost=None) for relaxed in found.relaxed))


def _batch(batch: BatchAnswer) -> BatchAnswer:
    job = replace(batch.job, cost=None, currency=None) if batch.job else None
    return replace(batch, job=job, cost=None)


def _traffic(found: TrafficAnswer) -> TrafficAnswer:
    return replace(found, findings=_findings(found.findings))
