"""Runs, answers and scenarios to bytes and back, without losing a bit.

The bytes are one JSON object: `value` is the thing itself, `arrays` holds each NumPy array
once by its content (a scenario has every run twice, alone and inside its answer), as
base64 of zlib-compressed little-endian bytes. JSON has no NaN and no infinity, so such a
number is written as {"$float": "nan"}. Keys that this version does not know are skipped:
a newer version may have added them.

Arrays may lie in tables beside the bytes (`core.store.records`): `tables` then holds the rows of each
table by its hash, and the format is 2. What refers to no table is written in format 1.
"""

from __future__ import annotations

import base64
import hashlib
import math
import re
import typing
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from core.errors import PlimsollError, StoreError
from core.i18n import t

T = TypeVar("T")
Array = npt.NDArray[np.float64] | npt.NDArray[np.bool_]
Columns = Mapping[str, Array]

FORMAT = 2
_INLINE = 1
"""Format of what refers to no table: versions that know no tables can read it."""
_ASIDE = "@"
_TAG = "$float"
_DTYPES = {"f8": np.dtype("<f8"), "b1": np.dtype("?")}
_HUGE = 2**64
_MANY_DIGITS = re.compile(rb"[:,\[]\s*-?[0-9]{20}")
"""Where a whole number of more than 64 bits may stand: most bytes need no closer look."""
_LONGEST = 100_000_000
_EXACT = 2.0**53
"""Up to here a double holds every whole number."""


class _Envelope(msgspec.Struct, omit_defaults=True):
    """What stands around the value."""

    format: int
    value: object
    arrays: dict[str, dict[str, object]] = {}
    tagged: bool = False
    tables: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class Column:
    """Where an array lies beside the bytes: the SHA-256 of the table, and its name there."""

    table: str
    name: str


