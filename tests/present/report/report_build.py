"""Scenarios for reports: the sample files answered in full, and small ones made by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from core.fit.fit import fit_run
from core.ingest.raw import Upload
from core.model.price import Price
from core.model.run import Kind
from core.model.scenario import DecisionColumn, Demand, DemandKind, Scenario
from core.model.target import parse_target
from core.pipeline import load, plan
from tests.present.builders import TTFT_P99

SAMPLES = Path(__file__).resolve().parents[3] / "data" / "samples"
TARGETS = (parse_target("ttft p99 <= 500ms"), parse_target("tpot p95 <= 50ms"))
HOSTILE = (
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    '=HYPERLINK("http://example.invalid","x")',
    "<script>alert(1)</script>",
    "![x](http://example.invalid/x.png)",
    "[Book1.xlsx]Sheet1!A1",
    "a/b:c*d?e[f]",
    "'",
    "_x0041_",
    "한글 이름 " * 12,
    "W" * 120,
)


@cache
def sample_scenario():
    """The samples as a person saves them: one run is said to be simulated, with columns of their own and a demand."""
    uploads = [Upload("/".join(p.parts[-2:]), p.read_bytes()) for p in sorted(SAMPLES.rglob("*.json"))]
    runs = load(uploads).runs
    runs = (replace(runs[0], kind=Kind.SIMULATED), *runs[1:])
    price = Price(amount=2.5, per_accelerator=True, accelerators=tuple((run.id, 2) for run in runs))
    answers = plan(runs, TARGETS, price)
    return Scenario(
        name="Assistant for the support desk",
        runs=tuple(runs),
        targets=TARGETS,
        price=price,
        answers=answers,
        notes="Two candidates.\nDecide by Friday.",
        think_time_s=20.0,
        method_version="an-older-method/1",
        constants_version="0badcafe",
        app_version="0.0.9",
        decision=(
            DecisionColumn(name="Lead time", values={runs[0].id: "6 weeks", runs[1].id: "in stock"}),
            DecisionColumn(name="Vendor", values={runs[1].id: "=HYPERLINK()"}),
        ),
        demand=Demand(peak=400, kind=DemandKind.USERS),
    )


@cache
def sample_fits():
    """Their fits, made once."""
    return {answer.run.id: fit_run(answer.run) for answer in sample_scenario().answers}


def scenario_of(*answers, **values):
    """A scenario of answers made by hand."""
    given = {"price": None, "targets": (TTFT_P99,), "name": "A name", "method_version": "m/1", "app_version": "0.1.0"}
    return Scenario(answers=answers, runs=tuple(answer.run for answer in answers), **{**given, **values})


def named(answer, number, label):
    """An answer of a run with an id of its own and a label."""
    run = replace(answer.run, id=f"run-{number}", label=label)
    return replace(answer, run=run)
