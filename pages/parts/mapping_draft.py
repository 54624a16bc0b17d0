"""What a person is saying of one table's columns, before it is put to use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import PurePosixPath

import streamlit as st

from core.ingest.mapping import ProposedColumn, TablePreview, preview_of
from core.ingest.raw import Upload
from core.ingest.roles import IGNORED
from core.ingest.trial import used_by
from core.model.mapping import ColumnMeaning, TableMapping, plain_header, same_headers
from core.model.scenario import NAME_CHARS
from pages.parts import keys, known, state


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is being said of one file.

    Attributes:
        said: by the place of the table in the file.
        touched: tables that the person changed, or said something of before.
        turned: tables that the person turned.
    """

    file: str
    said: Mapping[int, TableMapping] = field(default_factory=dict)
    touched: frozenset[int] = frozenset()
    turned: frozenset[int] = frozenset()


@lru_cache(maxsize=4)
def previews(upload: Upload, *, turned: bool = False) -> tuple[TablePreview, ...]:
    """Return the tables of a file; the page asks several times for each change.

    Raises:
        RefusedFileError: as `core.ingest.mapping.preview_of`.
    """
    return preview_of(upload, transposed=turned, where_possible=True)


def start(upload: Upload) -> Draft:
    """Return the draft of a file: what was said of its tables before, else what is proposed."""
    found: Draft | None = st.session_state.get(keys.MAPPING_DRAFT)
    if found and found.file == upload.name:
        return found
    before = used_by(upload, (*state.held().mappings, *known.quietly()))
    said: dict[int, TableMapping] = {}
    turned: set[int] = set()
    touched: set[int] = set()
    for place, preview in enumerate(previews(upload)):
        mapping = _said_of(preview, before)
        if mapping is None and (mapping := _said_of(previews(upload, turned=True)[place], before)):
            turned.add(place)
        if mapping:
            touched.add(place)
        said[place] = mapping or preview.mapping(name_of(upload, preview))
    draft = Draft(file=upload.name, said=said, touched=frozenset(touched), turned=frozenset(turned))
    st.session_state[keys.MAPPING_DRAFT] = draft
    return draft


def current() -> Draft:
    """Return the draft that is open."""
    found: Draft = st.session_state[keys.MAPPING_DRAFT]
    return found


def preview(upload: Upload, place: int) -> TablePreview:
    """Return one table as the person has it: turned or not."""
    return previews(upload, turned=place in current().turned)[place]


def name_of(upload: Upload, shown: TablePreview) -> str:
    """Return a first name for a mapping: of the sheet, the title or the file."""
    return (shown.sheet or shown.title or PurePosixPath(upload.name).stem)[:NAME_CHARS]


def meaning_in(mapping: TableMapping, column: ProposedColumn) -> ColumnMeaning:
    """Return what a mapping says of a column; what it does not name is not needed."""
    by_key = {plain_header(key): meaning for key, meaning in mapping.columns.items()}
    return by_key.get(plain_header(column.key), ColumnMeaning(role=IGNORED))


def say_column(place: int, column: ProposedColumn, meaning: ColumnMeaning) -> None:
    """Keep what the person says of one column."""
    said = current().said[place]
    others = {key: each for key, each in said.columns.items() if plain_header(key) != plain_header(column.key)}
    _say(place, replace(said, columns={**others, column.key: meaning}))


def leave_out(upload: Upload, place: int, *, out: bool) -> None:
    """Say that a table is not to be read, or propose its columns again."""
    shown = preview(upload, place)
    proposed = shown.mapping(name_of(upload, shown))
    nothing = {column.key: ColumnMeaning(role=IGNORED) for column in shown.columns}
    _say(place, replace(proposed, columns=nothing) if out else proposed)


def turn(upload: Upload, place: int) -> None:
    """Turn a table, and propose its columns anew."""
    draft = current()
    st.session_state[keys.MAPPING_DRAFT] = replace(draft, turned=draft.turned ^ {place})
    shown = preview(upload, place)
    _say(place, shown.mapping(name_of(upload, shown)))


def put_to_use(place: int) -> tuple[TableMapping, ...]:
    """Return what is used of the draft: what the person changed, else the table in view."""
    draft = current()
    return tuple(draft.said[each] for each in sorted(draft.touched) or [place])


def _say(place: int, mapping: TableMapping) -> None:
    draft = current()
    st.session_state[keys.MAPPING_DRAFT] = replace(
        draft, said={**draft.said, place: mapping}, touched=draft.touched | {place}
    )


def _said_of(shown: TablePreview, before: tuple[TableMapping, ...]) -> TableMapping | None:
    fitting = (each for each in before if same_headers(each.headers, shown.headers))
    return next((each for each in fitting if each.sheet in (None, shown.sheet)), None)
