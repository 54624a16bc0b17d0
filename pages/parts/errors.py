"""The one wrapper that turns an error with a place and a next step into a message on the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import PlimsollError
from pages.parts.speech import plain, say


@contextmanager
def show_errors() -> Iterator[None]:
    """Show a PlimsollError where it happens; the rest of the page goes on."""
    try:
        yield
    except PlimsollError as error:
        tell(error)


def tell(error: PlimsollError) -> None:
    """Say what happened, where, and what to do next."""
    where = f" ({plain(str(error.place))})" if str(error.place) else ""
    st.error(f"{say(error.what)}{where}. {say(error.fix)}", icon=":material/error:")
