"""The form of a backup: a zip with a list of what is in it, one JSON Lines member a table, and the blobs by hash."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import UTC, datetime

import msgspec
from sqlalchemy import ColumnElement, LargeBinary, Table

import core.store.tables
import core.store.tables_people
from core.store.schema import Base, UtcTime
from core.store.tables_blobs import BlobRow

FORMAT = 1
MANIFEST = "manifest.json"
BLOB_TABLE = BlobRow.__tablename__
NOT_ROWS = ("place", "data")
"""Columns of blobs that a backup leaves out: the contents are members, and where they lie is the store's own matter."""


class Member(msgspec.Struct, forbid_unknown_fields=False):
    """One member: bytes before compression, and their SHA-256. `rows` is of a table."""

    size: int
    sha256: str
    rows: int | None = None


class Manifest(msgspec.Struct):
    """What is in a backup.

    Attributes:
        revision: of the tables. made_at: ISO 8601, UTC.
        members: by name.
    """

    format: int
    app_version: str
    revision: str
    made_at: str
    members: dict[str, Member]


def every_table() -> list[Table]:
    """Return the tables in an order in which rows may be inserted."""
    return list(Base.metadata.sorted_tables)


def member_of(table: str) -> str:
    """Return the name of the member that holds a table."""
    return f"tables/{table}.jsonl"


def blob_member(sha256: str) -> str:
    """Return the name of the member that holds a blob."""
    return f"blobs/{sha256}"


def columns_of(table: Table) -> list[ColumnElement[object]]:
    """Return the columns of a table that a backup holds."""
    return [column for column in table.columns if table.name != BLOB_TABLE or column.name not in NOT_ROWS]


def row_of(table: Table, line: bytes) -> dict[str, object]:
    """Return one row as the database takes it.

    Raises:
        ValueError: the line is no row of this table.
    """
    found = msgspec.json.decode(line)
    if not isinstance(found, dict):
        raise ValueError("not a row")
    known = {column.name: column for column in table.columns}
    if unknown := sorted(found.keys() - known.keys()):
        raise ValueError(f"{table.name} has no column {unknown[0]}")
    return {name: _value(known[name].type, value) for name, value in found.items()}


def _value(kind: object, value: object) -> object:
    match kind, value:
        case _, None:
            return None
        case LargeBinary(), str():
            return base64.b64decode(value, validate=True)
        case UtcTime(), str():
            moment = datetime.fromisoformat(value)
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        case _, str() | bool() | int():
            return value
        case _:
            raise ValueError("a value that no column holds")


def line_of(row: Mapping[str, object]) -> bytes:
    """Return one row as a line of JSON: bytes as base64, times as ISO 8601."""
    return msgspec.json.encode(row) + b"\n"


LOADED = (core.store.tables, core.store.tables_people)
"""Modules whose tables have to be known before all of them can be listed."""
