"""Bytes to text, JSON documents and JSON lines, within limits and with places."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator

import msgspec
import zstandard

from core.errors import Place, RefusedFileError
from core.i18n import Text, t
from core.ingest.raw import Upload
from core.settings import LIMITS

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW, _ZSTD_PIECE = 1 << 27, 1024
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_ZEROS_IN, _LETTERS_IN = 2_000, 1_000_000
_LETTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89aAbB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(?P<half>u[dD][89a-fA-F][\da-fA-F]{2})|.)", re.DOTALL
)
# A double ends before a number of 310 digits.
_ENDLESS, _STEP = 300, 16
_SOME_DIGITS, _MANY_DIGITS = re.compile(rb"\d{17,}"), re.compile(rb"\d{256}")
_EMPTY = t("The file is empty")
_SEND_AGAIN = t("Send the file again as the tool wrote it")


def unpacked(upload: Upload) -> Upload:
    """Return the upload without its layer of gzip or zstd, its name without ".gz" or ".zst".

    Raises:
        RefusedFileError: empty, damaged, or larger than the limit once unpacked.
    """
    if _blank(upload.data):
        raise refusal("ingest.empty", _EMPTY, upload.name, _SEND_AGAIN)
    packing = next((kind for kind in _PACKINGS if upload.data.startswith(kind[0])), None)
    if packing is None:
        _within(len(upload.data), upload.name)
        return upload
    _, ending, unpack = packing
    try:
        data = unpack(upload.data, LIMITS.file_bytes + 1)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        what = t("The packed file is damaged or cut off")
        raise refusal("ingest.truncated", what, upload.name, _SEND_AGAIN) from error
    _within(len(data), upload.name)
    if _blank(data):
        raise refusal("ingest.empty", _EMPTY, upload.name, _SEND_AGAIN)
    return Upload(upload.name.removesuffix(ending), data)


def packed(data: bytes) -> bool:
    """Return whether bytes are packed by gzip or zstd."""
    return data.startswith((GZIP, ZSTD))


def text_of(upload: Upload) -> str:
    """Return the file as text: by its byte order mark or the zeros of UTF-16, else UTF-8, else CP949.

    Raises:
        RefusedFileError: none of these fits.
    """
    marked = encoding_of(upload.data)
    return _decode(
        upload, (marked,) if marked else ("utf-8",) if _is_damaged_utf_8(upload.data) else ("utf-8", "cp949")
    )


def _is_damaged_utf_8(data: bytes) -> bool:
    """Whether bytes are UTF-8 with a few wrong ones: most letters beyond ASCII are whole."""
    start = data[:_LETTERS_IN]
    whole = len(_LETTER.findall(start))
    return whole > 2 * start.decode("utf-8", "replace").count("\ufffd")


def encoding_of(data: bytes) -> str | None:
    """Return the encoding that a byte order mark, or the zeros of UTF-16 without one, tell; None without either.

    >>> encoding_of("ttft,동시성".encode("utf-16-le")), encoding_of("ttft".encode()), encoding_of(b"")
    ('utf-16-le', None, None)
    """
    found = next((encoding for mark, encoding in _BOMS if data.startswith(mark)), None)
    if found:
        return found
    start = data[:_ZEROS_IN]
    odd, even = start[1::2].count(0), start[0::2].count(0)
    # Digits, commas and Latin letters have a zero on one side, few other letters one on the other side.
    for encoding, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros > len(start) // 16 and zeros > 4 * others:
            return encoding
    return None


def json_document(upload: Upload, *, line: int = 1) -> object:
    """Return the one JSON document of a file; bare NaN and Infinity come back as floats.

    Args:
        upload: a file, or one line of it.
        line: where it starts in the file.

    Raises:
        RefusedFileError: not JSON, cut off, or nested too deep; with the line.
    """
    return _loads(upload.data.removeprefix(_BOMS[0][0]), upload.name, line)


def json_lines(upload: Upload) -> Iterator[tuple[int, object]]:
    """Yield (line number from 1, document) of every line that is not blank.

    Raises:
        RefusedFileError: at the first line that is not JSON, with its number.
    """
    for number, line in enumerate(io.BytesIO(upload.data.removeprefix(_BOMS[0][0])), start=1):
        if len(line) > LIMITS.line_bytes:
            raise refusal(
                "ingest.too_large",
                t("Line {line} is longer than {limit} MB", line=number, limit=LIMITS.line_bytes // 1_000_000),
                upload.name,
                t("Write per-request records without prompts and answers"),
                line=number,
            )
        if line.strip():
            yield number, _loads(line, upload.name, number)


def refusal(
    code: str, what: Text, name: str, fix: Text, *, line: int | None = None, field: str | None = None
) -> RefusedFileError:
    """Return (not raise) the refusal of one file, so that callers can chain its cause."""
    return RefusedFileError(code, what, fix=fix, place=Place(name, line, field))


def _blank(data: bytes) -> bool:
    # strip() would copy a large file to find out.
    return not data or data.isspace()


def _gunzipped(data: bytes, limit: int) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as opened:
        return opened.read(limit)


def _unzstd(data: bytes, limit: int) -> bytes:
    """Return at most about `limit` bytes; the library's own stream takes a file that was cut off for whole."""
    found, at = bytearray(), 0
    while at < len(data):
        frame = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
        # A few bytes may unfold into 128 kB each, so that they are fed in by small pieces.
        while not frame.eof:
            piece = data[at : at + _ZSTD_PIECE]
            if not piece:
                raise EOFError
            found += frame.decompress(piece)
            at += len(piece) - len(frame.unused_data)
            if len(found) >= limit:
                return bytes(found)
    return bytes(found)


