"""A backup put back: looked at first, then all of it in one transaction, or nothing."""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import msgspec
from sqlalchemy import Connection, Engine, Table, delete, func, insert, select, text

from core.errors import StoreError
from core.i18n import t
from core.model.codec import newer_schema
from core.store.backup_form import BLOB_TABLE, FORMAT, MANIFEST, Manifest, blob_member, every_table, member_of, row_of
from core.store.blobs import Blobs
from core.store.engine import told, writing
from core.store.migrate import known_revisions, older_revisions

_MANIFEST_BYTES = 200_000_000
_LINE_BYTES = 500_000_000
_LEAST, _RATIO = 1_000_000_000, 100
"""A backup unpacks to at most so many bytes, or to so many times its own size, whichever is more."""

_CHUNK = 1 << 20
_AT_ONCE = 50
_BLOB = re.compile(r"blobs/[0-9a-f]{64}")


def is_empty(engine: Engine) -> bool:
    """Return whether a store holds nothing at all.

    Raises:
        StoreError: "store.unavailable".
    """
    with told(), engine.connect() as connection:
        return _is_empty(connection)


def restore_from(engine: Engine, blobs: Blobs, source: Path | BinaryIO, *, replace: bool = False) -> Manifest:
    """Put a backup into a store.

    Every member is held against its hash before anything is changed; what the store held is removed, where that is
    asked for, in the transaction that puts the backup in.

    Raises:
        StoreError: "backup.unreadable" for what is no backup or is damaged, "backup.not_empty" where the store holds
            something and `replace` is not given, "backup.older" for tables of an older version, "store.newer_schema"
            for a newer version's, "store.full", "store.unavailable".
    """
    with told(), _opened(source) as (file, manifest):
        if not replace and not is_empty(engine):
            raise _not_empty()
        _checked(file, manifest)
        _put_blobs(file, manifest, blobs)
        with writing(engine).begin() as connection:
            if not _is_empty(connection):
                if not replace:
                    raise _not_empty()
                for table in reversed(every_table()):
                    connection.execute(delete(table))
            for table in every_table():
                _fill(connection, blobs, table, file, manifest)
        return manifest


@contextmanager
def _opened(source: Path | BinaryIO) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    try:
        with zipfile.ZipFile(source) as file:
            yield file, _manifest(file)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, KeyError, ValueError, RuntimeError) as error:
        raise _unreadable(str(error)) from error


def _manifest(file: zipfile.ZipFile) -> Manifest:
    """Return the list of what is in a backup, once every name and size in the file agrees with it."""
    listed = file.infolist()
    names = [info.filename for info in listed]
    if MANIFEST not in names or len(set(names)) != len(names):
        raise ValueError("no list of what is in it")
    if file.getinfo(MANIFEST).file_size > _MANIFEST_BYTES:
        raise ValueError("a list that is too long")
    manifest = _read_manifest(file.read(MANIFEST))
    if manifest.revision in older_revisions():
        raise _older(manifest.app_version)
    if manifest.format > FORMAT or manifest.revision not in known_revisions():
        raise newer_schema()
    tables = {member_of(table.name) for table in every_table()}
    if strange := [name for name in manifest.members if name not in tables and not _BLOB.fullmatch(name)]:
        raise ValueError(f"a member of an unknown name: {strange[0][:80]}")
    if set(names) != {MANIFEST, *manifest.members} or not tables <= set(names):
        raise ValueError("members that are not in its list, or missing ones")
    if any(info.file_size != manifest.members[info.filename].size for info in listed if info.filename != MANIFEST):
        raise ValueError("a member of another size")
    packed = sum(info.compress_size for info in listed)
    if sum(info.file_size for info in listed) > max(_LEAST, _RATIO * packed):
        raise ValueError("it would unpack to far more than its own size")
    return manifest


def _read_manifest(data: bytes) -> Manifest:
    # A newer form may have other fields: its number is looked at first.
    found = msgspec.json.decode(data)
    if isinstance(found, dict) and isinstance(found.get("format"), int) and found["format"] > FORMAT:
        raise newer_schema()
    return msgspec.convert(found, Manifest)


def _checked(file: zipfile.ZipFile, manifest: Manifest) -> None:
    """Hold every member against its hash."""
    for name, told_of in manifest.members.items():
        digest, left = hashlib.sha256(), told_of.size
        with file.open(name) as member:
            while chunk := member.read(_CHUNK):
                digest.update(chunk)
                left -= len(chunk)
        lies = name.startswith("blobs/") and name != blob_member(told_of.sha256)
        if left != 0 or digest.hexdigest() != told_of.sha256 or lies:
            raise ValueError(f"{name} is not what was backed up")


def _put_blobs(file: zipfile.ZipFile, manifest: Manifest, blobs: Blobs) -> None:
    """Write the blobs to where the store keeps them outside its database; there they harm nobody if it ends here."""
    for name, told_of in manifest.members.items():
        if blobs.outside and name.startswith("blobs/"):
            blobs.put({told_of.sha256: file.read(name)})


def _fill(connection: Connection, blobs: Blobs, table: Table, file: zipfile.ZipFile, manifest: Manifest) -> None:
    rows = 0
    with file.open(member_of(table.name)) as member:
        lines = iter(lambda: member.readline(_LINE_BYTES), b"")
        while found := [row_of(table, line) for line in islice(lines, _AT_ONCE)]:
            if table.name == BLOB_TABLE:
                found = [row | _contents(blobs, file, row) for row in found]
            connection.execute(insert(table), found)
            rows += len(found)
    if rows != manifest.members[member_of(table.name)].rows:
        raise ValueError(f"{table.name} has another number of rows")
    _count_on(connection, table)


def _contents(blobs: Blobs, file: zipfile.ZipFile, row: dict[str, object]) -> dict[str, object]:
    return blobs.columns_for(file.read(blob_member(str(row["sha256"]))))


def _count_on(connection: Connection, table: Table) -> None:
    """Let PostgreSQL number the next row after the last one that was put in; SQLite does so by itself."""
    column = table.autoincrement_column
    if connection.dialect.name == "postgresql" and column is not None:
        last = connection.scalar(select(func.max(column)))
        sequence = text("SELECT setval(pg_get_serial_sequence(:table, :column), :next, false)")
        values = {"table": table.name, "column": column.name, "next": (last or 0) + 1}
        connection.execute(sequence, values)


def _is_empty(connection: Connection) -> bool:
    return all(connection.scalar(select(1).select_from(table).limit(1)) is None for table in every_table())


def _unreadable(reason: str) -> StoreError:
    return StoreError(
        "backup.unreadable",
        t("The file is no backup of Plimsoll, or is damaged: {reason}", reason=reason),
        fix=t("Use another backup; nothing was changed"),
    )


def _older(version: str) -> StoreError:
    return StoreError(
        "backup.older",
        t("The backup is from an older version, {version}", version=version),
        fix=t("Restore it with that version into an empty store, then open this store with the present one"),
    )


def _not_empty() -> StoreError:
    return StoreError(
        "backup.not_empty",
        t("The store holds something already, and restoring would take its place"),
        fix=t("Restore into an empty one, or say --replace: what it holds is backed up first"),
    )
