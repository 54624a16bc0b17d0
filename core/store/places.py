"""Where blobs lie when not in the database: a folder of this machine, or a bucket that speaks S3."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.errors import StoreError
from core.i18n import t
from core.settings import S3, s3
from core.store.whole_file import PART, named, sync_folder, whole_file

if TYPE_CHECKING:
    from pyarrow.fs import S3FileSystem

DATABASE = "database"
_FOLDER, _S3 = "folder:", "s3:"
_HASH = re.compile(r"[0-9a-f]{64}")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,62}(/[A-Za-z0-9][A-Za-z0-9._-]*)*")


class Place(Protocol):
    """A place for blobs. Every method raises OSError where the place cannot be reached."""

    @property
    def name(self) -> str:
        """The place as the setting writes it; kept with each blob."""

    def put(self, key: str, data: bytes) -> None:
        """Write bytes under their SHA-256, synced, unless they are there and whole."""

    def get(self, key: str) -> bytes | None:
        """Return the bytes under a SHA-256 as they are there, None where nothing is."""

    def size(self, key: str) -> int | None:
        """Return how many bytes lie under a SHA-256, None where nothing does."""

    def drop(self, key: str) -> None:
        """Remove what lies under a SHA-256, if anything."""

    def tidy(self, older_than_s: float) -> None:
        """Remove what a writer that was killed has left half-written."""


def place_of(setting: str) -> Place | None:
    """Return the place that a setting, or a row, names; None for the database.

    Raises:
        StoreError: "store.blobs_setting".
    """
    if setting == DATABASE:
        return None
    if setting.startswith(_FOLDER) and Path(setting.removeprefix(_FOLDER)).is_absolute():
        return Folder(setting)
    if setting.startswith(_S3) and _BUCKET.fullmatch(setting.removeprefix(_S3)):
        return Bucket(setting)
    raise StoreError(
        "store.blobs_setting",
        t("The place for large tables cannot be used: {setting}", setting=setting),
        fix=t("Set PLIMSOLL_BLOBS to database, folder:/PATH or s3:BUCKET/PREFIX, or leave it out"),
    )


def is_hash(text: str) -> bool:
    """Return whether a text is a SHA-256 as we write it; nothing else becomes part of a path."""
    return _HASH.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Folder:
    """Files named by their hash in subfolders of two characters, readable by their owner only.

    A file appears under its name when it is whole and on the disk, never before.
    """

    name: str

    def put(self, key: str, data: bytes) -> None:
        """Write bytes under their SHA-256, synced, unless they are there and whole."""
        if self._is_whole(key, len(data)):
            return
        path = self._path(key)
        with named(str(path.parent.parent)):
            for folder in (path.parent.parent, path.parent):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with whole_file(path) as file:
                file.write(data)
            # The name of the folder has to reach the disk too.
            sync_folder(path.parent.parent)

    def get(self, key: str) -> bytes | None:
        """Return the bytes under a SHA-256 as they are there, None where nothing is."""
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError:
            return None

    def size(self, key: str) -> int | None:
        """Return how many bytes lie under a SHA-256, None where nothing does."""
        try:
            return self._path(key).stat().st_size
        except FileNotFoundError:
            return None

    def drop(self, key: str) -> None:
        """Remove what lies under a SHA-256, if anything."""
        self._path(key).unlink(missing_ok=True)

    def tidy(self, older_than_s: float) -> None:
        """Remove what a writer that was killed has left half-written."""
        for part in Path(self.name.removeprefix(_FOLDER)).glob(f"??/*{PART}"):
            with suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime > older_than_s:
                    part.unlink()

    def _is_whole(self, key: str, size: int) -> bool:
        # A disk may have lost what it once had: what is there counts only if it is what it should be.
        return self.size(key) == size and sha256(self.get(key) or b"").hexdigest() == key

    def _path(self, key: str) -> Path:
        if not is_hash(key):
            raise OSError("not a hash")
        return Path(self.name.removeprefix(_FOLDER)) / key[:2] / key


@dataclass(frozen=True, eq=False)
class Bucket:
    """Objects named by their hash under a prefix. An object appears when it is whole: S3 has no half ones.

    Who we are is said by the usual variables (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, or what
    the machine's role gives); where the bucket is by PLIMSOLL_S3_ENDPOINT and PLIMSOLL_S3_REGION.
    """

    name: str
    settings: S3 = field(default_factory=s3)

    def put(self, key: str, data: bytes) -> None:
        """Write bytes under their SHA-256 unless they are there and whole."""
        if self.size(key) == len(data):
            return
        with _arrow_told(), self._files.open_output_stream(self._path(key)) as stream:
            stream.write(data)

    def get(self, key: str) -> bytes | None:
        """Return the bytes under a SHA-256 as they are there, None where nothing is."""
        path = self._path(key)
        try:
            with _arrow_told(), self._files.open_input_stream(path) as stream:
                return bytes(stream.read())
        except FileNotFoundError:
            return None

    def size(self, key: str) -> int | None:
        """Return how many bytes lie under a SHA-256, None where nothing does."""
        with _arrow_told():
            found = self._files.get_file_info(self._path(key))
        return int(found.size) if found.is_file else None

    def drop(self, key: str) -> None:
        """Remove what lies under a SHA-256, if anything."""
        with _arrow_told(), suppress(FileNotFoundError):
            self._files.delete_file(self._path(key))

    def tidy(self, older_than_s: float) -> None:
        """Nothing is left half-written; uploads that were given up are the bucket's own rule to remove."""

    @cached_property
    def _files(self) -> S3FileSystem:
        from pyarrow.fs import S3FileSystem

        endpoint = self.settings.endpoint
        scheme, _, host = endpoint.rpartition("://")
        options = {"endpoint_override": host, "scheme": scheme or "https"} if endpoint else {}
        return S3FileSystem(
            region=self.settings.region,
            connect_timeout=10.0,
            request_timeout=60.0,
            # A bucket that does not exist is a wrong setting: it is said, not made.
            allow_bucket_creation=False,
            background_writes=False,
            **options,
        )

    def _path(self, key: str) -> str:
        if not is_hash(key):
            raise OSError("not a hash")
        return f"{self.name.removeprefix(_S3)}/{key}"


@contextmanager
def _arrow_told() -> Iterator[None]:
    """Turn Arrow's own errors, which are not all of the operating system's kind, into OSError."""
    import pyarrow as pa

    try:
        yield
    except pa.ArrowException as error:
        raise OSError(str(error)) from error
