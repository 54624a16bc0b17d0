"""The field for a number that may be left empty: what nobody typed is unknown, and never 0."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.state import seed


def optional_number(
    label: str,
    value: float | None,
    key: str,
    *,
    most: float,
    take: Callable[[], None],
    least: float = 0.0,
    hint: str | None = None,
    tip: str | None = None,
) -> None:
    """Draw the field with what the session holds; where `most` is an int it takes whole numbers only.

    Args:
        label: what it is, as Markdown.
        value: as the session holds it, in the unit of the field; None is empty.
        key: of the widget.
        most: largest value that is taken.
        take: reads what was typed from the session, and keeps it.
        least: smallest value.
        hint: stands in the empty field, in the language in use.
        tip: behind the label, as Markdown.
    """
    kind: type[int | float] = int if isinstance(most, int) else float
    seed(key, None if value is None else kind(value))
    st.number_input(
        label,
        value=None,
        min_value=kind(least),
        max_value=kind(most),
        format="%d" if kind is int else "%g",
        step=1 if kind is int else None,
        key=key,
        placeholder=hint or None,
        help=tip,
        on_change=take,
    )
