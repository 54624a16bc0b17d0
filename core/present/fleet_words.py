"""A fleet in sentences: how many and how much first, then what that rests on and where it ends."""

from __future__ import annotations

from dataclasses import dataclass

from core.fleet.answer import Added, FleetAnswer, Pool
from core.fleet.cautions import covered, stacked
from core.fleet.size import Caution
from core.i18n import Text, t
from core.model.answer import Status
from core.model.demand_curve import HOUR_S
from core.model.run import Kind
from core.present.fleet_numbers import amount_text, rough_text, whole_range, whole_text
from core.present.fleet_room import headroom_text
from core.present.fleet_untold import untold_next, untold_why
from core.present.names import SEPARATOR, target_text
from core.present.numbers import concurrency, money, percent, plain, whole_time
from core.present.replicas import demand_text
from core.price.replicas import is_own_time

CAUTIONS: dict[Caution, Text] = {
    Caution.SAFE: t("Safe number instead of the estimate"),
    Caution.GROWTH: t("Room for growth"),
    Caution.BURST: t("Bursts inside the hour"),
    Caution.CEILING: t("Utilisation ceiling"),
    Caution.SPARES: t("Spare replicas"),
    Caution.OUT: t("Out of service"),
    Caution.NODES: t("Whole nodes"),
}

IN_WORDS: dict[Caution, Text] = {
    Caution.GROWTH: t("room for growth"),
    Caution.BURST: t("bursts"),
    Caution.CEILING: t("the utilisation ceiling"),
    Caution.SPARES: t("spare replicas"),
    Caution.OUT: t("time out of service"),
    Caution.NODES: t("whole nodes"),
}
"""What a person asked for, inside a sentence; the safe number is in every answer."""

