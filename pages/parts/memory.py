"""Memory that lives as long as the process."""

from __future__ import annotations

import gc

import streamlit as st


@st.cache_resource(max_entries=1, show_spinner=False)
def set_aside() -> bool:
    """Take what was loaded at the start out of garbage collection, once per process.

    Streamlit collects garbage after every run of a page. Modules and catalogues never become
    garbage, and looking through all of them again cost more than answering a moved target.
    """
    gc.collect()
    gc.freeze()
    return True
