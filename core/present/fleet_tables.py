"""The tables of a fleet: what each caution adds, the ways to pay, the fleet itself, the day step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from core.fleet.answer import Added, BreakEven, FleetAnswer, OverTime, Way, Whole
from core.fleet.pools import estimate
from core.i18n import Text, t
from core.model.answer import Interval
from core.model.demand_curve import HOUR_S
from core.present.dated import UNDATED, Dated
from core.present.fleet_api import api_text
from core.present.fleet_marks import dated_text
from core.present.fleet_numbers import added_text, amount_text, rough_text, share_text, whole_text
from core.present.fleet_owning import own_text, reserve_text
from core.present.fleet_words import CAUTIONS
from core.present.numbers import concurrency, money, percent, plain, whole_time
from core.present.replicas import DEMANDS, demand_text

End3 = tuple[float | None, float | None, float | None]

REPLICAS, HOUR, MONTH = t("Replicas"), t("Cost per hour"), t("Cost per month")
"""Rows of the table of a fleet that a workbook works out anew."""

AUTOSCALED, PERFECT = t("Replicas, autoscaled"), t("Replicas, perfect autoscaler")
"""Rows of the same table whose bill a workbook works out anew."""

WAYS: dict[str, Text] = {
    "rent": t("Rented, fixed"),
    "autoscale": t("Rented, autoscaled"),
    "perfect": t("Rented, perfect autoscaler (a bound)"),
    "reserve": t("Reserved, all of it"),
    "reserve_base": t("Part reserved, the rest rented as needed"),
    "own": t("Owned"),
    "api": t("Bought as tokens (API)"),
}

_DENOMINATORS: dict[str, Text] = {
    "rent": t("every replica, every hour of the month"),
    "autoscale": t("replica-hours that an autoscaler pays for"),
    "perfect": t("replica-hours that the demand needs at the least"),
    "reserve": t("every replica, every hour, at the reserved price"),
    "reserve_base": t("{base} reserved, the others rented for the hours that need them"),
    "own": t("every replica, every hour, at the cost of ownership"),
    "api": t("tokens of the month at the API's prices"),
}
"""What each amount is counted over."""


def _column(cells: Iterable[str | None]) -> pd.Series[str]:
    return pd.Series(list(cells), dtype="str")


def cautions_table(found: FleetAnswer, language: str = "en") -> pd.DataFrame:
    """Return one row for each caution: its setting, what it adds alone, on top of those before it, and in money."""
    rows = found.added
    frame = pd.DataFrame(
        {
            t("Caution").render(language): _column(CAUTIONS[each.caution].render(language) for each in rows),
            t("Setting").render(language): _column(setting_text(each, found, language) for each in rows),
            t("Replicas it adds alone").render(language): _column(added_text(each.alone, language) for each in rows),
            t("On top of those above").render(language): _column(added_text(each.stacked, language) for each in rows),
        }
    )
    if found.currency and all(each.stacked_month is not None for each in rows):
        frame[t("On top, a month").render(language)] = _column(
            money(each.stacked_month or 0.0, found.currency, language) for each in rows
        )
    return frame


def setting_text(each: Added, found: FleetAnswer, language: str = "en") -> str:
    """Return how a caution was set."""
    fleet, pools = found.fleet, found.pools
    match each.caution.value:
        case "safe_number":
            said = t(
                "{safe} instead of {estimate}",
                safe=" / ".join(concurrency(pool.safe, language) for pool in pools),
                estimate=" / ".join(concurrency(estimate(pool), language, decimals=1) for pool in pools),
            )
            if any(pool.sure_share < 1.0 for pool in pools):
                share = " / ".join(percent(pool.sure_share, language) for pool in pools)
                sure = t("{share} of its rate, nine in ten", share=share)
                return f"{said.render(language)}, {sure.render(language)}"
        case "growth_room":
            said = t("{months} months at {growth}", months=fleet.ahead, growth=percent(fleet.growth, language))
        case "burst":
            said = t("{factor} times the mean", factor=plain(fleet.burst, language))
        case "ceiling":
            said = t("at most {share} of the safe number", share=percent(fleet.ceiling, language))
        case "spares":
            spare = t("{count} more than needed", count=fleet.spares) if fleet.spares else None
            zone = t("one of {zones} zones may be lost", zones=fleet.zones) if fleet.zones > 1 else None
            return ", ".join(text.render(language) for text in (spare, zone) if text)
        case "out_of_service":
            said = t("{share} of the time", share=percent(fleet.out_share, language))
        case _:
            said = t("{count} accelerators each", count=fleet.node or 0)
    return said.render(language)


def ways_table(found: FleetAnswer, language: str = "en", dated: Dated = UNDATED) -> pd.DataFrame:
    """Return one row for each way to pay for the same demand, with what its amount is counted over.

    `dated` tells which prices are old.
    """
    currency = found.currency or ""
    return pd.DataFrame(
        {
            t("Way to pay").render(language): _column(WAYS[way.name].render(language) for way in found.ways),
            t("A month (range)").render(language): _column(
                amount_text(way.month, currency, language) for way in found.ways
            ),
            t("Counted over").render(language): _column(
                counted_over(way, found, language, dated) for way in found.ways
            ),
        }
    )


def counted_over(way: Way, found: FleetAnswer, language: str = "en", dated: Dated = UNDATED) -> str:
    """Return what the amount of a way to pay is counted over, with the day and the age of its price where known."""
    said = _DENOMINATORS[way.name]
    api = found.fleet.api
    if way.name == "api" and api and api.cached is not None and found.volume and found.volume.cached is None:
        said = t("tokens of the month at the API's prices; how much input is cached is unknown, so none is")
    text = Text(said.msgid, {"base": concurrency(way.base or 0, language)}).render(language)
    return dated_text(text, way.name, found, dated, language)


def fleet_table(found: FleetAnswer, language: str = "en") -> pd.DataFrame:
    """Return the fleet as a table: one row for each number, with its range and what it is counted in."""
    rows = fleet_rows(found, language)
    return pd.DataFrame(
        {
            t("Number").render(language): _column(row.name.render(language) for row in rows),
            t("Value (range)").render(language): _column(row.text for row in rows),
            t("Counted in").render(language): _column(row.unit.render(language) if row.unit else None for row in rows),
        }
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a fleet: as it is read, and as it is for a file.

    Attributes:
        value: low, mid and high, unrounded; None is open or unknown. is_money: in the currency of the fleet.
    """

    name: Text
    text: str
    unit: Text | None
    value: End3
    is_money: bool = False


