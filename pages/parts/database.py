"""The one store of this process, as whoever uses this session may use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.settings import database_url
from pages.parts import person

if TYPE_CHECKING:
    from core.store.draft_questions import Questions
    from core.store.store import Store


def store() -> Store:
    """Return the store that the settings name, as whoever uses this session may use it."""
    return _store(database_url()).acting(person.current())


@st.cache_resource(max_entries=4, show_spinner=False)
def _store(url: str) -> Store:
    # The database layer is a third of a cold start, and the first screen does not need it.
    from core.store.store import open_store

    return open_store(url)


@st.cache_resource(max_entries=1, show_spinner=False)
def questions() -> Questions:
    """Return the questions of drafts that have yet to be written."""
    from core.store.draft_questions import Questions

    return Questions()
