"""Scenarios of the samples that come with Plimsoll, as memos are made of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from core.fit.fit import fit_run
from core.ingest.raw import Upload
from core.model.price import Price
from core.model.scenario import Scenario
from core.model.target import parse_target
from core.pipeline import answer_run, foreseen, load, sensitivity_of
from core.present.report.memo import memo_of
from core.present.report.memo_parts import SavedAs
from core.settings import ROOT

SAMPLES = ROOT / "data" / "samples"
SIMULATED = ROOT.parent / "shared" / "data" / "simulated" / "aic_curve_Llama-3.1-70B-Instruct-FP8_h100_sxm_tp4.csv"
TAILS = (parse_target("ttft p99 <= 500ms"), parse_target("tpot p99 <= 50ms"))
MEANS = (parse_target("ttft mean <= 500ms"), parse_target("tpot mean <= 50ms"))
SAVED = SavedAs(when=datetime(2026, 11, 30, 9, tzinfo=UTC), version=3)
LINK = "https://plan.example.com/?share=Jx3k2Qm1p9VtYw8s0aZb4cRdEfGhIjKl"


def runs_of(*names):
    """The runs of samples by folder; of "simulated" those of a file that lies outside of the project."""
    paths = []
    for name in names:
        paths += [SIMULATED] if name == "simulated" else sorted((SAMPLES / name).rglob("*.json"))
    return load([Upload("/".join(Path(path).parts[-2:]), Path(path).read_bytes()) for path in paths]).runs


def priced(runs, count=8, amount=2.5):
    return Price(amount=amount, per_accelerator=True, accelerators=tuple((run.id, count) for run in runs))


def scenario_of(runs, targets=TAILS, *, name="Support assistant", price=None, **more):
    """A scenario, and the fits of its runs by their ids."""
    fits = {run.id: fit_run(run) for run in runs}
    answers = []
    for run in runs:
        asked = {"workload": more.get("workload"), "traffic": more.get("traffic")}
        answer = answer_run(run, targets, price, fits[run.id], **asked)
        foretold = foreseen(answer, fits[run.id])
        found = sensitivity_of(answer, fits[run.id], price)
        answers.append(replace(answer, next_measurement=foretold, sensitivity=found))
    scenario = Scenario(
        name=name,
        runs=tuple(runs),
        targets=tuple(targets),
        price=price,
        answers=tuple(answers),
        method_version="knee-network/2",
        constants_version="0123abcd",
        app_version="0.1.0",
        **more,
    )
    return scenario, fits


def memo(scenario_and_fits, language="en", **more):
    scenario, fits = scenario_and_fits
    return memo_of(scenario, fits, language, **{"saved": SAVED, "link": LINK, **more})
