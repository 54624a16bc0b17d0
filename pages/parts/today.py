"""The day on which a page is read: the one place where pages look at the calendar, to tell old prices."""

from __future__ import annotations

from datetime import UTC, date, datetime


def day() -> date:
    """Return today's date, UTC."""
    return datetime.now(UTC).date()
