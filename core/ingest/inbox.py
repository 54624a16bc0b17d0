"""The watched folder: files that are too large for a browser, offered by name and never by a path that is typed.

Only what lies in the folder itself counts. Links are neither shown nor followed, nor is anything whose name
starts with a point.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.source import OnDisk, unreadable
from core.settings import LIMITS


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file of the watched folder, or a folder with its files.

    Attributes:
        name: inside the watched folder.
        files: how many; 1 for a file.
        size: bytes of all of them.
        changed: when the last of them was written.
        folder: whether it is one.
    """

    name: str
    files: int
    size: int
    changed: datetime
    folder: bool


def entries(inbox: Path) -> tuple[Entry, ...]:
    """Return what lies in the watched folder, the newest first.

    Raises:
        RefusedFileError: the folder cannot be read.
    """
    found = []
    for path in _listed(inbox):
        files = list(_files(path))
        stats = [stat for file in files if (stat := _stat(file))]
        if stats:
            found.append(
                Entry(
                    name=path.name,
                    files=len(stats),
                    size=sum(stat.st_size for stat in stats),
                    changed=datetime.fromtimestamp(max(stat.st_mtime for stat in stats), UTC),
                    folder=path.is_dir(),
                )
            )
    return tuple(sorted(found, key=lambda entry: entry.changed, reverse=True))


def chosen(inbox: Path, names: Sequence[str]) -> list[OnDisk]:
    """Return the files behind some entries, named with their folders.

    Raises:
        RefusedFileError: the folder cannot be read, or a name is of nothing in it.
    """
    there = {path.name: path for path in _listed(inbox)}
    found = []
    for name in names:
        path = there.get(name)
        if path is None:
            raise _not_there(name)
        found += [OnDisk(file.relative_to(inbox).as_posix(), file, within=inbox) for file in _files(path)]
    return found


def _listed(inbox: Path) -> list[Path]:
    try:
        return [path for path in sorted(inbox.iterdir()) if _plain(path)][: LIMITS.files]
    except OSError as error:
        raise unreadable(inbox.name, error) from error


def _files(path: Path) -> Iterator[Path]:
    """Yield a file, or every file of a folder and below it, as many as are read at once."""
    if not path.is_dir():
        yield path
        return
    count = 0
    for folder, inner, names in os.walk(path, followlinks=False):
        inner[:] = sorted(name for name in inner if _plain(Path(folder, name)))
        for name in sorted(names):
            if _plain(Path(folder, name)):
                yield Path(folder, name)
                count += 1
                if count > LIMITS.files:
                    return


def _plain(path: Path) -> bool:
    """Return whether a path is a file or folder of its own: no link, no device, and not hidden."""
    return not path.name.startswith(".") and not path.is_symlink() and (path.is_file() or path.is_dir())


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat(follow_symlinks=False)
    except OSError:  # it may be gone since it was listed
        return None


def _not_there(name: str) -> RefusedFileError:
    return refusal(
        "inbox.not_there",
        t("{name} is not in the watched folder", name=name[: LIMITS.name_chars]),
        name[: LIMITS.name_chars],
        t("Look at the list again: the file may have been moved"),
    )
