"""A backup: everything in a store in one file, as it was at one moment, while others go on saving."""

from __future__ import annotations

import hashlib
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec
from alembic.migration import MigrationContext
from sqlalchemy import Engine, Exists, Table, exists, select
from sqlalchemy.orm import Session

from core import VERSION
from core.store.backup_form import (
    BLOB_TABLE,
    FORMAT,
    MANIFEST,
    Manifest,
    Member,
    blob_member,
    columns_of,
    every_table,
    line_of,
    member_of,
)
from core.store.blobs import Blobs
from core.store.engine import told
from core.store.tables_blobs import BlobRow, BlobUseRow
from core.store.whole_file import named, whole_file

_EPOCH = (1980, 1, 1, 0, 0, 0)
_ROWS = 100
"""Rows that are fetched at once: a row may hold megabytes."""

_STREAM = "stream"


def write_backup(engine: Engine, blobs: Blobs, out: BinaryIO) -> Manifest:
    """Write everything in a store to a stream, as it is at the moment at which this begins.

    Raises:
        StoreError: "store.unavailable", "store.full", "store.damaged" where something that is needed is not what was
            saved.
    """
    name = getattr(out, "name", None)
    with told(), named(name if isinstance(name, str) else _STREAM):
        done = _written(engine, blobs, out)
        # What still lies in a buffer is not backed up.
        out.flush()
        return done


def backup_to(engine: Engine, blobs: Blobs, path: Path) -> Manifest:
    """Write a backup to a file that only its owner can read; it appears under its name when it is whole.

    Raises:
        StoreError: as `write_backup`; whatever was written until then is removed.
    """
    with told(), whole_file(path) as out:
        return _written(engine, blobs, out)


def _written(engine: Engine, blobs: Blobs, out: BinaryIO) -> Manifest:
    members: dict[str, Member] = {}
    with Session(_at_one_moment(engine)) as session, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for table in every_table():
            members[member_of(table.name)] = _table(session, table, file)
        for sha256 in session.scalars(select(BlobRow.sha256).where(_needed()).order_by(BlobRow.sha256)).all():
            # They are packed already: packing them again costs time and saves nothing.
            name = blob_member(sha256)
            data = blobs.get(session, sha256)
            file.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_STORED)
            members[name] = Member(size=len(data), sha256=sha256)
        manifest = Manifest(
            format=FORMAT,
            app_version=VERSION,
            revision=MigrationContext.configure(session.connection()).get_current_revision() or "",
            made_at=datetime.now(UTC).isoformat(),
            members=members,
        )
        file.writestr(MANIFEST, msgspec.json.encode(manifest))
    return manifest


def _at_one_moment(engine: Engine) -> Engine:
    # SQLite's readers see the moment at which they began anyway.
    postgresql = engine.dialect.name == "postgresql"
    return engine.execution_options(isolation_level="REPEATABLE READ") if postgresql else engine


def _needed() -> Exists:
    return exists().where(BlobUseRow.sha256 == BlobRow.sha256)


def _table(session: Session, table: Table, file: zipfile.ZipFile) -> Member:
    digest, size, rows = hashlib.sha256(), 0, 0
    wanted = select(*columns_of(table)).order_by(*table.primary_key.columns)
    if table.name == BLOB_TABLE:
        wanted = wanted.where(_needed())
    with file.open(member_of(table.name), "w", force_zip64=True) as member:
        for row in session.execute(wanted.execution_options(yield_per=_ROWS)).mappings():
            line = line_of(dict(row))
            member.write(line)
            digest.update(line)
            size, rows = size + len(line), rows + 1
    return Member(size=size, sha256=digest.hexdigest(), rows=rows)
