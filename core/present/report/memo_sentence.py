"""What the memo says of each run: the sentence of the screen, with the demand beside it."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import RunAnswer, Status
from core.model.run import Kind
from core.model.scenario import Demand, Scenario
from core.present.assumptions import HIDDEN
from core.present.bill import paid_text
from core.present.headline import headline
from core.present.names import SEPARATOR
from core.present.numbers import concurrency, money
from core.present.replicas import demand_text
from core.present.report.frames import CANDIDATE
from core.present.report.memo_parts import Saying
from core.present.users import active_users
from core.price.replicas import Replicas, Untold, replicas_for

UNTOLD: dict[Untold, Text] = {
    Untold.NO_SAFE_NUMBER: t("there is no safe number"),
    Untold.NONE_PROMISED: t("not one request can be promised within the targets"),
    Untold.THINK_TIME: t("how long users pause between requests is not given"),
    Untold.RESPONSE_TIME: t("the files do not say how long a request takes"),
    Untold.OWN_TRAFFIC: t("how long your own requests take was not measured"),
}
"""Why no number of replicas can be given, as clauses."""


def sayings(scenario: Scenario, language: str, *, prices_hidden: bool) -> tuple[Saying, ...]:
    """Return one saying for each run, in the order of the scenario; several are numbered as in the table."""
    several = len(scenario.answers) > 1
    return tuple(
        _saying(answer, scenario, language, number=place if several else None, prices_hidden=prices_hidden)
        for place, answer in enumerate(scenario.answers, start=1)
    )


def numbered(label: str, number: int | None) -> str:
    """Return the name of a run as the page calls it."""
    return label if number is None else f"({number}) {label}"


def _saying(answer: RunAnswer, scenario: Scenario, language: str, *, number: int | None, prices_hidden: bool) -> Saying:
    think = scenario.think_time_s
    users = active_users(answer, think) if think is not None else None
    said = headline(answer, language, users=users, price=scenario.price)
    untold = (answer.for_traffic or answer).capacity.status is Status.CANNOT_TELL
    cost = HIDDEN.render(language) if prices_hidden else said.cost
    doubt = SEPARATOR.join(part for part in (said.estimate, said.stopped_by) if part)
    figures = SEPARATOR.join(said.beside)
    lines = [doubt, figures, said.throughput, cost]
    small = [said.measured, said.widened, *said.meaning]
    if think is not None and users is None and answer.capacity.safe is not None:
        told = t("Active users cannot be told: the files give neither request times nor request rates")
        small.append(told.render(language))
    if number is None:
        # Of several runs the table says it, side by side.
        lines.append(demand_line(answer, scenario, language))
        paid = paid_text(answer, scenario.price, language)
        small.append(SEPARATOR.join(part for part in (said.source, paid) if part))
    return Saying(
        label=None if number is None else numbered(answer.run.label, number),
        first=" ".join(part for part in (said.lead, said.safe) if part),
        lines=tuple(line for line in lines if line),
        small=tuple(line for line in small if line),
        candidate=CANDIDATE.render(language) if answer.run.kind is Kind.SIMULATED else None,
        told=not (said.number == "?" if answer.batch else untold),
    )


def demand_line(answer: RunAnswer, scenario: Scenario, language: str) -> str | None:
    """Return how many replicas the demand needs and what they cost an hour, None where no demand is given."""
    demand = scenario.demand
    if demand is None or _is_job(answer):
        return None
    found = replicas_for(answer, demand, scenario.think_time_s)
    wanted = demand_text(demand, language)
    if found.untold:
        why = UNTOLD[found.untold].render(language)
        return t("Replicas for {demand}: cannot tell, {why}", demand=wanted, why=why).render(language)
    said = t("Replicas for {demand}: {count}", demand=wanted, count=replicas_cell(found, language) or "?")
    return SEPARATOR.join(part for part in (said.render(language), _bill(answer, found, language)) if part)


def replicas_cell(found: Replicas, language: str) -> str | None:
    """Return a count with its range, such as "12 (9–14)"; an open end is said, None where there is no count."""
    if found.count is None:
        return None
    count = concurrency(found.count, language)
    ends = [None if end is None else concurrency(end, language) for end in (found.fewest, found.most)]
    match ends:
        case [None, None]:
            return t("{count}, range not known", count=count).render(language)
        case [None, most]:
            return t("{count} ({most} or fewer)", count=count, most=most or "").render(language)
        case [fewest, None]:
            return t("{count} ({fewest} or more)", count=count, fewest=fewest or "").render(language)
        case [fewest, most] if fewest == most:
            return count
        case _:
            return f"{count} ({ends[0]}–{ends[1]})"


def demand_cell(answer: RunAnswer, demand: Demand, think_s: float | None, language: str) -> str:
    """Return the replicas for a table's cell, or why there is no number."""
    found = replicas_for(answer, demand, think_s)
    if found.untold:
        return t("cannot tell: {why}", why=UNTOLD[found.untold].render(language)).render(language)
    return replicas_cell(found, language) or "?"


def _bill(answer: RunAnswer, found: Replicas, language: str) -> str | None:
    cost = answer.cost
    if cost is None or found.count is None:
        return None
    amount = money(found.count * cost.per_hour, cost.currency, language)
    return t("{amount} per hour for all of them", amount=amount).render(language)


def _is_job(answer: RunAnswer) -> bool:
    return answer.batch is not None and not answer.per_target
