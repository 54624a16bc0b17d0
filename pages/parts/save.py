"""Saving what is in view: a name, notes, and then a link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.i18n import t
from core.model.answer import RunAnswer
from core.model.scenario import NAME_CHARS, NOTES_CHARS
from pages.parts import keys, saved, state
from pages.parts.errors import show_errors
from pages.parts.speech import say


class Kept(NamedTuple):
    """What this session saved last."""

    id: str
    name: str
    token: str


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
    """Save; under the name of the last time it becomes the next version of the same scenario."""
    store = saved.store()
    scenario = saved.scenario_of(name, notes, answers, state.ask())
    last: Kept | None = st.session_state.get(keys.SAVED)
    done = store.save(scenario, last.id if last and last.name == scenario.name else None)
    st.session_state[keys.SAVED] = Kept(done.id, done.name, store.shares.make(done.id, done.version).token)


def _link() -> None:
    last: Kept | None = st.session_state.get(keys.SAVED)
    if last is None:
        return
    st.success(say(t('Saved as "{name}"', name=last.name)), icon=":material/check:")
    st.caption(say(t("Whoever has this link can read the scenario, and change nothing")))
    st.code(saved.link(last.token), language=None, wrap_lines=True)