def encode(value: object, aside: Mapping[int, Column] | None = None) -> bytes:
    """Return a Run, RunAnswer, Target, Price, Scenario or anything made of them as JSON bytes.

    Args:
        value: what is written.
        aside: by `id` of an array in it, where that array is kept instead.

    Raises:
        StoreError: "store.unwritable" where it holds something that JSON cannot, such as
            text with half a character.
    """
    arrays: dict[str, dict[str, object]] = {}
    tables: dict[str, int] = {}
    elsewhere = aside or {}

    def hook(found: object) -> object:
        if isinstance(found, np.ndarray) and id(found) in elsewhere:
            column = elsewhere[id(found)]
            tables[column.table] = int(found.size)
            return f"{_ASIDE}{column.table}/{column.name}"
        if isinstance(found, np.ndarray):
            return _pack(found, arrays)
        if isinstance(found, np.generic):
            return found.item()
        if isinstance(found, Mapping):
            return dict(found)
        raise NotImplementedError(type(found).__name__)

    try:
        plain = msgspec.to_builtins(value, str_keys=True, enc_hook=hook)
        tagged = _has_special(plain)
        body = _tag(plain) if tagged else plain
        written = FORMAT if tables else _INLINE
        return msgspec.json.encode(_Envelope(format=written, value=body, arrays=arrays, tagged=tagged, tables=tables))
    except (NotImplementedError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise StoreError(
            "store.unwritable",
            t("This scenario holds something that cannot be saved: {reason}", reason=str(error)),
            fix=t("Remove the file it came from and save again"),
        ) from error


def decode(data: bytes, kind: type[T], table: Callable[[str, int], Columns] | None = None) -> T:
    """Return what `encode` was given.

    Args:
        data: bytes from `encode` of this version or an older one.
        kind: the class that is expected.
        table: gives the columns of a table by its hash and its number of rows; None where there are none.

    Raises:
        StoreError: "store.unreadable" where the bytes are something else,
            "store.newer_schema" where a newer version wrote them in another form.
    """
    try:
        envelope = msgspec.json.decode(data, type=_Envelope)
        if envelope.format > FORMAT:
            raise newer_schema()
        if _MANY_DIGITS.search(data) and _has_huge(envelope.value):
            raise ValueError("a whole number of more than 64 bits")
        body = _untag(envelope.value) if envelope.tagged else envelope.value
        arrays = _Arrays(envelope, table)
        return msgspec.convert(body, kind, str_keys=True, dec_hook=arrays.of)
    except PlimsollError as error:
        if isinstance(error, StoreError):
            raise
        raise _unreadable(error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError, TypeError) as error:
        raise _unreadable(error) from error


def newer_schema() -> StoreError:
    """Return (not raise) the error of something that a newer Plimsoll saved."""
    return StoreError(
        "store.newer_schema",
        t("A newer version of Plimsoll saved this"),
        fix=t("Update Plimsoll and open it again; nothing was changed"),
    )


def _unreadable(error: Exception) -> StoreError:
    return StoreError(
        "store.unreadable",
        t("What was saved cannot be read: {reason}", reason=str(error)),
        fix=t("Restore the database from a backup"),
    )


def _pack(array: Array, arrays: dict[str, dict[str, object]]) -> str:
    """Put an array of shape (n,) among the arrays unless it is there; return its key."""
    name = "b1" if array.dtype == np.bool_ else "f8"
    if array.ndim != 1 or array.dtype.kind not in "bfiu":
        raise TypeError(f"an array of shape {array.shape} and type {array.dtype}")
    raw = np.ascontiguousarray(array, dtype=_DTYPES[name]).tobytes()
    key = f"{name}:{hashlib.sha256(raw).hexdigest()}"
    if key not in arrays:
        arrays[key] = {"n": int(array.size), "zlib": base64.b64encode(zlib.compress(raw)).decode("ascii")}
    return key


class _Arrays:
    """The arrays of one envelope: those in it, and those in tables beside it, each table read once."""

    def __init__(self, envelope: _Envelope, table: Callable[[str, int], Columns] | None) -> None:
        self._inside = envelope.arrays
        self._rows = envelope.tables
        self._table = table
        self._read: dict[str, Columns] = {}

    def of(self, wanted: object, key: object) -> npt.NDArray[Any]:
        """Return the array of a key as the model wants it, read-only."""
        if typing.get_origin(wanted) is not np.ndarray or not isinstance(key, str):
            raise ValueError("not an array")
        inner = typing.get_args(wanted)
        name = "b1" if np.dtype[np.bool_] in inner else "f8"
        array = self._beside(name, key) if key.startswith(_ASIDE) else _unpack(name, key, self._inside)
        if np.dtype[np.int64] in inner:
            return _counts(array)
        return array

    def _beside(self, name: str, key: str) -> Array:
        sha256, _, column = key.removeprefix(_ASIDE).partition("/")
        rows = self._rows.get(sha256, -1)
        if self._table is None or not 0 <= rows <= _LONGEST:
            raise ValueError("an array of a table that is not there")
        if sha256 not in self._read:
            self._read[sha256] = self._table(sha256, rows)
        array = self._read[sha256].get(column)
        if array is None or array.shape != (rows,) or array.dtype != _DTYPES[name]:
            raise ValueError("an array of another length or type")
        return array


def _counts(array: Array) -> npt.NDArray[np.int64]:
    """Return whole numbers as such; they were written as doubles, which hold them exactly to 2^53."""
    if not np.all(np.isfinite(array)) or np.any(array != np.floor(array)) or np.any(np.abs(array) > _EXACT):
        raise ValueError("counts that are not whole")
    counts = array.astype(np.int64)
    counts.flags.writeable = False
    return counts


def _unpack(name: str, key: str, arrays: dict[str, dict[str, object]]) -> Array:
    """Return the array of a key, read-only; its length is checked before it is unpacked."""
    entry = arrays.get(key) if key.startswith(name) else None
    if entry is None:
        raise ValueError("not an array")
    count, text = entry.get("n"), entry.get("zlib")
    if not isinstance(count, int) or not isinstance(text, str) or not 0 <= count <= _LONGEST:
        raise ValueError("not an array")
    dtype = _DTYPES[name]
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(base64.b64decode(text, validate=True), count * dtype.itemsize + 1)
    except zlib.error as error:
        raise ValueError(f"a damaged array: {error}") from error
    if len(raw) != count * dtype.itemsize:
        raise ValueError("an array of another length")
    flat = np.frombuffer(raw, dtype=dtype)
    return flat.astype(np.bool_, copy=False) if name == "b1" else flat.astype(np.float64, copy=False)


def _has_huge(plain: object) -> bool:
    """Whether there is a whole number that nothing of ours writes: one too large for a float ends any arithmetic."""
    match plain:
        case int():
            return abs(plain) >= _HUGE
        case dict():
            return any(_has_huge(one) for one in plain.values())
        case list() | tuple():
            return any(_has_huge(one) for one in plain)
        case _:
            return False


def _has_special(plain: object) -> bool:
    match plain:
        case float():
            return not math.isfinite(plain)
        case dict():
            return any(_has_special(one) for one in plain.values())
        case list() | tuple():
            return any(_has_special(one) for one in plain)
        case _:
            return False


def _tag(plain: object) -> object:
    match plain:
        case float() if not math.isfinite(plain):
            return {_TAG: repr(plain)}
        case dict():
            inner = {key: _tag(one) for key, one in plain.items()}
            return {_TAG: inner} if list(inner) == [_TAG] else inner
        case list() | tuple():
            return [_tag(one) for one in plain]
        case _:
            return plain


def _untag(body: object) -> object:
    match body:
        case {"$float": str(text), **rest} if not rest:
            return float(text)
        case {"$float": dict(inner), **rest} if not rest:  # a mapping whose own key looks like the tag
            return {key: _untag(one) for key, one in inner.items()}
        case dict():
            return {key: _untag(one) for key, one in body.items()}
        case list():
            return [_untag(one) for one in body]
        case _:
            return body
