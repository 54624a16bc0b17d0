"""The one wrapper that turns an error with a place and a next step into a message on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from core.errors import PlimsollError
from pages.parts.speech import plain, say

if TYPE_CHECKING:
    from core.store.saved import ConflictError, Saved

T = TypeVar("T")


@contextmanager
def show_errors() -> Iterator[None]:
    """Show a PlimsollError where it happens; the rest of the page goes on."""
    try:
        yield
    except PlimsollError as error:
        tell(error)


def or_conflict(act: Callable[[], Saved]) -> Saved | ConflictError:
    """Return what was saved, or who saved in between: that is a choice to offer, not only an error to tell."""
    from core.store.saved import ConflictError as Conflict

    try:
        return act()
    except Conflict as conflict:
        return conflict


def attempt(act: Callable[[], T]) -> T | PlimsollError:
    """Return what an act gives, or why it failed: for what must never stop a page."""
    try:
        return act()
    except PlimsollError as error:
        return error


def tell(error: PlimsollError) -> None:
    """Say what happened, where, and what to do next."""
    where = f" ({plain(str(error.place))})" if str(error.place) else ""
    st.error(f"{say(error.what)}{where}. {say(error.fix)}", icon=":material/error:")
    if error.code == "store.sign_in_needed":
        from pages.parts.account import ways_in  # which itself may have something to tell

        ways_in()
