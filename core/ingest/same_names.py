"""Files of one name and other bytes: browsers drop folders, so that two sweeps may arrive as the same names.

What comes later gets a numbered folder of its own, "(2)/c16.json": its levels then stay together, and the
doubt whether they are repetitions can be asked about (`core.normalise.doubtful`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from core.errors import RefusedFileError
from core.ingest.raw import Upload
from core.ingest.source import OnDisk, Stream


def told_apart(uploads: Sequence[Upload | OnDisk], held: Mapping[str, str]) -> list[Upload | OnDisk]:
    """Return uploads whose names no other file has, unless its bytes are the same.

    Args:
        uploads: of one drop; they move together where one of them has the name of a file that is held.
        held: SHA-256 by name of the files that were read before.

    >>> old, new = Upload("c4.json", b"1"), Upload("c4.json", b"2")
    >>> [file.name for file in told_apart([old, new], {})]
    ['c4.json', '(2)/c4.json']
    """
    clash = any(upload.name in held and _hash(upload) != held[upload.name] for upload in uploads)
    number = next(n for n in count(2) if not any(name.startswith(f"({n})/") for name in held)) if clash else 1
    seen: dict[str, Upload | OnDisk] = {}
    apart: list[Upload | OnDisk] = []
    for upload in uploads:
        places = (upload.name if n == 1 else f"({n})/{upload.name}" for n in count(number))
        name = next(each for each in places if each not in seen or _hash(seen[each]) == _hash(upload))
        seen[name] = upload
        apart.append(upload if name == upload.name else replace(upload, name=name))
    return apart


def _hash(upload: Upload | OnDisk) -> str:
    """Return the hash of a file, "" where it cannot be read: that is told when its turn comes."""
    try:
        with Stream(upload) as stream:
            return stream.sha256()
    except RefusedFileError:
        return ""
