"""Lists of lists of numbers inside a large JSON document, without an object for each number.

A detailed result of vLLM holds a list of gaps for every request, millions of numbers in all. As Python's
floats they take four times the memory of the file; decoded a little at a time they take half of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

import msgspec
import numpy as np

from core.ingest.request_json import packed
from core.ingest.spill import IntArray
from core.model.stage import FloatArray

LARGE = 1 << 20
"""Bytes from which on a document is looked at key by key."""

_PIECE = 1 << 16
_BETWEEN = re.compile(rb"\s*,?\s*")
_KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LISTS = msgspec.json.Decoder(list[list[float | None]])


@dataclass(frozen=True, slots=True)
class Nested:
    """A list of lists: how long each is, and all numbers one after another, NaN for null."""

    counts: IntArray
    values: FloatArray


def document_with_nested(data: bytes, nested: str, unread: frozenset[str]) -> Mapping[str, object] | None:
    """Return a JSON object with one of its values as `Nested`, None where it is small or has to be read another way.

    Args:
        data: the document.
        nested: key of the list of lists.
        unread: keys of long values that nobody needs; they come back as None.
    """
    if len(data) < LARGE:
        return None
    try:
        raw = _KEYS.decode(data)
        found: dict[str, object] = {
            key: None if key in unread else msgspec.json.decode(value) for key, value in raw.items() if key != nested
        }
        lists = _nested(bytes(raw[nested])) if nested in raw else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if nested in raw:
        if lists is None:
            return None
        found[nested] = lists
    return found


def _nested(data: bytes) -> Nested | None:
    at, last = data.find(b"[") + 1, data.rfind(b"]")
    if data[:1] != b"[" or last < at:
        return None
    counts: list[int] = []
    values: list[FloatArray] = []
    while at < last:
        end = data.rfind(b"]", at, min(at + _PIECE, last))
        end = data.find(b"]", at, last) if end < 0 else end
        if end < 0:
            return None if data[at:last].strip() else _joined(counts, values)
        lists = _LISTS.decode(b"[" + data[at : end + 1] + b"]")
        counts += map(len, lists)
        values.append(packed(list(chain.from_iterable(lists))))
        between = _BETWEEN.match(data, end + 1)
        at = between.end() if between else end + 1
    return _joined(counts, values)


def _joined(counts: list[int], values: list[FloatArray]) -> Nested:
    return Nested(np.array(counts, dtype=np.int64), np.concatenate(values) if values else np.empty(0))
