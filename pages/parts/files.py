"""The drop box, the sample, what is held, and taking it back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.i18n import Text, t
from core.ingest.raw import Upload
from core.ingest.source import OnDisk
from core.model.refusal import Refusal
from core.present.files import by_products_text, sorted_refusals
from core.present.formats import what_is_read
from core.present.tables import refusals_table
from pages.parts import drafts, inbox, keys, known, mapping, originals, samples, state
from pages.parts.drafts import Held
from pages.parts.speech import heading, language, plain, say
from pages.parts.table import table

FEW = 3
"""Files that were not used and are each told of in full; more become a table."""


def drop_box() -> None:
    """Take dropped files in; while they are read, say which and offer to stop."""
    folder = st.session_state.get(keys.FOLDER, False)
    label = t("Drop a folder of results here") if folder else t("Drop benchmark result files here")
    arrived = st.file_uploader(
        say(label),
        accept_multiple_files="directory" if folder else True,
        key=keys.of(keys.DROP, st.session_state.get(keys.ROUND, 0), *(["folder"] if folder else [])),
    )
    st.toggle(
        say(t("A whole folder")),
        key=keys.FOLDER,
        help=say(
            t("Folder names are kept: they may tell which files are one run, and at which load they were measured")
        ),
    )
    inbox.offer(_take)
    if arrived:
        _take([Upload(file.name, file.getvalue()) for file in arrived])


def sample_button(*, prominent: bool = False) -> None:
    """Offer the sample: one click to an answer."""
    st.button(
        say(t("Try it with sample data")),
        key=keys.SAMPLE,
        icon=":material/play_arrow:",
        type="secondary" if prominent else "tertiary",
        on_click=samples.take,
    )


def formats() -> None:
    """List what can be read, in small type."""
    line, full = what_is_read()
    st.caption(say(line), help=say(full))


def held_files(*, alone: bool = True) -> None:
    """Say what is held, and offer to clear it or to bring back what was cleared.

    `alone` where the page has no other place for the heading and for files that were not used.
    """
    held = state.held()
    if alone:
        heading(t("Files"))
    drop_box()
    if not held.empty:
        st.caption(say(_counts(held)))
        drafts.warning()
        originals.warning()
    if alone:
        refusals(held)
    with st.container(horizontal=True):
        sample_button()
        if not held.empty:
            st.button(say(t("Clear")), key=keys.CLEAR, icon=":material/close:", type="tertiary", on_click=_clear)
        undo_button()


def undo_button() -> None:
    """Offer the files before the last change, where there was something."""
    if state.can_undo():
        st.button(say(t("Undo")), key=keys.UNDO, icon=":material/undo:", type="tertiary", on_click=state.undo)
    if state.can_redo():
        st.button(say(t("Redo")), key=keys.REDO, icon=":material/redo:", type="tertiary", on_click=state.redo)


def refusals(held: Held, *, editing: bool = False) -> None:
    """Show every file that was not used: which, why, what next; those without results of their own in one line.

    `editing` where the page draws `mapping.panel`.
    """
    failed, beside = sorted_refusals(held.refused)
    if len(failed) > FEW:
        count = t("{count} files were not used", count=len(failed))
        with st.expander(say(count), icon=":material/block:"):
            table(refusals_table(failed, language()), keys.REFUSED, count)
    else:
        _in_full(failed, editing=editing)
    if beside:
        quiet = by_products_text(len(beside))
        with st.expander(f":small[:gray[{say(quiet)}]]"):
            table(refusals_table(beside, language()), keys.BY_PRODUCTS, quiet)


def _in_full(failed: Sequence[Refusal], *, editing: bool) -> None:
    for refused in failed:
        place = " · ".join(str(part) for part in (refused.file, refused.line, refused.field) if part)
        st.warning(f"**{plain(place)}**  \n{say(refused.what)}. {say(refused.fix)}", icon=":material/block:")
        if mapping.say_button(refused.file, editing=editing):
            st.switch_page("pages/data.py")


def _counts(held: Held) -> Text:
    names = {(file.name, file.sha256) for run in held.shown for file in run.files}
    stages = [stage for run in held.shown for stage in run.stages]
    used = sum(stage.excluded is None for stage in stages)
    return t(
        "Files read: {files} · runs: {runs} · levels used: {used}, left out: {out}",
        files=len(names),
        runs=len(held.shown),
        used=used,
        out=len(stages) - used,
    )


def _take(uploads: Sequence[Upload | OnDisk]) -> None:
    _read(uploads)
    _next_round()
    st.rerun()


def _read(uploads: Sequence[Upload | OnDisk]) -> None:
    with st.container():
        bar = st.progress(0.0, text=say(t("Reading")))
        st.button(say(t("Stop reading")), key=keys.STOP, on_click=_next_round)

        def progress(position: float, count: int, name: str) -> None:
            text = t("Reading file {position} of {count}: {name}", position=int(position) + 1, count=count, name=name)
            bar.progress(min(position / count, 1.0), text=say(text))

        state.add_files(uploads, progress, known.for_files(upload.name for upload in uploads))


def _clear() -> None:
    state.set_held(Held())
    _next_round()


def _next_round() -> None:
    st.session_state[keys.ROUND] = st.session_state.get(keys.ROUND, 0) + 1
