"""Making an own copy of what a link shows; where signing in is asked for, only after it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.i18n import Text, t
from core.model.copied import Copied
from core.store.shares import Shared
from pages.parts import account, keys, person, saved, state, view
from pages.parts.speech import say


def button(shared: Shared) -> None:
    """Draw the button that puts what is shown into the session of its reader."""
    if not st.button(say(t("Make my own copy")), key=keys.COPY, icon=":material/content_copy:"):
        return
    if person.current().is_nobody:
        st.session_state[keys.SIGN_IN_FIRST] = True
        return
    saved.reopen(shared.scenario, copied=copied_of(shared))
    rows = view.tried()
    if rows is not None:
        state.set_ask(replace(state.ask(), rows=rows))
    st.switch_page("pages/plan.py")


def copied_of(shared: Shared) -> Copied:
    """Return what a copy of a shared view says of where it comes from."""
    done = shared.saved
    return Copied(scenario_id=done.id, name=shared.scenario.name, version=done.version, author=done.author)


def text(copied: Copied) -> Text:
    """Return whose copy something is."""
    if copied.author:
        return t(
            "Copy of {name}, version {number}, by {who}", name=copied.name, number=copied.version, who=copied.author
        )
    return t("Copy of {name}, version {number}", name=copied.name, number=copied.version)


def sign_in_first() -> None:
    """Ask somebody who wants a copy to sign in; afterwards this address opens again."""
    if not st.session_state.get(keys.SIGN_IN_FIRST):
        return
    if not person.current().is_nobody:
        st.session_state.pop(keys.SIGN_IN_FIRST)
        return
    with st.container(border=True):
        st.markdown(say(t("To keep a copy, sign in first. After that, this view opens again")))
        account.ways_in()
