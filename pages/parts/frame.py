"""What stands at the top of every page: the logo, the page's question, the language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from core.i18n import Text, t
from pages.parts import account, keys, state, view
from pages.parts.speech import language, language_switch, say

KEEP_WORDS = "<style>.stApp * { word-break: keep-all !important; overflow-wrap: break-word; }</style>"
"""Browsers break Korean inside a word, and Streamlit asks them to, element by element; no theme can forbid it."""


def logo(folder: Path) -> None:
    """Draw the mark and the name, in the ink that the theme needs."""
    theme = st.context.theme.type or "light"
    st.logo(str(folder / f"logo-{theme}.png"), size="large")


def enter() -> None:
    """Let the entry of the app run first where a page was opened without it.

    Before any session has begun, Streamlit takes the folder of pages for the older way of having several, in which
    a page runs alone: the first link into a fresh server would find no session.
    """
    if keys.STARTED not in st.session_state:
        PagesManager.uses_pages_directory = False
        st.rerun()


def bar(question: Text, *tools: Callable[[], None]) -> None:
    """Draw the line under the menu: what the page answers, its tools, and the language."""
    enter()
    if language() == "ko":
        st.html(KEEP_WORDS)
    _back()
    _unread()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(say(question), width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            for tool in tools:
                tool()
            language_switch()
            account.menu()


def _back() -> None:
    """Lead whoever came by a link, and has no work of their own yet, back to what it shows."""
    looking = view.looking()
    if looking is None or state.runs() or keys.Q_SHARE in st.query_params:
        return
    st.page_link(
        "pages/shared.py",
        label=say(t("Back to the shared view")),
        icon=":material/arrow_back:",
        query_params={keys.Q_SHARE: looking.token, **looking.params},
    )


def _unread() -> None:
    """Say what of the address was left out, before its numbers are taken for those of the link."""
    left = st.session_state.get(keys.UNREAD, ())
    if left:
        said = t(
            "Left out of this address, since it cannot be read: {parts}. Ask for the link again, or set it here",
            parts=" · ".join(left),
        )
        st.warning(say(said), icon=":material/link_off:")
