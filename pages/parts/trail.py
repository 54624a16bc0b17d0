"""The audit trail on screen: over everything for administrators, of one scenario for its owners."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.i18n import t
from core.model.person import Role
from core.present.acts import audit_table, found
from core.store.saved import Entry
from pages.parts import keys, person, saved
from pages.parts.speech import language, say, say_raw
from pages.parts.table import table

EVERY = ""
"""Instead of the id of a scenario: all of them."""


def panel() -> None:
    """Draw what was done, with a filter, and as CSV."""
    store = saved.store()
    own = {entry.id: entry for entry in _listed() if entry.role is Role.OWNER}
    choices = [EVERY, *own] if person.current().admin else list(own)
    if not choices:
        st.info(say(t("What was done to a scenario is shown to its owners; you own none yet")))
        return
    names = {scenario_id: entry.name for scenario_id, entry in own.items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            say(t("Scenario")), choices, format_func=lambda which: _called(which, names), key=keys.AUDIT_OF
        )
        words = st.text_input(say(t("Only rows with these words")), key=keys.AUDIT_WORDS, icon=":material/search:")
    events = store.audit.all() if chosen == EVERY else store.audit.of(chosen)
    shown = found(events, names, words, language())
    if not shown:
        st.info(say(t("Nothing that was done has these words in it")))
        return
    frame = audit_table(shown, names, language())
    table(frame, keys.AUDIT_TABLE, t("What was done, by whom and when; the newest first"), download=True)


def _listed() -> tuple[Entry, ...]:
    store = saved.store()
    return (*store.list(), *store.list(archived=True), *store.list(deleted=True))


def _called(which: str, names: Mapping[str, str]) -> str:
    return names[which] if which else say_raw(t("All scenarios"))
