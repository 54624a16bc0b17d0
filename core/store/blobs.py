"""Bytes by their SHA-256: in the database, a folder or a bucket, each kept once and for as long as somebody needs it.

A save puts what is outside the database there first, synced, and then, in the one transaction that also adds its own
row, notes the blobs and that it needs them. What nobody needs is removed later, never within an hour of its writing.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine, delete, exists, insert, select
from sqlalchemy.orm import Session, undefer

from core.errors import StoreError
from core.i18n import t
from core.store.engine import damaged, told, writing
from core.store.places import DATABASE, Place, is_hash, place_of
from core.store.tables_blobs import BlobRow, BlobUseRow, OriginalRow

YOUNG = timedelta(hours=1)
"""A blob younger than this is never removed: the save that wrote it may still be under way."""

EVERY_S = 600.0
"""Seconds between two collections of one process."""

_AT_ONCE = 500
"""Hashes in one statement: SQLite's limit is above, and long lists of values are slow to compile."""


class Blobs:
    """The blobs of one database. Safe to share between threads.

    Methods with a session work within its transaction, the others in their own. All raise StoreError:
    "store.unavailable" where the database or the place fails.
    """

    def __init__(self, engine: Engine, setting: str = DATABASE) -> None:
        """Look at the setting.

        Raises:
            StoreError: "store.blobs_setting".
        """
        self._engine = engine
        self._setting = setting
        self._place = place_of(setting)
        self._collected = -EVERY_S

    @property
    def outside(self) -> bool:
        """True where blobs are written to a place outside the database."""
        return self._place is not None

    def columns_for(self, data: bytes) -> dict[str, object]:
        """Return the columns of a row whose contents `put` has written, or which holds them itself."""
        return {"place": self._setting, "data": None if self.outside else data}

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Write contents, by their SHA-256, to a place outside the database: before the transaction that needs them."""
        if self._place is not None:
            with told():
                for sha256, data in contents.items():
                    self._place.put(sha256, data)

    def add(self, session: Session, contents: Mapping[str, bytes], kind: str, holder: str) -> None:
        """Note that a holder needs contents, which are written where they are not there: under the write lock."""
        known = _rows(session, contents)
        for sha256, data in contents.items():
            row = known.get(sha256)
            if row is None:
                session.add(self._new(sha256, data))
            elif not self._is_there(row):
                self._renew(row, data)
        session.flush()
        _hold(session, contents, kind, holder)

    def hold(self, session: Session, hashes: Collection[str], kind: str, holder: str) -> bool:
        """Note that a holder needs blobs that should be there: under the write lock.

        Returns:
            False, and nothing is noted, where one of them is gone.
        """
        known = _rows(session, hashes)
        if set(hashes) != set(known) or not all(self._is_there(row) for row in known.values()):
            return False
        _hold(session, hashes, kind, holder)
        return True

    def release(self, session: Session, kind: str, holders: Iterable[str]) -> None:
        """Forget what holders needed; the blobs themselves go with `collect`."""
        for some in _batches(holders):
            session.execute(delete(BlobUseRow).where(BlobUseRow.kind == kind, BlobUseRow.holder.in_(some)))

    def held(self, session: Session, kind: str, holder: str) -> tuple[str, ...]:
        """Return the hashes of what a holder needs, sorted."""
        wanted = select(BlobUseRow.sha256).where(BlobUseRow.kind == kind, BlobUseRow.holder == holder)
        return tuple(session.scalars(wanted.order_by(BlobUseRow.sha256)))

    def getter(self, session: Session) -> Callable[[str], bytes]:
        """Return a function that gives the bytes under a SHA-256; see `get`."""
        return lambda sha256: self.get(session, sha256)

    def get(self, session: Session, sha256: str) -> bytes:
        """Return the bytes under a SHA-256.

        Raises:
            StoreError: "store.damaged" where they are gone or are others.
        """
        wanted = select(BlobRow).where(BlobRow.sha256 == sha256).options(undefer(BlobRow.data))
        row = session.scalar(wanted) if is_hash(sha256) else None
        data = self._read(row) if row is not None else None
        if data is None:
            raise damaged(t("A part of what was saved is missing"))
        if hashlib.sha256(data).hexdigest() != sha256:
            raise damaged(t("A part of what was saved is not what it was"))
        return data

    def collect(self, now: datetime | None = None) -> int:
        """Remove what nobody needs and was not written within the hour; return how many blobs went.

        The write lock is held meanwhile: a save that finds a blob there notes its need under the same lock.
        """
        before = (now or datetime.now(UTC)) - YOUNG
        needed = exists().where(BlobUseRow.sha256 == BlobRow.sha256)
        with told(), Session(writing(self._engine)) as session:
            gone = session.execute(
                select(BlobRow.sha256, BlobRow.place).where(BlobRow.saved_at < before, ~needed)
            ).all()
            for some in _batches([sha256 for sha256, _ in gone]):
                session.execute(delete(OriginalRow).where(OriginalRow.blob.in_(some)))
                session.execute(delete(BlobRow).where(BlobRow.sha256.in_(some)))
            for sha256, name in gone:
                place = self._named(name)
                if place is not None:
                    place.drop(sha256)
            session.commit()
        with told():
            if self._place is not None:
                self._place.tidy(YOUNG.total_seconds())
        return len(gone)

    def collect_now_and_then(self) -> None:
        """Collect unless that was done a short while ago. A failure is left for the next time: nothing rests on it."""
        now = time.monotonic()
        if now - self._collected >= EVERY_S:
            self._collected = now
            with suppress(StoreError):
                self.collect()

    def _new(self, sha256: str, data: bytes) -> BlobRow:
        if self._place is not None and self._place.size(sha256) != len(data):
            # `put` wrote it, and it was removed in between as something that nobody needed.
            self._place.put(sha256, data)
        return BlobRow(
            sha256=sha256,
            size=len(data),
            place=self._setting,
            data=data if self._place is None else None,
            saved_at=datetime.now(UTC),
        )

    def _renew(self, row: BlobRow, data: bytes) -> None:
        fresh = self._new(row.sha256, data)
        row.size, row.place, row.data, row.saved_at = fresh.size, fresh.place, fresh.data, fresh.saved_at

    def _is_there(self, row: BlobRow) -> bool:
        place = self._named(row.place)
        return place is None or place.size(row.sha256) == row.size

    def _read(self, row: BlobRow) -> bytes | None:
        """Return the bytes of a row from the place that it names, or from the present one if they were moved there."""
        place = self._named(row.place)
        if place is None:
            return row.data
        with told():
            data = place.get(row.sha256)
            moved = self._place is not None and self._place.name != place.name
            return self._place.get(row.sha256) if data is None and self._place is not None and moved else data

    def _named(self, name: str) -> Place | None:
        return self._place if name == self._setting else place_of(name)


def by_hash(contents: Iterable[bytes]) -> dict[str, bytes]:
    """Return contents by their SHA-256."""
    return {hashlib.sha256(data).hexdigest(): data for data in contents}


def _rows(session: Session, hashes: Collection[str]) -> dict[str, BlobRow]:
    """Return the rows of those that are known, without their data."""
    found: dict[str, BlobRow] = {}
    for some in _batches(hashes):
        found |= {row.sha256: row for row in session.scalars(select(BlobRow).where(BlobRow.sha256.in_(some)))}
    return found


def _hold(session: Session, hashes: Iterable[str], kind: str, holder: str) -> None:
    wanted = select(BlobUseRow.sha256).where(BlobUseRow.kind == kind, BlobUseRow.holder == holder)
    already = set(session.scalars(wanted))
    new = [{"kind": kind, "holder": holder, "sha256": sha256} for sha256 in dict.fromkeys(hashes)]
    new = [row for row in new if row["sha256"] not in already]
    if new:
        session.execute(insert(BlobUseRow), new)


def _batches(values: Iterable[str]) -> list[list[str]]:
    every = list(values)
    return [every[at : at + _AT_ONCE] for at in range(0, len(every), _AT_ONCE)]
