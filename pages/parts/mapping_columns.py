"""The columns of a table, one line each: its header, some cells, and what it is, chosen from what fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.i18n import Text, t
from core.ingest.mapping import ProposedColumn, TablePreview
from core.ingest.raw import Upload
from core.ingest.roles import IGNORED
from core.model.mapping import ColumnMeaning
from core.present import meanings
from pages.parts import keys, mapping_draft, state
from pages.parts.speech import plain, say, say_raw

SHOWN = 12
"""Columns in view at once."""
SAMPLES = 3
SAMPLE_CHARS = 28
WIDE_HEADER, WIDE_ROLE, WIDE_STATISTIC, WIDE_UNIT = 300, 420, 194, 150
"""Pixels."""


def lines(upload: Upload, place: int) -> None:
    """Draw one line per column: what is unclear first, what is not needed last."""
    shown = mapping_draft.preview(upload, place)
    said = mapping_draft.current().said[place]
    order = sorted(range(len(shown.columns)), key=lambda index: _rank(shown.columns[index], index))
    pages = -(-len(order) // SHOWN)
    slot = st.container(gap="small")
    page = st.pagination(pages, key=keys.of(keys.MAPPING_PAGE, place)) if pages > 1 else 1
    with slot:
        for index in order[(page - 1) * SHOWN : page * SHOWN]:
            _line(place, index, shown, mapping_draft.meaning_in(said, shown.columns[index]))


def _rank(column: ProposedColumn, index: int) -> tuple[bool, bool, int]:
    return column.unclear is None, column.meaning.role == IGNORED, index


def _line(place: int, index: int, shown: TablePreview, meaning: ColumnMeaning) -> None:
    column = shown.columns[index]
    # A row that wraps: on a telephone the choices stand below the header, without gaps for those that do not apply.
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(_named(shown, index, meaning), width=WIDE_HEADER)
        _select(
            keys.of(keys.MAPPING_ROLE, place, index),
            t("What {column} is", column=column.key),
            meanings.CHOICES,
            meanings.choice_of(meaning),
            meanings.choice_text,
            lambda found: _say(place, column, meanings.meant(found, column.header)),
            WIDE_ROLE,
        )
        _select(
            keys.of(keys.MAPPING_STATISTIC, place, index),
            t("Statistic of {column}", column=column.key),
            [each or "" for each in meanings.statistics_for(meaning)],
            meaning.statistic or "",
            lambda found: meanings.statistic_text(found or None, inverse=meaning.inverse),
            lambda found: _say(place, column, replace(meaning, statistic=found or None)),
            WIDE_STATISTIC,
        )
        units = [each or "" for each in meanings.units_for(meaning, column.header)]
        _select(
            keys.of(keys.MAPPING_UNIT, place, index),
            t("Unit of {column}", column=column.key),
            units,
            meaning.unit or (units[0] if len(units) == 1 else ""),
            lambda found: meanings.unit_text(meaning.role, found or None),
            lambda found: _say(place, column, replace(meaning, unit=found or None)),
            WIDE_UNIT,
        )


def _named(shown: TablePreview, index: int, meaning: ColumnMeaning) -> str:
    """The header, some cells, and what is unclear for as long as nobody has said it."""
    column = shown.columns[index]
    cells = [row[index][:SAMPLE_CHARS] for row in shown.rows if index < len(row) and row[index].strip()]
    samples = " · ".join(list(dict.fromkeys(cells))[:SAMPLES])
    parts = [f"**{plain(column.key)}**", f":small[:gray[{plain(samples) or '–'}]]"]
    if column.unclear and meaning == column.meaning:
        parts.append(f":small[:material/help: {say(column.unclear)}]")
    return "  \n".join(parts)


def _say(place: int, column: ProposedColumn, meaning: ColumnMeaning) -> None:
    mapping_draft.say_column(place, column, meaning)


def _select(
    key: str,
    label: Text,
    options: Sequence[Any],
    value: object,
    words: Callable[[Any], Text],
    chosen: Callable[[Any], None],
    width: int,
) -> None:
    """Draw one choice, nothing where there is none; the draft, not the widget, holds what was chosen."""
    if not options:
        return
    state.seed(key, value if value in options else None)

    def told() -> None:
        if (found := st.session_state[key]) is not None:
            chosen(found)

    st.selectbox(
        say(label),
        options,
        index=None,
        format_func=lambda option: say_raw(words(option)),
        key=key,
        label_visibility="collapsed",
        placeholder=say(t("Choose")),
        required=True,
        width=width,
        disabled=len(options) == 1,
        on_change=told,
    )
