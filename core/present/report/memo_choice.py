"""What else a person asked of the fleet, on the memo: what a budget buys, autoscaling, other ways to pay, growth."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from core.fit.fit import Fit
from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable
from core.i18n import t
from core.model.scenario import Scenario
from core.present.dated import Dated
from core.present.fleet_budget import budget_text
from core.present.fleet_purchases import purchases_text
from core.present.fleet_scenario import bought_of, divided_text, fleets_of
from core.present.fleet_tables import break_even_texts
from core.present.fleet_words import scaled_text
from core.present.report.memo_parts import Section
from core.present.report.memo_sentence import EACH, leading, numbered


def choice(scenario: Scenario, fits: Mapping[str, Fit], language: str, today: date | None = None) -> Section:
    """Return the sentences of the Fleet page for what was asked, each run by its number.

    All of the run that leads come first, then those of the others question by question: a page without room for every
    sentence answers each question once. Of many runs those of the leader stand alone, as its fleet does. A run whose
    fleet cannot be told is left out: the page says why already. `today` tells which prices are old.
    """
    places = {answer.run.id: place for place, answer in enumerate(scenario.answers)}
    led = leading(scenario)
    fleets = {found.pools[0].answer.run.id: found for found in fleets_of(scenario) if not found.untold}
    if len(places) > EACH:
        fleets = {run: found for run, found in fleets.items() if places[run] == led}
    bought = {one.answer.run.id: one for one in bought_of(scenario, fits)}
    dated = Dated(today=today, price=scenario.price)
    said = {run: _said(found, bought.get(run), dated, language) for run, found in fleets.items()}
    ranked = sorted((places[run] != led, question, places[run]) for run in said for question in range(len(said[run])))
    lines = []
    ids = [answer.run.id for answer in scenario.answers]
    for _, question, place in ranked:
        text = said[ids[place]][question]
        if text:
            lines.append(numbered(text, place + 1 if len(places) > 1 else None))
    divided = divided_text(scenario.fleet, language) if lines else None
    title = t("What else was asked of the fleet").render(language)
    return Section(title=title, lines=(*((f"{divided}.",) if divided else ()), *lines))


def _said(found: FleetAnswer, bought: Affordable | None, dated: Dated, language: str) -> tuple[str | None, ...]:
    """Return a sentence for each question, None where it was not asked."""
    budget, grown = found.amounts.budget if found.amounts else None, purchases_text(found, language)
    buys = None
    if bought is not None and budget is not None:
        buys = f"{budget_text(bought, found.demand, budget, found.currency or '', language)}."
    pays = " ".join(f"{text}." for text in break_even_texts(found, language, dated))
    scaled = f"{scaled_text(found, language)}." if found.over_time is not None else None
    return (buys, scaled, pays or None, f"{grown}." if grown else None)
