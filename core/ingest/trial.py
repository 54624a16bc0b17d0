"""Tables that a person may yet say something of: which files are kept for that, and what they would come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import PlimsollError, RefusedFileError
from core.ingest.decode import unpacked
from core.ingest.mapping import mapped
from core.ingest.mapping_check import checked
from core.ingest.raw import RawFile, RawLevel, Upload
from core.ingest.read import read_file
from core.ingest.source import OnDisk
from core.ingest.table import Table
from core.ingest.tables import tables_of
from core.model.mapping import TableMapping
from core.settings import LIMITS, MEGABYTE

KEPT_BYTES = 2 * MEGABYTE
"""Of one file: the 2,000 rows that are read, with a hundred columns."""
KEPT_TOGETHER = 10 * MEGABYTE
LONGEST_CELL = 300
"""Characters: a longer one is a prompt or an answer, and those are never kept."""

_GENERIC = ("generic_csv", "generic_requests")
_ENDINGS = (".csv", ".tsv", ".xlsx", ".xlsm", ".md", ".markdown", ".txt")
_PACKED = (".gz", ".zst")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a file would come to if its columns were what a person says.

    Attributes:
        levels: that would be read.
        settings: how many deployments they would be of.
        refused: why none would be, None where they would.
    """

    levels: int = 0
    settings: int = 0
    refused: PlimsollError | None = None


def outcome_of(upload: Upload, mappings: Sequence[TableMapping]) -> Outcome:
    """Return what a file would come to with these mappings, which are checked first. Never raises."""
    try:
        levels = read_file(upload, [checked(mapping) for mapping in mappings]).levels
    except PlimsollError as error:
        return Outcome(refused=error)
    return Outcome(levels=len(levels), settings=len({_setting(level) for level in levels}))


def used_by(upload: Upload, mappings: Sequence[TableMapping]) -> tuple[TableMapping, ...]:
    """Return the mappings that tables of a file, packed or not, are read by. Never raises."""
    found = (mapped(table, mappings)[1] for table in _tables(upload))
    return tuple(mapping for mapping in found if mapping)


def kept_table(source: Upload | OnDisk, read: RawFile | None) -> Upload | None:
    """Return a file whose columns a person may say something of, None where there is no reason to keep it.

    Such a file is named as a table is and holds one of at most 2,000 rows without long texts. What a tool's
    own importer read is not among them.

    Args:
        source: name and bytes, or where they lie.
        read: what it came to, None where it was refused.

    Returns:
        The file under the name that its levels, or its refusal, go by.
    """
    if not _may_be_table(source.name) or (read and read.format_id not in _GENERIC):
        return None
    try:
        size = len(source.data) if isinstance(source, Upload) else source.path.stat().st_size
        if not 0 < size <= KEPT_BYTES:
            return None
        upload = source.whole() if isinstance(source, OnDisk) else source
    except (RefusedFileError, OSError):
        return None
    tables = _tables(upload)
    if not tables or not all(_is_kept(table) for table in tables):
        return None
    return Upload(upload.name.replace("\\", "/")[-LIMITS.name_chars :], upload.data)


def together(tables: Sequence[Upload]) -> tuple[Upload, ...]:
    """Return the newest of the kept files that fit into what one session may keep, each name once.

    >>> [one.name for one in together([Upload("a", b"1"), Upload("b", b"2"), Upload("a", b"3")])]
    ['b', 'a']
    """
    newest: dict[str, Upload] = {}
    size = 0
    for upload in reversed(tables):
        if upload.name not in newest:
            size += len(upload.data)
            if size > KEPT_TOGETHER:
                break
            newest[upload.name] = upload
    return tuple(reversed(newest.values()))


def _tables(upload: Upload) -> tuple[Table, ...]:
    try:
        return tables_of(unpacked(upload))
    except RefusedFileError:
        return ()


def _may_be_table(name: str) -> bool:
    plain = name.casefold()
    for ending in _PACKED:
        plain = plain.removesuffix(ending)
    return plain.endswith(_ENDINGS)


def _is_kept(table: Table) -> bool:
    short = all(len(cell) <= LONGEST_CELL for row in table.rows for cell in row.cells)
    return len(table.header) > 1 and len(table.rows) <= LIMITS.levels and not table.is_cut and short


def _setting(level: RawLevel) -> tuple[str, str]:
    return repr(sorted(level.conditions.items())), repr(sorted(level.identity.items()))
