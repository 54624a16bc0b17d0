"""The texts of the glossary in order; the tooltips are the same texts."""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.present.glossary import ENTRIES, Entry
from pages.parts.speech import say, say_raw


def entries() -> None:
    """Draw every entry: meaning, formula, names elsewhere, source."""
    for entry in ENTRIES:
        with st.container(border=True):
            _entry(entry)


def _entry(entry: Entry) -> None:
    st.subheader(say(entry.name), anchor=False)
    st.markdown(say(entry.definition))
    if entry.formula:
        st.code(say_raw(entry.formula), language=None, wrap_lines=True)
    if entry.called:
        label = say(t("In the tools:"))
        st.markdown(f"**{label}** {say(entry.called)}")
    st.caption(say(entry.source))
