"""Runs side by side, what decides first: no winner and no multiple, conditions may differ."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.i18n import Text, t
from core.model.answer import Capacity, RunAnswer, Status
from core.model.counted import counted_run
from core.model.price import Price
from core.model.scenario import DecisionColumn
from core.present.batch import batch_columns
from core.present.bill import PER_HOUR, basis_cell, shown_cost
from core.present.conditions import ASKED_FIRST, condition_name, unknown
from core.present.names import kind_text
from core.present.numbers import at_most, concurrency, concurrency_range
from core.present.own_columns import own_name
from core.present.status import status_of
from core.present.stopped import stop_cell
from core.price.count import accelerators

RUN, SAFE = t("Run"), t("Safe number")
"""The two columns that a narrow screen has room for."""

ESTIMATE, UNKNOWN = t("Estimate (range)"), t("Unknown conditions")

_ANSWERED = (Status.WITHIN, Status.AT_LEAST)


def first_answered(answers: Sequence[RunAnswer]) -> RunAnswer:
    """Return the first answer that holds a number to promise, the very first where none does."""
    return next((answer for answer in answers if answer.capacity.status in _ANSWERED), answers[0])


def runs_table(
    answers: Sequence[RunAnswer],
    language: str = "en",
    *,
    price: Price | None = None,
    decision: Sequence[DecisionColumn] = (),
) -> pd.DataFrame:
    """Return one row per run, in the order given.

    A column that would say the same of every run, or nothing of any, is left out; run, safe number,
    range and the count of unknown conditions always stand. What decides comes first, what is unknown last but for
    the person's own columns.
    """
    runs = [counted_run(answer.run, price) for answer in answers]
    costs = [shown_cost(a.cost.per_million_output, a.cost, language) if a.cost else None for a in answers]
    paid = [basis_cell(run, price, language) for run in runs] if price and price.by_run else []
    sizes = [(accelerators(run, price) if price else None) or run.conditions.accelerator_count for run in runs]
    stops = [stop_cell(answer, language) for answer in answers]
    verdicts = [status_of(answer.capacity).render(language) for answer in answers]
    kinds = [kind_text(run.kind, language) for run in runs]
    columns: list[tuple[Text, pd.Series]] = [(RUN, _words([run.label for run in runs]))]
    if any(answer.batch for answer in answers):
        columns += [(name, _words(said)) for name, said in batch_columns(answers, language) if any(said)]
        costs = []
    else:
        columns += [
            (SAFE, pd.Series([answer.capacity.safe for answer in answers], dtype="Int64")),
            (ESTIMATE, _words([estimate_cell(answer.capacity, language) for answer in answers])),
        ]
    if any(costs):
        columns.append((t("Cost per million output tokens"), _words(costs)))
    if paid:
        columns.append((PER_HOUR, _words(paid)))
    if any(stops):
        columns.append((t("Stopped by"), _words(stops)))
    if len(set(verdicts)) > 1:
        columns.append((t("Answer"), _words(verdicts)))
    if len(set(sizes)) > 1:
        columns.append((t("Accelerators"), pd.Series(sizes, dtype="Int64")))
    if len(set(kinds)) > 1:
        columns.append((t("Kind"), _words(kinds)))
    columns.append((UNKNOWN, pd.Series([len(unknown(run)) for run in runs], dtype="Int64")))
    named = {name.render(language): column for name, column in columns}
    for own in decision:
        name = own_name(own.name, language)
        title = name if name not in named else f"{name} ({len(named)})"
        named[title] = _words([dict(own.values).get(run.id) for run in runs])
    return pd.DataFrame(named)


def unknown_help(language: str = "en") -> str:
    """Return what the count of unknown conditions counts, and where the conditions stand."""
    names = ", ".join(condition_name(field, language) for field in ASKED_FIRST)
    said = t("How many of these the files do not say: {names}. Which they are stands on the Data page", names=names)
    return said.render(language)


def estimate_cell(capacity: Capacity, language: str) -> str | None:
    """Return "47 (36–53)", a bound where only one is known, None where nothing is."""
    found = capacity.concurrency
    if found is None:
        return None
    if found.low is None:
        if found.high is None:
            return None
        if capacity.status is Status.CANNOT_TELL:
            return t("at most {high}", high=at_most(found.high, language)).render(language)
        return t("below {high}", high=concurrency(found.high, language)).render(language)
    if found.high is None:
        text = t("{low} or more", low=concurrency(found.low, language)).render(language)
    else:
        text = concurrency_range(found.low, found.high, language)
    return text if found.mid is None else f"{concurrency(found.mid, language)} ({text})"


def _words(values: Sequence[str | None]) -> pd.Series:
    return pd.Series(list(values), dtype="str")
