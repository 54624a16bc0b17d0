"""A file of printed results: its text, and its levels."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from core.ingest.console_block import blocks_of
from core.ingest.console_level import level_of
from core.ingest.decode import text_of
from core.ingest.engine_start import started
from core.ingest.raw import Head, RawFile, Upload
from core.model.run import Kind


# Every importer of printed results looks at the same head.
@lru_cache(maxsize=16)
def printed_start(head: Head) -> str:
    """Return a head as text, whatever its encoding; nothing for a JSON document. Never raises."""
    sample = head.sample
    if sample.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return ""
    encoding = "utf-16" if sample.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    return sample.decode(encoding, "replace")


def console_file(upload: Upload, format_id: str) -> RawFile:
    """Return every printed result of a file as a level.

    Raises:
        RefusedFileError: as in `blocks_of` and `level_of`.
    """
    blocks = blocks_of(upload)
    # One log may hold the server's start as well as the result, as where both ran in one terminal.
    server = started(text_of(upload)).about
    levels = tuple(
        replace(level, conditions={**server, **level.conditions})
        for level in (level_of(block, upload.name, alone=len(blocks) == 1) for block in blocks)
    )
    return RawFile(
        name=upload.name, sha256="", format_id=format_id, format_version=None, kind=Kind.MEASURED, levels=levels
    )
