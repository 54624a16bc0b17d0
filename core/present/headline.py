"""The sentence of the first screen, in parts: the number, its doubt, what stops it, what it costs.

Money is plain text with a "$" in it: show it as text, not as Markdown, which reads "$…$" as a formula.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.i18n import Text, t
from core.model.answer import BatchAnswer, Capacity, Cost, Interval, RunAnswer, Status, TrafficAnswer
from core.model.price import Price, price_for
from core.model.run import Kind
from core.present.batch import TOOLTIP, batch_cost, batch_doubt, batch_first, batch_number, batch_verdict
from core.present.beside import beside_texts, meaning_texts
from core.present.kinds import is_voice, streams_text, throughput_text
from core.present.money import shower
from core.present.names import SEPARATOR, hardware_text
from core.present.numbers import about, concurrency, concurrency_range, span
from core.present.sound_cost import sound_cost_text
from core.present.stopped import end_of, stopped_by
from core.present.traffic import for_traffic_view, measured_text, traffic_text, widened_text
from core.present.untold import cannot_tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """What is said about one run, each part on its own; None where there is nothing to say.

    Attributes:
        number: the safe number alone, or the bound ("≥ 512", "< 4", "?"), for the largest type.
        safe: the first line: what is carried, or what cannot be told.
        estimate: the estimate, only ever with its range.
        stopped_by: the target that stops it.
        cost: money at the safe number with its range, or why there is none.
        source: model, hardware, engine and what was measured.
        caution: that a simulated answer is a candidate.
        tooltip: what the number promises.
        throughput: tokens per second at the safe number, where they count beside it.
        lead: what goes before `safe`: that it is for the service's own traffic; None as measured.
        measured: the answer as measured, where the others speak of the service's own traffic; else None.
        widened: how much of the doubt the difference of traffic brings.
        beside: its share for each replica, its rate in open loop.
        meaning: sentences on targets whose metric is not what its name suggests.
    """

    number: str
    safe: str
    estimate: str | None
    stopped_by: str | None
    cost: str | None
    source: str
    caution: str | None
    tooltip: str
    throughput: str | None = None
    lead: str | None = None
    measured: str | None = None
    widened: str | None = None
    beside: tuple[str, ...] = ()
    meaning: tuple[str, ...] = ()


def headline(
    answer: RunAnswer, language: str = "en", *, users: float | None = None, price: Price | None = None
) -> Headline:
    """Say one answer in parts.

    Args:
        answer: of one run.
        language: "en" or "ko".
        users: people at the safe number (`users.active_users`), None where no think time is given.
        price: as it was given, to say why there is no cost.
    """
    if answer.batch:
        return _batch(answer, answer.batch, language, price=price)
    if answer.for_traffic:
        return _for_traffic(answer, answer.for_traffic, language, users=users, price=price)
    capacity = answer.capacity
    return Headline(
        number=_number(capacity, language),
        safe=_safe(answer, users, language),
        estimate=estimate_text(capacity, language),
        stopped_by=stopped_by(capacity, language),
        cost=cost_text(answer, price, language),
        source=source_text(answer, language, price=price),
        caution=_caution(answer, language),
        tooltip=promise(capacity).render(language),
        throughput=throughput_text(answer, language),
        beside=beside_texts(answer, language),
        meaning=meaning_texts(answer, language),
    )


def _batch(answer: RunAnswer, batch: BatchAnswer, language: str, *, price: Price | None) -> Headline:
    """Say a batch in the same parts: the job or the highest throughput goes before everything else."""
    return Headline(
        number=batch_number(answer, batch, language),
        safe=batch_first(answer, batch, language),
        estimate=batch_doubt(answer, batch, language),
        stopped_by=batch_verdict(answer, batch, language),
        cost=batch_cost(batch, price_for(price, answer.run.id), language),
        source=source_text(answer, language, price=price),
        caution=_caution(answer, language),
        tooltip=TOOLTIP.render(language),
    )


def _for_traffic(
    answer: RunAnswer, found: TrafficAnswer, language: str, *, users: float | None, price: Price | None
) -> Headline:
    """Say the answer for the service's own traffic first, and that of the run as measured beside it."""
    measured = headline(replace(answer, for_traffic=None), language, users=users, price=price)
    said = headline(for_traffic_view(answer), language)
    name = traffic_text(found.traffic, language)
    lead = t("For your traffic ({traffic}):", traffic=name) if name else t("For your traffic:")
    cost = t("{cost}, for the traffic as measured", cost=measured.cost) if answer.cost and measured.cost else None
    lengths = measured_text(answer.run.conditions, language)
    doubt = ", ".join(part for part in (measured.estimate, measured.stopped_by) if part)
    known = f"{measured.safe} ({doubt})" if doubt else measured.safe
    if lengths:
        told = t("As measured ({lengths}): {answer}", lengths=lengths, answer=known)
    else:
        told = t("As measured: {answer}", answer=known)
    return replace(
        said,
        safe=_carried_over(found.capacity, said.safe, language),
        estimate=said.estimate or _range(found.capacity.concurrency, language),
        lead=lead.render(language),
        cost=cost.render(language) if cost else measured.cost,
        source=measured.source,
        measured=told.render(language),
        beside=(),
        meaning=measured.meaning,
        widened=widened_text(found, language),
    )


