"""What can be done with a saved scenario as a whole; what takes it away can be undone and is never asked twice."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core.i18n import Text, t
from core.model.person import Role
from core.model.scenario import NAME_CHARS
from core.store.saved import Entry
from pages.parts import keys, saved
from pages.parts.errors import show_errors
from pages.parts.speech import language, say

COPY_CHARS = 12
"""Room that a name leaves for the word that tells a copy."""

DUPLICATE, ARCHIVE, UNARCHIVE, DELETE, UNDELETE = "duplicate", "archive", "unarchive", "delete", "undelete"

_NAMES: dict[str, Text] = {
    DUPLICATE: t("Duplicate"),
    ARCHIVE: t("Archive"),
    UNARCHIVE: t("Take out of the archive"),
    DELETE: t("Delete"),
    UNDELETE: t("Bring back"),
}
_ICONS = {
    DUPLICATE: "content_copy",
    ARCHIVE: "archive",
    UNARCHIVE: "unarchive",
    DELETE: "delete",
    UNDELETE: "restore_from_trash",
}


class Gone(NamedTuple):
    """What was taken away last, and by which act."""

    id: str
    name: str
    act: str


def menu(entry: Entry) -> None:
    """Draw the menu of what this person may do with a scenario; a deleted one is first brought back."""
    if entry.deleted_at:
        _bring_back(entry)
        return
    acts = [DUPLICATE]
    if entry.role.covers(Role.EDITOR):
        acts.append(UNARCHIVE if entry.archived_at else ARCHIVE)
    if entry.role.covers(Role.OWNER):
        acts.append(DELETE)
    key = keys.of(keys.SCENARIO_MENU, entry.id)
    st.menu_button(
        say(t("More")),
        acts,
        format_func=lambda act: f":material/{_ICONS[act]}: {say(_NAMES[act])}",
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        on_click=_do,
        args=(entry, key),
    )


def _bring_back(entry: Entry) -> None:
    if entry.role.covers(Role.OWNER):
        st.button(
            say(_NAMES[UNDELETE]),
            key=keys.of(keys.SCENARIO_BACK, entry.id),
            icon=f":material/{_ICONS[UNDELETE]}:",
            on_click=_undelete,
            args=(entry,),
        )


def _undelete(entry: Entry) -> None:
    with show_errors():
        saved.store().undelete(entry.id)
        gone: Gone | None = st.session_state.get(keys.SCENARIO_GONE)
        if gone and gone.id == entry.id:
            st.session_state.pop(keys.SCENARIO_GONE)
        said = t('"{name}" is among the saved scenarios again, and its links open again', name=entry.name)
        if entry.archived_at:
            said = t('"{name}" is in the archive again, and its links open again', name=entry.name)
        st.toast(say(said), icon=f":material/{_ICONS[UNDELETE]}:")


def _do(entry: Entry, key: str) -> None:
    act = st.session_state[key]
    with show_errors():
        if act == DUPLICATE:
            _duplicate(entry)
        elif act in (ARCHIVE, DELETE):
            (saved.store().archive if act == ARCHIVE else saved.store().delete)(entry.id)
            st.session_state[keys.SCENARIO_GONE] = Gone(entry.id, entry.name, act)
            leave()
        elif act == UNARCHIVE:
            saved.store().unarchive(entry.id)
            st.session_state.pop(keys.SCENARIO_GONE, None)


def _duplicate(entry: Entry) -> None:
    name = t("{name} (copy)", name=entry.name[: NAME_CHARS - COPY_CHARS]).render(language())
    saved.store().duplicate(entry.id, name=name)
    st.toast(say(t('"{name}" is a copy of its own now', name=name)), icon=":material/content_copy:")
    leave()


def undo_bar() -> None:
    """Say what was taken away last, with the way to bring it back; nothing where nothing was."""
    gone: Gone | None = st.session_state.get(keys.SCENARIO_GONE)
    if gone is None:
        return
    said = t('"{name}" is deleted, and its links open no more. It is kept under "Deleted"', name=gone.name)
    if gone.act == ARCHIVE:
        said = t('"{name}" is in the archive; its links still open', name=gone.name)
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", key=keys.of(keys.SCENARIO_UNDO, "bar")
    ):
        st.markdown(say(said), width="stretch")
        st.button(say(t("Undo")), key=keys.SCENARIO_UNDO, icon=":material/undo:", on_click=_undo, args=(gone,))


def _undo(gone: Gone) -> None:
    with show_errors():
        (saved.store().unarchive if gone.act == ARCHIVE else saved.store().undelete)(gone.id)
        st.session_state.pop(keys.SCENARIO_GONE, None)


def open_(scenario_id: str, version: int | None = None, part: str = "") -> None:
    """Go to one scenario: its latest version, or the one that is named."""
    st.session_state[keys.SCENARIO_PART] = part or "numbers"
    wanted = {keys.Q_SCENARIO: scenario_id, keys.Q_VERSION: str(version or ""), keys.Q_TAB: part}
    for name, value in wanted.items():
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)


def leave() -> None:
    """Go back to the list."""
    for name in (keys.Q_SCENARIO, keys.Q_VERSION, keys.Q_TAB):
        st.query_params.pop(name, None)
