"""Make PostgreSQL's counterpart of a stored database: the migrations of then, and the same rows; run once for each.

    PYTHONPATH=. .venv/bin/python tests/store/released/make_postgresql.py NAME

Reads NAME.db.gz, writes NAME.sql.gz. Files of earlier schemas are never made again.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from alembic import command
from sqlalchemy import Connection, MetaData, create_engine, insert, select, text

from core.store.engine import connected
from core.store.migrate import config
from tests.postgres import PASSWORD, binaries, cluster

HERE = Path(__file__).parent


def make(name: str) -> None:
    """Fill a database of the same revision with the same rows, and write what recreates it."""
    with tempfile.TemporaryDirectory() as folder, cluster() as server:
        path = Path(folder) / "plimsoll.db"
        path.write_bytes(gzip.decompress((HERE / f"{name}.db.gz").read_bytes()))
        before = create_engine(f"sqlite:///{path}")
        database = server.create()
        after = connected(server.address(database))
        with before.connect() as source, after.begin() as target:
            revision = source.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
            command.upgrade(config(target), revision)
            _copy(source, target)
        before.dispose()
        after.dispose()
        options = ["--inserts", "--no-owner", "--no-privileges", "--host", "127.0.0.1", "--port", str(server.port)]
        tool = binaries() or Path()
        done = subprocess.run(
            [tool / "pg_dump", *options, "--username", "plimsoll", database],
            env={"PGPASSWORD": PASSWORD},
            capture_output=True,
            check=True,
        )
        (HERE / f"{name}.sql.gz").write_bytes(gzip.compress(_statements(done.stdout), 9, mtime=0))


def _copy(source: Connection, target: Connection) -> None:
    tables = MetaData()
    tables.reflect(target)
    originals = MetaData()
    originals.reflect(source)
    for table in tables.sorted_tables:
        if table.name == "alembic_version":
            continue
        rows = [dict(row._mapping) for row in source.execute(select(originals.tables[table.name]))]
        if rows:
            target.execute(insert(table), [{name: _zoned(value) for name, value in row.items()} for row in rows])
        if "key" in table.c:
            # The next row gets the next number, as where the rows had been saved one by one.
            number = f"pg_get_serial_sequence('{table.name}', 'key')"
            target.execute(text(f"SELECT setval({number}, coalesce(max(key), 1)) FROM {table.name}"))


def _zoned(value: object) -> object:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) else value


def _statements(dump: bytes) -> bytes:
    """Return a dump without comments and without what only psql understands."""
    lines = [line for line in dump.splitlines() if line and not line.startswith((b"\\", b"--"))]
    return b"\n".join(lines) + b"\n"


if __name__ == "__main__":
    make(sys.argv[1])