def fleet_rows(found: FleetAnswer, language: str = "en") -> tuple[Row, ...]:
    """Return every number of a fleet that is known."""
    over, cost, volume, growth = found.over_time, found.effective, found.volume, found.growth
    replicas, months, all_tokens = t("all replicas"), t("months from today"), _TOKENS
    rows = [
        _row(
            t("Demand at the peak"),
            demand_text(found.demand, language),
            DEMANDS[found.demand.kind],
            _alone(found.demand.peak),
        ),
        _rough(t("Requests in flight at the peak"), in_flight(found), t("all replicas together"), language),
        _whole(REPLICAS, found.replicas, t("copies of what was measured"), language),
        _whole(t("Accelerators"), found.accelerators, t("paid for"), language),
        _amount(HOUR, found.hour, replicas, found.currency, language),
        _amount(MONTH, found.month, t("730 hours of all replicas"), found.currency, language),
    ]
    if cost:
        used = _row(
            t("Used in the mean"),
            percent(cost.used, language),
            t("of the safe numbers of all replicas"),
            _alone(cost.used),
        )
        rows += [
            _amount(t("Cost in this fleet"), cost.cost, all_tokens, found.currency, language),
            _amount(t("Cost at full load"), cost.full, all_tokens, found.currency, language),
            used,
        ]
    if volume:
        mean = t("mean, as measured")
        rows += [
            _rough(t("Requests a month"), volume.requests, t("the mean demand over 730 hours"), language),
            _tokens(t("Output tokens of a request"), volume.output_tokens, mean, language),
            _tokens(t("Input tokens of a request"), volume.input_tokens, mean, language),
        ]
    if over:
        rows += [
            _rough(AUTOSCALED, over.mean_scaled, t("mean over the time given"), language),
            _rough(PERFECT, over.mean_needed, _bound(over, language), language),
        ]
    if growth:
        room = growth.headroom
        rows += [
            _row(t("Headroom"), share_text(room, language), t("of today's demand"), (room.low, room.mid, room.high)),
            _whole(t("Exceeded in month"), growth.month, months, language),
        ]
    return tuple(row for row in rows if row is not None)


