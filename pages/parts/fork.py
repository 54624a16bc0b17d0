"""Making an own copy of what a link shows; where signing in is asked for, only after it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from core.i18n import t
from core.store.shares import Shared
from pages.parts import account, keys, person, saved, state, view
from pages.parts.speech import say


class Origin(NamedTuple):
    """The scenario whose shared view is open as an own copy."""

    id: str
    name: str


def button(shared: Shared) -> None:
    """Draw the button that puts what is shown into the session of its reader."""
    if not st.button(say(t("Make my own copy")), key=keys.COPY, icon=":material/content_copy:"):
        return
    if person.current().is_nobody:
        st.session_state[keys.SIGN_IN_FIRST] = True
        return
    saved.reopen(shared.scenario)
    rows = view.tried()
    if rows is not None:
        state.set_ask(replace(state.ask(), rows=rows))
    st.session_state[keys.FORK] = Origin(shared.saved.id, shared.scenario.name)
    st.switch_page("pages/plan.py")


def origin() -> Origin | None:
    """Return the scenario that the files in view are a copy of, None where they are not."""
    found: Origin | None = st.session_state.get(keys.FORK)
    return found if found and state.held().opened else None


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
