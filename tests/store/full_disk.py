"""Disks that run full: one that lets no file grow beyond a size, and one of a few megabytes that is filled up."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

MOUNTED = "PLIMSOLL_TEST_DISK"
"""Names, in the process where one is mounted, the small disk."""

_BLOCK = 4096


class Disk(Protocol):
    """A disk with a folder on it."""

    folder: Path
    codes: tuple[str, ...]

    def full(self, room: int) -> object:
        """Leave so many bytes, more or less, for as long as the block lasts."""


class Limited:
    """No file of this process grows, or is written, beyond so many bytes: the way of EFBIG."""

    codes = ("store.full", "store.unavailable")
    """SQLite takes this failure for one of the device: only ENOSPC is a full disk to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def full(self, room: int) -> Iterator[None]:
        """Let nothing be written beyond so many bytes of any file."""
        before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))
            signal.signal(signal.SIGXFSZ, handler)


class Mounted:
    """A disk of its own that is filled up: the way of ENOSPC."""

    codes = ("store.full",)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def full(self, room: int) -> Iterator[None]:
        """Fill the disk but for so many bytes."""
        ballast = self.folder.parent / "ballast"
        free = os.statvfs(self.folder)
        blocks = free.f_bavail - room // _BLOCK
        handle = os.open(ballast, os.O_CREAT | os.O_WRONLY)
        try:
            if blocks > 0:
                os.posix_fallocate(handle, 0, blocks * _BLOCK)
            yield
        finally:
            os.close(handle)
            ballast.unlink()
