"""A file that is read from front to back, whatever its size: uploaded or on disk, plain or packed.

It is hashed while it is read and never held whole. A watcher hears how far it is after every piece and
may raise: that is how a person stops the reading.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import zstandard

from core.errors import RefusedFileError
from core.i18n import t
from core.ingest.decode import GZIP, ZSTD, refusal
from core.ingest.raw import Head, Upload
from core.settings import LIMITS

Watch = Callable[[float], None]
"""Hears the share of the file that is read, 0 to 1; whatever it raises ends the reading."""

HEAD_BYTES = 65_536
_ZSTD_WINDOW, _ZSTD_PIECE = 1 << 27, 1024
PIECE = 1 << 20
_BOM = b"\xef\xbb\xbf"
_PACKED = {GZIP: ".gz", ZSTD: ".zst"}
_SEND_AGAIN = t("Send the file again as the tool wrote it")


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A file on disk, with the name that a folder upload would give it.

    Attributes:
        name: with folders where known.
        path: where it lies.
        within: a folder that it may not lead out of, by no link; None where the path is trusted.
    """

    name: str
    path: Path
    within: Path | None = None

    def opened(self) -> BinaryIO:
        """Return the file, opened for reading.

        Raises:
            RefusedFileError: the system does not let it be read, or it leads out of `within`.
        """
        try:
            if self.within is None:
                return self.path.open("rb")
            inside = self.path.resolve(strict=True).is_relative_to(self.within.resolve(strict=True))
            # A link that is put there after the check is not followed either.
            handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)) if inside else None
        except OSError as error:
            raise unreadable(self.name, error) from error
        if handle is None:
            raise refusal(
                "inbox.outside",
                t("The file does not lie in the watched folder"),
                self.name,
                t("Put the file itself into the folder, not a link to it"),
            )
        return os.fdopen(handle, "rb")

    def whole(self) -> Upload:
        """Return the file with all its bytes, for a format that has to be seen at once.

        Raises:
            RefusedFileError: it cannot be read, or is larger than what is read at once.
        """
        with self.opened() as file:
            try:
                data = file.read(LIMITS.file_bytes + 1)
            except OSError as error:
                raise unreadable(self.name, error) from error
        if len(data) > LIMITS.file_bytes:
            raise refusal(
                "ingest.too_large",
                t("The file holds more than {limit} MB", limit=LIMITS.file_bytes // 1_000_000),
                self.name,
                t("Send the tool's summary file instead of its per-request log"),
            )
        return Upload(self.name, data)


def unreadable(name: str, error: OSError) -> RefusedFileError:
    """Return (not raise) the refusal of a file that the system does not let be read."""
    return refusal(
        "ingest.unreadable",
        t("The file cannot be read: {reason}", reason=error.strerror or type(error).__name__),
        name,
        t("Check the name and the permissions"),
    )


class Stream:
    """One file while it is read; a context that closes it.

    Attributes:
        name: of the file, without the ending of its packing.
        packed: whether it is unpacked while it is read.
        start: the first bytes, with one whole line at least where lines are not too long.
    """

    def __init__(self, source: Upload | OnDisk, watch: Watch | None = None) -> None:
        """Open a file and look at its first bytes.

        Raises:
            RefusedFileError: it cannot be opened, or is packed and damaged.
        """
        self._file = io.BytesIO(source.data) if isinstance(source, Upload) else source.opened()
        self._size = max(self._file.seek(0, io.SEEK_END), 1)
        self._file.seek(0)
        self._counted = _Counted(self._file, self._size, watch)
        ending = _PACKED.get(start := self._file.read(2)) or _PACKED.get(start + self._file.read(2))
        self._file.seek(0)
        self.packed = ending is not None
        self.name = source.name.removesuffix(ending or "")
        self._plain = _unpacking(self._counted, ending)
        self._taken = 0
        self.start = self._read(HEAD_BYTES)
        # Rows with lists in them may be long; whoever wants to see one needs its end.
        while b"\n" not in self.start and len(self.start) < LIMITS.line_bytes and (more := self._read(PIECE)):
            self.start += more

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    @property
    def head(self) -> Head:
        """What sniffing may look at; reading starts at the front all the same."""
        return Head(self.name, self.start[:HEAD_BYTES])

    def blocks(self, size: int = PIECE) -> Iterator[bytes]:
        """Yield all bytes, unpacked, in pieces of about `size`.

        Raises:
            RefusedFileError: damaged, cut off, or more than the limit once unpacked.
        """
        if self.start:
            yield self.start.removeprefix(_BOM)
        while piece := self._read(size):
            yield piece

    def at_random(self) -> BinaryIO:
        """Return the file for reading at any place, once it was read through for its hash.

        Raises:
            RefusedFileError: it is packed: then it has no places.
        """
        if self.packed:
            raise refusal(
                "ingest.packed_twice",
                t("This kind of file is packed already and was packed once more"),
                self.name,
                t("Unpack it and send the file inside"),
            )
        self.sha256()
        self._file.seek(0)
        return self._file

    def sha256(self) -> str:
        """Return the hash of the file as it came, packed or not; what is not read yet is read now."""
        while self._counted.read(PIECE):
            pass
        return self._counted.digest.hexdigest()

    def _read(self, size: int) -> bytes:
        try:
            piece = self._plain.read(size)
        except (EOFError, zlib.error, zstandard.ZstdError, gzip.BadGzipFile) as error:
            what = t("The packed file is damaged or cut off")
            raise refusal("ingest.truncated", what, self.name, _SEND_AGAIN) from error
        except OSError as error:
            raise unreadable(self.name, error) from error
        self._taken += len(piece)
        # A packed file may unfold into far more than anybody has disk or patience for.
        most = min(LIMITS.stream_bytes, max(LIMITS.container_ratio * self._size, LIMITS.file_bytes))
        if self._taken > (most if self.packed else LIMITS.stream_bytes):
            raise refusal(
                "ingest.too_large",
                t("The file holds more than {limit} MB", limit=most // 1_000_000),
                self.name,
                t("Send the tool's summary file instead of its per-request log"),
            )
        return piece


class _Counted(io.RawIOBase):
    """Hashes and counts what is read from a file; it is the file that unpacking sees."""

    def __init__(self, file: BinaryIO, size: int, watch: Watch | None) -> None:
        super().__init__()
        self.digest = hashlib.sha256()
        self._file, self._size, self._watch, self._done = file, size, watch, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.digest.update(piece)
        self._done += len(piece)
        if self._watch and piece:
            self._watch(min(self._done / self._size, 1.0))
        return piece

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # what io passes
        piece = self.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


class _Unzstd:
    """Unpacks zstd frame by frame; the library's own stream takes a file that was cut off for whole."""

    def __init__(self, file: _Counted) -> None:
        self._file, self._left, self._found = file, b"", bytearray()
        self._frame: zstandard.ZstdDecompressionObj | None = None

    def read(self, size: int) -> bytes:
        # A few bytes may unfold into 128 kB each, so that they are fed in by small pieces.
        while len(self._found) < size:
            piece = self._left or self._file.read(_ZSTD_PIECE)
            if not piece:
                if self._frame is not None:
                    raise EOFError
                break
            frame = self._frame or zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
            self._found += frame.decompress(piece)
            self._frame, self._left = (None, frame.unused_data) if frame.eof else (frame, b"")
        piece, self._found = bytes(self._found[:size]), self._found[size:]
        return piece


def _unpacking(file: _Counted, ending: str | None) -> _Counted | gzip.GzipFile | _Unzstd:
    if ending == ".gz":
        return gzip.GzipFile(fileobj=file, mode="rb")
    return _Unzstd(file) if ending == ".zst" else file
