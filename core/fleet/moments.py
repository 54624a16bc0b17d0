"""Times as people and machines write them: an hour of a day, or a date with a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum


class Clock(StrEnum):
    """How a column says when."""

    HOUR = "hour"
    DATE = "date"


_HOUR = re.compile(
    r"(?:h(?:our)? ?)?(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::\d{2})?)?\s*(?:시|h|uhr)?\s*(?P<half>[ap]\.?m\.?)?"
    r"(?:\s*[-–~]\s*\d{1,2}(?:[:.h]\d{2})?\s*(?:시|h|uhr)?\s*(?:[ap]\.?m\.?)?)?",
    re.IGNORECASE,
)
_EPOCH = re.compile(r"(\d{10})(?:\.\d+)?|(\d{13})")
_FORMS = (
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y.%m.%d %H:%M:%S",
    "%Y.%m.%d %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%Y-%m-%d %H",
    "%Y%m%d%H",
)
"""Beside ISO 8601. Days and months with slashes and the year last are left out: nothing tells which is which."""


def clock_of(cells: Sequence[str]) -> Clock | None:
    """Return how cells say when, None where one of them does not.

    >>> clock_of(["0", "1", "23"]), clock_of(["2026-11-30 09:00"]), clock_of(["250", "300"])
    (<Clock.HOUR: 'hour'>, <Clock.DATE: 'date'>, None)
    """
    known = [cell for cell in cells if cell.strip()]
    if not known:
        return None
    if all(moment_of(cell) is not None for cell in known):
        return Clock.DATE
    return Clock.HOUR if all(hour_of(cell) is not None for cell in known) else None


def hour_of(cell: str) -> float | None:
    """Return the hour of a day that a cell means, 0 to 24; of a span its beginning. None where it means none.

    >>> hour_of("9"), hour_of("09:30"), hour_of("9-10"), hour_of("3 PM"), hour_of("12 am"), hour_of("31")
    (9.0, 9.5, 9.0, 15.0, 0.0, None)
    """
    found = _HOUR.fullmatch(cell.strip()[:40])
    if found is None:
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"].lower().startswith("p") else 0)
    return hour + minute / 60.0 if hour <= 24 and minute < 60 else None


def moment_of(cell: str) -> float | None:
    """Return a date with a time as seconds since 1970; without a zone it is taken as it stands. None where it is none.

    >>> moment_of("1970-01-02"), moment_of("1970-01-01T01:00:00Z"), moment_of("1970/01/01 00:01")
    (86400.0, 3600.0, 60.0)
    """
    text = cell.strip()[:40]
    epoch = _EPOCH.fullmatch(text)
    if epoch:
        return float(text) if epoch[1] else float(text) / 1000.0
    if not re.match(r"\d{1,4}[-/.]?\d{1,2}[-/.]?\d", text) or len(text) < 8:
        return None
    found = _iso(text) or next((moment for form in _FORMS if (moment := _formed(text, form))), None)
    return None if found is None else found.replace(tzinfo=found.tzinfo or UTC).timestamp()


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.replace("T ", "T"))
    except ValueError:
        return None


def _formed(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form)  # noqa: DTZ007 - a time without a zone is taken as it stands
    except ValueError:
        return None
