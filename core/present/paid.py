"""What each run is paid with, and what is wrong with that, as lines and as JSON for the command line, in English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from core.catalogue.prices import age_in_days, age_of
from core.model.answer import RunAnswer
from core.model.price import Price, price_for
from core.present.bill import paid_text
from core.present.price_words import price_marks
from core.price.count import accelerators
from core.price.findings import price_findings
from core.price.hourly import as_given, per_hour
from core.settings import price_days

Json = dict[str, Any]


def paid_lines(
    answers: Iterable[RunAnswer], price: Price | None, head: str = "Paid for", *, today: date | None = None
) -> list[str]:
    """Return a line for each run with a cost, with its findings behind it; `head` says what is paid for.

    An old price is marked by `today`; None marks nothing.
    """
    said = []
    for answer in answers:
        paid = paid_text(answer, price, today=today)
        said += [f"{head} {answer.run.label}: {paid}"] if paid else []
        said += finding_lines(answer, price)
    return said


def finding_lines(answer: RunAnswer, price: Price | None) -> list[str]:
    """Return what is wrong with the price of a run."""
    return [
        f"{each.severity.value}: {'. '.join(str(part) for part in (each.what, each.consequence, each.fix) if part)} "
        f"[{each.code}]"
        for each in price_findings(answer.run, price)
    ]


def paid_document(answer: RunAnswer, price: Price | None, today: date | None = None) -> Json:
    """Return the price of one run as given and as billed, with the codes of its findings; None where it is unknown.

    The day of the price and its age stand in it where they are known; the age only with `today`.
    """
    own = price_for(price, answer.run.id)
    if price is None or own is None:
        return {"price": None}
    return {
        "price": {
            "per_hour_as_given": as_given(own),
            "per": "accelerator" if own.per_accelerator else "deployment",
            "accelerators": accelerators(answer.run, price),
            "bill_per_hour": per_hour(answer.run, price),
            "currency": own.currency,
            **_age(own, today),
            "is_own": answer.run.id in dict(price.by_run),
            "findings": _codes(answer, price),
        }
    }


def _age(own: Price, today: date | None) -> Json:
    listed = None if own.owned else own.listed
    day = (listed.as_of if listed else own.as_of) or None
    is_dated = bool(listed or own.as_of)
    return {
        "as_of": day,
        "age_days": age_in_days(day, today) if day and today else None,
        "age": age_of(day or "", today, price_days()).value if is_dated and today else None,
        "marks": list(price_marks(own, today)) if today else [],
    }


def _codes(answer: RunAnswer, price: Price) -> Sequence[str]:
    return [each.code for each in price_findings(answer.run, price)]
