"""What people say of a scenario to each other, below it. Never in the view of a link."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core.i18n import t
from core.letters import one_line
from core.model.person import LOCAL
from core.model.scenario import NAME_CHARS
from core.store.comments import COMMENT_CHARS, Comment
from pages.parts import keys, person, saved
from pages.parts.errors import show_errors
from pages.parts.speech import heading, plain, say

NAME = "comment_name"
"""The preference that keeps what somebody who does not sign in wants to be called."""


class Gone(NamedTuple):
    """The comment that was deleted last."""

    scenario_id: str
    comment_id: str


def panel(scenario_id: str, version: int | None = None) -> None:
    """Draw the comments on a scenario, newest last, and the form for one more, about the latest version by default."""
    about = version or saved.store().entry(scenario_id).latest
    every = saved.store().comments.of(scenario_id)
    if every:
        heading(t("Comments ({count})", count=len(every)))
    else:
        st.caption(say(t("No comments yet")))
    for comment in every:
        _one(comment, scenario_id)
    _undo(scenario_id)
    with show_errors():
        _form(scenario_id, about)


def _one(comment: Comment, scenario_id: str) -> None:
    name = comment.author or say(t("Somebody"))
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            when = say(
                t(
                    "{time} UTC, about version {version}",
                    time=f"{comment.said_at:%Y-%m-%d %H:%M}",
                    version=comment.version,
                )
            )
            st.markdown(f"**{plain(name)}** :small[{when}]", width="content")
            if comment.removable:
                st.button(
                    say(t("Delete")),
                    key=keys.of(keys.COMMENT_DELETE, comment.id),
                    icon=":material/delete:",
                    type="tertiary",
                    on_click=_delete,
                    args=(scenario_id, comment.id),
                )
        st.text(comment.text)


def _undo(scenario_id: str) -> None:
    gone: Gone | None = st.session_state.get(keys.COMMENT_GONE)
    if gone is None or gone.scenario_id != scenario_id:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say(t("The comment is deleted")), width="content")
        st.button(
            say(t("Undo")),
            key=keys.of(keys.COMMENT_UNDO, scenario_id),
            icon=":material/undo:",
            type="tertiary",
            on_click=_bring_back,
            args=(gone.comment_id,),
        )


def _form(scenario_id: str, version: int) -> None:
    # A comment that could not be kept stays in its box: only one that was is cleared away.
    turn = st.session_state.get(keys.COMMENT_ROUND, 0)
    with st.form(keys.of(keys.COMMENT, scenario_id, "form"), border=False):
        author = _author(scenario_id)
        text = st.text_area(
            say(t("Your comment")), key=keys.of(keys.COMMENT, scenario_id, turn), max_chars=COMMENT_CHARS
        )
        sent = st.form_submit_button(
            say(t("Comment")), key=keys.of(keys.COMMENT_SEND, scenario_id), icon=":material/chat:"
        )
    if sent:
        saved.store().comments.add(scenario_id, text, version, author=author)
        _remember(author)
        st.session_state[keys.COMMENT_ROUND] = turn + 1
        st.session_state.pop(keys.COMMENT_GONE, None)
        st.rerun()


def _author(scenario_id: str) -> str:
    """Ask what to be called, where nobody signs in; it is remembered."""
    if person.current().id != LOCAL.id:
        return ""
    known = (saved.store().preferences.get(NAME) or b"").decode("utf-8", "replace")
    return st.text_input(
        say(t("Your name (optional)")),
        value=one_line(known)[:NAME_CHARS],
        key=keys.of(keys.COMMENT_NAME, scenario_id),
        max_chars=NAME_CHARS,
    )


def _remember(author: str) -> None:
    if author:
        saved.store().preferences.set(NAME, one_line(author).encode("utf-8", "replace"))


def _delete(scenario_id: str, comment_id: str) -> None:
    with show_errors():
        saved.store().comments.delete(comment_id)
        st.session_state[keys.COMMENT_GONE] = Gone(scenario_id, comment_id)


def _bring_back(comment_id: str) -> None:
    with show_errors():
        saved.store().comments.undelete(comment_id)
        st.session_state.pop(keys.COMMENT_GONE, None)
