"""What a demand at its peak needs, in words and in the cells of tables."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.fleet.plan import fleet_for
from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.scenario import Demand
from core.present.fleet_numbers import amount_text, whole_text
from core.present.names import SEPARATOR
from core.present.replicas import demand_text
from core.price.replicas import Untold

UNTOLD: dict[Untold, Text] = {
    Untold.NO_SAFE_NUMBER: t("there is no safe number"),
    Untold.NONE_PROMISED: t("not one request can be promised within the targets"),
    Untold.THINK_TIME: t("how long users pause between requests is not given"),
    Untold.RESPONSE_TIME: t("the files do not say how long a request takes"),
    Untold.OWN_TRAFFIC: t("how long your own requests take was not measured"),
}
"""Why no number of replicas can be given, as clauses."""


def replicas_header(demand: Demand, language: str = "en") -> str:
    """Return what heads the count of copies that a demand needs."""
    return t("Replicas for {demand}", demand=demand_text(demand, language)).render(language)


def replicas_columns(
    answers: Sequence[RunAnswer],
    demand: Demand,
    think_s: float | None,
    language: str = "en",
    *,
    fleet: Fleet | None = None,
) -> list[tuple[str, pd.Series]]:
    """Return copies to plan with and the ends of their range, as columns of numbers; an open end is empty."""
    found = [fleet_for(answer, demand, think_s, fleet, None).replicas for answer in answers]
    cells = (
        (replicas_header(demand, language), [one.count for one in found]),
        (t("Replicas, range from").render(language), [one.fewest for one in found]),
        (t("Replicas, range to").render(language), [one.most for one in found]),
    )
    return [(name, pd.Series(counts, dtype="Int64")) for name, counts in cells]


def demand_line(
    answer: RunAnswer,
    demand: Demand | None,
    think_s: float | None,
    language: str = "en",
    *,
    fleet: Fleet | None = None,
    price: Price | None = None,
) -> str | None:
    """Return how many replicas a demand needs and what they cost a month, each with its range; None without a demand.

    Args:
        answer: of the run that is copied.
        demand: at its peak.
        think_s: pause of a user, seconds.
        language: of the words.
        fleet: its cautions; without any nothing is added to the demand.
        price: None leaves the bill out.
    """
    if demand is None or _is_job(answer):
        return None
    found = fleet_for(answer, demand, think_s, fleet, price)
    wanted = demand_text(demand, language)
    if found.untold:
        why = UNTOLD[found.untold].render(language)
        return t("Replicas for {demand}: cannot tell, {why}", demand=wanted, why=why).render(language)
    said = t("Replicas for {demand}: {count}", demand=wanted, count=whole_text(found.replicas, language) or "?")
    bill = amount_text(found.month, found.currency or "", language)
    month = t("{amount} a month", amount=bill).render(language) if bill else None
    return SEPARATOR.join(part for part in (said.render(language), month) if part)


def _is_job(answer: RunAnswer) -> bool:
    return answer.batch is not None and not answer.per_target
