"""How the numbers of a fleet were worked out: formulas with their values."""

from __future__ import annotations

from core.fleet.answer import FleetAnswer, Pool
from core.fleet.cautions import at_peak
from core.fleet.growth import working
from core.fleet.size import standing_by
from core.i18n import t
from core.model.fleet import Fleet
from core.model.scenario import DemandKind
from core.present.fleet_numbers import amount_text, rough_text, share_text, whole_text
from core.present.fleet_purchases import purchases_how
from core.present.fleet_tables import in_flight
from core.present.fleet_ways_how import accelerators_how, scaled_hows, volume_how, ways_hows
from core.present.how import How
from core.present.numbers import concurrency, money, percent, plain, seconds
from core.present.replicas import demand_text, request_s
from core.price.formula import MILLION, SECONDS_PER_HOUR

_LITTLE = t("Little's law, L = X R")
_THINK = t("The interactive response time law, N = X (R + Z): Denning and Buzen 1978")
_IDLE = t("1 ÷ utilisation: arXiv 2606.11690")


def fleet_hows(found: FleetAnswer, think_s: float | None, language: str = "en") -> tuple[How, ...]:
    """Return each number of a fleet with its formula, in the order in which one follows from another."""
    if found.untold:
        return ()
    hows: list[How | None] = []
    for pool in found.pools:
        name = f"{pool.answer.run.label}: " if len(found.pools) > 1 else ""
        hows += [_in_flight(found, pool, think_s, name, language), _replicas(found, pool, name, language)]
    hows += [accelerators_how(found, language), _month(found, language), _used(found, language)]
    hows += [_token(found, language), volume_how(found, language), *scaled_hows(found, language)]
    hows += [_room(found, language), purchases_how(found, language), *ways_hows(found, language)]
    return tuple(how for how in hows if how is not None)


def _in_flight(found: FleetAnswer, pool: Pool, think_s: float | None, name: str, language: str) -> How:
    kind, time = found.demand.kind, request_s(pool.answer)
    values = [(t("demand at the peak").render(language), demand_text(found.demand, language))]
    if pool.share < 1.0:
        values.append((t("share of the requests").render(language), percent(pool.share, language)))
    formulas = {
        DemandKind.CONCURRENCY: t("the demand itself"),
        DemandKind.REQ_S: t("requests/s × time of a request at the safe number"),
        DemandKind.USERS: t("users × time of a request ÷ (time of a request + pause)"),
    }
    if kind is not DemandKind.CONCURRENCY and time is not None:
        values.append((t("time of a request").render(language), seconds(time, language)))
    if kind is DemandKind.USERS and think_s is not None:
        values.append((t("pause").render(language), seconds(think_s, language)))
    source = {DemandKind.REQ_S: _LITTLE, DemandKind.USERS: _THINK}.get(kind)
    return How(
        name=name + t("Requests in flight at the peak").render(language),
        formula=formulas[kind].render(language),
        values=tuple(values),
        result=rough_text(pool.in_flight, language) or "?",
        source=source.render(language) if source else None,
    )


def _replicas(found: FleetAnswer, pool: Pool, name: str, language: str) -> How:
    """Say the count in the order of the cautions; those that are not in use are left out."""
    fleet = found.fleet
    formula = [t("requests in flight").render(language)]
    values = [(formula[0], rough_text(pool.in_flight, language) or "?")]

    def add(sign: str, word: str, value: str) -> None:
        formula.append(f" {sign} {word}")
        values.append((word, value))

    if fleet.growth and fleet.ahead:
        add("×", t("growth").render(language), f"(1 + {percent(fleet.growth, language)})^{fleet.ahead}")
    if fleet.burst > 1.0:
        add("×", t("burst").render(language), plain(fleet.burst, language))
    if fleet.ceiling < 1.0:
        add("÷", t("ceiling").render(language), percent(fleet.ceiling, language))
    add("÷", t("safe number").render(language), concurrency(pool.safe, language))
    source = [
        t("The range: least demand over the most that a replica may carry, and the reverse, each with every caution")
    ]
    if pool.sure_share < 1.0:
        add("÷", t("what of its rate is sure").render(language), percent(pool.sure_share, language))
        source.append(
            t(
                "What is sure: the rate at the limit in nine cases of ten over the rate at the safe number, since the "
                "safe number keeps nothing back for the doubt about the rate"
            )
        )
    whole = [t("rounded up").render(language), *_standing_by(pool, fleet, language)]
    if fleet.out_share:
        whole.append(
            t("÷ (1 − {share} out of service), rounded up", share=percent(fleet.out_share, language)).render(language)
        )
    return How(
        name=name + t("Replicas").render(language),
        formula=f"{''.join(formula)}; {', '.join(whole)}",
        values=tuple(values),
        result=whole_text(pool.replicas, language) or "?",
        source=". ".join(text.render(language) for text in source),
    )