def _carried_over(capacity: Capacity, said: str, language: str) -> str:
    """Say a lower bound without calling it the highest load measured, which it no longer is."""
    low = end_of(capacity.concurrency, "low")
    if capacity.status is not Status.AT_LEAST or low is None:
        return said
    number = concurrency(capacity.safe or low, language)
    if number == "1":
        return t("At least 1 concurrent request").render(language)
    return t("At least {number} concurrent requests", number=number).render(language)


def _range(found: Interval | None, language: str) -> str | None:
    """Return a range that has no estimate, None where there is no range either."""
    if found is None or found.low is None:
        return None
    if found.high is None:
        return t("range {low} or more", low=concurrency(found.low, language)).render(language)
    return t("range {range}", range=concurrency_range(found.low, found.high, language)).render(language)


def one_line(answer: RunAnswer, language: str = "en") -> str:
    """Return one run in one line for a list of several: its name, the number, the doubt, the reason."""
    said = headline(answer, language)
    doubt = SEPARATOR.join(part for part in (said.estimate, said.stopped_by, said.caution) if part)
    safe = " ".join(part for part in (said.lead, said.safe) if part)
    return f"{answer.run.label}: {safe}" + (f" ({doubt})" if doubt else "")


def estimate_text(capacity: Capacity, language: str = "en") -> str | None:
    """Return the estimate beside its range, None where there is no estimate."""
    found = capacity.concurrency
    if found is None or found.mid is None:
        return None
    mid = concurrency(found.mid, language)
    if found.low is None:
        return None
    if found.high is None:
        low = concurrency(found.low, language)
        return t("estimate {mid}, range {low} or more: its upper end was not measured", mid=mid, low=low).render(
            language
        )
    return t("estimate {mid}, range {range}", mid=mid, range=concurrency_range(found.low, found.high, language)).render(
        language
    )


def cost_text(answer: RunAnswer, price: Price | None = None, language: str = "en") -> str:
    """Return money per million output tokens with its range, for voice per hour of sound, or why there is none."""
    sound = sound_cost_text(answer, price, language) if is_voice(answer) else None
    if sound:
        return sound
    cost = answer.cost
    found = cost.per_million_output if cost else None
    if cost is None or found is None or found.mid is None:
        return _no_cost(answer, price, cost).render(language)

    show = shower(found, cost.currency, language)
    if found.low is None or found.high is None:
        return t("{cost} per million output tokens, its range is not known", cost=show(found.mid)).render(language)
    return t(
        "{cost} per million output tokens ({range})",
        cost=show(found.mid),
        range=span(found.low, found.high, show),
    ).render(language)


def _no_cost(answer: RunAnswer, price: Price | None, cost: Cost | None) -> Text:
    if price_for(price, answer.run.id) is None and cost is None:
        return t("no price given: no cost")
    if answer.capacity.safe is None:
        return t("no safe number: no cost")
    if cost is None:
        return t("number of accelerators unknown: no cost")
    return t("output tokens per second unknown: no cost")


