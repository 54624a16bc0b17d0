"""What a budget buys on each run, in words and rows: no run is named the best, since their conditions may differ."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.fleet.answer import FleetAnswer
from core.fleet.inverse import Affordable, Promise
from core.fleet.size import Caution
from core.i18n import Text, t
from core.model.scenario import Demand
from core.present.dated import UNDATED, Dated, bill_marks, with_marks
from core.present.demand import UNTOLD
from core.present.fleet_numbers import amount_text, whole_text
from core.present.fleet_tables import WAYS
from core.present.fleet_words import CAUTIONS
from core.present.names import target_name, value_text
from core.present.numbers import money
from core.present.replicas import demand_text

_FITS: dict[bool | None, Text] = {
    True: t("yes"),
    False: t("no"),
    None: t("cannot tell: the budget lies inside the range"),
}


def budget_text(one: Affordable, demand: Demand, budget: float, currency: str, language: str = "en") -> str:
    """Return what the budget buys on one run: how many replicas, for how much demand, and whether that is enough.

    The budget is in the currency of the costs: that of `FleetAnswer.amounts`.
    """
    amount = money(budget, currency, language)
    if one.untold:
        why = UNTOLD[one.untold].render(language)
        return t("What {amount} a month buys cannot be told: {why}", amount=amount, why=why).render(language)
    if one.bought is None or one.demand is None or one.month is None:
        return t("What {amount} a month buys is unknown: the bill of one replica is", amount=amount).render(language)
    if one.bought == 0 or one.demand <= 0.0:
        return t("{amount} a month does not pay for one replica with its cautions", amount=amount).render(language)
    carried = Demand(peak=float(f"{one.demand:.3g}"), kind=demand.kind)
    said = t(
        "{amount} a month buys {count} replicas, which carry {carried} within the targets; {demand} cost {month}",
        amount=amount,
        count=one.bought,
        carried=demand_text(carried, language),
        demand=demand_text(demand, language),
        month=amount_text(one.month, currency, language) or "?",
    )
    return said.render(language)


def budget_notes(found: FleetAnswer, language: str = "en") -> tuple[str, ...]:
    """Return what the number carried is left after, what the budget is held against, and which other way is within it.

    Args:
        found: the fleet, with its ways to pay; the first of them is what the budget is held against.
        language: "en" or "ko".
    """
    said: list[Text] = []
    inside = [each.caution for each in found.added if each.caution not in (Caution.SAFE, Caution.NODES)]
    if inside:
        names = ", ".join(CAUTIONS[caution].render(language) for caution in inside)
        said.append(t("What the replicas carry is what is left after: {cautions}", cautions=names))
    budget = found.amounts.budget if found.amounts else None
    if not found.ways or budget is None:
        return tuple(text.render(language) for text in said)
    held, *others = found.ways
    said.append(t("The budget is held against: {way}", way=WAYS[held.name].render(language)))
    within = [
        WAYS[way.name].render(language)
        for way in others
        if way.name != "perfect" and way.month.high is not None and way.month.high <= budget
    ]
    if within:
        said.append(
            t(
                "Another way to pay is within the budget: {ways}; the table of the ways to pay has it",
                ways="; ".join(within),
            )
        )
    return tuple(text.render(language) for text in said)


def promise_texts(one: Affordable, currency: str, language: str = "en") -> tuple[str, ...]:
    """Return a sentence for each target: how tight it may be for the money, the others as they are."""
    if one.answer.for_traffic and not one.untold:
        said = t(
            "Which promise the budget pays for is told for the measured requests only: clear your traffic to see it"
        )
        return (said.render(language),)
    return tuple(_promise(promise, currency, language).render(language) for promise in one.promises)


def _promise(promise: Promise, currency: str, language: str) -> Text:
    name = target_name(promise.target, language)
    now = value_text(promise.target.metric, promise.target.limit, language)
    if promise.limit is None and promise.open:
        return t(
            "Cannot tell whether a limit of {target} that was measured brings the bill within the budget: it lies "
            "inside the range of the bill",
            target=name,
        )
    if promise.limit is None:
        return t("No limit of {target} that was measured brings the bill within the budget", target=name)
    values = {
        "target": name,
        "limit": value_text(promise.target.metric, promise.limit, language),
        "now": now,
        "replicas": whole_text(promise.replicas, language) or "?",
        "month": amount_text(promise.month, currency, language) or "?",
    }
    if promise.end:
        said = t(
            "{target} may be as tight as {limit} (now {now}), the tightest that was measured: {replicas} replicas, "
            "{month} a month"
        )
    elif promise.tighter:
        said = t("{target} may be as tight as {limit} (now {now}): {replicas} replicas, {month} a month")
    else:
        said = t(
            "To be surely within the budget {target} would have to be relaxed to {limit} (now {now}): {replicas} "
            "replicas, {month} a month"
        )
    return Text(said.msgid, values)


def hardware_table(
    found: Sequence[Affordable], currency: str, language: str = "en", dated: Dated = UNDATED
) -> pd.DataFrame:
    """Return one row for each run, in their own order: replicas, bill, and whether the budget pays for it.

    Where `dated` tells that the price of a run is old, a last column says so.
    """

    def column(cells: Sequence[str | None]) -> pd.Series[str]:
        return pd.Series(list(cells), dtype="str")

    frame = pd.DataFrame(
        {
            t("Run").render(language): column([one.answer.run.label for one in found]),
            t("Replicas").render(language): column(
                [
                    UNTOLD[one.untold].render(language) if one.untold else whole_text(one.replicas, language)
                    for one in found
                ]
            ),
            t("A month (range)").render(language): column(
                [amount_text(one.month, currency, language) for one in found]
            ),
            t("Within the budget").render(language): column([fits_text(one, language) for one in found]),
        }
    )
    return with_marks(frame, [bill_marks([one.answer], dated, language) for one in found], language)


def fits_text(one: Affordable, language: str = "en") -> str | None:
    """Return whether the budget pays for a run, None where its bill is not known."""
    return None if one.month is None else _FITS[one.fits].render(language)
