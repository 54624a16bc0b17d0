"""Column meanings that are kept in the store, for the pages: asked for only where a table may have arrived."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from core.errors import StoreError
from core.ingest.trial import used_by
from core.model.mapping import TableMapping
from pages.parts import saved, state
from pages.parts.errors import show_errors

_NEVER_TABLES = (".json", ".jsonl", ".ndjson", ".parquet", ".log")


def for_files(names: Iterable[str]) -> tuple[TableMapping, ...]:
    """Return what is kept where one of the files may be a table; () where the store fails, which is shown."""
    if all(name.casefold().endswith(_NEVER_TABLES) for name in names):
        return ()
    with show_errors():
        return tuple(each.mapping for each in saved.store().mappings.list())
    return ()


def quietly() -> tuple[TableMapping, ...]:
    """Return what is kept, () where the store fails: the list of what is kept shows that, once."""
    with suppress(StoreError):
        return tuple(each.mapping for each in saved.store().mappings.list())
    return ()


def put_to_use(new: Sequence[TableMapping]) -> int:
    """Read tables again that were refused and that one of the mappings is for; return how many."""
    held = state.held()
    refused = {each.file for each in held.refused}
    names = {upload.name for upload in held.tables if upload.name in refused and used_by(upload, new)}
    if names:
        state.read_again(names, held.mappings, quietly())
    return len(names)
