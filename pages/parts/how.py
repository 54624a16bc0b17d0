"""How numbers were worked out, behind one fold: each with its formula and the values in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.i18n import t
from core.present.how import How
from pages.parts.drawer import drawer
from pages.parts.speech import plain, say


def expander(hows: Callable[[], Sequence[How]], key: str) -> None:
    """Draw formula, values, result and source of every number, worked out once somebody opens it."""
    drawer(say(t("How each number is worked out")), key, lambda: listed(hows()), icon=":material/function:")


def listed(hows: Sequence[How]) -> None:
    """Draw formula, values, result and source of every number, one below the other."""
    for how in hows:
        st.markdown(_told(how))


def popover(how: How, key: str) -> None:
    """Draw one number's formula behind a small button."""
    with st.popover(say(t("How")), icon=":material/function:", type="tertiary", key=key):
        st.markdown(_told(how))


def _told(how: How) -> str:
    values = how.values
    given = [f":small[{plain(name)}: {plain(value)}]" for name, value in values]
    lines = [f"**{plain(how.name)}**", plain(how.formula), *given]
    if how.result:
        lines.append(f"= **{plain(how.result)}**")
    if how.source:
        lines.append(f":small[:gray[{plain(how.source)}]]")
    return "  \n".join(lines)
