"""Files that appear under their name when they are whole and on the disk, never before; only their owner reads them."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PART = ".part"
"""How the name of a file ends that is being written."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""No room on the disk, none left of what this user may have, or more than a file may hold here."""


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Give a stream whose content is the file once the block has ended; where it fails, what was there stays.

    Raises:
        OSError: with the path, also where the system does not say which file it was.
    """
    part = path.with_name(f".{secrets.token_hex(8)}{PART}")
    with named(str(path)):
        try:
            with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


@contextmanager
def named(place: str) -> Iterator[None]:
    """Let a failure of the file system say where it was: those of writing to an open file do not."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), place) from error


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_full(error: BaseException | None) -> bool:
    """Return whether the file system had no room."""
    return isinstance(error, OSError) and error.errno in _FULL