def _within(size: int, name: str) -> None:
    if size > LIMITS.file_bytes:
        raise refusal(
            "ingest.too_large",
            t("The file holds more than {limit} MB", limit=LIMITS.file_bytes // 1_000_000),
            name,
            t("Send the tool's summary file instead of its per-request log"),
        )


def _decode(upload: Upload, encodings: tuple[str, ...]) -> str:
    for encoding in encodings:
        try:
            return upload.data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise refusal(
        "ingest.encoding", t("The text of the file is in an unknown encoding"), upload.name, t("Save it as UTF-8")
    )


def _loads(data: bytes, name: str, line: int) -> object:
    # A few bytes each, they take a hundred times as much memory.
    if len(data) > LIMITS.json_parts and data.count(b"{") + data.count(b"[") > LIMITS.json_parts:
        what = t("The JSON holds more than {limit} objects and lists", limit=LIMITS.json_parts)
        fix = t("Send the tool's summary file instead of its per-request log")
        raise refusal("ingest.too_large", what, name, fix, line=line)
    try:
        if not _has_endless_number(data):
            return msgspec.json.decode(data)
    except RecursionError as error:
        raise _too_deep(name, line) from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    # Python's json module writes bare NaN and Infinity, which strict parsers refuse.
    try:
        return json.loads(_ESCAPE.sub(_whole_letter, _json_text(data, name, line)), parse_int=whole_number)
    except json.JSONDecodeError as error:
        at = line + error.lineno - 1
        cut = error.pos >= len(error.doc.rstrip()) - 1 or error.msg.startswith("Unterminated")
        what = t("The file ends in the middle of its JSON") if cut else t("The file is not valid JSON")
        raise refusal("ingest.truncated" if cut else "ingest.not_json", what, name, _SEND_AGAIN, line=at) from error
    except RecursionError as error:
        raise _too_deep(name, line) from error


def whole_number(digits: str) -> int | float:
    """Return a whole number, an infinite one where it is beyond what a double can hold.

    >>> whole_number("12"), whole_number("-" + 400 * "9")
    (12, -inf)
    """
    return int(digits) if len(digits) < _ENDLESS else float(digits)


def _has_endless_number(data: bytes) -> bool:
    """Whether so many digits follow each other; every 16th byte shows where that may be."""
    if len(data) < _ENDLESS:
        return False
    hits = _SOME_DIGITS.finditer(data[::_STEP])
    return any(_MANY_DIGITS.search(data, hit.start() * _STEP, hit.end() * _STEP) for hit in hits)


def _too_deep(name: str, line: int) -> RefusedFileError:
    return refusal("ingest.too_deep", t("The JSON is nested too deep"), name, _SEND_AGAIN, line=line)


def _json_text(data: bytes, name: str, line: int) -> str:
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        at = line + data.count(b"\n", 0, error.start)
        if error.end >= len(data):
            what = t("The file ends in the middle of its JSON")
            raise refusal("ingest.truncated", what, name, _SEND_AGAIN, line=at) from error
        what = t("The text of the file is in an unknown encoding")
        raise refusal("ingest.encoding", what, name, t("Save it as UTF-8"), line=at) from error


def _whole_letter(escape: re.Match[str]) -> str:
    """Return an escape of JSON, half a letter as the sign for one that is lost: no page could show it."""
    return "\\ufffd" if escape["half"] else escape[0]


_PACKINGS: tuple[tuple[bytes, str, Callable[[bytes, int], bytes]], ...] = (
    (GZIP, ".gz", _gunzipped),
    (ZSTD, ".zst", _unzstd),
)
"""Packings by their first bytes, with the ending of a name and what unpacks at most so many bytes."""
