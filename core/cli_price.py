"""What an hour costs, on the command line; and `python -m core prices`, the list of published prices."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple

import click

from core.i18n import t

if TYPE_CHECKING:
    from core.model.price import Price
    from core.model.run import Run


class Money(NamedTuple):
    """The prices as written, the accelerators that they are for, a currency ("" where none is asked), and the terms."""

    prices: Sequence[str]
    gpus: Sequence[str]
    currency: str
    terms: Sequence[str] = ()


def money_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say what an hour costs; the command gets them as one `money`."""

    @click.option(
        "--price",
        "prices",
        multiple=True,
        metavar="PRICE",
        help="Such as 2.50/gpu-h, 20/h for the whole deployment, own/gpu-h or listed/gpu-h; RUN=PRICE for one of "
        "several runs, with its own terms behind it: RUN=listed/gpu-h;listed=KEY;discount=25%.",
    )
    @click.option("--gpus", multiple=True, metavar="N", help="Accelerators; RUN=N where several runs differ.")
    @click.option(
        "--currency",
        default="",
        show_default="USD, or that of a listed price",
        help="That the costs are in, and the price too unless it is exchanged.",
    )
    @click.option(
        "--terms",
        multiple=True,
        metavar="TERM",
        help="Such as discount=25%, tax=10%:counted, own=capex:30000,years:4, ratio=4, cached=10%, pools=RUN:8:32, "
        "power=1.73, listed=KEY (see `prices`), or exchange=USD:1380:2026-11-01: --price is in USD, and "
        "1 USD is 1380 of --currency (here KRW) on that day.",
    )
    @wraps(command)
    def with_money(
        *args: object, prices: Sequence[str], gpus: Sequence[str], currency: str, terms: Sequence[str], **others: object
    ) -> None:
        command(*args, money=Money(prices, gpus, currency, terms), **others)

    return with_money


def price_of(money: Money, runs: Sequence[Run]) -> Price | None:
    """Return the price that the options say, None where they say none.

    Raises:
        UsageError: "price.other_currency" where the price is listed in another currency than asked and not exchanged;
            "price.count_conflict" where one number for all runs is not that of a file; and as
            `core.model.run_name.by_id`, `core.price.parse.parse_prices` and `core.price.terms.parse_terms`.
    """
    from core.model.run_name import by_id
    from core.price.parse import parse_prices
    from core.price.terms import parse_terms

    labels = {run.id: run.label for run in runs}
    terms = parse_terms([_by_id_in_pools(text, labels) for text in money.terms])
    price = parse_prices(
        by_id(money.prices, labels), by_id(money.gpus, labels), money.currency or "USD", list(labels), terms
    )
    if price and money.currency and price.currency != money.currency:
        _refuse_currency(money.currency, price.currency)
    every = next((text.strip() for text in money.gpus if "=" not in text), None)
    if price and every:
        named = _named(by_id(money.gpus, labels)) | {run for run, *_ in price.pools}
        _agreed(int(every), [run for run in runs if run.id not in named])
    return price


def _refuse_currency(asked: str, listed: str) -> None:
    """Refuse a currency that the costs would not be in: a listed price is not exchanged without a rate."""
    from core.errors import UsageError

    raise UsageError(
        "price.other_currency",
        t("Costs are asked in {asked}, and the price is listed in {listed}", asked=asked, listed=listed),
        fix=t(
            "Give the rate with its day, such as --terms exchange={listed}:RATE:2026-11-01 (1 {listed} is RATE "
            "{asked}), or leave --currency out",
            asked=asked,
            listed=listed,
        ),
    )


def _named(gpus: Sequence[str]) -> set[str]:
    """Return the ids of the runs that have a number of their own."""
    return {text.rpartition("=")[0].strip() for text in gpus}


def _agreed(every: int, runs: Sequence[Run]) -> None:
    """Refuse one number for all runs where a file says another one: it would change a bill that nobody looked at."""
    from core.errors import Place, UsageError
    from core.model.price import Price
    from core.price.count import accelerators

    for run in runs:
        own = accelerators(run, Price(amount=1.0, per_accelerator=True))
        if own is not None and own != every:
            raise UsageError(
                "price.count_conflict",
                t(
                    "--gpus {count} is for every run, and the file of {run} says {own}",
                    count=every,
                    run=run.label,
                    own=own,
                ),
                fix=t(
                    "Leave --gpus out where the file says the number, or write --gpus {run}={count} to count that run "
                    "otherwise",
                    run=run.id,
                    count=every,
                ),
                place=Place(file=run.files[0].name if run.files else None),
            )


def _by_id_in_pools(text: str, labels: Mapping[str, str]) -> str:
    """Return a term with the id of the run whose pools it gives, where it names that by its label."""
    from urllib.parse import quote

    from core.model.run_name import by_id

    head, _, rest = text.partition("=")
    if head.strip() != "pools":
        return text
    (named,) = by_id([rest], labels, ":")
    if named == rest:
        return text
    run, *counts = named.rsplit(":", 2)
    return ":".join((f"pools={quote(run, safe='')}", *counts))


@click.command()
@click.option("--accelerator", metavar="NAME", help="As the vendor or the catalogue calls it, such as H100-SXM.")
@click.option("--provider", metavar="NAME", help="Such as AWS.")
@click.option("--commitment", metavar="WORD", help="on_demand, spot, reserved_1y, reserved_3y, capacity_block …")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
def prices(accelerator: str | None, provider: str | None, commitment: str | None, *, as_json: bool) -> None:
    """List published prices per accelerator and hour, with source, day and age; old ones are marked.

    They stand in the order of the table. KEY is what --terms listed=KEY of `plan` takes.
    """
    from core.catalogue.hardware import candidates
    from core.catalogue.prices import prices as every
    from core.present.prices_listed import prices_document, prices_table

    wanted = {part.name for part in candidates(accelerator)} | {accelerator} if accelerator else None
    found = [
        row
        for row in every()
        if (wanted is None or row.accelerator in wanted)
        and (provider is None or row.provider.casefold() == provider.casefold())
        and (commitment is None or row.commitment == commitment)
    ]
    today = datetime.now(UTC).date()
    if as_json:
        click.echo(json.dumps(prices_document(found, today), indent=1, allow_nan=False))
    elif found:
        click.echo(prices_table(found, today))
    else:
        click.echo(str(t("No price of that kind is listed")), err=True)