_STACKED: dict[tuple[Caution, Caution], Text] = {
    (Caution.SAFE, Caution.CEILING): t(
        "The safe number already holds back for one chance in ten that a replica carries less. A ceiling of {ceiling} "
        "on top is a second caution for the same doubt"
    ),
    (Caution.BURST, Caution.CEILING): t(
        "Bursts and the ceiling of {ceiling} both keep room for more than the hour's mean: one of the two may do"
    ),
    (Caution.SPARES, Caution.OUT): t(
        "Spare replicas already stand in for those that are out of service: time out of service on top is a second "
        "caution"
    ),
    (Caution.GROWTH, Caution.CEILING): t(
        "Room for growth is unused until the demand has grown, so that the ceiling of {ceiling} adds to it today"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetWords:
    """What is said first.

    Attributes:
        first: how many replicas for what demand, or that it cannot be told. told: whether it can.
        money: what they cost a month with the range, or why that is unknown; None where no fleet can be told.
        lines: accelerators, how one replica is loaded, token cost, headroom. fix: what to do where it cannot be told.
        caution: that a simulated answer is a candidate.
    """

    first: str
    told: bool
    money: str | None
    lines: tuple[str, ...]
    fix: str | None = None
    caution: str | None = None


def fleet_words(found: FleetAnswer, language: str = "en") -> FleetWords:
    """Say a fleet in parts."""
    demand = demand_text(found.demand, language)
    if found.untold:
        why = untold_why(found, found.untold).render(language)
        said = t("Replicas for {demand}: cannot tell, {why}", demand=demand, why=why)
        fix = untold_next(found, found.untold, language)
        return FleetWords(first=said.render(language), told=False, money=None, lines=(), fix=fix)
    count = found.replicas.count
    span = whole_range(found.replicas, language)
    one = t("1 replica for {demand} ({range})", demand=demand, range=span)
    many = t(
        "{count} replicas for {demand} ({range})", demand=demand, count=concurrency(count or 0, language), range=span
    )
    first = one if count == 1 else many
    simulated = any(pool.answer.run.kind is Kind.SIMULATED for pool in found.pools)
    candidate = t("Simulated: a candidate until a benchmark confirms it").render(language)
    return FleetWords(
        first=first.render(language),
        told=True,
        money=month_text(found, language),
        lines=tuple(line for line in _lines(found, language) if line),
        caution=candidate if simulated else None,
    )


def month_text(found: FleetAnswer, language: str = "en") -> str:
    """Return what the fleet costs a month with its range, or why that is unknown."""
    if found.month is None or found.currency is None:
        if found.unpriced:
            lacking = [pool for pool in found.pools if pool.each_hour is None]
            if any(pool.accelerators is None for pool in lacking):
                return t("Cost a month unknown: nobody said how many accelerators there are").render(language)
            runs = ", ".join(pool.answer.run.label for pool in lacking)
            return t("Cost a month unknown: no price is given for {runs}", runs=runs).render(language)
        return t("Cost a month unknown: no price is given").render(language)
    amount = amount_text(found.month, found.currency, language) or "?"
    return t("{amount} a month", amount=amount).render(language)


def _lines(found: FleetAnswer, language: str) -> list[str | None]:
    parts = (_covered, _unpowered, _within, _hardware, _token, headroom_text, scaled_text)
    return [part(found, language) for part in parts]


def _covered(found: FleetAnswer, language: str) -> str | None:
    """Return why the range ends at the number planned, where it does: said once, beside the first ranges."""
    count = found.replicas
    if count.count is None or count.fewest == count.count or count.most != count.count:
        return None
    said = t("The range of the replicas ends at the number planned: the plan already covers the unfavourable end")
    return said.render(language)


def _unpowered(found: FleetAnswer, language: str) -> str | None:
    """Return that money is without electricity, where power is drawn at a price that nobody gave."""
    bought = found.fleet.owned
    if found.unpowered:
        said = t("Without electricity: the price of a kWh is not given, so that every cost is at least this")
    elif bought is not None and bought.lacks_tariff:
        said = t("Bought hardware is counted without electricity: the price of a kWh is not given")
    else:
        return None
    return said.render(language)


def _within(found: FleetAnswer, language: str) -> str | None:
    """Return the promise that the fleet keeps, None where there is none: a batch has no target."""
    told = dict.fromkeys(target_text(each.target, language) for pool in found.pools for each in pool.answer.per_target)
    return t("Within {targets}", targets=", ".join(told)).render(language) if told else None


def _hardware(found: FleetAnswer, language: str) -> str | None:
    accelerators = whole_text(found.accelerators, language)
    unknown = t("Accelerators unknown: nobody said how many one replica has")
    said = [t("{count} accelerators", count=accelerators).render(language)] if accelerators else []
    if not accelerators and not found.unpriced:
        said.append(unknown.render(language))
    nodes = [pool.nodes for pool in found.pools if pool.nodes]
    if nodes and len(nodes) == len(found.pools) == 1:
        said.append(t("{count} nodes", count=whole_text(nodes[0], language) or "?").render(language))
    said += [_each(pool, language, several=len(found.pools) > 1) for pool in found.pools]
    return SEPARATOR.join(said)


def _each(pool: Pool, language: str, *, several: bool) -> str:
    safe = concurrency(pool.safe, language)
    if several:
        told = t(
            "{run}: {count} replicas with at most {safe} requests each",
            run=pool.answer.run.label,
            count=whole_text(pool.replicas, language) or "?",
            safe=safe,
        )
        return told.render(language)
    at_least = (pool.answer.for_traffic or pool.answer).capacity.status is Status.AT_LEAST
    if at_least:
        return t("At most {safe} requests at once in each, the most that was measured", safe=safe).render(language)
    return t("At most {safe} requests at once in each", safe=safe).render(language)


def _token(found: FleetAnswer, language: str) -> str | None:
    cost = found.effective
    if cost is None or found.currency is None:
        # Why there is no bill at all is said with the bill.
        return None if found.month is None else token_gap(found).render(language)
    said = t(
        "{cost} for a million output tokens in this fleet, {full} if it were full all the time: {used} of what it may "
        "carry is used in the mean",
        cost=amount_text(cost.cost, found.currency, language) or "?",
        full=amount_text(cost.full, found.currency, language) or "?",
        used=percent(cost.used, language),
    )
    return said.render(language)


def token_gap(found: FleetAnswer) -> Text:
    """Return why nobody knows what a token costs, in a fleet without an `effective` cost: the reason that holds."""
    points = [pool.answer.at_capacity for pool in found.pools]
    if found.month is None and not found.unpriced:
        return t("What a token costs is unknown: no price is given")
    if found.month is None:
        lacking = [pool for pool in found.pools if pool.each_hour is None]
        if any(pool.accelerators is None for pool in lacking):
            return t("What a token costs is unknown: nobody said how many accelerators there are")
        runs = ", ".join(pool.answer.run.label for pool in lacking)
        return t("What a token costs is unknown: no price is given for {runs}", runs=runs)
    if not all(is_own_time(pool.answer) for pool in found.pools):
        return t(
            "What a token costs is unknown: your own requests have other lengths or cache hits than the measured ones, "
            "so that their output tokens per second are not known"
        )
    if any(point is None or point.output_tok_s is None for point in points):
        return t("What a token costs is unknown: the files give no output tokens per second")
    return t("What a token costs is unknown: no output token is known of in the demand")


def scaled_text(found: FleetAnswer, language: str = "en") -> str:
    """Return what an autoscaler takes, and at the very least a perfect one, with the bill; or that no day is given."""
    over = found.over_time
    if over is None:
        return t("No day is given: the demand is taken to be at its peak all the time").render(language)
    mean = rough_text(over.mean_scaled, language) or "?"
    if over.month_scaled is None or found.currency is None:
        least = rough_text(over.mean_needed, language) or "?"
        said = t("Autoscaled it would take {mean} replicas in the mean, at the very least {least}", mean=mean)
        return Text(said.msgid, {**said.values, "least": least}).render(language)
    said = t(
        "Autoscaled it would take {mean} replicas in the mean: {amount} a month, at the very least {least}",
        mean=mean,
        amount=amount_text(over.month_scaled, found.currency, language) or "?",
        least=amount_text(over.month_needed, found.currency, language) or "?",
    )
    return said.render(language)


def stacked_texts(found: FleetAnswer, language: str = "en") -> tuple[str, ...]:
    """Return a notice for each pair of cautions that keep room for the same thing, with what dropping one saves, once.

    Then, where that is not what the table of the cautions has, that its rows are steps. Spares that a lost zone covers
    come last: they add nothing.
    """
    by = {each.caution: each for each in found.added}
    texts: list[str] = []
    counted: list[Added] = []
    for pair in stacked(found.added):
        on_top = by[pair[1]]
        if on_top.saved <= 0.0:
            continue
        said = _STACKED[pair]
        why = Text(said.msgid, {"ceiling": percent(found.fleet.ceiling, language)}).render(language)
        if on_top in counted:
            texts.append(t("{why}: the same replicas, counted once", why=why).render(language))
            continue
        counted.append(on_top)
        texts.append(_saves(on_top, why, found.currency, language))
    if any(each.saved != each.stacked for each in counted):
        steps = t(
            "The table of the cautions is a stack: each row is a step on top of those above it, and those below may "
            "multiply it, so that dropping one caution saves more or less than its step"
        )
        texts.append(steps.render(language))
    both = None if found.untold else covered(found.pools, found.fleet)
    if both is not None:
        said = t(
            "The spares add no replica: with them alone there would be {spared}, and for one of {zones} zones that may "
            "be lost there are {zoned}, of which the larger holds",
            spared=concurrency(both[0], language),
            zones=found.fleet.zones,
            zoned=concurrency(both[1], language),
        )
        texts.append(said.render(language))
    return tuple(texts)


def _saves(on_top: Added, why: str, currency: str | None, language: str) -> str:
    """Return a notice with what the fleet is less without that caution and with all others."""
    caution, count = IN_WORDS[on_top.caution].render(language), plain(on_top.saved, language)
    if on_top.saved_month is None or not currency:
        said = t("{why}. Dropping {caution} alone saves replicas: {count}", why=why, caution=caution, count=count)
        return said.render(language)
    said = t(
        "{why}. Dropping {caution} alone saves replicas: {count}, {amount} a month",
        why=why,
        caution=caution,
        count=count,
        amount=money(on_top.saved_month, currency, language),
    )
    return said.render(language)


def scaling_note(found: FleetAnswer, language: str = "en") -> str | None:
    """Return what an autoscaler has to do, None without a day."""
    over = found.over_time
    if over is None:
        return None
    step = whole_time(over.step_s, language)
    rise = t(
        "From one step of {step} to the next it starts up to {rise}.",
        step=step,
        rise=concurrency(over.rise, language),
    )
    said = [
        t(
            "The autoscaler keeps every caution but the room for growth, never has fewer than {floor}, and pays for a "
            "replica from the moment it starts, {start} before it serves.",
            floor=concurrency(found.fleet.floor, language),
            start=whole_time(found.fleet.start_s, language),
        ),
        *([rise] if over.rise else []),
        t(
            "The perfect autoscaler knows what comes, starts at once and keeps nothing back: the fewest replicas that "
            "meet the targets at the mean demand of every step of {step}, a bound and no plan.",
            step=step,
        ),
    ]
    inside = found.curve.inside if found.curve else None
    if inside is not None:
        said.append(
            t(
                "Inside its steps of {step} the highest rate is {factor} times the highest mean: for bursts as short "
                "as that it is no bound, and a burst factor is for them.",
                step=step,
                factor=plain(inside, language),
            )
        )
    elif over.step_s >= HOUR_S:
        said.append(t("Steps of {step} hide how the demand moves inside them.", step=step))
    return " ".join(text.render(language) for text in said)