def _standing_by(pool: Pool, fleet: Fleet, language: str) -> list[str]:
    """Say what stands by for replicas that fail: of spares and a lost zone the larger one, never both."""
    spare = t("1 spare") if fleet.spares == 1 else t("{count} spares", count=fleet.spares)
    zone = t("one of {zones} zones may be lost", zones=fleet.zones)
    if not fleet.spares or fleet.zones < 2:
        return [zone.render(language)] if fleet.zones > 1 else [spare.render(language)] if fleet.spares else []
    spared, zoned = standing_by(at_peak(pool, fleet), fleet)
    both = t(
        "the larger of {spared} ({spare}) and {zoned} ({zone})",
        spared=concurrency(spared, language),
        spare=spare,
        zoned=concurrency(zoned, language),
        zone=zone,
    )
    return [both.render(language)]


def _month(found: FleetAnswer, language: str) -> How | None:
    if found.month is None or found.hour is None or found.currency is None:
        return None
    values = [(t("replicas").render(language), whole_text(found.replicas, language) or "?")]
    if len(found.pools) == 1 and found.pools[0].each_hour is not None:
        each = money(found.pools[0].each_hour, found.currency, language)
        values.append((t("bill per hour of one replica").render(language), each))
    if found.fleet.node is not None and found.pools[0].nodes:
        values.append((t("whole nodes").render(language), whole_text(found.pools[0].nodes, language) or "?"))
    return How(
        name=t("Cost per month").render(language),
        formula=t("bill per hour of all replicas × 730 hours").render(language),
        values=(*values, (t("bill per hour of all replicas").render(language), _amount(found, "hour", language))),
        result=_amount(found, "month", language),
        source=t("730 hours: 8,760 hours of a year over 12").render(language),
    )


def _amount(found: FleetAnswer, name: str, language: str) -> str:
    return amount_text(getattr(found, name), found.currency or "", language) or "?"


def _used(found: FleetAnswer, language: str) -> How | None:
    if found.effective is None:
        return None
    mean = percent(found.curve.mean_share if found.curve else 1.0, language)
    return How(
        name=t("Used in the mean").render(language),
        formula=t("mean requests in flight ÷ (replicas × safe number)").render(language),
        values=(
            (t("requests in flight at the peak").render(language), rough_text(in_flight(found), language) or "?"),
            (t("mean over peak of the demand").render(language), mean),
            (t("replicas").render(language), whole_text(found.replicas, language) or "?"),
            (t("safe number").render(language), _safe(found, language)),
        ),
        result=percent(found.effective.used, language),
    )


def _token(found: FleetAnswer, language: str) -> How | None:
    cost, currency = found.effective, found.currency
    if cost is None or currency is None:
        return None
    return How(
        name=t("A million output tokens, whole bill on them").render(language),
        formula=t("bill per hour of all replicas × 10⁶ ÷ (3,600 × output tokens/s of the mean demand)").render(
            language
        ),
        values=(
            (t("bill per hour of all replicas").render(language), _amount(found, "hour", language)),
            (t("output tokens/s of the mean demand").render(language), _mean_tokens(found, language)),
            (t("at full load").render(language), amount_text(cost.full, currency, language) or "?"),
            (t("used in the mean").render(language), percent(cost.used, language)),
        ),
        result=amount_text(cost.cost, currency, language) or "?",
        source=_IDLE.render(language),
    )


def _mean_tokens(found: FleetAnswer, language: str) -> str:
    """Return the tokens that the bill is divided by, as it was."""
    hour, cost = found.hour, found.effective
    if hour is None or cost is None or not hour.mid or not cost.cost.mid:
        return "?"
    return plain(hour.mid * MILLION / SECONDS_PER_HOUR / cost.cost.mid, language)


def _safe(found: FleetAnswer, language: str) -> str:
    return " / ".join(concurrency(pool.safe, language) for pool in found.pools)


def _room(found: FleetAnswer, language: str) -> How | None:
    if found.growth is None:
        return None
    growth = percent(found.fleet.growth, language)
    sure = t(
        "replicas at work × safe number × what of its rate is sure × cautions ÷ demand − 1; first m with "
        "(1 + growth)^m above it"
    )
    plain_room = t("replicas at work × safe number × cautions ÷ demand − 1; first m with (1 + growth)^m above it")
    formula = sure if any(pool.sure_share < 1.0 for pool in found.pools) else plain_room
    return How(
        name=t("Headroom, and the month in which growth has used it").render(language),
        formula=formula.render(language),
        values=(
            (t("replicas at work").render(language), concurrency(working(found.pools, found.fleet), language)),
            (t("safe number").render(language), _safe(found, language)),
            (t("demand").render(language), rough_text(in_flight(found), language) or "?"),
            (t("growth a month").render(language), growth),
        ),
        result=", ".join(
            part
            for part in (share_text(found.growth.headroom, language), whole_text(found.growth.month, language))
            if part
        ),
    )
