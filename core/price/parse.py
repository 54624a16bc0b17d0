"""Prices and accelerator counts as a person writes them on the command line."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from core.errors import UsageError
from core.i18n import t
from core.model.price import Price
from core.price.terms import NO_TERMS, Terms, with_terms

_FORM = re.compile(
    r"\s*(?P<amount>[+-]?\d+(?:\.\d+)?|own|listed)\s*/\s*(?P<each>(?:gpu|accelerator)\s*[-/ ]\s*)?(?:hours?|hr|h)\s*",
    re.IGNORECASE,
)
_MOST_ACCELERATORS = 1_000_000


def parse_price(
    text: str,
    gpus: Sequence[str] = (),
    currency: str = "USD",
    run_ids: Sequence[str] = (),
    terms: Terms = NO_TERMS,
) -> Price:
    """Read a price such as "2.50/gpu-h" (each accelerator) or "20/h" (the whole deployment).

    Args:
        text: amount of money, a slash, and the hour it pays for; "own" and "listed" take the amount from the terms.
        gpus: accelerator counts, see `parse_gpus`.
        currency: a label for the amounts.
        run_ids: ids of the runs; a bare count goes to each of them.
        terms: what goes with the price.

    Raises:
        UsageError: "price.unreadable", "price.not_positive", "price.terms", and those of `parse_gpus`.

    >>> parse_price("20/h").per_accelerator
    False
    >>> parse_price("2.50/gpu-h", ["8"], run_ids=["a"]).accelerators
    (('a', 8),)
    """
    found = _FORM.fullmatch(text)
    amount = _amount(found["amount"].lower(), terms) if found else math.inf
    if not found or math.isinf(amount):
        raise UsageError(
            "price.unreadable",
            t('Cannot read the price "{text}"', text=text),
            fix=t("Write 2.50/gpu-h for each accelerator, or 20/h for the whole deployment, with a decimal point"),
        )
    if amount <= 0.0:
        raise UsageError(
            "price.not_positive",
            t('The price "{text}" is not above zero', text=text),
            fix=t("Give a price above zero, or leave it out to see no cost"),
        )
    price = Price(
        amount=amount,
        per_accelerator=found["each"] is not None,
        accelerators=parse_gpus(gpus, run_ids),
        currency=terms.listed.currency if terms.listed and not terms.exchange else currency,
    )
    return with_terms(price, terms)


def _amount(text: str, terms: Terms) -> float:
    """Return an amount as a number; a word takes it from the terms, infinity where they have none."""
    if text == "own":
        return terms.owned.per_hour if terms.owned else math.inf
    if text == "listed":
        return terms.listed.amount if terms.listed else math.inf
    return float(text)


def parse_gpus(texts: Sequence[str], run_ids: Sequence[str] = ()) -> tuple[tuple[str, int], ...]:
    """Read accelerator counts: "8" for every run, "RUN=16" for one; the more exact one wins.

    Args:
        texts: as written, in any order.
        run_ids: ids of the runs that are there.

    Returns:
        Count by run id, in the order of `run_ids`.

    Raises:
        UsageError: "price.count_unreadable", "price.count_twice", "price.unknown_run".

    >>> parse_gpus(["8", "b=16"], ["a", "b"])
    (('a', 8), ('b', 16))
    """
    every: int | None = None
    named: dict[str, int] = {}
    for text in texts:
        name, equals, count = (part.strip() for part in text.rpartition("="))
        if not equals and every is None:
            every = _count(count, text)
        elif equals and name not in named:
            named[_known(name, run_ids)] = _count(count, text)
        else:
            raise UsageError(
                "price.count_twice",
                t('"{text}" gives a number of accelerators for the second time', text=text),
                fix=t("Give one number for all runs, or one RUN=N for each run"),
            )
    counts = {run: named.get(run, every) for run in run_ids}
    return tuple((run, count) for run, count in counts.items() if count is not None)


def _count(digits: str, text: str) -> int:
    # isdecimal() alone would let other scripts' digits through, which nobody types on purpose.
    if digits.isascii() and digits.isdecimal() and len(digits) < 10 and 1 <= int(digits) <= _MOST_ACCELERATORS:
        return int(digits)
    raise UsageError(
        "price.count_unreadable",
        t('Cannot read a number of accelerators in "{text}"', text=text),
        fix=t("Write a whole number such as 8, or RUN=8 for one of several runs"),
    )


def _known(name: str, run_ids: Sequence[str]) -> str:
    if name in run_ids:
        return name
    raise UsageError(
        "price.unknown_run",
        t('There is no run named "{name}"', name=name),
        fix=t("Use one of: {names}", names=", ".join(run_ids) or "-"),
    )
