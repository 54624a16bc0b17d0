"""Per-request records that stand as a list of objects, as columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.peek import json_paths
from core.model.stage import FloatArray

_SPACE = b" \t\r\n\xef\xbb\xbf"
UNKNOWN = float("nan")


def first_record(sample: bytes, depth: int = 1) -> frozenset[str]:
    """Return the paths of the keys of the first object of a list, none where the sample is no list of objects.

    >>> sorted(first_record(b'[{"a": 1, "b": {"c": 2}}, {"d"'))
    ['a', 'b']
    >>> first_record(b'{"a": 1}')
    frozenset()
    """
    bare = sample.lstrip(_SPACE)
    return json_paths(bare[1:], depth) if bare.startswith(b"[") else frozenset()


def records_in(items: object, place: Place) -> list[Fields]:
    """Return a list of objects with the place of each.

    Raises:
        RefusedFileError: no list, or something in it that is no object; with its place.
    """
    if not isinstance(items, list):
        raise _no_record(place)
    prefix = place.field or ""
    records = []
    for index, item in enumerate(items):
        at = Place(place.file, place.line, f"{prefix}[{index}]")
        if not isinstance(item, dict):
            raise _no_record(at)
        records.append(Fields(item, at))
    return records


def column(records: Sequence[Fields], key: str) -> FloatArray:
    """Return one number per record, NaN where it has none or one that is not finite.

    Raises:
        RefusedFileError: a value that is not a number; with its place.
    """
    values = (record.number(key) for record in records)
    return np.array([UNKNOWN if value is None else value for value in values], dtype=np.float64)


def _no_record(place: Place) -> RefusedFileError:
    return RefusedFileError(
        "ingest.unexpected",
        t("{field} does not hold what it should", field=place.field or "[0]"),
        fix=t("Check the file: it may have been edited or mixed with another"),
        place=place,
    )
