"""The field for a number that may be left empty: what nobody typed is unknown, and never 0.

What a field refuses is said below it, and the field goes back to what holds. Where that is empty it keeps what was
typed for as long as that is said: no browser tells that an empty field was emptied. The browser's own bounds are not
used: they only colour the field, and say why in English where the pointer happens to rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import streamlit as st

from core.digits import as_typed, spelled
from core.errors import PlimsollError, UsageError
from core.i18n import t
from pages.parts import keys
from pages.parts.speech import say
from pages.parts.state import seed

_ROW: ContextVar[list[str] | None] = ContextVar("row", default=None)
"""Keys of the fields that stand side by side in the row that is being drawn."""


class Bounds(NamedTuple):
    """What a field takes: `low` to `high`, above `low` alone, whole numbers alone."""

    low: float
    high: float
    whole: bool = False
    above: bool = False


def optional_number(
    label: str,
    value: float | None,
    key: str,
    *,
    most: float,
    take: Callable[[], None],
    least: float | None = 0.0,
    hint: str | None = None,
    tip: str | None = None,
) -> None:
    """Draw the field with what the session holds; where `most` is an int it takes whole numbers only.

    Args:
        label: what it is, as Markdown.
        value: as the session holds it, in the unit of the field; None is empty.
        key: of the widget.
        most: largest value that is taken.
        take: reads what was typed from the session, and keeps it; called only with what is within the bounds.
        least: smallest value; None is everything above 0.
        hint: stands in the empty field, in the language in use.
        tip: behind the label, as Markdown.
    """
    bounds = Bounds(float(least or 0.0), float(most), whole=isinstance(most, int), above=least is None)
    if value is not None or _refused(key) is None:
        seed(key, None if value is None else float(value))
    with st.container(gap="small"):
        st.number_input(
            label,
            value=None,
            format="%.0f" if bounds.whole else "%g",
            step=1.0 if bounds.whole else None,
            key=key,
            placeholder=hint or None,
            help=tip,
            on_change=_typed,
            args=(label, key, bounds, take),
        )
        drawn = _ROW.get()
        if drawn is None:
            tell_refused(key)
        else:
            drawn.append(key)


@contextmanager
def row() -> Iterator[None]:
    """Draw fields side by side; what one of them refuses is said below all of them, over the whole width."""
    drawn: list[str] = []
    with ExitStack() as stack:
        stack.callback(_ROW.reset, _ROW.set(drawn))
        stack.enter_context(st.container(horizontal=True, wrap=False, gap="small", vertical_alignment="bottom"))
        yield
    for key in drawn:
        tell_refused(key)


def refuse(key: str, label: str, error: PlimsollError) -> None:
    """Keep why a field refused what was typed, to be said below it; `label` is its name, "" where the error has it."""
    st.session_state[keys.NOT_TAKEN] = (key, label, error)


def taken() -> None:
    """Forget what a field refused: something was taken since."""
    st.session_state[keys.NOT_TAKEN] = None


def tell_refused(key: str) -> None:
    """Say why the field refused what was typed last, which field that was, and what to do next."""
    found = _refused(key)
    if found is None:
        return
    label, error = found
    where = f"{label}: " if label else ""
    st.error(f"{where}{say(error.what)}. {say(error.fix)}", icon=":material/error:")


def _refused(key: str) -> tuple[str, PlimsollError] | None:
    found: tuple[str, str, PlimsollError] | None = st.session_state.get(keys.NOT_TAKEN)
    return None if found is None or found[0] != key else found[1:]


def out_of_bounds(typed: float, bounds: Bounds) -> UsageError | None:
    """Return why a number cannot be taken, None where it can.

    >>> str(out_of_bounds(-3.0, Bounds(0.0, 99.9)))
    '"-3" cannot be taken. Give a number from 0 to 99.9, or leave the field empty'
    >>> str(out_of_bounds(1e20, Bounds(1.0, 1e12)))
    '"100,000,000,000,000,000,000" cannot be taken. Give a number from 1 to 1,000,000,000,000, or leave the field empty'
    >>> out_of_bounds(2.0, Bounds(0.0, 99.9)), out_of_bounds(2.5, Bounds(0.0, 9.0, whole=True)) is None
    (None, False)
    """
    low, high, whole, above = bounds
    if low <= typed <= high and not (above and typed == low) and (not whole or typed.is_integer()):
        return None
    shown = {"least": spelled(low), "most": spelled(high)}
    if whole:
        fix = t("Give a whole number from {least} to {most}, or leave the field empty", **shown)
    elif above:
        fix = t("Give a number above {least}, up to {most}, or leave the field empty", **shown)
    else:
        fix = t("Give a number from {least} to {most}, or leave the field empty", **shown)
    return UsageError("field.out_of_range", t('"{said}" cannot be taken', said=as_typed(typed)), fix=fix)


def _typed(label: str, key: str, bounds: Bounds, take: Callable[[], None]) -> None:
    """Take what was typed where it is within the bounds; else the field goes back to what the session holds."""
    typed: float | None = st.session_state[key]
    wrong = None if typed is None else out_of_bounds(typed, bounds)
    if wrong:
        refuse(key, label, wrong)
        return
    if bounds.whole and typed is not None:
        st.session_state[key] = int(typed)
    taken()
    take()
