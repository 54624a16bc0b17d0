"""Signing in and out: the buttons, and who is signed in."""

from __future__ import annotations

import streamlit as st
from streamlit.auth_util import get_secrets_auth_section

from core.i18n import t
from core.model.person import LOCAL, NOBODY
from core.sign_in import Way, not_passed_on, sign_in, sign_out_address
from pages.parts import keys, person, returning
from pages.parts.errors import show_errors
from pages.parts.speech import plain, say

FIRST = "default"
"""Streamlit's name of a provider that has none of its own."""


def ways_in() -> None:
    """Draw a button for every provider, or say how to come in through the proxy."""
    with show_errors():
        if sign_in().way is Way.HEADER:
            st.info(say(t("You are not signed in. Open Plimsoll at the address that your organisation gives for it")))
        elif sign_in().way is Way.OIDC:
            _providers()


def _providers() -> None:
    names = providers()
    if not names:
        raise not_passed_on()
    for name in names:
        words = t("Sign in") if name == FIRST else t("Sign in with {provider}", provider=name.capitalize())
        st.button(
            say(words),
            key=keys.of(keys.SIGN_IN, name),
            icon=":material/login:",
            type="primary",
            on_click=returning.to_sign_in,
            args=(name,),
        )


def providers() -> list[str]:
    """Return Streamlit's names of the providers that people may sign in with."""
    section = get_secrets_auth_section().to_dict()
    own = [name for name, value in section.items() if isinstance(value, dict) and "client_id" in value]
    return [FIRST, *own] if "client_id" in section else own


def menu() -> None:
    """Draw who is signed in, with the way out; nothing where nobody has to sign in."""
    if st.session_state.get(keys.PERSON, LOCAL.id) in (LOCAL.id, NOBODY.id):
        return
    who = person.current()
    with st.popover(plain(who.name), icon=":material/account_circle:", key=keys.ACCOUNT):
        st.text(who.email or who.name)
        if who.admin:
            st.badge(say(t("Administrator")), icon=":material/shield_person:")
        if sign_in().way is Way.OIDC:
            st.button(say(t("Sign out")), key=keys.SIGN_OUT, icon=":material/logout:", on_click=_sign_out)
        elif sign_out_address():
            st.link_button(say(t("Sign out")), sign_out_address(), icon=":material/logout:")


def _sign_out() -> None:
    st.session_state.clear()
    st.logout()
