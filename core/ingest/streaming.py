"""Files whose format is read in blocks: however large, they are never held whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.ingest.importer import Importer, choose, ranked
from core.ingest.raw import RawFile, Upload
from core.ingest.source import OnDisk, Stream, Watch
from core.settings import LIMITS

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_streamed(source: Upload | OnDisk, importers: Sequence[Importer], watch: Watch | None = None) -> RawFile | None:
    """Return what a file says, None where its format has to be seen whole or nobody recognises it.

    Args:
        source: the file.
        importers: of every format; one that reads in blocks has a `read_stream`.
        watch: hears how far the reading is, and may end it by raising.

    Raises:
        RefusedFileError: it cannot be opened, is damaged, or is refused by its importer.
    """
    with Stream(source, watch) as stream:
        # Two bytes a character have no line ends to cut at.
        if stream.start.startswith(_UTF_16) or not any(
            importer.match(stream.head) for importer in importers if _reader(importer)
        ):
            return None
        read = _reader(choose(ranked(importers, stream.head), stream.head))
        if read is None:
            return None
        name = source.name.replace("\\", "/")[-LIMITS.name_chars :]
        return replace(read(stream), name=name, sha256=stream.sha256())


def _reader(importer: Importer) -> Callable[[Stream], RawFile] | None:
    return getattr(importer, "read_stream", None)
