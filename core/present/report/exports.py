"""Plain data of a scenario: CSV equal to the screen, and the JSON of the command line."""

from __future__ import annotations

import json
import math
from datetime import date
from typing import Any

import pandas as pd

from core.fleet.answer import FleetAnswer
from core.fleet.plan import fleet_for
from core.i18n import t
from core.model.fleet_text import fleet_text
from core.model.run import Kind
from core.model.scenario import Scenario
from core.present.assumptions import HIDDEN
from core.present.compare_scenario import compare_part
from core.present.dated import Dated, bill_marks, with_marks
from core.present.documents import plan_document
from core.present.fleet_document import fleet_document
from core.present.fleet_scenario import fleets_of
from core.present.price_document import price_document
from core.present.report.frames import answers_frame, findings_frame, levels_frame, shown
from core.present.tables import safe_csv

COST = t("Cost per million output tokens")
"""The column that says that prices are hidden, as the table of the screen calls that of the cost."""

BOM = "\ufeff"
"""Without it Excel reads UTF-8 as the letters of the computer's own region."""

Json = dict[str, Any]


def answers_csv(
    scenario: Scenario, language: str = "en", *, today: date | None = None, prices_hidden: bool = False
) -> bytes:
    """Return the table of answers as CSV, UTF-8 with a mark of its order of bytes; formulas are made harmless.

    With `today` a price that is old or has no date is marked in a column of its own. Where prices are hidden the column
    of the cost says so.
    """
    frame = answers_frame(scenario, language)
    if prices_hidden:
        frame = frame.assign(**{COST.render(language): HIDDEN.render(language)})
    dated = Dated(today=today, price=scenario.price)
    return _csv(with_marks(frame, [bill_marks([answer], dated, language) for answer in scenario.answers], language))


def levels_csv(scenario: Scenario, language: str = "en") -> bytes:
    """Return every level of every run as CSV, with all digits."""
    return _csv(levels_frame([answer.run for answer in scenario.answers], language))


def findings_csv(scenario: Scenario, language: str = "en") -> bytes:
    """Return what was found in the files as CSV."""
    return _csv(findings_frame(scenario, language))


def _month(found: FleetAnswer) -> Json | None:
    """Return what a fleet costs a month with its range, None where that is unknown."""
    bill = found.month
    return {"low": bill.low, "mid": bill.mid, "high": bill.high, "currency": found.currency} if bill else None


def scenario_document(scenario: Scenario, *, version: int | None = None, prices_hidden: bool = False) -> Json:
    """Return the document of `plan` with the scenario beside it, valid against plan.schema.json.

    The numbers and the method are those that were saved, whatever this version would answer today.

    Args:
        scenario: as it is shown; without a price no money is in it.
        version: of the scenario where it is saved, else None.
        prices_hidden: whether prices were taken out of it; without that no price was given.
    """
    scenario = shown(scenario)
    generator = {
        "version": scenario.app_version,
        "method": scenario.method_version,
        "constants": scenario.constants_version or None,
    }
    document = plan_document(scenario.answers, scenario.targets, (), generator=generator)
    demand, think = scenario.demand, scenario.think_time_s
    price, fleet = scenario.price, scenario.fleet
    fleets = {a.run.id: fleet_for(a, demand, think, fleet, price) for a in scenario.answers} if demand else {}
    copies = {key: one.replicas for key, one in fleets.items()}
    document["scenario"] = {
        "name": scenario.name,
        "version": version,
        "notes": scenario.notes or None,
        "think_time_s": think,
        "demand": {"peak": demand.peak, "kind": demand.kind.value} if demand else None,
        "replicas": {key: one.count for key, one in copies.items()} if demand else None,
        "replicas_range": {k: {"low": one.fewest, "high": one.most} for k, one in copies.items()} if demand else None,
        "cost_per_month": {k: _month(one) for k, one in fleets.items()} if demand else None,
        "fleet": fleet_text(fleet, fleet.curve.name if fleet.curve else "") if fleet else None,
        "fleets": fleet_document(fleets_of(scenario), (), (), scenario.price)["fleets"] if demand else None,
        "price": price_document(scenario.price),
        "prices_hidden": prices_hidden,
        "decision": [{"name": column.name, "values": dict(column.values)} for column in scenario.decision],
        "comparison": compare_part(scenario),
        "candidates": [answer.run.id for answer in scenario.answers if answer.run.kind is Kind.SIMULATED],
    }
    return document


def scenario_json(scenario: Scenario, *, version: int | None = None, prices_hidden: bool = False) -> bytes:
    """Return `scenario_document` as JSON; a number is never NaN or Infinity."""
    document = _finite(scenario_document(scenario, version=version, prices_hidden=prices_hidden))
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False).encode(errors="replace")


def _csv(frame: pd.DataFrame) -> bytes:
    return (BOM + safe_csv(frame)).encode(errors="replace")


def _finite(value: object) -> object:
    """Return a document in which what is no number is unknown: stored files may hold anything."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {key: _finite(one) for key, one in value.items()}
        case list() | tuple():
            return [_finite(one) for one in value]
        case _:
            return value
