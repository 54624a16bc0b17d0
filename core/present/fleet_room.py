"""How much more demand a fleet has room for, and when growth exceeds it, in words."""

from __future__ import annotations

from core.fleet.answer import FleetAnswer, Growth
from core.i18n import Text, t
from core.present.fleet_numbers import share_text, whole_text
from core.present.numbers import percent


def headroom_text(found: FleetAnswer, language: str = "en") -> str | None:
    """Return how much more demand a fleet has room for, and when growth exceeds it; None where that is not known."""
    if found.growth is None or found.growth.headroom.mid is None:
        return None
    said = _room(found, found.growth, language)
    if all(pool.sure_share >= 1.0 for pool in found.pools):
        return said
    # What a token costs is told from the rate itself: beside it the two would seem to contradict each other.
    share = " / ".join(percent(pool.sure_share, language) for pool in found.pools)
    sure = t("with {share} of the measured rate, which nine in ten surely have", share=share)
    return f"{said} ({sure.render(language)})"


def _room(found: FleetAnswer, told: Growth, language: str) -> str:
    growth, month, room = found.fleet.growth, told.month, share_text(told.headroom, language) or "?"
    if growth <= 0.0:
        said = t("Room for {room} more demand with the same cautions; no growth is given", room=room)
        return said.render(language)
    if month.count is None:
        lasting = t("Room for {room} more demand: at {growth} a month it is never exceeded", room=room)
        return Text(lasting.msgid, {**lasting.values, "growth": percent(growth, language)}).render(language)
    said = t(
        "Room for {room} more demand: at {growth} a month it is exceeded in month {month}",
        room=room,
        growth=percent(growth, language),
        month=whole_text(month, language) or "?",
    )
    return said.render(language)
