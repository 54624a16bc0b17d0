"""Bought hardware as a person types it, the same wherever it stands: "capex:30000,years:4,interest:8%,power-kw:1.2"."""

from __future__ import annotations

import math
import re

from core.i18n import Text, t
from core.model.owned import Owned
from core.model.price_bounds import FIELDS, OWNED_FIELDS

EXAMPLE = "own=capex:30000,years:4,interest:8%,power-kw:1.2,tariff:0.12"
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_NEEDED = ("capex", "years")


class OwnedTextError(ValueError):
    """A key of bought hardware that cannot be read: `what` names it with the cause, `fix` says what it takes."""

    def __init__(self, what: Text, fix: Text) -> None:
        super().__init__(str(what))
        self.what, self.fix = what, fix


def parse_owned(text: str) -> Owned:
    """Read bought hardware: keys with a hyphen or an underscore, interest as "8%" or 0.08, numbers otherwise.

    The bounds of the numbers are those of `core.model.price_bounds`, which whoever keeps the hardware holds it to.

    Raises:
        OwnedTextError: the key at fault, and what it takes.

    >>> parse_owned("capex:30000,years:4,interest:8%,power-kw:1.2").interest
    0.08
    """
    said: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        key, colon, value = (each.strip() for each in part.partition(":"))
        name = key.lower().replace("-", "_")
        if name not in OWNED_FIELDS:
            raise _unknown(key)
        if name in said:
            raise OwnedTextError(t('Bought hardware has "{key}" twice', key=_key(name)), t("Give it once"))
        said[name] = _value(name, value if colon else "")
    lacking = next((name for name in _NEEDED if name not in said), None)
    if lacking:
        raise OwnedTextError(
            t('Bought hardware lacks "{key}"', key=_key(lacking)), t("Write for example {example}", example=EXAMPLE)
        )
    return Owned(**said)


def owned_text(owned: Owned) -> str:
    """Return what `parse_owned` reads as the same hardware; what was not said is left out.

    >>> owned_text(Owned(capex=30_000.0, years=4.0, interest=0.08))
    'capex:30000,years:4,interest:8%'
    """
    plain = Owned(capex=0.0, years=0.0)
    known = {name: getattr(owned, name) for name in OWNED_FIELDS}
    shown = {
        name: f"{value * 100.0:.12g}%" if name == "interest" else f"{value:.12g}"
        for name, value in known.items()
        if name in _NEEDED or value != getattr(plain, name)
    }
    return ",".join(f"{_key(name)}:{value}" for name, value in shown.items())


def _value(name: str, text: str) -> float:
    """Read a number; of interest also a percentage."""
    is_percent = name == "interest" and text.endswith("%")
    digits = text[:-1].strip() if is_percent else text
    number = float(digits) if _NUMBER.fullmatch(digits) else math.nan
    if not math.isfinite(number):
        raise _unreadable(name, text)
    # Per cent without the dust of the division: 7 % is 0.07.
    return float(f"{number / 100.0:.12g}") if is_percent else number


def _key(name: str) -> str:
    return name.replace("_", "-")


def _unreadable(name: str, value: str) -> OwnedTextError:
    wanted = t("0% to 100%, such as 8% or 0.08") if name == "interest" else FIELDS[name][1]
    return OwnedTextError(
        t('{key} of bought hardware cannot be "{said}"', key=_key(name), said=value[:60]),
        t("Give {wanted}", wanted=wanted),
    )


def _unknown(key: str) -> OwnedTextError:
    names = ", ".join(map(_key, OWNED_FIELDS))
    return OwnedTextError(
        t('Bought hardware has no "{key}"', key=key[:60]),
        t("Known are {names}", names=names),
    )
