"""On which day a load generator says that it measured: each writes the moment in a way of its own."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

_START = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?!\d)")
_FIRST, _LAST = 2015, 2100
"""Years between which a benchmark of a language model may lie; a clock that was never set says 1970."""


def day_in(said: str | float | None) -> str | None:
    """Return the day of a moment, ISO 8601; None where it is no moment, or one that cannot be.

    A text keeps the day that stands in it, whatever its zone; seconds since 1970 are read in UTC.

    >>> day_in("20260327-170131"), day_in("2025-10-03T13:13:39.146443"), day_in(1786678147.2)
    ('2026-03-27', '2025-10-03', '2026-08-14')
    >>> day_in("yesterday"), day_in(0.0), day_in("20261399-000000"), day_in(None)
    (None, None, None, None)
    """
    try:
        if isinstance(said, str):
            found = _START.match(said.strip())
            day = date(*map(int, found.groups())) if found else None
        else:
            day = None if said is None else datetime.fromtimestamp(said, UTC).date()
    except (ValueError, OverflowError, OSError):
        return None
    return day.isoformat() if day and _FIRST <= day.year <= _LAST else None
