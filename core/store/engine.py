"""A database behind a URL: made private, set up to lose nothing, its failures put into words."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import StoreError
from core.i18n import Text, t
from core.store import postgresql
from core.store.whole_file import is_full

WAIT_S = 30.0
"""How long one writer waits for another before it gives up."""

IMMEDIATE = "plimsoll_immediate"
"""Execution option: take the write lock when the transaction begins, not at its first write."""

_LOCK = 0x506C696D
"""Number of the lock in PostgreSQL ("Plim"): any that no other user of the database takes."""

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def connected(url: str) -> Engine:
    """Return an engine for a database, with folder and file made where it is SQLite.

    A new folder is readable by its owner only, and so is a new file. `postgresql://`
    means the psycopg driver.

    Raises:
        StoreError: "store.url" for an address nobody can follow, "store.driver_missing",
            "store.unavailable" where the file cannot be made. Using the engine raises
            "store.encoding" where PostgreSQL was set up for a few languages only.
    """
    address = _address(url)
    with told():
        if address.get_backend_name() == "sqlite":
            _make_file(address)
        try:
            engine = _engine(address)
        except ModuleNotFoundError as error:
            raise StoreError(
                "store.driver_missing",
                t("The driver of this database is not installed: {name}", name=error.name or address.drivername),
                fix=t("Install what requirements-server.txt names, or leave PLIMSOLL_DATABASE_URL out"),
            ) from error
        event.listen(engine, "begin", _begin)
    return engine


def writing(engine: Engine) -> Engine:
    """Return the same engine with transactions that hold the write lock from their start."""
    return engine.execution_options(**{IMMEDIATE: True})


@contextmanager
def told() -> Iterator[None]:
    """Turn failures of the database and the file system into errors with a next step.

    Raises:
        StoreError: "store.damaged" where the file is not (any more) a database, "store.busy" where
            somebody else held it for too long, "store.full" where there is no room, "store.text" for a character that
            no database keeps, "store.too_long" for a text that is longer than its column, "store.unavailable" for
            everything else.
    """
    try:
        yield
    except NoConnectionLeft as error:
        raise _busy() from error
    except DBAPIError as error:
        code = getattr(error.orig, "sqlite_errorcode", None)
        if code is not None and code & 0xFF in _DAMAGED:
            raise damaged(t("The file of saved scenarios is not a database, or is damaged")) from error
        if (code is not None and code & 0xFF in _BUSY) or postgresql.is_busy(error.orig):
            raise _busy() from error
        if code == sqlite3.SQLITE_FULL or postgresql.is_full(error.orig):
            raise _full(_reason(error.orig)) from error
        if isinstance(error, DataError):
            raise (too_long() if postgresql.is_too_long(error.orig) else _text()) from error
        raise _unavailable(_reason(error.orig)) from error
    except UnicodeEncodeError as error:
        raise _text() from error
    except (SQLAlchemyError, OSError) as error:
        if is_full(error):
            raise _full(_reason(error)) from error
        raise _unavailable(_reason(error)) from error


def damaged(what: Text) -> StoreError:
    """Return (not raise) the error of something that is not what was saved."""
    return StoreError(
        "store.damaged", what, fix=t("Restore the database from a backup; the other scenarios still open")
    )


def too_long() -> StoreError:
    """Return (not raise) the error of a text that has no room where it belongs."""
    return StoreError(
        "store.too_long",
        t("A name or another short text is longer than can be kept"),
        fix=t("Shorten it and try again; nothing was changed"),
    )


def _reason(error: BaseException | None) -> str:
    """Return the first line of a failure, since PostgreSQL's later ones repeat the row, and which file it was."""
    first = next(iter(str(error).splitlines()), type(error).__name__)
    return ": ".join([first, *getattr(error, "__notes__", ())])


def _busy() -> StoreError:
    return StoreError(
        "store.busy",
        t("Somebody else has been saving for longer than {seconds} seconds", seconds=round(WAIT_S)),
        fix=t("Try again in a moment; nothing was changed"),
    )


def _text() -> StoreError:
    return StoreError(
        "store.text",
        t("The text holds a character that cannot be kept, such as half of an emoji"),
        fix=t("Remove it and try again; nothing was changed"),
    )


def _full(reason: str) -> StoreError:
    return StoreError(
        "store.full",
        t("There is no room left on the disk: {reason}", reason=reason),
        fix=t("Make room there and try again; nothing was changed, and what was saved before is still there"),
    )


def _unavailable(reason: str) -> StoreError:
    return StoreError(
        "store.unavailable",
        t("The saved scenarios cannot be reached: {reason}", reason=reason),
        fix=t("Check that the folder can be written and the disk is not full, then try again; nothing was changed"),
    )


def _address(url: str) -> URL:
    try:
        address = make_url(url)
        if address.drivername in ("postgresql", "postgres"):
            # SQLAlchemy's own default driver has changed once; the explicit name does not.
            address = address.set(drivername="postgresql+psycopg")
        memory = address.get_backend_name() == "sqlite" and address.database in (None, "", ":memory:")
        known = address.get_backend_name() in ("sqlite", "postgresql")
    except (ArgumentError, NoSuchModuleError, ValueError):
        known = memory = False
    if memory or not known:
        raise StoreError(
            "store.url",
            t("The address of the database cannot be used"),
            fix=t("Set PLIMSOLL_DATABASE_URL to sqlite:///FOLDER/plimsoll.db, or leave it out"),
        )
    return address


def _engine(address: URL) -> Engine:
    # Values never belong in a message: among them are tokens of links and what persons wrote.
    if address.get_backend_name() == "sqlite":
        engine = create_engine(address, hide_parameters=True)
        event.listen(engine, "connect", _set_up)
        event.listen(engine, "handle_error", partial(_name, address.database or ""))
        return engine
    engine = create_engine(
        address,
        hide_parameters=True,
        pool_pre_ping=True,
        # One that reads the state of its beginning would see, behind the write lock, what was before it waited.
        isolation_level="READ COMMITTED",
        connect_args=postgresql.arguments(address),
    )
    event.listen(engine, "connect", partial(postgresql.set_up, wait_s=WAIT_S))
    return engine


def _make_file(address: URL) -> None:
    name = address.database or ""
    if name.startswith("file:"):
        return
    path = Path(name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        # SQLite gives its side files the mode of the database, so this one call keeps all of them private.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _set_up(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    # The driver would begin transactions by itself, late and never for DDL; `_begin` does it instead.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {int(WAIT_S * 1000)}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    _write_ahead(connection)


def _name(file: str, context: ExceptionContext) -> None:
    """Let a failure of SQLite say which file it was."""
    context.original_exception.add_note(file)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; SQLite does not wait by itself while another process does the same."""
    give_up = time.monotonic() + WAIT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _BUSY:
                raise
            if time.monotonic() > give_up:
                raise
            time.sleep(0.02)
        else:
            return


def _begin(connection: Connection) -> None:
    """Let writers wait for each other at the start: what they read then is still so when they write."""
    immediate = connection.get_execution_options().get(IMMEDIATE, False)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
    elif immediate:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
