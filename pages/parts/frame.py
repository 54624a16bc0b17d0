"""What stands at the top of every page: the logo, the page's question, the language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.i18n import Text
from pages.parts.speech import language_switch, say


def logo(folder: Path) -> None:
    """Draw the mark and the name, in the ink that the theme needs."""
    theme = st.context.theme.type or "light"
    st.logo(str(folder / f"logo-{theme}.png"), size="large")


def bar(question: Text, *tools: Callable[[], None]) -> None:
    """Draw the line under the menu: what the page answers, its tools, and the language."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(say(question), width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            for tool in tools:
                tool()
            language_switch()
