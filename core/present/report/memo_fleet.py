"""The sentence of the memo that is signed: how many replicas carry the demand, with which cautions, for how much."""

from __future__ import annotations

from collections.abc import Iterator

from core.fleet.plan import fleet_for
from core.i18n import Text, joined, t
from core.model.answer import RunAnswer
from core.model.fleet import Fleet
from core.model.scenario import Scenario
from core.present.demand import demand_line
from core.present.fleet_numbers import amount_text, whole_range
from core.present.numbers import concurrency, percent, plain
from core.present.replicas import demand_text


def fleet_sentence(
    answer: RunAnswer, scenario: Scenario, language: str, *, number: int | None, prices_hidden: bool
) -> str | None:
    """Return the fleet of one run and its bill a month in a sentence, or why it cannot be told.

    None without a demand. Of several runs, each with its `number`, those that cannot be told stand in the table alone.
    """
    demand, fleet = scenario.demand, scenario.fleet or Fleet()
    price = None if prices_hidden else scenario.price
    if demand is None or not answer.per_target:
        return None
    found = fleet_for(answer, demand, scenario.think_time_s, fleet, price)
    if found.untold:
        return (
            None if number else demand_line(answer, demand, scenario.think_time_s, language, fleet=fleet, price=price)
        )
    count, span = concurrency(found.replicas.count or 0, language), whole_range(found.replicas, language)
    one = t("1 replica ({range}) carries {demand}", range=span, demand=demand_text(demand, language))
    many = t("{count} replicas ({range}) carry {demand}", count=count, range=span, demand=demand_text(demand, language))
    said = one if found.replicas.count == 1 else many
    cautions = [*_cautions(fleet)]
    if cautions:
        said = t("{said} with {cautions}", said=said, cautions=joined(cautions))
    bill = amount_text(found.month, found.currency or "", language)
    whole = (t("{said}: {amount} a month", said=said, amount=bill) if bill else said).render(language)
    return whole if number is None else f"({number}) {whole}"


def _cautions(fleet: Fleet) -> Iterator[Text]:
    """Yield what the replicas are more for than the demand of today."""
    if fleet.growth and fleet.ahead:
        months = t("1 month") if fleet.ahead == 1 else t("{count} months", count=fleet.ahead)
        yield t("growth of {rate} a month for {months}", rate=percent(fleet.growth), months=months)
    if fleet.burst > 1.0:
        yield t("bursts of {factor} times the mean", factor=plain(fleet.burst))
    if fleet.ceiling < 1.0:
        yield t("a ceiling of {share} of the safe number", share=percent(fleet.ceiling))
    if fleet.spares:
        yield t("1 spare") if fleet.spares == 1 else t("{count} spares", count=fleet.spares)
    if fleet.zones > 1:
        yield t("one of {zones} zones lost", zones=fleet.zones)
    if fleet.out_share:
        yield t("{share} of the time out of service", share=percent(fleet.out_share))
    if fleet.node:
        yield t("whole nodes of {count} accelerators", count=fleet.node)
