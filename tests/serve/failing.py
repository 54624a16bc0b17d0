"""An app that fails in each place where an app can fail, behind the handler of the real one."""

from __future__ import annotations

import streamlit as st

from core.errors import UsageError
from core.i18n import t

SECRET = "the-text-of-the-error"


def fail() -> None:
    """Fail in a callback."""
    raise RuntimeError(SECRET)


def refuse() -> None:
    """Fail in a callback with an error that has words of its own."""
    raise UsageError("usage.option", t("Nobody knows this"), fix=t("Try again"))


st.button("callback", key="callback", on_click=fail)
st.button("words", key="words", on_click=refuse)
if st.button("page", key="page"):
    raise KeyError(SECRET)


@st.fragment
def part() -> None:
    """Fail in a part that runs alone."""
    if st.button("fragment", key="fragment"):
        raise ZeroDivisionError(SECRET)


part()
st.text("the end")
