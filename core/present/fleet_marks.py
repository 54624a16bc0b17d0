"""How old the prices of the ways to pay for a fleet are, each with the day that somebody gave for it."""

from __future__ import annotations

from core.fleet.answer import FleetAnswer
from core.i18n import t
from core.model.fleet import Fleet
from core.present.dated import Dated, bill_marks
from core.present.names import SEPARATOR
from core.present.price_words import age_mark

_RESERVED = frozenset({"reserve", "reserve_base"})
_OF_THE_BILL = frozenset({"rent", "autoscale", "perfect", "reserve_base"})
"""Ways that pay what the bill is made of, or a part of it; so does the first of a fleet's ways."""


def day_of(name: str, fleet: Fleet) -> str:
    """Return the day of the price that was typed for another way to pay, "" where nobody said.

    Args:
        name: of the way, as `core.fleet.answer.Way` has it.
        fleet: as it was typed.
    """
    if name in _RESERVED:
        return fleet.reserved_as_of
    if name == "own" and fleet.owned is not None:
        return fleet.owned_as_of
    return fleet.api_as_of if name == "api" else ""


def way_marks(name: str, found: FleetAnswer, dated: Dated, language: str = "en") -> tuple[str, ...]:
    """Return what is to be said of the prices that a way to pay rests on: old, of no known day, uncertain."""
    if dated.today is None:
        return ()
    day = day_of(name, found.fleet)
    own = age_mark(day, dated.today, language) if day else None
    is_bill = name in _OF_THE_BILL or any(way.name == name for way in found.ways[:1])
    rent = bill_marks([pool.answer for pool in found.pools], dated, language) if is_bill else ()
    return tuple(dict.fromkeys((*([own] if own else []), *rent)))


def dated_text(said: str, name: str, found: FleetAnswer, dated: Dated, language: str = "en") -> str:
    """Return what is said of a way to pay with the day of its price behind it, and that the price is old."""
    day = day_of(name, found.fleet)
    parts = [t("price of {day}", day=day).render(language)] if day else []
    return SEPARATOR.join((said, *parts, *way_marks(name, found, dated, language)))
