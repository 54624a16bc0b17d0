"""What a demand at its peak needs, in words and in the cells of tables."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.model.scenario import Demand
from core.present.names import SEPARATOR
from core.present.numbers import concurrency, money
from core.present.replicas import demand_text
from core.price.replicas import Replicas, Untold, replicas_for

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
    answers: Sequence[RunAnswer], demand: Demand, think_s: float | None, language: str = "en"
) -> list[tuple[str, pd.Series]]:
    """Return copies to plan with and the ends of their range, as columns of numbers; an open end is empty."""
    found = [replicas_for(answer, demand, think_s) for answer in answers]
    cells = (
        (replicas_header(demand, language), [one.count for one in found]),
        (t("Replicas, range from").render(language), [one.fewest for one in found]),
        (t("Replicas, range to").render(language), [one.most for one in found]),
    )
    return [(name, pd.Series(counts, dtype="Int64")) for name, counts in cells]


def demand_line(answer: RunAnswer, demand: Demand | None, think_s: float | None, language: str = "en") -> str | None:
    """Return how many replicas a demand needs and what they cost an hour, None where no demand is given."""
    if demand is None or _is_job(answer):
        return None
    found = replicas_for(answer, demand, think_s)
    wanted = demand_text(demand, language)
    if found.untold:
        why = UNTOLD[found.untold].render(language)
        return t("Replicas for {demand}: cannot tell, {why}", demand=wanted, why=why).render(language)
    said = t("Replicas for {demand}: {count}", demand=wanted, count=replicas_cell(found, language) or "?")
    return SEPARATOR.join(part for part in (said.render(language), _bill(answer, found, language)) if part)


def replicas_cell(found: Replicas, language: str = "en") -> str | None:
    """Return a count with its range, such as "12 (9–14)"; an open end is said, None where there is no count."""
    if found.count is None:
        return None
    count = concurrency(found.count, language)
    ends = [None if end is None else concurrency(end, language) for end in (found.fewest, found.most)]
    match ends:
        case [None, None]:
            return t("{count}, range not known", count=count).render(language)
        case [None, most]:
            return t("{count} ({most} or fewer)", count=count, most=most or "").render(language)
        case [fewest, None]:
            return t("{count} ({fewest} or more)", count=count, fewest=fewest or "").render(language)
        case [fewest, most] if fewest == most:
            return count
        case _:
            return f"{count} ({ends[0]}–{ends[1]})"


def demand_cell(answer: RunAnswer, demand: Demand, think_s: float | None, language: str = "en") -> str:
    """Return the replicas for a table's cell, or why there is no number."""
    found = replicas_for(answer, demand, think_s)
    if found.untold:
        return t("cannot tell: {why}", why=UNTOLD[found.untold].render(language)).render(language)
    return replicas_cell(found, language) or "?"


def _bill(answer: RunAnswer, found: Replicas, language: str = "en") -> str | None:
    cost = answer.cost
    if cost is None or found.count is None:
        return None
    amount = money(found.count * cost.per_hour, cost.currency, language)
    return t("{amount} per hour for all of them", amount=amount).render(language)


def _is_job(answer: RunAnswer) -> bool:
    return answer.batch is not None and not answer.per_target
