"""Tables read as a person said: the finding that tells so, and the way out where what was said cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.formats import generic_csv
from core.ingest.mapping import mapped
from core.ingest.raw import RawFile, Upload
from core.ingest.table import Table
from core.ingest.tables import tables_of
from core.model.finding import Finding, Severity
from core.model.mapping import TableMapping, content_hash

MAPPED = "ingest.mapped"
_HASH_CHARS = 12
"""Of a mapping's hash in a finding: enough to find it among those that are kept."""


def read_as_said(upload: Upload, mappings: Sequence[TableMapping]) -> RawFile:
    """Return a file, unpacked already, in which one mapping at least is for a table, and say which were used.

    Raises:
        RefusedFileError: as `core.ingest.formats.generic_csv.read`, with the mapping named as what may be wrong.
    """
    pairs = [mapped(table, mappings) for table in tables_of(upload)]
    used = [(table, mapping) for table, mapping in pairs if mapping]
    try:
        file = generic_csv.read(upload, mappings)
    except RefusedFileError as error:
        raise _named(error, [mapping for _, mapping in used]) from error
    return replace(file, findings=(*file.findings, *(_told(table, mapping) for table, mapping in used)))


def _told(table: Table, mapping: TableMapping) -> Finding:
    return Finding(
        code=MAPPED,
        severity=Severity.INFO,
        where=Place(table.name, table.line, table.sheet),
        what=t(
            'The columns are what a person said, kept as "{name}" (content {content})',
            name=mapping.name,
            content=content_hash(mapping)[:_HASH_CHARS],
        ),
    )


def _named(error: RefusedFileError, used: Sequence[TableMapping]) -> RefusedFileError:
    """The same refusal, with what a person said among the things that may be wrong."""
    names = ", ".join(dict.fromkeys(mapping.name for mapping in used))
    fix = t('{fix}. The columns were read as "{name}" says: if that is not so, correct it', fix=error.fix, name=names)
    return RefusedFileError(error.code, error.what, fix=fix, place=error.place)
