"""What the memo says of each run: the sentence of the screen, with the demand beside it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from core.i18n import t
from core.model.answer import RunAnswer, Status
from core.model.price import price_for
from core.model.run import Kind
from core.model.scenario import Scenario
from core.present.assumptions import HIDDEN
from core.present.bill import paid_text
from core.present.compare_scenario import comparison_of
from core.present.headline import headline
from core.present.names import SEPARATOR
from core.present.price_words import marked
from core.present.report.frames import CANDIDATE
from core.present.report.memo_fleet import fleet_sentence
from core.present.report.memo_parts import Saying
from core.present.users import active_users

EACH = 3
"""Runs up to which each has the sentence of its fleet; of more it is that of the leader."""


def sayings(scenario: Scenario, language: str, *, prices_hidden: bool, today: date | None = None) -> tuple[Saying, ...]:
    """Return one saying for each run, in the order of the scenario; several are numbered as in the table."""
    several = len(scenario.answers) > 1
    said = tuple(
        _saying(answer, scenario, language, number=place if several else None, prices_hidden=prices_hidden, today=today)
        for place, answer in enumerate(scenario.answers, start=1)
    )
    if len(said) <= EACH:
        return said
    # Of many the page has room for one: the table holds the fleets and bills of all.
    led = leading(scenario)
    return tuple(replace(one, fleet=one.fleet if place == led else None) for place, one in enumerate(said))


def leading(scenario: Scenario) -> int:
    """Return the place of the run that leads, counted from 0; of the first one where none does."""
    found = comparison_of(scenario)
    leader = found.deciding.leader if found else None
    if found is None or leader is None:
        return 0
    # Where a person compares some of the runs only, their places are other ones.
    ids = [answer.run.id for answer in scenario.answers]
    return ids.index(found.answers[leader].run.id)


def numbered(label: str, number: int | None) -> str:
    """Return the name of a run as the page calls it."""
    return label if number is None else f"({number}) {label}"


def _saying(
    answer: RunAnswer,
    scenario: Scenario,
    language: str,
    *,
    number: int | None,
    prices_hidden: bool,
    today: date | None,
) -> Saying:
    think = scenario.think_time_s
    users = active_users(answer, think) if think is not None else None
    said = headline(answer, language, users=users, price=scenario.price)
    untold = (answer.for_traffic or answer).capacity.status is Status.CANNOT_TELL
    cost = HIDDEN.render(language) if prices_hidden else said.cost
    if cost and answer.cost and scenario.price:
        cost = marked(cost, price_for(scenario.price, answer.run.id), today, language)
    doubt = SEPARATOR.join(part for part in (said.estimate, said.stopped_by) if part)
    figures = SEPARATOR.join(said.beside)
    lines = [doubt, figures, said.throughput, cost]
    small = [said.measured, said.widened, *said.meaning]
    if think is not None and users is None and answer.capacity.safe is not None:
        told = t("Active users cannot be told: the files give neither request times nor request rates")
        small.append(told.render(language))
    if number is None:
        # Of several runs the table says it, side by side.
        paid = paid_text(answer, scenario.price, language)
        small.append(SEPARATOR.join(part for part in (said.source, paid) if part))
    return Saying(
        label=None if number is None else numbered(answer.run.label, number),
        first=" ".join(part for part in (said.lead, said.safe) if part),
        lines=tuple(line for line in lines if line),
        small=tuple(line for line in small if line),
        candidate=CANDIDATE.render(language) if answer.run.kind is Kind.SIMULATED else None,
        fleet=fleet_sentence(answer, scenario, language, number=number, prices_hidden=prices_hidden),
        told=not (said.number == "?" if answer.batch else untold),
    )
