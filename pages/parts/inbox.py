"""The watched folder on the page: what lies there, and taking some of it in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.i18n import t
from core.ingest.inbox import Entry, chosen, entries
from core.ingest.source import OnDisk
from core.settings import inbox
from pages.parts import keys
from pages.parts.errors import show_errors
from pages.parts.speech import say


def offer(take: Callable[[Sequence[OnDisk]], None]) -> None:
    """Offer the files of the watched folder, where the server has one.

    Args:
        take: reads what was chosen.
    """
    folder = inbox()
    if folder is None:
        return
    with show_errors():
        _choose({entry.name: entry for entry in entries(folder)}, lambda names: take(chosen(folder, names)))


def _choose(found: Mapping[str, Entry], take: Callable[[Sequence[str]], None]) -> None:
    with st.expander(say(t("Files on the server: {count}", count=len(found))), icon=":material/folder_open:"):
        names = st.multiselect(
            say(t("Files and folders to take in")),
            list(found),
            format_func=lambda name: _line(found[name]),
            key=keys.of(keys.INBOX, st.session_state.get(keys.ROUND, 0)),
            placeholder=say(t("Choose")),
        )
        if st.button(say(t("Take in")), key=keys.INBOX_TAKE, disabled=not names):
            take(names)


def _line(entry: Entry) -> str:
    size = f"{entry.size / 1e6:,.1f} MB" if entry.size < 1e9 else f"{entry.size / 1e9:,.1f} GB"
    kept = say(t("{count} files", count=entry.files)) if entry.folder else ""
    return " · ".join(part for part in (entry.name, kept, size, f"{entry.changed:%Y-%m-%d %H:%M} UTC") if part)
