"""What a saved answer rests on, in words: the question that was asked, the conditions, the person's own columns."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import pandas as pd

from core.i18n import Text, t
from core.model.price import Price, price_for, quoted_in
from core.model.run import Run
from core.model.scenario import DemandKind, Scenario
from core.present.batch import duration
from core.present.bill import basis_text
from core.present.conditions import conditions_of
from core.present.fleet_said import fleet_said
from core.present.kinds import KINDS
from core.present.names import SEPARATOR, target_text
from core.present.numbers import concurrency, seconds
from core.present.own_columns import own_name
from core.present.price_words import listed_text, price_marks
from core.present.replicas import peak_text
from core.present.traffic import traffic_text

DEMANDS: dict[DemandKind, Text] = {
    DemandKind.CONCURRENCY: t("{number} concurrent requests at the peak"),
    DemandKind.USERS: t("{number} active users at the peak"),
    DemandKind.REQ_S: t("{number} requests/s at the peak"),
}

SOURCES = (t("Price picked from"), t("Price typed by hand"), t("To mind about the price"))
"""What is said of where a price comes from."""

HIDDEN = t("prices are hidden in this view")


def assumptions(
    scenario: Scenario,
    run: Run,
    language: str = "en",
    *,
    prices_hidden: bool = False,
    today: date | None = None,
) -> tuple[tuple[str, str], ...]:
    """Return what was asked of a run, as pairs of a name and its value; what was not said is named as such.

    Args:
        scenario: as it was saved.
        run: one of its runs, whose accelerators are paid for.
        language: "en" or "ko".
        prices_hidden: say so in place of a price.
        today: the day on which it is read, to mark an old price; None marks none.
    """
    price = basis_text(run, scenario.price, language)
    said = (
        (t("Made for"), _workload(scenario, language)),
        (t("Targets"), SEPARATOR.join(target_text(target, language) for target in scenario.targets)),
        (t("Price"), HIDDEN.render(language) if prices_hidden else price),
        *price_source(price_for(scenario.price, run.id), language, today=today),
        (t("Traffic"), _traffic(scenario, language)),
        (t("Pause of a user"), None if scenario.think_time_s is None else seconds(scenario.think_time_s, language)),
        (t("Demand"), _demand(scenario, language)),
        (t("Fleet"), _fleet(scenario, language)),
        (t("Method"), SEPARATOR.join(part for part in (scenario.method_version, scenario.constants_version) if part)),
    )
    return tuple((name.render(language), value) for name, value in said if value)


def price_source(
    price: Price | None, language: str = "en", *, today: date | None = None
) -> tuple[tuple[Text, str | None], ...]:
    """Return where a price was picked from, or of which day it was typed, and what is to be minded about it."""
    listed = price.listed if price and not price.owned else None
    marks = price_marks(price, today, language) if today else ()
    typed = None
    if price and price.amount is not None and not price.owned and not price.listed:
        typed = (t("as of {day}", day=price.as_of) if price.as_of else t("without a date")).render(language)
    picked, by_hand, minded = SOURCES
    return (
        (picked, listed_text(listed, language) if listed else None),
        (by_hand, typed),
        (minded, SEPARATOR.join(marks) or None),
    )


def conditions_table(run: Run, language: str = "en") -> pd.DataFrame:
    """Return the conditions of a run that are known, with where each is known from."""
    known = [each for each in conditions_of(run, language) if each.value is not None]
    return pd.DataFrame(
        {
            t("Condition").render(language): _column(each.name.render(language) for each in known),
            t("Value").render(language): _column(each.value for each in known),
            t("Known from").render(language): _column(
                each.source.render(language) if each.source else None for each in known
            ),
        }
    )


def decision_table(scenario: Scenario, language: str = "en") -> pd.DataFrame | None:
    """Return the person's own columns with a row for each run, None where there are none."""
    if not scenario.decision:
        return None
    run = t("Run").render(language)
    columns = {run: _column(each.label for each in scenario.runs)}
    for column in scenario.decision:
        own = own_name(column.name, language)
        name = own if own not in columns else f"{own} ({len(columns)})"
        said = column.values  # noqa: PD011 - a mapping of ours, nothing of pandas
        columns[name] = _column(said.get(each.id) for each in scenario.runs)
    return pd.DataFrame(columns)


def _column(values: Iterable[str | None]) -> pd.Series[str]:
    return pd.Series(list(values), dtype="str")


def _workload(scenario: Scenario, language: str) -> str | None:
    workload = scenario.workload
    if workload is None:
        return None
    parts = [KINDS[workload.kind].render(language)]
    if workload.job:
        parts.append(t("{count} requests", count=concurrency(workload.job.requests, language)).render(language))
        if workload.job.deadline_s is not None:
            limit = duration(workload.job.deadline_s, language)
            parts.append(t("done within {limit}", limit=limit).render(language))
    return SEPARATOR.join(parts)


def _traffic(scenario: Scenario, language: str) -> str:
    own = traffic_text(scenario.traffic, language) if scenario.traffic else ""
    return own or t("as it was measured").render(language)


def _fleet(scenario: Scenario, language: str) -> str | None:
    return fleet_said(scenario.fleet, quoted_in(scenario.price), language) or None if scenario.fleet else None


def _demand(scenario: Scenario, language: str) -> str | None:
    demand = scenario.demand
    if demand is None:
        return None
    number = peak_text(demand.peak, language)
    return Text(DEMANDS[demand.kind].msgid, {"number": number}).render(language)
