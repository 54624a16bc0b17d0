"""Column meanings that are kept: which there are, renaming, deleting with an undo, taking along as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.i18n import t
from core.ingest.mapping_check import LARGEST, mappings_from
from core.model.mapping import content_hash, mappings_json
from core.model.scenario import NAME_CHARS
from pages.parts import keys, known, saved
from pages.parts.errors import show_errors
from pages.parts.speech import say, say_raw
from pages.parts.table import draw_table

if TYPE_CHECKING:
    from core.store.mappings import KeptMapping

HASH_CHARS = 12
HEADER_CHARS = 80


def listed() -> None:
    """Draw everything that is kept, folded; one of them is picked to be renamed, downloaded or deleted."""
    with show_errors():
        kept = saved.store().mappings.list()
        with st.expander(say(t("Kept column meanings ({count})", count=len(kept))), icon=":material/table_edit:"):
            _undo()
            if kept:
                draw_table(_frame(kept), keys.MAPPINGS, say_raw(t("Column meanings that are kept")))
                _one(kept)
            else:
                st.caption(say(t("Say what the columns of a table are and keep it, or bring a mapping as JSON")))
            _arrive()


def _frame(kept: tuple[KeptMapping, ...]) -> pd.DataFrame:
    rows = [
        {
            say_raw(t("Name")): each.mapping.name,
            say_raw(t("For tables with")): ", ".join(filter(None, each.mapping.headers))[:HEADER_CHARS],
            say_raw(t("Sheet")): each.mapping.sheet or say_raw(t("any")),
            say_raw(t("In use")): say_raw(t("no, a newer one is")) if each.overruled else say_raw(t("yes")),
            say_raw(t("Kept on")): f"{each.saved_at:%Y-%m-%d %H:%M} UTC",
            say_raw(t("Content")): content_hash(each.mapping)[:HASH_CHARS],
        }
        for each in kept
    ]
    return pd.DataFrame(rows)


def _one(kept: tuple[KeptMapping, ...]) -> None:
    by_id = {each.id: each for each in kept}
    picked = st.selectbox(
        say(t("Rename, download or delete")),
        list(by_id),
        index=None,
        format_func=lambda key: by_id[key].mapping.name,
        key=keys.of(keys.MAPPINGS_PICK, len(kept)),
        placeholder=say(t("Choose")),
    )
    if picked not in by_id:
        return
    one = by_id[picked]
    left, *buttons = st.columns((4, 1.3, 1.5, 1.3), vertical_alignment="bottom")
    name = left.text_input(
        say(t("Name")), value=one.mapping.name, key=keys.of(keys.MAPPINGS_RENAME, one.id), max_chars=NAME_CHARS
    )
    if buttons[0].button(say(t("Rename")), key=keys.of(keys.MAPPINGS_RENAME, "go"), disabled=name == one.mapping.name):
        with show_errors():
            saved.store().mappings.rename(one.id, name)
            st.rerun()
    buttons[1].download_button(
        say(t("Download")),
        data=lambda: mappings_json([one.mapping]),
        file_name="plimsoll-columns.json",
        mime="application/json",
        key=keys.of(keys.DOWNLOAD, keys.MAPPINGS),
        on_click="ignore",
        icon=":material/download:",
    )
    if buttons[2].button(say(t("Delete")), key=keys.MAPPINGS_DELETE, icon=":material/delete:"):
        with show_errors():
            saved.store().mappings.delete(one.id)
            st.session_state[keys.MAPPING_GONE] = (one.id, one.mapping.name)
            st.rerun()


def _undo() -> None:
    gone: tuple[str, str] | None = st.session_state.get(keys.MAPPING_GONE)
    if gone is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            say(t('"{name}" is deleted. Files that were read with it stay as they are', name=gone[1])), width="content"
        )
        if st.button(say(t("Undo")), key=keys.MAPPINGS_UNDO, icon=":material/undo:", type="tertiary"):
            with show_errors():
                saved.store().mappings.restore(gone[0])
                st.session_state[keys.MAPPING_GONE] = None
                st.rerun()


def _arrive() -> None:
    """Take mappings as JSON in: nothing of a file is kept where one of them cannot be."""
    at = st.session_state.get(keys.MAPPINGS_ROUND, 0)
    arrived = st.file_uploader(
        say(t("Bring column meanings as JSON")),
        type="json",
        max_upload_size=LARGEST // 1_000_000,
        key=keys.of(keys.MAPPINGS_DROP, at),
        help=say(t("As Download here or the command line writes them")),
    )
    if arrived is None:
        return
    with show_errors():
        new = mappings_from(arrived.getvalue())
        saved.store().mappings.keep(*reversed(new))
        known.put_to_use(new)
        st.session_state[keys.MAPPINGS_ROUND] = at + 1
        st.rerun()
