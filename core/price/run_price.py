"""The price of one run as a short text that an address and a command line hold: "2.10/gpu-h;discount=25%"."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from core.errors import UsageError
from core.i18n import t
from core.model.price import Price, RunPrice
from core.model.price_bounds import beyond, out_of_bounds
from core.price.terms import NO_TERMS, Terms, parse_terms, terms_texts

PER_ACCELERATOR, PER_DEPLOYMENT = "gpu-h", "h"

_BETWEEN = ";"
_FORM = re.compile(
    r"\s*(?P<amount>[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|own|listed)\s*/\s*(?P<each>(?:gpu|accelerator)\s*[-/ ]\s*)?"
    r"(?:hours?|hr|h)\s*",
    re.IGNORECASE,
)


def hourly(text: str, terms: Terms = NO_TERMS) -> tuple[float, bool]:
    """Return money per hour, and whether it is for one accelerator.

    Args:
        text: such as "2.50/gpu-h" or "20/h"; "own" and "listed" take the amount from the terms.
        terms: what goes with the price.

    Raises:
        UsageError: "price.unreadable", "price.not_positive".

    >>> hourly("20/h"), hourly("2.5/gpu-h")
    ((20.0, False), (2.5, True))
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
    return amount, found["each"] is not None


def parse_run_price(text: str) -> RunPrice:
    """Read the price of one run, and what goes with that alone.

    Args:
        text: as `hourly` reads it, then any of discount=, own=, listed= and as-of=, each after a semicolon.

    Raises:
        UsageError: those of `hourly` and `parse_terms`; "price.run_terms" where a term holds for every run.

    >>> parse_run_price("2.1/gpu-h;discount=25%").discount
    0.25
    >>> parse_run_price("own/h;own=capex:8760,years:1").amount
    1.0
    """
    head, *said = text.split(_BETWEEN)
    terms = parse_terms(said)
    if replace(terms, discount=0.0, owned=None, listed=None, as_of="") != NO_TERMS:
        raise UsageError(
            "price.run_terms",
            t('"{text}" holds something that is the same for every run', text=text),
            fix=t("Beside the price of one run write discount=, own=, listed= or as-of=; give the rest once, for all"),
        )
    amount, per_accelerator = hourly(head, terms)
    found = RunPrice(
        amount=terms.owned.per_hour if terms.owned else amount,
        per_accelerator=per_accelerator,
        discount=terms.discount if any(each.strip().startswith("discount") for each in said) else None,
        owned=terms.owned,
        listed=terms.listed,
        as_of=terms.as_of,
    )
    wrong = out_of_bounds(Price(amount=None, per_accelerator=True, by_run=(("", found),)))
    if wrong:
        raise beyond(wrong, head)
    return found


def run_price_text(price: RunPrice) -> str:
    """Return a text that `parse_run_price` reads back.

    >>> run_price_text(RunPrice(amount=2.1, discount=0.25))
    '2.1/gpu-h;discount=0.25'
    """
    return _BETWEEN.join(_texts(price))


def _texts(price: RunPrice) -> Iterator[str]:
    per = PER_ACCELERATOR if price.per_accelerator else PER_DEPLOYMENT
    yield f"own/{per}" if price.owned else f"{price.amount:.12g}/{per}"
    if price.discount == 0.0:
        yield "discount=0"
    said = replace(NO_TERMS, discount=price.discount or 0.0, owned=price.owned, listed=price.listed, as_of=price.as_of)
    yield from terms_texts(said)


def _amount(text: str, terms: Terms) -> float:
    """Return an amount as a number; a word takes it from the terms, infinity where they have none."""
    if text == "own":
        return terms.owned.per_hour if terms.owned else math.inf
    if text == "listed":
        return terms.listed.amount if terms.listed else math.inf
    return float(text)
