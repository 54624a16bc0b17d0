"""Choosing tags of a scenario, known ones and new ones."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import t
from pages.parts.speech import plain, say

MOST_TAGS = 20


def picker(key: str, known: Sequence[str]) -> list[str]:
    """Draw the choice of tags; new ones may be typed. Nothing that was typed is read as Markdown."""
    found: list[str] = st.multiselect(
        say(t("Tags (optional)")),
        list(dict.fromkeys(known)),
        format_func=plain,
        key=key,
        accept_new_options=True,
        max_selections=MOST_TAGS,
        placeholder=say(t("Type one and press Enter")),
        persist_state="session",
    )
    return found