def _bound(over: OverTime, language: str) -> Text:
    return t("a lower bound of the mean, in steps of {step}", step=whole_time(over.step_s, language))


_TOKENS = t("a million output tokens, the whole bill on them")


def _row(name: Text, text: str | None, unit: Text | None, value: End3, *, is_money: bool = False) -> Row | None:
    return None if text is None else Row(name, text, unit, value, is_money)


def _whole(name: Text, found: Whole, unit: Text, language: str) -> Row | None:
    return _row(name, whole_text(found, language), unit, (found.fewest, found.count, found.most))


def _rough(name: Text, found: Interval | None, unit: Text, language: str) -> Row | None:
    value = (found.low, found.mid, found.high) if found else (None, None, None)
    return _row(name, rough_text(found, language), unit, value)


def _amount(name: Text, found: Interval | None, unit: Text, currency: str | None, language: str) -> Row | None:
    value = (found.low, found.mid, found.high) if found else (None, None, None)
    return _row(name, amount_text(found, currency or "", language), unit, value, is_money=True)


def _alone(value: float) -> End3:
    return (None, value, None)


def _tokens(name: Text, value: float | None, unit: Text, language: str) -> Row | None:
    """Return tokens of one request: whole, as they were asked for, where three digits would change them."""
    if value is None:
        return None
    whole = value >= _WHOLE_FROM
    return _row(name, concurrency(value, language) if whole else plain(value, language), unit, _alone(value))


_WHOLE_FROM = 100.0


def in_flight(found: FleetAnswer) -> Interval:
    """Return the requests in flight at the peak of all pools together."""
    return _summed([pool.in_flight for pool in found.pools])


def _summed(spans: list[Interval]) -> Interval:
    def total(values: list[float | None]) -> float | None:
        return None if None in values else sum(value or 0.0 for value in values)

    return Interval(
        low=total([span.low for span in spans]),
        mid=total([span.mid for span in spans]),
        high=total([span.high for span in spans]),
    )


def day_table(found: FleetAnswer, language: str = "en") -> pd.DataFrame | None:
    """Return one row for each step of the demand over time, None where none is given."""
    return None if found.over_time is None else steps_table(found.over_time, language)


def steps_table(over: OverTime, language: str = "en") -> pd.DataFrame:
    """Return one row for each step of a demand over time."""
    hours = [at * over.step_s / HOUR_S for at in range(len(over.in_flight))]
    return pd.DataFrame(
        {
            t("Hour").render(language): pd.Series(hours, dtype="Float64"),
            t("Requests in flight").render(language): pd.Series(over.in_flight.round(6), dtype="Float64"),
            t("Fixed fleet").render(language): pd.Series([over.fixed] * len(hours), dtype="Int64"),
            t("Autoscaled").render(language): pd.Series(over.scaled, dtype="Float64"),
            t("Perfect autoscaler").render(language): pd.Series(over.needed, dtype="Float64"),
        }
    )


def pools_table(found: FleetAnswer, language: str = "en") -> pd.DataFrame:
    """Return one row for each run that serves a part of the demand."""
    pools = found.pools
    frame = pd.DataFrame(
        {
            t("Run").render(language): _column(pool.answer.run.label for pool in pools),
            t("Share of the requests").render(language): _column(percent(pool.share, language) for pool in pools),
            t("Safe number of one replica").render(language): _column(
                concurrency(pool.safe, language) for pool in pools
            ),
            t("Replicas").render(language): _column(whole_text(pool.replicas, language) for pool in pools),
        }
    )
    if any(pool.nodes for pool in pools):
        frame[t("Nodes").render(language)] = _column(
            whole_text(pool.nodes, language) if pool.nodes else None for pool in pools
        )
    return frame


def break_even_texts(found: FleetAnswer, language: str = "en", dated: Dated = UNDATED) -> tuple[str, ...]:
    """Return a sentence for each other way to pay: from where on the fleet is the cheaper one.

    Behind it stand the day of that price and whether it is old.
    """
    return tuple(
        dated_text(_break_even(each, found, language), each.name, found, dated, language) for each in found.break_even
    )


def _break_even(each: BreakEven, found: FleetAnswer, language: str) -> str:
    match each.name:
        case "reserve":
            return reserve_text(each, language)
        case "own":
            return own_text(each, found, language)
        case _:
            return api_text(each, found, language)
