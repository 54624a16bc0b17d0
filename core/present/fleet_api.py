"""Where a fleet costs as much as somebody's API, in words: which fleet, from where on for good, and what holds now."""

from __future__ import annotations

from core.fleet.answer import BreakEven, FleetAnswer
from core.i18n import Text, t
from core.model.answer import Interval
from core.present.fleet_numbers import ended, rough, rough_text, whole_text
from core.present.numbers import money, percent

_LACKING: dict[tuple[str, ...], Text] = {
    ("input",): t("Against the API: unknown, its price of input is missing"),
    ("output",): t("Against the API: unknown, its price of output is missing"),
    ("input", "output"): t("Against the API: unknown, its prices of input and of output are missing"),
}


_SAME = 1e-9
"""Share by which two bills may differ and still be the same one."""


def api_text(each: BreakEven, found: FleetAnswer, language: str) -> str:
    """Return from how many requests a month on the fixed fleet stays the cheaper one, or why that is not known.

    Then which of the two is cheaper today as planned, and the autoscaled fleet where it is cheaper than the API: the
    words hold the rows of the table of the ways to pay.
    """
    if each.why == "no_price" and found.amounts and found.amounts.lacking:
        return _LACKING[found.amounts.lacking].render(language)
    if each.why == "no_volume" or each.volume is None or found.volume is None:
        said = t("Against the API: unknown, the files do not give the tokens of a request, or not how long one takes")
        return said.render(language)
    parts = (_lasting(each, each.volume, language), *_today(found, language), _when(each, found, language))
    return ". ".join(part.render(language) for part in parts if part)


def _lasting(each: BreakEven, volume: Interval, language: str) -> Text:
    if volume.mid is None and volume.low is not None:
        return t(
            "Against the API: as planned the fixed fleet is at no size cheaper than the API; at the favourable end of "
            "its range it stays cheaper from {least} requests a month on",
            least=rough(volume.low, language),
        )
    if volume.mid is None:
        return t("Against the API: the fixed fleet is at no size cheaper than the API")
    from_on = _volume_text(volume, language)
    if each.first is None:
        return t(
            "Against the API: the fixed fleet is cheaper from {volume} requests a month on, and stays so",
            volume=from_on,
        )
    return t(
        "Against the API: the fixed fleet stays cheaper from {volume} requests a month on; below that its bill rises "
        "in whole replicas, so that it is cheaper only in parts, first at {first}",
        volume=from_on,
        first=rough(each.first, language),
    )


def _today(found: FleetAnswer, language: str) -> list[Text]:
    """Return how the bills of today compare, as the table of the ways to pay has them."""
    bills = {way.name: way.month.mid for way in found.ways}
    now = rough_text(found.volume.requests if found.volume else None, language) or "?"
    fixed, api, scaled = bills.get("rent", bills.get("own")), bills.get("api"), bills.get("autoscale")
    if fixed is None or api is None or found.currency is None:
        return [t("Now there are {now} requests a month", now=now)]
    amounts = {"fleet": money(fixed, found.currency, language), "api": money(api, found.currency, language)}
    if abs(fixed - api) <= _SAME * api:
        said = t("Now, with {now}, both cost the same as planned: {api} a month", now=now, api=amounts["api"])
    elif fixed < api:
        said = t(
            "Now, with {now}, the fixed fleet is cheaper as planned: {fleet} a month, the API {api}",
            now=now,
            **amounts,
        )
    else:
        said = t(
            "Now, with {now}, the API is cheaper as planned: {api} a month, the fixed fleet {fleet}",
            now=now,
            **amounts,
        )
    if scaled is None or scaled >= api * (1.0 - _SAME):
        return [said]
    less = t(
        "Autoscaled the fleet is cheaper than the API now: {scaled} a month",
        scaled=money(scaled, found.currency, language),
    )
    return [said, less]


def _when(each: BreakEven, found: FleetAnswer, language: str) -> Text | None:
    """Return when the demand comes to the volume that lasts, with what the ranges leave open."""
    volume, month = each.volume, each.month
    now = found.volume.requests if found.volume else None
    if volume is None or volume.mid is None or month is None or now is None:
        return None
    # Today's requests have a range too: ends that overlap may be either way round.
    may_be_now = volume.low is None or volume.low <= (now.high or now.mid or 0.0)
    may_be_later = volume.high is None or volume.high > (now.low or now.mid or 0.0)
    growth = found.fleet.growth
    if month.count == 0:
        return t("Whether that lasts is not certain yet: the two ranges overlap") if may_be_later else None
    if month.count is not None:
        return t(
            "At {growth} more demand a month the fixed fleet stays cheaper from month {month} on",
            growth=percent(growth, language),
            month=whole_text(month, language) or "?",
        )
    if may_be_now:
        return t("Without growth that may hold already, or never: the two ranges overlap")
    if growth > 0.0:
        return t("At {growth} more demand a month it does not come to that", growth=percent(growth, language))
    return t("Without growth it does not come to that")


def _volume_text(volume: Interval, language: str) -> str:
    mid, low, high = (None if end is None else rough(end, language) for end in (volume.mid, volume.low, volume.high))
    return mid or "?" if low == high == mid else ended(mid or "?", low, high, language)
