"""A fleet as a person types it: on the command line, and in an address."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from core.errors import UsageError
from core.i18n import t
from core.model.fleet import DAYS, ApiPrice, Fleet
from core.model.owned import Owned
from core.model.owned_text import OwnedTextError, owned_text, parse_owned

_LONGEST = 1_000
_PLAIN: dict[str, tuple[str, str]] = {
    "growth": ("growth", "%"),
    "ahead": ("ahead", ""),
    "burst": ("burst", ""),
    "ceiling": ("ceiling", "%"),
    "spares": ("spares", ""),
    "zones": ("zones", ""),
    "out": ("out_share", "%"),
    "node": ("node", ""),
    "floor": ("floor", ""),
    "start": ("start_s", "s"),
    "reserved": ("reserved", ""),
    "budget": ("budget", ""),
}
"""Field and unit by the word that is typed."""
_WHOLE = frozenset({"ahead", "spares", "zones", "node", "floor"})
_DAYS = {word: field for field, word in DAYS.items()}
_WORDS = (*_PLAIN, *_DAYS, "api", "own", "serve", "day")
EXAMPLE = "growth=5% ahead=6 spares=1 ceiling=80%"


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetText:
    """A fleet as read, and the id of the preset that its demand follows over the day, "" for none."""

    fleet: Fleet
    day: str = ""


def parse_fleet(text: str) -> FleetText:
    """Read a fleet such as "growth=5% ahead=6 spares=1 ceiling=80% out=2% node=8 api=0.5/1.5/0.1 day=office".

    Args:
        text: words in any order. `api` holds money per million input, output and, where it is known, cached input
            tokens, empty where one is not known, as in api=/1.5; `own` what hardware costs to buy, as
            `core.model.owned_text` reads it; `serve` a run for each kind of request, in their order; `reserved-as-of`,
            `own-as-of` and `api-as-of` the day of that price.

    Raises:
        UsageError: "fleet.unreadable", and those of `Fleet`.

    >>> parse_fleet("growth=5% spares=1").fleet.growth
    0.05
    """
    said: dict[str, object] = {}
    day = ""
    for word in text[:_LONGEST].split():
        name, equals, value = word.partition("=")
        name = name.lower()
        if not equals or not value or name not in _WORDS:
            raise _unreadable(word)
        if name == "day":
            day = value.lower()
        elif name in _DAYS:
            said[_DAYS[name]] = value
        elif name == "serve":
            said["served_by"] = tuple(part for part in value.split(",") if part)
        elif name in ("api", "own"):
            said["api" if name == "api" else "owned"] = _api(value, word) if name == "api" else _owned(value)
        else:
            field, unit = _PLAIN[name]
            number = _number(value, unit, word)
            said[field] = _whole(number, word) if name in _WHOLE else number
    return FleetText(fleet=replace(Fleet(), **said), day=day)  # type: ignore[arg-type]  # fields by their names


def without_serve(text: str) -> tuple[str, str | None]:
    """Return a fleet as typed without its `serve`, and what that names: a run's label may hold spaces.

    >>> without_serve("growth=5% serve=8 × H200, b spares=1"), without_serve("spares=1")
    (('growth=5%  spares=1', '8 × H200, b'), ('spares=1', None))
    """
    found = _SERVE.search(text)
    return (text[: found.start()] + text[found.end() :], found[1].strip()) if found else (text, None)


_SERVE = re.compile(rf"(?<!\S)serve=(.*?)(?=\s+(?:{'|'.join(_WORDS)})=|\s*$)", re.IGNORECASE | re.DOTALL)


def fleet_text(fleet: Fleet, day: str = "") -> str:
    """Return what `parse_fleet` reads as the same fleet; its curve is only the id of a preset, where it is one.

    >>> fleet_text(Fleet(growth=0.05, spares=1), "office")
    'growth=5% spares=1 day=office'
    """
    plain = Fleet()
    words = [
        f"{name}={_shown(getattr(fleet, field), unit)}"
        for name, (field, unit) in _PLAIN.items()
        if getattr(fleet, field) != getattr(plain, field)
    ]
    if fleet.api:
        parts = ["" if part is None else f"{part:.12g}" for part in (fleet.api.input, fleet.api.output)]
        words.append("api=" + "/".join([*parts, *([] if fleet.api.cached is None else [f"{fleet.api.cached:.12g}"])]))
    if fleet.owned:
        words.append(f"own={owned_text(fleet.owned)}")
    words += [f"{word}={getattr(fleet, field)}" for word, field in _DAYS.items() if getattr(fleet, field)]
    if fleet.served_by and all(name and not set(name) & set(" ,\t") for name in fleet.served_by):
        words.append("serve=" + ",".join(fleet.served_by))
    return " ".join((*words, *([f"day={day}"] if day else [])))


_BELOW_ZERO = re.compile(r"-(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?[%a-z]*", re.IGNORECASE | re.ASCII)


def _shown(value: float, unit: str) -> str:
    return f"{value * 100.0:.12g}%" if unit == "%" else f"{value:.12g}{unit}"


def _api(value: str, word: str) -> ApiPrice:
    parts = [_number(part, "", word) if part else None for part in value.split("/")]
    if len(parts) not in (2, 3):
        raise _unreadable(word)
    return ApiPrice(input=parts[0], output=parts[1], cached=parts[2] if len(parts) == 3 else None)


def _owned(value: str) -> Owned:
    try:
        return parse_owned(value)
    except OwnedTextError as error:
        raise UsageError(
            "fleet.unreadable", t("own= in the fleet cannot be read: {why}", why=error.what), fix=error.fix
        ) from error


def _number(text: str, unit: str, word: str) -> float:
    """Read a plain number; with the unit %, "5%" and "0.05" are the same."""
    is_share = unit == "%" and text.endswith("%")
    digits = text[:-1] if is_share or (unit == "s" and text.endswith("s")) else text
    plain = digits.isascii() and digits.replace(".", "", 1).replace("e-", "", 1).replace("e+", "", 1).isalnum()
    try:
        value = float(digits) if plain else math.nan
    except ValueError:
        value = math.nan
    if _BELOW_ZERO.fullmatch(text):
        raise UsageError(
            "fleet.out_of_range",
            t('"{word}" is out of range: below zero', word=word[:60]),
            fix=t("Give a number from 0 up"),
        )
    if not (math.isfinite(value) and value >= 0.0):
        raise _unreadable(word)
    return float(f"{value / 100.0:.12g}") if is_share else value


def _whole(number: float, word: str) -> int:
    if not number.is_integer() or number > 1e9:
        raise _unreadable(word)
    return int(number)


_AMOUNTS = {"reserved": "reserved=1.60", "budget": "budget=100000", "api": "api=0.5/2/0.1"}
"""How an amount is written: by every word of money but `own`, which has rules of its own."""


def _unreadable(word: str) -> UsageError:
    what = t('Cannot read "{word}" in the fleet', word=word[:60])
    amount = _AMOUNTS.get(word.partition("=")[0].lower())
    if amount:
        wanted = t("Write numbers alone, in the currency of the price, such as {example}", example=amount)
        return UsageError("fleet.unreadable", what, fix=wanted)
    return UsageError(
        "fleet.unreadable",
        what,
        fix=t('Write it as "{example}"; known are {names}', example=EXAMPLE, names=", ".join(_WORDS)),
    )
