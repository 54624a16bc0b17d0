"""A fleet as plain text for a terminal, in English: what the screen says, in its order."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable
from core.model.price import Price
from core.model.run_name import with_id
from core.present.bill import paid_text
from core.present.console import printable
from core.present.dated import Dated
from core.present.fleet_budget import budget_notes, budget_text, promise_texts
from core.present.fleet_curve import curve_notes
from core.present.fleet_purchases import purchases_text
from core.present.fleet_tables import break_even_texts, cautions_table, ways_table
from core.present.fleet_words import fleet_words, scaling_note, stacked_texts
from core.present.paid import finding_lines
from core.price.replicas import Untold


def fleet_text(
    found: Sequence[FleetAnswer],
    bought: Sequence[Affordable] = (),
    price: Price | None = None,
    *,
    today: date | None = None,
) -> str:
    """Return what is said of every fleet, then what the budget buys on each run; `today` tells an old price."""
    named = len({pool.answer.run.id for one in found for pool in one.pools}) > 1
    parts = [_fleet(one, price, today, named=named) for one in found]
    own = {one.pools[0].answer.run.id: one for one in found if len(one.pools) == 1}
    parts += [_budget(one, own.get(one.answer.run.id, found[0])) for one in bought if found]
    return "\n\n".join(parts)


def _fleet(found: FleetAnswer, price: Price | None, today: date | None, *, named: bool) -> str:
    said = fleet_words(found)
    runs = [pool.answer.run for pool in found.pools]
    labels = " + ".join(with_id(run.label, run.id) if named else run.label for run in runs)
    lines = [
        labels,
        said.first,
        said.money,
        *_paid(found, price, today),
        *([". ".join(curve_notes(found.curve))] if found.curve else []),
        *said.lines,
        _fix(found, said.fix),
        said.caution,
        *stacked_texts(found),
    ]
    if said.told:
        dated = Dated(today=today, price=price)
        frames = [cautions_table(found), *([ways_table(found, dated=dated)] if found.ways else [])]
        lines += [frame.to_string(index=False) for frame in frames]
        lines += [*break_even_texts(found, dated=dated), purchases_text(found), scaling_note(found)]
    return "\n".join(printable(part) for line in lines if line for part in line.splitlines())


def _fix(found: FleetAnswer, said: str | None) -> str | None:
    """Return what to do where nothing can be told, in the words of the command line."""
    return "Say how long a user pauses: --think-time SECONDS" if found.untold is Untold.THINK_TIME else said


def _paid(found: FleetAnswer, price: Price | None, today: date | None) -> list[str]:
    """Return what one replica of each run is paid with, and what is wrong with that."""
    said = []
    head = "Paid for one replica" if len(found.pools) == 1 else "Paid for one replica of {run}"
    for pool in found.pools:
        paid = paid_text(pool.answer, price, today=today)
        said += [f"{head.format(run=pool.answer.run.label)}: {paid}"] if paid else []
        said += finding_lines(pool.answer, price)
    return said


def _budget(one: Affordable, found: FleetAnswer) -> str:
    currency, budget = found.currency or "", (found.amounts.budget if found.amounts else None) or 0.0
    said = [budget_text(one, found.demand, budget, currency), *promise_texts(one, currency), *budget_notes(found)]
    return "\n".join(printable(line) for line in (one.answer.run.label, *said))
