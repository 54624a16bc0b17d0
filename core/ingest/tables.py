"""Every table of a file, whatever it is written in."""

from __future__ import annotations

from core.ingest.raw import Upload
from core.ingest.table import Table, table_of
from core.settings import LIMITS


def tables_of(upload: Upload) -> tuple[Table, ...]:
    """Return the tables of a file that is unpacked already, in their order.

    Raises:
        RefusedFileError: no table, or a damaged one; with the place.
    """
    return (table_of(upload, LIMITS.levels),)
