"""Prices and accelerator counts as a person writes them on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import UsageError
from core.i18n import t
from core.model.price import Price, RunPrice
from core.price.run_price import hourly, parse_run_price
from core.price.terms import NO_TERMS, Terms, with_terms

_MOST_ACCELERATORS = 1_000_000


def parse_prices(
    texts: Sequence[str],
    gpus: Sequence[str] = (),
    currency: str = "USD",
    run_ids: Sequence[str] = (),
    terms: Terms = NO_TERMS,
) -> Price | None:
    """Read the prices of all runs: "2.50/gpu-h" for every one, "RUN=2.10/gpu-h" for one; the more exact one wins.

    Args:
        texts: as written, in any order; a run's own may be followed by terms, see `core.price.run_price`.
        gpus: accelerator counts, see `parse_gpus`.
        currency: a label for the amounts.
        run_ids: ids of the runs that are there.
        terms: what goes with the common price, which they may hold; tax, exchange and weights go with every one.

    Returns:
        None where no price is given.

    Raises:
        UsageError: "price.twice", "price.other_currency", "price.unknown_run", and those of `parse_price`.

    >>> [parse_prices(["2/gpu-h", "b=9/h"], run_ids=["a", "b"]).amount, parse_prices(["b=9/h"], run_ids=["b"]).amount]
    [2.0, None]
    """
    common: str | None = None
    own: dict[str, RunPrice] = {}
    for text in texts:
        run, said = _split(text, run_ids)
        if (run in own) if run else (common is not None):
            raise UsageError(
                "price.twice",
                t('"{text}" gives a price for the second time', text=text),
                fix=t("Give one price for all runs, or one RUN=PRICE for each run"),
            )
        if run:
            own[run] = parse_run_price(said)
        else:
            common = said
    for run, *_ in terms.pools:
        _known(run, run_ids)
    common = common if common is not None else ("listed/gpu-h" if terms.listed else "own/h" if terms.owned else None)
    ranked = tuple((run, own[run]) for run in run_ids if run in own)
    if common is not None:
        price = replace(parse_price(common, gpus, currency, run_ids, terms), by_run=ranked)
    elif ranked:
        bare = Price(
            amount=None,
            per_accelerator=True,
            accelerators=parse_gpus(gpus, run_ids),
            currency=currency,
            by_run=ranked,
        )
        price = with_terms(bare, terms)
    else:
        return None
    for run, each in ranked:
        _check_currency(run, each, price)
    return price


def _split(text: str, run_ids: Sequence[str]) -> tuple[str, str]:
    """Return the run that a price is for, "" for every one, and the rest. A run's own name may hold an equals sign."""
    named = max((run for run in run_ids if text.startswith(f"{run}=")), key=len, default="")
    if named:
        return named, text[len(named) + 1 :]
    head = text.partition(";")[0]
    return (_known(head.partition("=")[0].strip(), run_ids), text.partition("=")[2]) if "=" in head else ("", text)


def _check_currency(run: str, own: RunPrice, price: Price) -> None:
    quoted = price.exchange.quoted if price.exchange else price.currency
    if own.listed and own.listed.currency != quoted:
        raise UsageError(
            "price.other_currency",
            t(
                "The price of {run} is listed in {listed}, and prices are given in {quoted}",
                run=run,
                listed=own.listed.currency,
                quoted=quoted,
            ),
            fix=t("Give every price in one currency, and exchange them together with --terms exchange="),
        )


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
    amount, per_accelerator = hourly(text, terms)
    price = Price(
        amount=amount,
        per_accelerator=per_accelerator,
        accelerators=parse_gpus(gpus, run_ids),
        currency=terms.listed.currency if terms.listed and not terms.exchange else currency,
    )
    return with_terms(price, terms)


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
        fix=t(
            "Write a whole number from 1 to {most} such as 8, or RUN=8 for one of several runs",
            most=f"{_MOST_ACCELERATORS:,}",
        ),
    )


def _known(name: str, run_ids: Sequence[str]) -> str:
    if name in run_ids:
        return name
    raise UsageError(
        "price.unknown_run",
        t('There is no run named "{name}"', name=name),
        fix=t("Use one of: {names}", names=", ".join(run_ids) or "-"),
    )
