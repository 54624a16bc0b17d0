"""Panels that are worked out only once somebody opens them: what is folded away costs nothing while a limit moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from pages.parts import keys
from pages.parts.state import seed

SHUT = True
"""Every drawer and every pop-up is shut until somebody opens it."""


def drawer(name: str, key: str, content: Callable[[], None], *, told: str = "", icon: str | None = None) -> None:
    """Draw a panel that somebody may open; fields in it have to outlive it in the session.

    Args:
        name: of the panel, as Markdown.
        key: of the panel.
        content: draws what is in it, where it is open.
        told: what a shut panel says of its content behind its name; an open one shows it.
        icon: before the name.
    """
    kept = keys.of(keys.DRAWER, key)
    is_open = bool(st.session_state.get(kept, not SHUT))
    # Streamlit takes a panel with another label for another one, whose state would begin anew.
    seed(key, is_open)
    label = f"{name}: {told}" if told and not is_open else name
    box = st.expander(label, icon=icon, key=key, on_change=_keep, args=(key, kept))
    if box.open:
        with box:
            content()


def popup(
    name: str,
    key: str,
    content: Callable[[], None],
    *,
    kind: Literal["secondary", "tertiary"] = "secondary",
    icon: str | None = None,
) -> None:
    """Draw a button that opens a panel over the page; fields in it have to outlive it in the session.

    Args:
        name: of the button, as Markdown.
        key: of the panel; its state is True while it is open.
        content: draws what is in it, where it is open.
        kind: how the button looks.
        icon: before the name.
    """
    box = st.popover(name, key=key, type=kind, icon=icon, width="content", on_change="rerun")
    if box.open or not SHUT:
        with box:
            content()


def _keep(key: str, kept: str) -> None:
    st.session_state[kept] = st.session_state[key]
