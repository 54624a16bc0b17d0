"""The door of the app: without signing in, where that is asked for, there is the sign-in page and what was shared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.errors import PlimsollError
from core.i18n import t
from core.model.person import LOCAL, NOBODY, Person
from pages.parts import keys, person, saved, speech, state
from pages.parts.errors import show_errors
from pages.parts.speech import say

SIGN_IN = Path(__file__).resolve().parent.parent / "sign_in.py"


def enter() -> Person:
    """Return who uses the app in this run, and make sure that the session is theirs alone.

    A setting that makes no sense lets nobody in; the sign-in page says which.
    """
    who = NOBODY
    with suppress(PlimsollError):
        who = person.current()
    before = st.session_state.get(keys.PERSON)
    if before and before != who.id:
        _empty(ended=who.is_nobody)
    if who.id not in (NOBODY.id, LOCAL.id) and st.session_state.get(keys.PERSON) != who.id:
        _welcome(who)
    st.session_state[keys.PERSON] = who.id
    return who


def _welcome(who: Person) -> None:
    """Begin the session of somebody who has signed in: keep that they came."""
    with show_errors():
        saved.store().people.seen(who)


def asks() -> bool:
    """Return True where people have to sign in, or where a mistake in the settings lets nobody in."""
    return bool(st.session_state[keys.PERSON] != LOCAL.id)


def pages_for(who: Person, pages: Sequence[StreamlitPage], shared: StreamlitPage) -> list[StreamlitPage]:
    """Return the pages that a person may open.

    Nobody gets the sign-in page under every address, so that a link into the app is kept until it may be followed.
    """
    if not who.is_nobody:
        return [*pages, shared]
    doors = (
        st.Page(
            SIGN_IN,
            title=say(t("Sign in")),
            url_path=page.url_path or None,
            default=not page.url_path,
            visibility="hidden",
        )
        for page in pages
    )
    return [*doors, shared]


def write_address(who: Person) -> None:
    """Make the address say what the session holds; to nobody only a link and its view, else the language alone."""
    if not who.is_nobody or keys.Q_SHARE in st.query_params:
        state.write_address()
    elif speech.language() != speech.browser_language():
        st.query_params[keys.Q_LANGUAGE] = speech.language()
    else:
        st.query_params.pop(keys.Q_LANGUAGE, None)


def _empty(*, ended: bool) -> None:
    """Forget everything that another person left in this session."""
    language = speech.language()
    st.session_state.clear()
    speech.start_language(language)
    st.session_state[keys.ENDED] = ended
