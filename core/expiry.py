"""When a link ends: after some days, after a day that was chosen, or never."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum


class Term(StrEnum):
    """How long a link lasts."""

    NEVER = "never"
    WEEK = "week"
    MONTH = "month"
    DAY = "day"


_DAYS = {Term.WEEK: 7, Term.MONTH: 30}


def end_of(term: Term, now: datetime, day: date | None = None) -> datetime | None:
    """Return when a link that is made now ends, with zone UTC; None where it does not.

    Args:
        term: how long it lasts.
        now: with a zone.
        day: the last one on which it opens, in UTC, where the term is DAY; None ends it now.

    >>> end_of(Term.DAY, datetime(2026, 11, 30, 9, tzinfo=UTC), date(2026, 12, 31)).isoformat()
    '2027-01-01T00:00:00+00:00'
    """
    if term is Term.NEVER:
        return None
    if term is Term.DAY:
        return now.astimezone(UTC) if day is None else datetime.combine(day, time(), UTC) + timedelta(days=1)
    return now.astimezone(UTC) + timedelta(days=_DAYS[term])
