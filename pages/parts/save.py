"""Saving what is in view: a name, notes, and then a link."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.scenario import NAME_CHARS, NOTES_CHARS
from pages.parts import keys, saved, state
from pages.parts.errors import show_errors
from pages.parts.speech import say


def popover(answers: Sequence[RunAnswer]) -> None:
    """Draw the button that opens the form; after saving the link stands under it."""
    with st.popover(say(t("Save and share")), icon=":material/bookmark_add:", key=keys.SAVE_OPEN):
        with st.form(keys.of(keys.SAVE, "form"), border=False):
            name = st.text_input(say(t("Name")), key=keys.SAVE_NAME, max_chars=NAME_CHARS)
            notes = st.text_area(say(t("Notes (optional)")), key=keys.SAVE_NOTES, max_chars=NOTES_CHARS)
            wanted = st.form_submit_button(say(t("Save")), key=keys.SAVE)
        if wanted:
            with show_errors():
                _save(name, notes, answers)
        _link()


def _save(name: str, notes: str, answers: Sequence[RunAnswer]) -> None:
    store = saved.store()
    done = store.save(saved.scenario_of(name, notes, answers, state.ask()))
    st.session_state[keys.SAVED] = (done.name, store.share(done.id, done.version))


def _link() -> None:
    if keys.SAVED not in st.session_state:
        return
    name, token = st.session_state[keys.SAVED]
    st.success(say(t('Saved as "{name}"', name=name)), icon=":material/check:")
    st.caption(say(t("Whoever has this link can read the scenario, and change nothing")))
    st.code(saved.link(token), language=None, wrap_lines=True)
