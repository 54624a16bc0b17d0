"""Scenarios: where is what we decided?"""

from __future__ import annotations

import streamlit as st

from core.i18n import t
from core.store.saved import Entry
from pages.parts import keys, saved
from pages.parts.errors import show_errors
from pages.parts.frame import bar
from pages.parts.speech import plain, say


def line(entry: Entry) -> None:
    """Draw one saved scenario with what can be done with it."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            with st.container(gap=None, width="content"):
                st.markdown(f"**{plain(entry.name)}**")
                st.caption(plain(f"{entry.saved_at:%Y-%m-%d %H:%M} UTC"))
            with st.container(horizontal=True, width="content"):
                if st.button(say(t("Open")), key=keys.of(keys.REOPEN, entry.id), icon=":material/folder_open:"):
                    open_(entry)
                if st.button(
                    say(t("Link")), key=keys.of(keys.SHARE, entry.id), icon=":material/link:", type="tertiary"
                ):
                    st.session_state[keys.LINKED] = entry.id
        if st.session_state.get(keys.LINKED) == entry.id:
            with show_errors():
                link(entry)


def open_(entry: Entry) -> None:
    """Put a scenario back into the session and go to it."""
    with show_errors():
        _, scenario = saved.store().load(entry.id)
        saved.reopen(scenario)
        st.switch_page("pages/plan.py")


def link(entry: Entry) -> None:
    """Show the link to a scenario, and offer to withdraw it."""
    token = saved.store().shares.make(entry.id).token
    st.caption(say(t("Whoever has this link can read the scenario, and change nothing")))
    st.code(saved.link(token), language=None, wrap_lines=True)
    st.button(
        say(t("Withdraw this link")),
        key=keys.of(keys.REVOKE, entry.id),
        icon=":material/link_off:",
        type="tertiary",
        on_click=withdraw,
        args=(token,),
    )


def withdraw(token: str) -> None:
    """Withdraw a link: whoever opens it is told so."""
    st.session_state.pop(keys.LINKED, None)
    with show_errors():
        saved.store().shares.revoke(token)
        st.toast(say(t("The link is withdrawn; a new one can be made")), icon=":material/link_off:")


bar(t("Where is what we decided?"))
entries = saved.store().list()
if not entries:
    st.info(say(t("Nothing is saved yet. Save what you see on the Plan page, and it is listed here")))
for each in entries:
    line(each)
