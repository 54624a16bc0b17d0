"""What the price comes to: what is paid for, the three ways to divide it by tokens, and how sure they are."""

from __future__ import annotations

import pandas as pd

from core.i18n import Text, t
from core.model.answer import Cost, Interval, RunAnswer
from core.model.price import Price
from core.model.run import Run
from core.present.money import with_range
from core.present.names import SEPARATOR
from core.present.numbers import money, plain
from core.price.count import accelerators

UPPER_BOUND = t(
    "The tokens of all completed requests are counted, also of those outside the targets: "
    "the true cost per good token is at least this"
)


def basis_text(run: Run, price: Price, language: str = "en") -> str:
    """Return what was paid for: "at $2.50 per accelerator and hour × 16", or the whole deployment.

    >>> from core.model.run import Conditions, Kind
    >>> run = Run(
    ...     id="a", label="a", kind=Kind.MEASURED, format_id="", format_version=None, files=(), stages=(),
    ...     conditions=Conditions(accelerator_count=16),
    ... )
    >>> basis_text(run, Price(amount=2.5, per_accelerator=True))
    'at $2.50 per accelerator and hour × 16'
    """
    amount = money(price.amount, price.currency, language)
    if not price.per_accelerator:
        return t("at {amount} per hour for the whole deployment", amount=amount).render(language)
    count = accelerators(run, price)
    if count is None:
        return t("at {amount} per accelerator and hour", amount=amount).render(language)
    shown = plain(count, language, digits=9)
    return t("at {amount} per accelerator and hour × {count}", amount=amount, count=shown).render(language)


def bill_table(cost: Cost, language: str = "en") -> pd.DataFrame:
    """Return one row per way of dividing the bill, each with its range; a figure nobody knows is left out."""
    figures = (
        (t("output"), cost.per_million_output),
        (t("input and output"), cost.per_million_total),
        (t("output, weighted"), cost.per_million_weighted_output),
        (t("input, weighted"), cost.per_million_weighted_input),
    )
    known = [(name.render(language), shown) for name, found in figures if (shown := shown_cost(found, cost, language))]
    return pd.DataFrame(
        {
            t("Million tokens").render(language): pd.Series([name for name, _ in known], dtype="str"),
            t("Cost (range)").render(language): pd.Series([shown for _, shown in known], dtype="str"),
        }
    )


def bill_notes(answer: RunAnswer, price: Price, language: str = "en") -> tuple[str, ...]:
    """Return how the figures are to be read: none is added to another, and which way they may be wrong."""
    cost = answer.cost
    if cost is None:
        return ()
    notes: list[Text] = []
    if cost.per_million_weighted_output:
        weight = plain(price.output_weight, language)
        notes.append(
            t("Weighted: {weight} input tokens cost as much as 1 output token. Only this pair adds up", weight=weight)
        )
    if cost.upper_bound_of_good:
        notes.append(UPPER_BOUND)
    return tuple(note.render(language) for note in notes)


def paid_text(answer: RunAnswer, price: Price | None, language: str = "en") -> str | None:
    """Return what a shown cost was worked out from, None where no cost is shown."""
    cost = answer.cost
    if cost is None or price is None:
        return None
    bill = t("{amount} per hour in all", amount=money(cost.per_hour, cost.currency, language)).render(language)
    return SEPARATOR.join((basis_text(answer.run, price, language), bill))


def shown_cost(found: Interval | None, cost: Cost, language: str = "en") -> str | None:
    """Return a figure with its range, None where it is not known."""
    return with_range(found, cost.currency, language)
