"""Keeping uploaded files themselves, where a setting says so; what could not be kept is said."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import PlimsollError
from core.i18n import Text
from core.ingest.raw import RawFile, Upload
from core.ingest.source import OnDisk
from core.settings import originals
from pages.parts import database, keys
from pages.parts.errors import attempt
from pages.parts.speech import say


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
