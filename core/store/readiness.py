"""Whether the database can be worked with now: a cheap question for probes, without changing anything."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from core.errors import StoreError
from core.store.engine import connected, told
from core.store.migrate import SCRIPTS


class Readiness(StrEnum):
    """What a probe is told."""

    READY = "ready"
    UNREACHABLE = "database_unreachable"
    BEHIND = "schema_behind"
    NEWER = "schema_newer"
    UNUSABLE = "database_setting"


class Probe:
    """Asks one database, over one connection of its own. Safe to share between threads."""

    def __init__(self, url: str) -> None:
        """Prepare to ask.

        Raises:
            StoreError: "store.url", "store.driver_missing", "store.unavailable".
        """
        self._engine = connected(url)

    def ask(self) -> Readiness:
        """Return whether the database answers a query and has the tables of this version."""
        head, known = _revisions()
        try:
            with told(), self._engine.connect() as connection:
                here = MigrationContext.configure(connection).get_current_revision()
        except StoreError:
            return Readiness.UNREACHABLE
        if here == head:
            return Readiness.READY
        return Readiness.BEHIND if here is None or here in known else Readiness.NEWER

    def close(self) -> None:
        """Give the connection back."""
        self._engine.dispose()


@cache
def _revisions() -> tuple[str | None, frozenset[str]]:
    """Return the newest schema of this version, and all that it knows."""
    scripts = ScriptDirectory(SCRIPTS)
    return scripts.get_current_head(), frozenset(script.revision for script in scripts.walk_revisions())
