"""How a connection to PostgreSQL is set up: nothing that its administrator chose may change what is kept or found."""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy import URL
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import StoreError
from core.i18n import t

STATEMENT_S = 120.0
"""Longest that one statement may take; the largest scenario takes a fraction of it."""

IDLE_S = 60.0
"""Longest that a transaction may stand still: one that holds the write lock keeps everybody else waiting."""

NOT_ANSWERING_S = 15
"""After which a server that does not answer is given up."""

_BUSY = frozenset({"55P03", "57014", "40P01", "40001"})
"""lock_not_available, query_canceled (by the time limit), deadlock_detected, serialization_failure."""

_FULL = "53100"
_TOO_LONG = "22001"
"""disk_full."""


class _Parameters(Protocol):
    def parameter_status(self, name: str, /) -> str | None: ...


class _Connection(Protocol):
    """What is used of a psycopg connection; psycopg itself is only there where it is needed."""

    @property
    def info(self) -> _Parameters: ...

    autocommit: bool

    def close(self) -> None: ...
    def execute(self, query: str, /) -> Any: ...  # noqa: ANN401 a cursor of psycopg


def arguments(address: URL) -> dict[str, object]:
    """Return what to hand to the driver, without what the address itself says."""
    ours: dict[str, object] = {
        "connect_timeout": NOT_ANSWERING_S,
        "tcp_user_timeout": NOT_ANSWERING_S * 1000,
        "keepalives_idle": NOT_ANSWERING_S,
        "application_name": "plimsoll",
        "client_encoding": "utf8",
        # A statement prepared before another replica migrated the tables would fail afterwards.
        "prepare_threshold": None,
    }
    return {name: value for name, value in ours.items() if name not in address.query}


def set_up(connection: _Connection, _entry: ConnectionPoolEntry, wait_s: float) -> None:
    """Pin the settings that the program rests on.

    Raises:
        StoreError: "store.encoding" where the database cannot keep every letter.
    """
    try:
        _check_encoding(connection.info.parameter_status("server_encoding"))
        _pin(connection, wait_s)
    except BaseException:
        connection.close()  # the pool does not know it yet
        raise


def _check_encoding(found: str | None) -> None:
    if found not in ("UTF8", None):
        raise StoreError(
            "store.encoding",
            t("The database keeps text as {encoding}, which has no place for every letter", encoding=found),
            fix=t("Make a database with the encoding UTF8 and name it in PLIMSOLL_DATABASE_URL"),
        )


def _pin(connection: _Connection, wait_s: float) -> None:
    before, connection.autocommit = connection.autocommit, True
    for name, value in _settings(wait_s).items():
        connection.execute(f"SET {name} = {value}")
    # Reported as saved means on the disk. A stricter choice (a second server has it too) stays.
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') IN ('off', 'local')"
    )
    connection.autocommit = before


def is_busy(error: BaseException | None) -> bool:
    """Whether the database gave up because somebody else held what was needed."""
    return getattr(error, "sqlstate", None) in _BUSY


def is_full(error: BaseException | None) -> bool:
    """Whether the server's disk had no room."""
    return getattr(error, "sqlstate", None) == _FULL


def is_too_long(error: BaseException | None) -> bool:
    """Whether a text was longer than its column."""
    return getattr(error, "sqlstate", None) == _TOO_LONG


def _settings(wait_s: float) -> dict[str, str]:
    return {
        "DateStyle": "'ISO'",
        "TimeZone": "'UTC'",
        "standard_conforming_strings": "on",
        "lock_timeout": f"{wait_s * 1000:.0f}",
        "statement_timeout": f"{STATEMENT_S * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{IDLE_S * 1000:.0f}",
    }
