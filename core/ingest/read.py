"""One file, from bytes to raw levels: unpack, recognise, read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from core.errors import RefusedFileError
from core.ingest.byproduct import explained
from core.ingest.decode import json_document, unpacked
from core.ingest.importer import UNSURE, choose, ranked
from core.ingest.mapping import is_mapped, may_be_mapped
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.registry import BY_PRODUCTS, IMPORTERS
from core.ingest.said import read_as_said
from core.ingest.source import OnDisk, Stream, Watch
from core.ingest.streaming import read_streamed
from core.ingest.tables import DELIMITED, tables_of
from core.model.mapping import TableMapping
from core.settings import LIMITS

HEAD_BYTES = 65_536
_TELLING = frozenset({"ingest.truncated", "ingest.too_deep", "ingest.too_large", "ingest.bad_table", "ingest.encoding"})
"""Refusals that say more than that nobody recognises a file."""


def read_file(source: Upload | OnDisk, mappings: Sequence[TableMapping] = (), watch: Watch | None = None) -> RawFile:
    """Return what one file says.

    Args:
        source: name and bytes, or where they lie.
        mappings: what persons said of the columns of tables. Where one is for a table of this file, it
            stands above recognition.
        watch: hears how far a file is that is read in blocks, and may end the reading by raising.

    Raises:
        RefusedFileError: empty, damaged, too large, of an unknown format, or refused by its importer.
    """
    if not _may_be_mapped(source, mappings) and (streamed := read_streamed(source, IMPORTERS, watch)):
        return streamed
    upload = source.whole() if isinstance(source, OnDisk) else source
    sha256 = hashlib.sha256(upload.data).hexdigest()
    name = upload.name.replace("\\", "/")[-LIMITS.name_chars :]
    try:
        plain = unpacked(Upload(name, upload.data))
    except RefusedFileError as refused:
        # Tools leave empty files behind where they recorded nothing: no reason to send anything again.
        empty = refused.code == "ingest.empty"
        raise (explained(BY_PRODUCTS, Head(name, b"")) if empty else None) or refused from None
    if mappings and is_mapped(plain, mappings):
        return replace(read_as_said(plain, mappings), name=name, sha256=sha256)
    head = Head(plain.name, plain.data[:HEAD_BYTES])
    scored = ranked(IMPORTERS, head)
    # Only a tool's own mark is surer than a by-product's: any table with the right words looks like a result.
    beside = explained(BY_PRODUCTS, head) if scored[0][0] <= UNSURE else None
    if beside:
        raise beside
    try:
        importer = choose(scored, head)
    except RefusedFileError as unknown:
        raise _unreadable(plain) or unknown from None
    # The hash is of the bytes as they came, so that a person can check it against their own file.
    return replace(importer.read(plain), name=name, sha256=sha256)


def _may_be_mapped(source: Upload | OnDisk, mappings: Sequence[TableMapping]) -> bool:
    if not mappings:
        return False
    with Stream(source, None) as stream:
        return may_be_mapped(stream.head, mappings)


def _unreadable(plain: Upload) -> RefusedFileError | None:
    """Return that the file is cut off, nested too deep or no whole table, where that is why nobody recognises it."""
    is_json = plain.data.lstrip()[:1] in (b"{", b"[")
    if not is_json and not plain.name.lower().endswith(DELIMITED):
        return None
    try:
        if is_json:
            json_document(plain)
        else:
            tables_of(plain)
    except RefusedFileError as error:
        return error if error.code in _TELLING else None
    return None