def source_text(answer: RunAnswer, language: str = "en", *, price: Price | None = None) -> str:
    """Return model, hardware, engine and levels in one line."""
    run = answer.run
    count = dict(price.accelerators).get(run.id) if price else None
    parts = (run.conditions.model or run.label, hardware_text(run, count, language), run.conditions.engine)
    return SEPARATOR.join(part for part in (*parts, _levels(answer, language)) if part)


def _levels(answer: RunAnswer, language: str) -> str:
    levels = answer.levels
    measured = answer.run.kind is Kind.MEASURED
    if not levels:
        return t("no usable level").render(language)
    where = concurrency_range(min(levels), max(levels), language)
    if len(levels) == 1:
        said = t("measured 1 level, {where}", where=where) if measured else t("simulated 1 level, {where}", where=where)
    elif measured:
        said = t("measured {count} levels {where}", count=len(levels), where=where)
    else:
        said = t("simulated {count} levels {where}", count=len(levels), where=where)
    return said.render(language)


def _number(capacity: Capacity, language: str) -> str:
    match capacity.status:
        case Status.AT_LEAST:
            low = capacity.safe if capacity.safe is not None else end_of(capacity.concurrency, "low")
            return f"≥ {concurrency(low, language)}" if low is not None else "?"
        case Status.BELOW:
            high = end_of(capacity.concurrency, "high")
            return f"< {concurrency(high, language)}" if high is not None else "0"
        case Status.WITHIN if capacity.safe is not None:
            return concurrency(capacity.safe, language)
        case _:
            return "?"


def _safe(answer: RunAnswer, users: float | None, language: str) -> str:
    capacity = answer.capacity
    streams = streams_text(capacity, language) if is_voice(answer) else None
    if streams:
        return streams
    match capacity.status:
        case Status.WITHIN if capacity.safe is not None:
            return _carried(capacity.safe, users, language)
        case Status.AT_LEAST:
            return _at_least(end_of(capacity.concurrency, "low") or capacity.safe or 0, users, language)
        case Status.BELOW:
            high = end_of(capacity.concurrency, "high")
            if high is None:
                return t("Below the lowest load measured").render(language)
            if high == 1.0:
                return t("Below 1 concurrent request (the lowest load measured)").render(language)
            number = concurrency(high, language)
            return t("Below {number} concurrent requests (the lowest load measured)", number=number).render(language)
        case _:
            return cannot_tell(answer, language)


def _carried(safe: int, users: float | None, language: str) -> str:
    if safe == 0:
        return t("Not one request can be promised within the targets").render(language)
    if safe == 1 and users is None:
        return t("1 concurrent request, safely").render(language)
    number = concurrency(safe, language)
    if users is None:
        return t("{number} concurrent requests, safely", number=number).render(language)
    people = about(users, language)
    if safe == 1:
        return t("1 concurrent request, safely (about {users} active users)", users=people).render(language)
    return t("{number} concurrent requests, safely (about {users} active users)", number=number, users=people).render(
        language
    )


def _at_least(low: float, users: float | None, language: str) -> str:
    number = concurrency(low, language)
    if users is None:
        said = t("At least {number} concurrent requests (the highest load measured)", number=number)
        if number == "1":
            said = t("At least 1 concurrent request (the highest load measured)")
    elif number == "1":
        people = about(users, language)
        said = t("At least 1 concurrent request, about {users} active users (the highest load measured)", users=people)
    else:
        said = t(
            "At least {number} concurrent requests, about {users} active users (the highest load measured)",
            number=number,
            users=about(users, language),
        )
    return said.render(language)


def _caution(answer: RunAnswer, language: str) -> str | None:
    if answer.run.kind is Kind.MEASURED:
        return None
    return t("simulated: a candidate until a benchmark confirms it").render(language)


def promise(capacity: Capacity) -> Text:
    """Return what the number promises, for its tooltip."""
    match capacity.status:
        case Status.WITHIN:
            return t(
                "The number to promise: one chance in ten that it is too much. The range holds the true limit nine "
                "times in ten."
            )
        case Status.AT_LEAST:
            return t("Every target still holds at the highest load measured. What lies beyond was not measured.")
        case Status.BELOW:
            return t("Even the lowest load measured misses a target. What lies below was not measured.")
        case _:
            return t("The files do not hold enough to answer. A failure to measure is not a missed target.")
