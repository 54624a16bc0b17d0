"""Where a fleet costs as much as somebody's API, in words."""

from __future__ import annotations

from core.fleet.answer import BreakEven, FleetAnswer
from core.i18n import Text, t
from core.present.fleet_numbers import rough_text, whole_text

_LACKING: dict[tuple[str, ...], Text] = {
    ("input",): t("Against the API: unknown, its price of input is missing"),
    ("output",): t("Against the API: unknown, its price of output is missing"),
    ("input", "output"): t("Against the API: unknown, its prices of input and of output are missing"),
}


def api_text(each: BreakEven, found: FleetAnswer, language: str) -> Text:
    """Return from how many requests a month on the fleet is the cheaper one, or why that is not known."""
    if each.why == "no_price" and found.amounts and found.amounts.lacking:
        return _LACKING[found.amounts.lacking]
    if each.why == "no_volume" or each.volume is None or found.volume is None:
        return t("Against the API: unknown, the files do not give the tokens of a request, or not how long one takes")
    volume = rough_text(each.volume, language)
    now = rough_text(found.volume.requests, language) or "?"
    if volume is None:
        return t("The API stays the cheaper one at every size of the fleet (now {now} requests a month)", now=now)
    if each.month is None or each.month.count is None:
        return t(
            "The fleet is cheaper than the API from {volume} requests a month on (now {now}); without growth it does "
            "not come to that",
            volume=volume,
            now=now,
        )
    if each.month.count == 0:
        return t(
            "The fleet is cheaper than the API from {volume} requests a month on: now there are {now}",
            volume=volume,
            now=now,
        )
    return t(
        "The fleet is cheaper than the API from {volume} requests a month on (now {now}): in month {month}",
        volume=volume,
        now=now,
        month=whole_text(each.month, language) or "?",
    )
