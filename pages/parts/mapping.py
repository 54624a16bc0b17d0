"""Saying what the columns of a table are: its first rows, its columns, what would be read, and putting it to use."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.errors import PlimsollError
from core.i18n import Text, t
from core.ingest.byproduct import CODE
from core.ingest.mapping import TablePreview
from core.ingest.raw import Upload
from core.ingest.trial import Outcome, outcome_of, used_by
from core.model.mapping import TableMapping, mappings_json, same_headers
from core.model.scenario import NAME_CHARS
from core.present.files import short_names
from pages.parts import keys, known, mapping_columns, mapping_draft, saved, state
from pages.parts.errors import show_errors
from pages.parts.speech import heading, say, say_raw
from pages.parts.table import draw_table

ROWS = 4


def say_button(file: str, *, editing: bool) -> bool:
    """Offer to say what the columns of a refused table are; return True where the person wants to.

    `editing` where the page draws the editor: it needs no button to open what is open.
    """
    kept = any(upload.name == file for upload in state.held().tables)
    if not kept or (editing and st.session_state.get(keys.MAPPING_OPEN) == file):
        return False
    wanted = st.button(
        say(t("Say what the columns are")),
        key=keys.of(keys.MAPPING_SAY, hashlib.sha256(file.encode()).hexdigest()[:12]),
        icon=":material/table_edit:",
    )
    if wanted:
        open_file(file)
    return wanted


def open_file(file: str | None) -> None:
    """Open the editor for one file, or close it; what is being said of a file that is open already stays."""
    if st.session_state.get(keys.MAPPING_OPEN) != file:
        st.session_state.pop(keys.MAPPING_DRAFT, None)
    st.session_state[keys.MAPPING_OPEN] = file


def panel() -> None:
    """Draw the editor of the file that is open, where one is."""
    upload = _offered().get(st.session_state.get(keys.MAPPING_OPEN) or "")
    if upload is None:
        return
    with st.container(border=True, key=keys.MAPPING_PANEL), show_errors():
        _editor(upload)


def offer() -> None:
    """Offer every table of the session, for one that is read wrongly."""
    names = list(_offered())
    if not names or st.session_state.get(keys.MAPPING_OPEN) in names:
        return
    short = short_names(names)
    key = keys.of(keys.MAPPING_OF, len(state.held().tables))
    st.selectbox(
        say(t("Is a table read wrongly, or not at all? Say what its columns are")),
        names,
        index=None,
        format_func=lambda name: short[name],
        key=key,
        placeholder=say(t("Choose a table")),
        on_change=lambda: open_file(st.session_state[key]),
    )


def _offered() -> dict[str, Upload]:
    held = state.held()
    quiet = {each.file for each in held.refused if each.code == CODE}
    return {upload.name: upload for upload in held.tables if upload.name not in quiet}


def _editor(upload: Upload) -> None:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        heading(t("What the columns of {file} are", file=upload.name))
        st.button(
            say(t("Close")),
            key=keys.MAPPING_CLOSE,
            icon=":material/close:",
            type="tertiary",
            on_click=open_file,
            args=(None,),
        )
    mapping_draft.start(upload)
    place = _picked_table(upload)
    _first_rows(mapping_draft.preview(upload, place))
    mapping_columns.lines(upload, place)
    _acts(upload, place, fits=_result(upload, place))


def _picked_table(upload: Upload) -> int:
    """Let the person pick a table where there are several, leave it out, and turn it; return its place."""
    every = mapping_draft.previews(upload)
    place = 0
    if len(every) > 1:
        place = st.selectbox(
            say(t("Table")), range(len(every)), format_func=lambda i: _table_name(every[i], i), key=keys.MAPPING_TABLE
        )
    draft = mapping_draft.current()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say(t("Rows: {count}. The first of them:", count=every[place].row_count)), width="stretch")
        if len(every) > 1:
            out = keys.of(keys.MAPPING_OUT, place)
            state.seed(out, place in draft.touched and draft.said[place].leaves_out)
            st.toggle(
                say(t("Do not read this table")),
                key=out,
                on_change=lambda: mapping_draft.leave_out(upload, place, out=st.session_state[out]),
            )
        key = keys.of(keys.MAPPING_TURNED, place)
        state.seed(key, place in draft.turned or every[place].transposed)
        st.toggle(
            say(t("Load levels are columns")),
            key=key,
            disabled=every[place].transposed or not mapping_draft.previews(upload, turned=True)[place].transposed,
            help=say(t("Turn the table, so that each load level becomes a row")),
            on_change=lambda: mapping_draft.turn(upload, place),
        )
    return place


def _table_name(preview: TablePreview, place: int) -> str:
    named = " · ".join(part for part in (preview.sheet, preview.title) if part) or str(place + 1)
    return f"{named[:80]} ({preview.row_count})"


def _first_rows(preview: TablePreview) -> None:
    names = [header or f"#{index + 1}" for index, header in enumerate(preview.headers)]
    cells = [row[: len(names)] for row in preview.rows[:ROWS]]
    if len(set(names)) == len(names) and all(len(row) == len(names) for row in cells):
        draw_table(pd.DataFrame(cells, columns=names), keys.MAPPING_ROWS, say_raw(t("The first rows of the table")))


def _result(upload: Upload, place: int) -> bool:
    """Say what the file would come to, before anything is changed; return whether it would be read."""
    outcome = outcome_of(upload, (*mapping_draft.put_to_use(place), *state.held().mappings, *known.quietly()))
    if outcome.refused:
        st.warning(f"{say(_not_yet(outcome.refused))}.", icon=":material/block:")
    else:
        st.success(f"{say(_would(outcome))}.", icon=":material/check:")
    return outcome.refused is None


def _would(outcome: Outcome) -> Text:
    if outcome.settings > 1:
        return t("{levels} levels of {count} deployments would be read", levels=outcome.levels, count=outcome.settings)
    return t("1 level would be read") if outcome.levels == 1 else t("{n} levels would be read", n=outcome.levels)


def _not_yet(error: PlimsollError) -> Text:
    line, column = error.place.line, error.place.field
    if line is None or column is None:
        return t("Nothing can be read yet: {reason}", reason=error.what)
    return t("Nothing can be read yet (line {line}, {column}): {reason}", line=line, column=column, reason=error.what)


def _acts(upload: Upload, place: int, *, fits: bool) -> None:
    keep = st.toggle(
        say(t("Keep this for tables with these headers")),
        key=keys.MAPPING_KEEP,
        help=say(t("Later files with the same headers are then read at once, for everybody who uses this Plimsoll")),
    )
    name = ""
    if keep:
        first = mapping_draft.current().said[place].name
        name = st.text_input(say(t("Name")), value=first, key=keys.of(keys.MAPPING_NAME, place), max_chars=NAME_CHARS)
    with st.container(horizontal=True, vertical_alignment="center"):
        wanted = st.button(say(t("Read it like this")), key=keys.MAPPING_APPLY, type="primary", disabled=not fits)
        if used_by(upload, (*state.held().mappings, *known.quietly())):
            st.button(
                say(t("Read it as recognised")), key=keys.MAPPING_FORGET, type="tertiary", on_click=_forget,
                args=(upload,),
            )  # fmt: skip
        st.download_button(
            say(t("Download")),
            data=lambda: mappings_json(mapping_draft.put_to_use(place)),
            file_name="plimsoll-columns.json",
            mime="application/json",
            key=keys.of(keys.DOWNLOAD, keys.MAPPING_OF),
            on_click="ignore",
            icon=":material/download:",
            type="tertiary",
            disabled=not fits,
        )
    if wanted:
        with show_errors():
            _apply(upload, place, name if keep else None)
            st.rerun()


def _apply(upload: Upload, place: int, name: str | None) -> None:
    """Keep what was said, where that is wanted, and read every table of the session that it is for."""
    said = mapping_draft.put_to_use(place)
    if name is not None:
        said = tuple(replace(each, name=_kept_name(name, each, said)) for each in said)
        said = tuple(each.mapping for each in saved.store().mappings.keep(*said))
    held = state.held()
    before = tuple(each for each in held.mappings if not any(_same_tables(each, new) for new in said))
    names = {each.name for each in held.tables if each.name == upload.name or used_by(each, said)}
    state.read_again(names, (*said, *before), known.quietly())
    open_file(None)


def _kept_name(name: str, mapping: TableMapping, said: Sequence[TableMapping]) -> str:
    return name if len(said) == 1 else f"{name[: NAME_CHARS // 2]} · {mapping.name[: NAME_CHARS // 2 - 3]}"


def _same_tables(one: TableMapping, other: TableMapping) -> bool:
    return same_headers(one.headers, other.headers) and one.sheet == other.sheet


def _forget(upload: Upload) -> None:
    """Read a file as it is recognised, without anything that was said or is kept."""
    used = used_by(upload, state.held().mappings)
    left = tuple(each for each in state.held().mappings if each not in used)
    state.read_again({upload.name}, left)
    open_file(None)
