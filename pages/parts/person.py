"""Who uses this session: asked anew in every run and in every act, so that a sign-in ends when it ends."""

from __future__ import annotations

import time

import streamlit as st

from core.model.person import LOCAL, Person
from core.sign_in import Way, sign_in
from core.vouched import NAME_HEADER, PERSON_HEADER, PROOF_HEADER, person_of_claims, person_of_headers


def asked() -> bool:
    """Return True where people have to sign in.

    Raises:
        UsageError: "setting.invalid".
    """
    return sign_in().way is not Way.OFF


def current() -> Person:
    """Return who uses this session now, NOBODY where nobody has signed in or the sign-in has ended.

    Raises:
        UsageError: "setting.invalid" where a setting of signing in makes no sense; nobody then gets in.
    """
    rules = sign_in()
    if rules.way is Way.OFF:
        return LOCAL
    if rules.way is Way.OIDC:
        return person_of_claims(st.user.to_dict(), rules, time.time())
    headers = {name: st.context.headers.get_all(name) for name in (PROOF_HEADER, PERSON_HEADER, NAME_HEADER)}
    return person_of_headers(headers, rules)
