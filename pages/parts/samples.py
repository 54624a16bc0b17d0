"""Sample files that come with Plimsoll: one click to an answer."""

from __future__ import annotations

import streamlit as st

from core.ingest.raw import Upload
from core.model.run import Run
from core.pipeline import load
from core.settings import DATA
from pages.parts import state

FOLDER = DATA / "samples" / "vllm_cpu"


def take() -> None:
    """Read the sample like an upload and add it to the session."""
    state.add_files(_uploads())


@st.cache_resource(max_entries=1, show_spinner=False)
def runs() -> tuple[Run, ...]:
    """Return the runs of the sample."""
    return load(_uploads()).runs


def _uploads() -> list[Upload]:
    files = sorted(FOLDER.glob("*.json"))
    return [Upload(path.relative_to(FOLDER.parent).as_posix(), path.read_bytes()) for path in files]
