"""What a scenario says of its fleet, in memos and files: one fleet for each run, as if it served everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.fit.fit import Fit
from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable, Wanted, affordable
from core.fleet.plan import fleet_for
from core.i18n import t
from core.model.fleet import Fleet
from core.model.scenario import Scenario


def fleets_of(scenario: Scenario) -> tuple[FleetAnswer, ...]:
    """Return the fleet of each run for the demand, () where none is given or none of them has a target."""
    demand, think = scenario.demand, scenario.think_time_s
    if demand is None or not any(answer.per_target for answer in scenario.answers):
        return ()
    return tuple(fleet_for(answer, demand, think, scenario.fleet, scenario.price) for answer in scenario.answers)


def bought_of(scenario: Scenario, fits: Mapping[str, Fit]) -> tuple[Affordable, ...]:
    """Return what the budget buys on each run, () where there is no budget, demand or price."""
    demand, fleet, price = scenario.demand, scenario.fleet, scenario.price
    if demand is None or fleet is None or fleet.budget is None or price is None:
        return ()
    held = replace(fleet, curve=None)
    return tuple(
        affordable(
            answer,
            answer.sensitivity,
            fits[answer.run.id],
            Wanted(demand=demand, think_s=scenario.think_time_s, fleet=held, price=price),
        )
        for answer in scenario.answers
        if answer.run.id in fits
    )


def divided_text(fleet: Fleet | None, language: str = "en") -> str | None:
    """Return that the fleets here are not those of a mix that is divided over runs, None where it is not."""
    if fleet is None or len(set(fleet.served_by)) < 2:
        return None
    return t(
        "The mix is divided over several runs on the Fleet page; here each run serves every kind of it alone"
    ).render(language)
