"""How the month of a fleet and the other ways to pay for it were worked out: formulas with their values."""

from __future__ import annotations

import numpy as np

from core.fleet.amounts import Amounts
from core.fleet.answer import FleetAnswer, Numbers, Way
from core.fleet.volume import SECONDS_PER_MONTH
from core.i18n import Text, t
from core.model.answer import Interval
from core.present.fleet_numbers import amount_text, rough, rough_text, whole_text
from core.present.fleet_tables import WAYS
from core.present.how import How
from core.present.numbers import concurrency, money, percent, plain, whole_time
from core.present.replicas import demand_text

_DUST = 1e-9

Values = tuple[tuple[str, str], ...]


def accelerators_how(found: FleetAnswer, language: str = "en") -> How | None:
    """Return how many accelerators are paid for, None where nobody said how many a replica has."""
    result = whole_text(found.accelerators, language)
    each = found.pools[0].accelerators if len(found.pools) == 1 else None
    if result is None or each is None:
        return None
    values = [_replicas(found, language), (t("accelerators of one replica").render(language), plain(each, language))]
    formula = t("replicas × accelerators of one replica")
    nodes = found.pools[0].nodes
    if nodes and found.fleet.node is not None:
        formula = t("whole nodes × accelerators per node")
        values += [
            (t("whole nodes").render(language), whole_text(nodes, language) or "?"),
            (t("Accelerators per node").render(language), concurrency(found.fleet.node, language)),
        ]
    return How(
        name=t("Accelerators").render(language), formula=formula.render(language), values=tuple(values), result=result
    )


def volume_how(found: FleetAnswer, language: str = "en") -> How | None:
    """Return how the requests of a month were counted, None where they are not known."""
    volume = found.volume
    if volume is None or volume.requests.mid is None:
        return None
    return How(
        name=t("Requests a month").render(language),
        formula=t("requests/s of the mean demand × 3,600 × 730 hours").render(language),
        values=(
            (t("demand at the peak").render(language), demand_text(found.demand, language)),
            _mean(found, language),
            (
                t("requests/s of the mean demand").render(language),
                rough(volume.requests.mid / SECONDS_PER_MONTH, language),
            ),
        ),
        result=rough_text(volume.requests, language) or "?",
    )


def scaled_hows(found: FleetAnswer, language: str = "en") -> tuple[How, ...]:
    """Return how the mean replicas of both autoscalers were counted, () without a day."""
    over = found.over_time
    if over is None:
        return ()
    steps = (
        t("steps").render(language),
        f"{concurrency(len(over.needed), language)} × {whole_time(over.step_s, language)}",
    )
    ahead = (over.mean_scaled.mid or 0.0) - float(over.scaled.mean())
    early = t("more in the mean, since one has to start before the next step").render(language)
    start = whole_time(found.fleet.start_s, language) if found.fleet.start_s else "0"
    scaled = t(
        "mean over the steps of the most replicas needed from then until one ordered then would serve, with every "
        "caution but the room for growth"
    )
    return (
        How(
            name=t("Replicas, autoscaled").render(language),
            formula=scaled.render(language),
            values=(
                steps,
                (t("start of a replica").render(language), start),
                (t("never fewer than").render(language), concurrency(found.fleet.floor, language)),
                *_over_steps(over.scaled, language),
                *([(early, f"+{plain(ahead, language)}")] if ahead > _DUST else []),
            ),
            result=rough_text(over.mean_scaled, language) or "?",
        ),
        How(
            name=t("Replicas, perfect autoscaler").render(language),
            formula=t("mean over the steps of requests in flight ÷ safe number, rounded up in each").render(language),
            values=(
                steps,
                (t("safe number").render(language), _safe(found, language)),
                *_over_steps(over.needed, language),
            ),
            result=rough_text(over.mean_needed, language) or "?",
        ),
    )


def _over_steps(counts: Numbers, language: str) -> Values:
    """Return what the mean of replicas over the steps is made of."""
    return (
        (t("fewest in a step").render(language), plain(float(counts.min()), language)),
        (t("most in a step").render(language), plain(float(counts.max()), language)),
        (t("replicas of all steps together").render(language), plain(float(counts.sum()), language, digits=9)),
    )


def ways_hows(found: FleetAnswer, language: str = "en") -> tuple[How, ...]:
    """Return how each other way to pay was worked out; the first one is the cost per month itself."""
    return tuple(how for way in found.ways[1:] if (how := _way(way, found, language)) is not None)


