"""One file, from bytes to raw levels: unpack, recognise, read."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from core.ingest.decode import unpacked
from core.ingest.importer import choose
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.registry import IMPORTERS
from core.settings import LIMITS

HEAD_BYTES = 65_536


def read_file(upload: Upload) -> RawFile:
    """Return what one file says.

    Raises:
        RefusedFileError: empty, damaged, too large, of an unknown format, or refused by its importer.
    """
    sha256 = hashlib.sha256(upload.data).hexdigest()
    name = upload.name.replace("\\", "/")[-LIMITS.name_chars :]
    plain = unpacked(Upload(name, upload.data))
    importer = choose(IMPORTERS, Head(plain.name, plain.data[:HEAD_BYTES]))
    # The hash is of the bytes as they came, so that a person can check it against their own file.
    return replace(importer.read(plain), name=name, sha256=sha256)
