"""What Alembic runs: the migrations, on the connection that `core.store.migrate` opened."""

from __future__ import annotations

from alembic import context

from core.store import tables, tables_blobs, tables_people
from core.store.schema import Base

TABLES = (tables, tables_blobs, tables_people)
"""Imported so that `Base` knows every table."""


def run() -> None:
    """Run inside the caller's transaction; SQLite's tables are altered by copying (batch)."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=Base.metadata,
        render_as_batch=True,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


# Alembic loads this file under this name; whoever else imports it (a test collector) changes nothing.
if __name__ == "env_py":
    run()
