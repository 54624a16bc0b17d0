"""When requests began: points in time in any spelling, to seconds on one clock.

A column called "timestamp" may be the beginning or the end. Where rows stand in the order of one of them,
the other is not in order, so that the file itself tells; otherwise it is not used.
"""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from core.ingest.latency_unit import SECONDS
from core.ingest.request_block import Block
from core.ingest.request_columns import RequestColumn
from core.model.stage import FloatArray

_EPOCH = ((1e17, "ns"), (1e14, "us"), (1e11, "ms"), (1e8, "s"))
"""A clock that counts from 1970 tells its unit by its size, from 1973 to 5138."""
_IN_ORDER, _OUT_OF_ORDER = 0.98, 0.9
_FEWEST = 10


def seconds_of(block: Block, column: RequestColumn, otherwise: str | None) -> FloatArray | None:
    """Return points in time as seconds on their own clock, NaN where unknown; None where the unit is not told.

    Args:
        block: some rows.
        column: "start", "end" or "time".
        otherwise: the unit of a clock that neither states it nor counts from 1970, None where nobody knows.
    """
    labels = block.labels.get(column.name)
    if labels is not None:
        seconds = np.array([_iso(value) for value in labels.values], dtype=np.float64)
        return seconds[labels.codes]
    values = block.numbers.get(column.name)
    if values is None:
        return None
    unit = (column.unit if column.settled else unit_of(values, column)) or otherwise
    return values * SECONDS[unit] if unit else None


def unit_of(values: FloatArray, column: RequestColumn) -> str | None:
    """Return the unit of a clock: by its size where it counts from 1970, else as its name states.

    >>> unit_of(np.array([1.7627e15]), RequestColumn("ts", "time"))
    'us'
    """
    finite = values[np.isfinite(values)]
    least = float(np.median(finite)) if finite.size else 0.0
    return next((unit for size, unit in _EPOCH if least >= size), column.unit)


def beginning_or_end(at_s: FloatArray, stay_s: FloatArray) -> str | None:
    """Return what points in time are, "start" or "end", None where the order of the rows does not tell.

    Args:
        at_s: the doubtful points, seconds, shape (n,), in the order of the rows.
        stay_s: how long each request took, seconds.
    """
    known = np.isfinite(at_s) & np.isfinite(stay_s)
    if known.sum() < _FEWEST:
        return None
    at_s, stay_s = at_s[known], stay_s[known]
    itself, before, after = (_order(values) for values in (at_s, at_s - stay_s, at_s + stay_s))
    if itself >= _OUT_OF_ORDER:
        return None
    if before >= _IN_ORDER and after < _OUT_OF_ORDER:
        return "end"
    return "start" if after >= _IN_ORDER and before < _OUT_OF_ORDER else None


def _order(values: FloatArray) -> float:
    return float((np.diff(values) >= 0.0).mean())


def _iso(text: str | None) -> float:
    """Return seconds since 1970 of a date with time; without a zone it is taken for UTC, on one clock all the same."""
    if text is None:
        return float("nan")
    try:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return float("nan")
