"""Bring a database to the form that this version works with; forward only, one process at a time."""

from __future__ import annotations

import io
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from core.model.codec import newer_schema
from core.store.engine import told, writing

SCRIPTS = Path(__file__).parent / "migrations"


def migrate(engine: Engine) -> None:
    """Run the migrations that are missing, in one transaction that others wait for.

    Raises:
        StoreError: "store.newer_schema" where a newer version has been here,
            "store.unavailable" or "store.damaged" where the database fails.
    """
    with told():
        with engine.connect() as connection:
            if _at_head(connection):
                return
        with writing(engine).begin() as connection:
            if not _at_head(connection):  # another process may have done it while this one waited
                command.upgrade(config(connection), "head")


def config(connection: Connection) -> Config:
    """Return Alembic's settings for an open connection; there is no alembic.ini."""
    made = Config(stdout=io.StringIO(), attributes={"connection": connection})
    made.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    return made


def known_revisions() -> frozenset[str]:
    """Return the revisions of the tables that this version can read the rows of: those that lack no column of today."""
    return frozenset({ScriptDirectory(SCRIPTS).get_current_head() or ""})


def older_revisions() -> frozenset[str]:
    """Return the revisions of the tables that this version makes today's of, but cannot read the rows of."""
    return frozenset(script.revision for script in ScriptDirectory(SCRIPTS).walk_revisions()) - known_revisions()


def _at_head(connection: Connection) -> bool:
    scripts = ScriptDirectory(SCRIPTS)
    here = MigrationContext.configure(connection).get_current_revision()
    if here is not None and here not in {script.revision for script in scripts.walk_revisions()}:
        raise newer_schema()
    return here == scripts.get_current_head()
