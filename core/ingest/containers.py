"""Folders that travel as one file: zip and tar, also packed by gzip or zstd, to single uploads.

Everything stays in memory and nothing is written, so a name inside can point nowhere. What counts
against the limits are the bytes that really come out, never the sizes that an archive claims.
"""

from __future__ import annotations

import io
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import IO

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import packed, refusal, unpacked
from core.ingest.raw import Upload
from core.ingest.source import OnDisk
from core.letters import flat
from core.settings import LIMITS, MEGABYTE

_ZIP_START = (b"PK\x03\x04", b"PK\x05\x06")
# The end record says at byte 12 how long the list of members is; a comment of 64 kB may follow it.
_ZIP_END, _ZIP_END_SEARCH, _ZIP_ENTRY = b"PK\x05\x06", 65_557, 1_000
_TAR, _TAR_AT = b"ustar", 257
_ENDINGS = re.compile(r"(?:\.(?:zip|tar|tgz|tzst|gz|zst))+$", re.IGNORECASE)
_PACKED_TAR = re.compile(r".*\.(?:tar\.\w+|tgz|tzst)", re.IGNORECASE | re.DOTALL)
_ARCHIVE = re.compile(r".*\.(?:zip|tar|tar\.\w+|tgz|tzst|7z|rar)", re.IGNORECASE | re.DOTALL)
# Office documents and NumPy's archives are zips too, and each is one file to whoever sends it.
_ONE_FILE = re.compile(r"\[Content_Types\]\.xml|mimetype|_rels/\.rels|.*\.npy")
_OFFICE = "[Content_Types].xml"
_HIDDEN = re.compile(r"(?:^|/)(?:__MACOSX/|\.(?!\.?(?:[/\\]|$))|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
_UTF8_NAME = 0x800
_ENCRYPTED = 0x1
_PACK_AGAIN = t("Pack the folder again, or send its files as they are")
_FEWER = t("Send fewer files at once: one folder of results at a time")


@dataclass(slots=True)
class Drop:
    """What arrived, as single files.

    Attributes:
        uploads: in the order of arrival; those of a container have its name as first folder.
        refused: a container, or a file of one, that was not taken, with its name.
    """

    uploads: list[Upload | OnDisk] = field(default_factory=list)
    refused: list[tuple[str, RefusedFileError]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Member:
    """One file of an archive; `opened` gives its bytes as a stream."""

    name: str
    opened: Callable[[], IO[bytes]]


def expanded(uploads: Sequence[Upload | OnDisk]) -> Drop:
    """Return every single file of a drop; what is damaged is refused and the rest still counts."""
    drop = Drop()
    for source in map(_named, uploads):
        try:
            if isinstance(source, OnDisk) and not _may_be_archive(source):
                drop.uploads.append(source)
                continue
            upload = source.whole() if isinstance(source, OnDisk) else source
            archive = _archive(upload)
            if archive is None:
                drop.uploads.append(upload)
            else:
                _take(drop, archive)
        except RefusedFileError as error:
            drop.refused.append((source.name, error))
    drop.refused += [(extra.name, _too_many(extra.name)) for extra in drop.uploads[LIMITS.files :]]
    del drop.uploads[LIMITS.files :]
    return drop


def _named(source: Upload | OnDisk) -> Upload | OnDisk:
    """Return a file with a name that can be shown: a disk or a tar may hold names in no encoding."""
    name = _shown(source.name)
    return source if name == source.name else replace(source, name=name)


def _shown(name: str) -> str:
    return flat(name.encode("utf-8", "replace").decode("utf-8")) or "?"


def _may_be_archive(source: OnDisk) -> bool:
    """Return whether a file on disk starts as an archive does; only then is it held whole."""
    with source.opened() as file:
        start = file.read(_TAR_AT + len(_TAR))
    return _archive_start(start) or (packed(start) and _PACKED_TAR.fullmatch(source.name) is not None)


def _archive_start(start: bytes) -> bool:
    return start[:4] in _ZIP_START or start[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR


def _archive(upload: Upload) -> Upload | None:
    """Return the upload as plain zip or tar, None where it is a single file."""
    if packed(upload.data) and _PACKED_TAR.fullmatch(upload.name):
        upload = unpacked(upload)
    return upload if _archive_start(upload.data[: _TAR_AT + len(_TAR)]) else None


def _take(drop: Drop, archive: Upload) -> None:
    """Add every file of one archive.

    Raises:
        RefusedFileError: it is damaged, or unfolds into too much; nothing of it is kept then.
    """
    members = _zip_members if archive.data[:2] == b"PK" else _tar_members
    stem = _ENDINGS.sub("", archive.name.replace("\\", "/")) or "archive"
    taken: list[Upload] = []
    refused: list[tuple[str, RefusedFileError]] = []
    # A small archive may hold a megabyte of zeros; only what unfolds into much is a bomb.
    left = min(LIMITS.container_bytes, max(LIMITS.container_ratio * len(archive.data), 16 * MEGABYTE))
    try:
        for count, member in enumerate(members(archive)):
            if count >= LIMITS.files:
                raise _too_many(archive.name)
            name = f"{stem}/{_safe_name(member.name, archive.name)}"
            if _ARCHIVE.fullmatch(name):
                refused.append((name, _nested(name)))
                continue
            data = member.opened().read(left + 1)
            left -= len(data)
            if left < 0:
                raise _bomb(archive.name)
            taken.append(Upload(name, data))
    except _WholeFileError:
        taken, refused = [archive], []
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, OSError, EOFError, NotImplementedError, ValueError) as e:
        raise _damaged(archive.name) from e
    if not taken and not refused:
        raise refusal("container.empty", t("No file is in the archive"), archive.name, _PACK_AGAIN)
    drop.uploads += taken
    drop.refused += refused


class _WholeFileError(Exception):
    """The zip is one document, such as a spreadsheet."""


def _zip_members(archive: Upload) -> Iterator[_Member]:
    _directory_within_limits(archive)
    opened = zipfile.ZipFile(io.BytesIO(archive.data))
    infos = opened.infolist()
    # Office writes its list of parts first, other programs (openpyxl, pandas) last.
    if infos and (_ONE_FILE.fullmatch(infos[0].filename) or any(info.filename == _OFFICE for info in infos)):
        raise _WholeFileError
    for info in infos:
        name = _zip_name(info)
        if info.is_dir() or _HIDDEN.search(name) or stat.S_ISLNK(info.external_attr >> 16):
            continue
        if info.flag_bits & _ENCRYPTED:
            raise refusal("container.encrypted", t("The archive is locked with a password"), archive.name, _PACK_AGAIN)
        yield _Member(name, lambda info=info: opened.open(info))  # type: ignore[misc]  # mypy types no default of a lambda


def _directory_within_limits(archive: Upload) -> None:
    """Look at the size of the list of members before the library makes an object of each."""
    end = archive.data.rfind(_ZIP_END, -_ZIP_END_SEARCH)
    size = int.from_bytes(archive.data[end + 12 : end + 16], "little") if end >= 0 else 0
    if size > _ZIP_ENTRY * LIMITS.files:
        raise _too_many(archive.name)


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Return a member's name; Windows writes it in the language's own encoding without saying so."""
    if info.flag_bits & _UTF8_NAME:
        return info.filename
    raw = info.filename.encode("cp437", "replace")
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.filename


def _tar_members(archive: Upload) -> Iterator[_Member]:
    with tarfile.open(fileobj=io.BytesIO(archive.data), mode="r:") as opened:
        for info in opened:
            # Links and devices hold no bytes of their own.
            if info.isreg() and not _HIDDEN.search(info.name):
                stream = opened.extractfile(info)
                if stream is not None:
                    yield _Member(info.name, lambda stream=stream: stream)  # type: ignore[misc]  # as above
        if archive.data[-1024:].strip(b"\0"):
            raise tarfile.ReadError("no end mark")


def _safe_name(name: str, archive: str) -> str:
    """Return a member's path inside its archive.

    Raises:
        RefusedFileError: it points out of the archive.
    """
    parts = _shown(name).replace("\\", "/").split("/")
    if ".." in parts or name.startswith("/") or ":" in parts[0] or "\0" in name:
        raise refusal(
            "container.path",
            t("The archive holds a file whose path leads out of it: {path}", path=name[:80].replace("\0", "")),
            archive,
            _PACK_AGAIN,
        )
    return "/".join(part for part in parts if part not in ("", "."))


def _nested(name: str) -> RefusedFileError:
    return refusal(
        "container.nested", t("It is an archive inside an archive"), name, t("Unpack it and send its folder")
    )


def _damaged(name: str) -> RefusedFileError:
    return refusal("ingest.truncated", t("The archive is damaged or cut off"), name, _PACK_AGAIN)


def _too_many(name: str) -> RefusedFileError:
    return refusal("container.too_many", t("More than {limit} files came at once", limit=LIMITS.files), name, _FEWER)


def _bomb(name: str) -> RefusedFileError:
    return refusal(
        "container.too_large",
        t("The archive unfolds into more than its size allows"),
        name,
        t("Leave out logs and prompts, or send one folder at a time"),
    )