def _way(way: Way, found: FleetAnswer, language: str) -> How | None:
    formula, values = _told(way, found, language)
    result = _amount(way.month, found, language)
    return How(name=WAYS[way.name].render(language), formula=formula.render(language), values=values, result=result)


def _told(way: Way, found: FleetAnswer, language: str) -> tuple[Text, Values]:
    over = found.over_time
    month = (t("Cost per month").render(language), _amount(found.month, found, language))
    asked = found.amounts or Amounts()
    reserved = _money(asked.reserved, found, language)
    share = next((each.share for each in found.break_even if each.name == "reserve"), None) or 0.0
    match way.name:
        case "autoscale" | "perfect":
            mean = (over.mean_scaled if way.name == "autoscale" else over.mean_needed) if over else None
            formula = t("mean replicas × bill per hour of one replica × 730 hours")
            return formula, (
                (t("mean replicas").render(language), rough_text(mean, language) or "?"),
                _each(found, language),
            )
        case "reserve":
            formula = t("cost per month × reserved price ÷ rent")
            values = (
                month,
                (t("reserved price per hour").render(language), reserved),
                (t("reserved price ÷ rent").render(language), percent(share, language)),
            )
            return formula, values
        case "reserve_base":
            return _split(way, share, found, language)
        case "own":
            formula = t("cost per month × cost of ownership per hour ÷ rent per hour")
            owned = _money(asked.owned, found, language)
            return formula, (month, (t("cost of ownership per hour").render(language), owned))
        case _:
            return _api(found, language)


def _split(way: Way, share: float, found: FleetAnswer, language: str) -> tuple[Text, Values]:
    over, base = found.over_time, way.base or 0
    formula = t(
        "autoscaled cost per month × (reserved replicas × reserved price ÷ rent + mean replicas above them) ÷ mean "
        "replicas"
    )
    if over is None:
        return formula, ()
    values = (
        (t("autoscaled cost per month").render(language), _amount(over.month_scaled, found, language)),
        (t("reserved replicas").render(language), concurrency(base, language)),
        (t("reserved price ÷ rent").render(language), percent(share, language)),
        (
            t("mean replicas above them").render(language),
            plain(float(np.maximum(over.scaled - base, 0.0).mean()), language),
        ),
        (t("mean replicas").render(language), plain(float(over.scaled.mean()), language)),
    )
    return formula, values


def _api(found: FleetAnswer, language: str) -> tuple[Text, Values]:
    api, volume = found.amounts, found.volume
    formula = t("requests a month × (input tokens × price of input + output tokens × price of output) ÷ 10⁶")
    if api is None or volume is None:
        return formula, ()
    values = [
        (t("requests a month").render(language), rough_text(volume.requests, language) or "?"),
        (t("input tokens").render(language), plain(volume.input_tokens or 0.0, language, digits=6)),
        (t("price of input").render(language), _money(api.input, found, language)),
        (t("output tokens").render(language), plain(volume.output_tokens or 0.0, language, digits=6)),
        (t("price of output").render(language), _money(api.output, found, language)),
    ]
    if api.cached is not None and volume.cached:
        values += [
            (t("cached share of the input").render(language), percent(volume.cached, language)),
            (t("price of cached input").render(language), _money(api.cached, found, language)),
        ]
    return formula, tuple(values)


def _replicas(found: FleetAnswer, language: str) -> tuple[str, str]:
    return t("replicas").render(language), whole_text(found.replicas, language) or "?"


def _mean(found: FleetAnswer, language: str) -> tuple[str, str]:
    share = found.curve.mean_share if found.curve else 1.0
    return t("mean over peak of the demand").render(language), percent(share, language)


def _safe(found: FleetAnswer, language: str) -> str:
    return " / ".join(concurrency(pool.safe, language) for pool in found.pools)


def _each(found: FleetAnswer, language: str) -> tuple[str, str]:
    rates = " / ".join(_money(pool.each_hour, found, language) for pool in found.pools)
    return t("bill per hour of one replica").render(language), rates


def _money(amount: float | None, found: FleetAnswer, language: str) -> str:
    return "?" if amount is None or found.currency is None else money(amount, found.currency, language)


def _amount(found_amount: Interval | None, found: FleetAnswer, language: str) -> str:
    return amount_text(found_amount, found.currency or "", language) or "?"
