"""What the price comes to: what is paid for, and how the figures are to be read."""

from __future__ import annotations

from datetime import date

from core.i18n import Text, t
from core.model.answer import Cost, Interval, RunAnswer
from core.model.price import Price, price_for
from core.model.run import Run
from core.present.money import with_range
from core.present.names import SEPARATOR
from core.present.numbers import concurrency, money, plain
from core.present.price_words import price_marks, quoted_in, terms_text
from core.price.count import accelerators
from core.price.hourly import as_given

PAID_FOR = t("Paid for")
"""Head of the column with the price of each run."""

PER_HOUR = t("Price per hour × accelerators")
"""Head of a narrow column with it."""

UPPER_BOUND = t(
    "The tokens of all completed requests are counted, also of those outside the targets: "
    "the true cost per good token is at least this"
)


def basis_text(run: Run, price: Price | None, language: str = "en") -> str:
    """Return what was paid for: "at $2.50 per accelerator and hour × 16", or the whole deployment.

    A run's own price goes before the common one; where there is neither, that is said.

    >>> from core.model.run import Conditions, Kind
    >>> run = Run(
    ...     id="a", label="a", kind=Kind.MEASURED, format_id="", format_version=None, files=(), stages=(),
    ...     conditions=Conditions(accelerator_count=16),
    ... )
    >>> basis_text(run, Price(amount=2.5, per_accelerator=True))
    'at $2.50 per accelerator and hour × 16'
    """
    price = price_for(price, run.id)
    if price is None:
        return t("no price given").render(language)
    amount = money(as_given(price), quoted_in(price), language, digits=9 if price.owned is None else 3)
    if not price.per_accelerator:
        said = t("at {amount} per hour for the whole deployment", amount=amount)
    elif (count := accelerators(run, price)) is None:
        said = t("at {amount} per accelerator and hour", amount=amount)
    else:
        shown = plain(count, language, digits=9)
        said = t("at {amount} per accelerator and hour × {count}", amount=amount, count=shown)
    return ", ".join((said.render(language), *terms_text(price, language)))


def basis_cell(run: Run, price: Price | None, language: str = "en") -> str | None:
    """Return what an hour costs as given, short enough for a narrow column headed `PER_HOUR`; None without a price.

    >>> from core.model.run import Conditions, Kind
    >>> run = Run(
    ...     id="a", label="a", kind=Kind.MEASURED, format_id="", format_version=None, files=(), stages=(),
    ...     conditions=Conditions(accelerator_count=16),
    ... )
    >>> [basis_cell(run, Price(amount=9.0, per_accelerator=each)) for each in (True, False)]
    ['$9.00 × 16', '$9.00 for all']
    """
    price = price_for(price, run.id)
    if price is None:
        return None
    amount = money(as_given(price), quoted_in(price), language, digits=9 if price.owned is None else 3)
    if not price.per_accelerator:
        return t("{amount} for all", amount=amount).render(language)
    count = accelerators(run, price)
    return f"{amount} × {'?' if count is None else plain(count, language, digits=9)}"


def bill_notes(answer: RunAnswer, price: Price, language: str = "en") -> tuple[str, ...]:
    """Return how the figures are to be read: none is added to another, and which way they may be wrong."""
    cost = answer.cost or (answer.batch.cost if answer.batch else None)
    if cost is None:
        return ()
    notes: list[Text] = [*_at_estimate(answer, language)]
    if cost.per_million_weighted_output:
        weight = plain(price.output_weight, language)
        notes.append(
            t("Weighted: {weight} input tokens cost as much as 1 output token. Only this pair adds up", weight=weight)
        )
    if cost.upper_bound_of_good:
        notes.append(UPPER_BOUND)
    return tuple(note.render(language) for note in notes)


def _at_estimate(answer: RunAnswer, language: str) -> tuple[Text, ...]:
    """Return the cost where the limit is thought to lie, whose range holds the doubt about that too."""
    found, load = answer.cost_at_estimate, answer.capacity.concurrency
    amount = with_range(found.per_million_output, found.currency, language) if found else None
    if amount is None or load is None or not load.mid or answer.batch or answer.for_traffic:
        return ()
    said = t(
        "Each range is that of the throughput at the safe number. Loaded to the estimate, {load} at once, a million "
        "output tokens would cost {amount}: that range holds the doubt about where the limit lies too",
        load=concurrency(load.mid, language),
        amount=amount,
    )
    return (said,)


def paid_text(answer: RunAnswer, price: Price | None, language: str = "en", *, today: date | None = None) -> str | None:
    """Return what a shown cost was worked out from, None where no cost is shown.

    Args:
        answer: of one run.
        price: as it was given.
        language: "en" or "ko".
        today: the day on which it is read, to mark an old price; None marks nothing.
    """
    cost = answer.cost or (answer.batch.cost if answer.batch else None)
    price = price_for(price, answer.run.id)
    if cost is None or price is None:
        return None
    bill = t("{amount} per hour in all", amount=money(cost.per_hour, cost.currency, language)).render(language)
    marks = price_marks(price, today, language) if today else ()
    return SEPARATOR.join((basis_text(answer.run, price, language), bill, *marks))


def shown_cost(found: Interval | None, cost: Cost, language: str = "en") -> str | None:
    """Return a figure with its range, None where it is not known."""
    return with_range(found, cost.currency, language)
