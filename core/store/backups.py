"""Backups of one store, for those who may do everything in it."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Engine

from core.model.person import Person
from core.store.access import not_allowed
from core.store.backup import backup_to, write_backup
from core.store.backup_form import Manifest
from core.store.blobs import Blobs
from core.store.restore import is_empty, restore_from


class Backups:
    """Backups of one database with its blobs. Every method raises "store.not_allowed" for all but admins."""

    def __init__(self, engine: Engine, who: Person, blobs: Blobs) -> None:
        self._engine, self._who, self._blobs = engine, who, blobs

    def is_empty(self) -> bool:
        """Return whether the store holds nothing at all."""
        self._require()
        return is_empty(self._engine)

    def to(self, path: Path) -> Manifest:
        """Write a backup to a file; see `core.store.backup.backup_to`."""
        self._require()
        return backup_to(self._engine, self._blobs, path)

    def stream(self, out: BinaryIO) -> Manifest:
        """Write a backup to a stream; see `core.store.backup.write_backup`."""
        self._require()
        return write_backup(self._engine, self._blobs, out)

    def restore(self, source: Path | BinaryIO, *, replace: bool = False) -> Manifest:
        """Put a backup into the store; see `core.store.restore.restore_from`."""
        self._require()
        return restore_from(self._engine, self._blobs, source, replace=replace)

    def _require(self) -> None:
        if not self._who.admin:
            raise not_allowed()
