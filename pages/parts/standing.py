"""Where the work in view stands: which saved version it goes on from, and what was changed since."""

from __future__ import annotations

import streamlit as st

from core.fit.method import METHOD
from core.i18n import t
from core.present.diff import change_text
from pages.parts import fork, keys, opening, saved, state
from pages.parts.speech import language, plain, say

MOST_TOLD = 8


def line() -> None:
    """Draw which version this is, as the way to it, and what is not saved; of new work, whose copy it is."""
    based, copied = state.held().based, state.held().copied
    if based is None and copied is not None:
        st.badge(say(fork.text(copied)), icon=":material/content_copy:", color="gray")
    if based is None:
        return
    found, newer = saved.unsaved(), saved.newer()
    name = say(t("{name} · version {version}", name=based.name, version=based.version))
    with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
        if opening.unlisted():
            st.badge(name, icon=":material/inventory_2:", color="gray")
        else:
            st.page_link(
                "pages/scenarios.py",
                label=name,
                icon=":material/inventory_2:",
                query_params={keys.Q_SCENARIO: based.scenario_id},
                help=say(t("The saved scenario that this goes on from")),
            )
        if found is None:
            st.badge(say(t("no longer there")), color="gray")
        elif found.empty:
            st.badge(say(t("saved")), icon=":material/check:", color="green")
        else:
            st.badge(say(t("not saved")), icon=":material/edit:", color="orange")
        if newer is not None:
            st.badge(say(t("version {version} is newer", version=newer)), icon=":material/update:", color="orange")


def changes() -> None:
    """Say what was changed since the version that the session goes on from; nothing for new work."""
    based, found = state.held().based, saved.unsaved()
    if based is None or found is None:
        return
    if found.empty:
        st.caption(
            say(
                t(
                    "Based on {name}, version {version}; nothing was changed since",
                    name=based.name,
                    version=based.version,
                )
            )
        )
        return
    st.caption(say(t("Based on {name}, version {version}; changed since:", name=based.name, version=based.version)))
    several = len(state.runs()) > 1
    told = [change_text(change, language(), several=several) for change in found.inputs]
    st.markdown("\n".join(f"- {plain(text)}" for text in told[:MOST_TOLD]))
    if len(told) > MOST_TOLD:
        st.caption(say(t("and {count} more", count=len(told) - MOST_TOLD)))


def other_method() -> None:
    """Say where another method, or other constants, answered what was opened."""
    method = saved.other_method()
    if method:
        note = t(
            "Saved with method {old}, answered anew with {new}. Its link shows it as saved", old=method, new=METHOD
        )
        st.info(say(note))
