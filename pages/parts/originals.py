"""Uploaded files themselves, kept where a setting says so: what could not be kept is said, what was is handed out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import PurePosixPath

import streamlit as st

from core.errors import PlimsollError
from core.i18n import Text, t
from core.ingest.raw import RawFile, Upload
from core.ingest.source import OnDisk
from core.settings import originals
from core.store.originals import Original
from core.store.saved import Saved
from pages.parts import database, keys
from pages.parts.errors import attempt
from pages.parts.speech import plain, say


def keep(uploads: Sequence[Upload | OnDisk], files: Sequence[RawFile]) -> None:
    """Keep what was uploaded and read, as the setting says; a failure never stops the reading."""
    if originals() == "off":
        return
    used = {file.sha256 for file in files}
    done = attempt(lambda: database.store().originals.keep(uploads, used))
    told: tuple[Text, ...] = (done.what,) if isinstance(done, PlimsollError) else done
    st.session_state[keys.NOT_KEPT] = told


def warning() -> None:
    """Say which of the files dropped last are not kept."""
    for text in st.session_state.get(keys.NOT_KEPT, ()):
        st.caption(say(text))


def panel(done: Saved) -> None:
    """Offer the files behind a version to whoever may edit it; nothing where none is kept."""
    kept = database.store().originals.of(done.id, done.version)
    if not kept:
        return
    title = t("The file behind these numbers") if len(kept) == 1 else t("Files behind these numbers ({n})", n=len(kept))
    with st.expander(say(title), icon=":material/attach_file:", key=keys.ORIGINALS):
        if any(each.stripped for each in kept):
            st.caption(say(t("Without prompts and answers: numbers and known settings are as they came")))
        for each in kept:
            _offer(done, each)


def _offer(done: Saved, each: Original) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            plain(each.name),
            data=partial(database.store().originals.open, done.id, done.version, each.sha256),
            file_name=_file_name(each),
            mime="application/octet-stream",
            key=keys.of(keys.ORIGINALS, each.sha256),
            on_click="ignore",
            icon=":material/download:",
            type="tertiary",
        )
        st.caption(say(t("Size {size} kB", size=f"{max(each.size / 1000, 0.1):,.1f}")), width="content")


def _file_name(each: Original) -> str:
    """Return the last part of a file's name; what was packed and then stripped is packed no more.

    >>> _file_name(Original(name="run/a.json.gz", sha256="", size=1, stripped=True))
    'a.json'
    """
    name = PurePosixPath(each.name.replace("\\", "/")).name or "file"
    return name.removesuffix(".gz").removesuffix(".zst") if each.stripped else name
