"""Fields of the fleet: each shows what the session holds, and changes one thing of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TypeVar

import streamlit as st

from core.errors import PlimsollError
from core.i18n import Text
from core.model.fleet import Fleet
from pages.parts import fleet_state, keys
from pages.parts.errors import attempt
from pages.parts.number import optional_number, refuse, taken, tell_refused
from pages.parts.speech import say
from pages.parts.state import seed

PERCENT = 100.0

Number = TypeVar("Number", int, float)


def standing(name: str, value: Number, none: Number) -> Number | None:
    """Return what a field shows of a number that means none: that where it was typed there, else nothing.

    Args:
        name: of the field.
        value: as the session holds it.
        none: the number that an empty field stands for.
    """
    key = keys.of(keys.FLEET, name)
    return value if value != none or st.session_state.get(key) == none else None


def number(
    name: str,
    label: Text,
    value: float | None,
    take: Callable[[Fleet, float | None], Fleet],
    *,
    most: float,
    least: float | None = 0.0,
    hint: str = "",
    tip: str | None = None,
) -> None:
    """Draw a field for a number, empty where it is None.

    Args:
        name: of the field, told apart from the others.
        label: what it is.
        value: as the session holds it, in the unit of the field.
        take: returns the fleet with what was typed; None is empty.
        most: largest value that is taken.
        least: smallest one; None is everything above 0.
        hint: stands in the empty field, in the language in use.
        tip: behind the label, as Markdown.
    """
    key = keys.of(keys.FLEET, name)
    shown = None if value is None else float(f"{value:.9g}")
    optional_number(
        say(label),
        shown,
        key,
        most=float(most),
        least=least,
        take=partial(_take, key, say(label), take),
        hint=hint,
        tip=tip,
    )


def whole(
    name: str,
    label: Text,
    value: int | None,
    take: Callable[[Fleet, int | None], Fleet],
    *,
    most: int,
    least: int = 0,
    hint: str = "",
    tip: str | None = None,
) -> None:
    """Draw a field for a whole number; see `number`."""
    key = keys.of(keys.FLEET, name)
    optional_number(
        say(label),
        value,
        key,
        most=most,
        least=least,
        take=partial(_take_whole, key, say(label), take),
        hint=hint,
        tip=tip,
    )


def slider(
    name: str,
    label: Text,
    value: float,
    take: Callable[[Fleet, float], Fleet],
    *,
    ends: tuple[float, float, float],
    unit: str = "",
    tip: str | None = None,
) -> None:
    """Draw a slider; `ends` are its lowest and highest value and its step, and a value beyond them is shown at one."""
    key = keys.of(keys.FLEET, name)
    low, high, step = ends
    seed(key, min(max(value, low), high))
    st.slider(
        say(label),
        min_value=low,
        max_value=high,
        step=step,
        format=f"%g{unit.replace('%', '%%')}",
        key=key,
        help=tip,
        on_change=_slide,
        args=(key, say(label), take),
    )
    tell_refused(key)


def day(name: str, label: Text, value: str, take: Callable[[Fleet, str], Fleet], *, tip: str | None = None) -> None:
    """Draw a field for a day, ISO 8601; a month or a year alone is shown as none, "" is none."""
    key = keys.of(keys.FLEET, name)
    seed(key, date.fromisoformat(value) if len(value) == _WHOLE_DAY else None)
    st.date_input(say(label), value=None, key=key, help=tip, on_change=_take_day, args=(key, say(label), take))
    tell_refused(key)


_WHOLE_DAY = len("2026-11-30")


def _take_day(key: str, label: str, take: Callable[[Fleet, str], Fleet]) -> None:
    chosen = st.session_state[key]
    _put(key, label, lambda fleet: take(fleet, chosen.isoformat() if isinstance(chosen, date) else ""))


def _take(key: str, label: str, take: Callable[[Fleet, float | None], Fleet]) -> None:
    typed = st.session_state[key]
    _put(key, label, lambda fleet: take(fleet, None if typed is None else float(typed)))


def _take_whole(key: str, label: str, take: Callable[[Fleet, int | None], Fleet]) -> None:
    typed = st.session_state[key]
    _put(key, label, lambda fleet: take(fleet, None if typed is None else int(typed)))


def _slide(key: str, label: str, take: Callable[[Fleet, float], Fleet]) -> None:
    moved = float(st.session_state[key])
    _put(key, label, lambda fleet: take(fleet, moved))


def _put(key: str, label: str, change: Callable[[Fleet], Fleet]) -> None:
    """Change the fleet; what it refuses leaves it as it was, the field goes back to that, and says why."""
    before = replace(fleet_state.fleet())
    found = attempt(lambda: change(before))
    if isinstance(found, PlimsollError):
        refuse(key, label, found)
        return
    taken()
    fleet_state.set_fleet(found)
