"""How every number of a comparison was worked out, with its values: run by run, then what is said of several."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from core.compare.compare import Comparison, Multiple
from core.compare.lead import DRAWS, Together
from core.compare.quantity import LOWER, Quantity, counted, money_per_hour, speed_of_user
from core.compare.shape import shipped
from core.compare.shared import HOST, TOOL, together_of
from core.fleet.plan import fleet_for
from core.i18n import Text, t
from core.model.answer import RunAnswer, Status
from core.present.compare_names import OF, QUANTITIES
from core.present.compare_table import SAFE, cell, header
from core.present.compare_words import capacity_text, chance_text, times_text
from core.present.comparison import estimate_cell
from core.present.fleet_how import fleet_hows
from core.present.hourly_how import hourly_hows
from core.present.how import How
from core.present.names import target_text
from core.present.numbers import concurrency, money, percent, plain, rate, seconds
from core.present.per_money import header_of, times_amount
from core.present.replicas import request_s
from core.present.traffic import for_traffic_view
from core.present.units import NAMES, unit_lines
from core.price.units import Unit

Value = tuple[str, str]


def compare_hows(found: Comparison, language: str = "en") -> tuple[How, ...]:
    """Return each number that is known with its formula: those of every run, the chances, then the multiples."""
    hows: list[How] = []
    for place, answer in enumerate(found.answers):
        name = f"{answer.run.label}: " if len(found.answers) > 1 else ""
        hows += [replace(how, name=name + how.name) for how in _of_run(found, place, language)]
    chance = _chance(found, language)
    return (*hows, *([chance] if chance else []), *(_multiple(each, found, language) for each in found.multiples))


def _of_run(found: Comparison, place: int, language: str) -> list[How]:
    answer, price = found.answers[place], found.question.price
    known = {each.quantity for each in found.standings if each.figures[place].shown is not None}
    hows = [_safe(answer, language)]
    if Quantity.REPLICAS in known:
        hows += _fleet(found, answer, language)
    if price is not None:
        hows += hourly_hows(answer.run, price, language)
    if Quantity.USERS_PER_MONEY in known:
        hows.append(_users(found, place, language))
    if Quantity.COST in known:
        own = NAMES[Unit.MILLION_OUTPUT].render(language)
        hows += [line.how for line in unit_lines(answer, price, language=language) if line.name == own]
    if Quantity.PER_USER in known:
        hows.append(_speed(found, place, language))
    if Quantity.THROUGHPUT in known:
        hows.append(_throughput(found, place, language))
    return hows


def _safe(answer: RunAnswer, language: str) -> How:
    """Say the number that is planned with: it is the least over all targets."""
    told = for_traffic_view(answer)
    formula = t(
        "the load that keeps a target in nine cases of ten, never above the estimate, rounded down; the least over "
        "all targets"
    )
    if told.capacity.status is Status.AT_LEAST:
        formula = t("the highest load that was measured: every target is kept there")
    values = [
        (target_text(each.target, language), _carried(each.capacity.safe, estimate_cell(each.capacity, language)))
        for each in told.per_target
    ]
    if answer.for_traffic:
        measured = capacity_text(replace(answer, for_traffic=None), language)
        values.append((t("of the traffic as measured").render(language), measured or "?"))
    return How(
        name=SAFE.render(language),
        formula=formula.render(language),
        values=tuple(values),
        result=_carried(told.capacity.safe, estimate_cell(told.capacity, language)),
    )


def _carried(safe: int | None, estimate: str | None) -> str:
    return f"{'?' if safe is None else plain(safe, digits=9)}; {estimate or '?'}"


def _fleet(found: Comparison, answer: RunAnswer, language: str) -> tuple[How, ...]:
    """Say replicas, accelerators and the bill of the month as the Fleet page does, and nothing else of it."""
    asked = found.question
    if asked.demand is None:
        return ()
    whole = fleet_for(answer, asked.demand, asked.think_s, asked.fleet, asked.price)
    counts = replace(whole, added=(), growth=None, purchases=None, over_time=None, effective=None, volume=None, ways=())
    return fleet_hows(counts, asked.think_s, language)


def _users(found: Comparison, place: int, language: str) -> How:
    answer, asked = found.answers[place], found.question
    formula = t("concurrent requests at the estimate ÷ bill per hour")
    values = [(t("estimate").render(language), estimate_cell(for_traffic_view(answer).capacity, language) or "?")]
    time = request_s(answer) if asked.think_s else None
    if asked.think_s and time is not None:
        formula = t(
            "concurrent requests at the estimate × (time of a request + pause) ÷ time of a request ÷ bill per hour"
        )
        values += [
            (t("time of a request").render(language), seconds(time, language)),
            (t("pause").render(language), seconds(asked.think_s, language)),
        ]
    hourly, currency = money_per_hour(answer, asked.price), asked.price.currency if asked.price else ""
    values.append((t("bill per hour").render(language), "?" if hourly is None else money(hourly, currency, language)))
    return _how(found, place, Quantity.USERS_PER_MONEY, times_amount(formula, found, language), values, language)


def _speed(found: Comparison, place: int, language: str) -> How:
    answer = found.answers[place]
    fitted = answer.at_capacity.tok_s_user if answer.at_capacity else None
    shown = fitted or speed_of_user(answer)
    formula = t("1 ÷ mean TPOT at the safe number")
    if fitted is None:
        formula = t("1 ÷ TPOT of the levels around the safe number, read between them")
    values = [(SAFE.render(language), capacity_text(answer, language) or "?")]
    if shown and shown.mid:
        values.append((t("TPOT").render(language), seconds(1.0 / shown.mid, language)))
    return _how(found, place, Quantity.PER_USER, formula, values, language)


def _throughput(found: Comparison, place: int, language: str) -> How:
    answer = found.answers[place]
    out = answer.at_capacity.output_tok_s if answer.at_capacity else None
    count = counted(answer, found.question.price)
    values = [
        (t("output tokens/s").render(language), rate(out.mid, "", language) if out and out.mid else "?"),
        (t("accelerators").render(language), "?" if count is None else concurrency(count, language)),
    ]
    formula = t("output tokens/s at the safe number ÷ accelerators")
    return _how(found, place, Quantity.THROUGHPUT, formula, values, language)


def _how(
    found: Comparison, place: int, quantity: Quantity, formula: Text, values: Sequence[Value], language: str
) -> How:
    shown = found.of(quantity).figures[place].shown
    return How(
        name=header(found, quantity, language).render(language),
        formula=formula.render(language),
        values=tuple(values),
        result=cell(found, quantity, shown, language),
    )


def _chance(found: Comparison, language: str) -> How | None:
    """Say what the chances are a share of, and which doubt the runs have in common; None where none are told."""
    standing = found.deciding
    if not standing.chances:
        return None
    doubts = [together_of(answer) for answer in found.answers]
    method = percent(shipped().method, language)
    common = (
        (t("same levels, all doubt shared"), [each.measurement for each in doubts]),
        (t("same deployment and levels, at most {share} of the variance shared", share=method), _deployments(doubts)),
        (t("same load generator, {sd} (sd of ln) shared", sd=percent(TOOL, language)), _sources(doubts, "tool")),
        (t("same place, {sd} (sd of ln) shared", sd=percent(HOST, language)), _sources(doubts, "host")),
    )
    labels = [answer.run.label for answer in found.answers]
    return How(
        name=t("Chance that it leads").render(language),
        formula=t("draws in which the number of the run is the best one ÷ all draws").render(language),
        values=(
            (t("compared by").render(language), OF[standing.quantity].render(language)),
            (t("draws of each run").render(language), concurrency(DRAWS, language)),
            *((name.render(language), _shared(labels, held, language)) for name, held in common),
        ),
        result="; ".join(
            f"{label}: {chance_text(chance).render(language)}"
            for label, chance in zip(labels, standing.chances, strict=True)
        ),
        source=t("Shared doubt moves the runs together and decides nothing between them").render(language),
    )


def _deployments(doubts: Sequence[Together]) -> list[Hashable]:
    return [each.deployment for each in doubts]


def _sources(doubts: Sequence[Together], kind: str) -> list[Hashable]:
    """Return the source of one kind of bias of each run."""
    return [next((source for source, _ in each.biases if source[0] == kind), None) for each in doubts]  # type: ignore[index]  # a pair of kind and name


def _shared(labels: Sequence[str], held: Sequence[Hashable], language: str) -> str:
    """Return the runs that have something in common, group by group."""
    groups: dict[Hashable, list[str]] = {}
    for label, source in zip(labels, held, strict=True):
        if source is not None:
            groups.setdefault(source, []).append(label)
    told = [", ".join(names) for names in groups.values() if len(names) > 1]
    return "; ".join(told) or t("none").render(language)


def _multiple(each: Multiple, found: Comparison, language: str) -> How:
    """Say of which two rows a multiple is the quotient."""
    place = {answer.run.id: at for at, answer in enumerate(found.answers)}
    over, under = (each.other, each.one) if each.quantity in LOWER else (each.one, each.other)
    figures = found.of(each.quantity).figures
    names = {"over": found.answers[place[over]].run.label, "under": found.answers[place[under]].run.label}
    formula = t("number of {over} ÷ number of {under}", **names)
    if each.times.mid is None:
        formula = t("at least: the low end of {over} ÷ the high end of {under}", **names)
    rows = (cell(found, each.quantity, figures[place[run]].shown, language) for run in (over, under))
    of_money = each.quantity is Quantity.USERS_PER_MONEY
    quantity = header_of(found, language) if of_money else QUANTITIES[each.quantity]
    return How(
        name=f"{t('How many times').render(language)}: {quantity.render(language)}",
        formula=formula.render(language),
        values=tuple(zip(names.values(), rows, strict=True)),
        result=times_text(each.times, language),
    )
