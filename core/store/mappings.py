"""Keep, list, rename and delete what persons said the columns of tables mean. The words are data, checked each way."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from core import VERSION
from core.errors import StoreError, UsageError
from core.i18n import t
from core.ingest.mapping_check import checked, mappings_from
from core.model.mapping import TableMapping, mappings_json, same_headers
from core.model.person import Person
from core.store.access import require_somebody
from core.store.engine import damaged, told, writing
from core.store.tables import MappingRow

MOST = 500
"""Of one database: each upload of a table is held against all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptMapping:
    """One mapping that is kept.

    Attributes:
        mapping: under the name that it has now.
        saved_at: time with zone UTC.
        overruled: a newer one is for the same tables, so this one is never used.
    """

    id: str
    mapping: TableMapping
    saved_at: datetime
    overruled: bool = False


class Mappings:
    """The mappings of one database, everybody's who signed in. Safe to share between threads.

    Every method raises StoreError: "store.unavailable" or "store.damaged" where the database fails,
    besides the codes that it names itself; and those that change something "store.sign_in_needed".
    """

    def __init__(self, engine: Engine, who: Person) -> None:
        self._engine, self._who = engine, who

    def keep(self, *mappings: TableMapping) -> tuple[KeptMapping, ...]:
        """Keep mappings for later tables with their headers, the last one as the newest: all of them or none.

        Raises:
            UsageError: "mapping.invalid" where one says what no mapping can.
            StoreError: "store.too_many_mappings".
        """
        require_somebody(self._who)
        rows = [_row_of(checked(mapping)) for mapping in mappings]
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            _room(session, len(rows))
            for row in rows:
                session.add(row)
                session.flush()  # one by one: the order of their keys is what "newest" means
            session.commit()
        return tuple(KeptMapping(id=row.id, mapping=_opened(row), saved_at=row.saved_at) for row in rows)

    def list(self) -> tuple[KeptMapping, ...]:
        """Return every mapping that is kept, the newest first; the first that is for a table is used.

        One whose bytes are not what was kept is left out: the others still count.
        """
        if self._who.is_nobody:
            return ()
        with told(), Session(self._engine) as session:
            live = select(MappingRow).where(MappingRow.deleted_at.is_(None))
            rows = session.scalars(live.order_by(MappingRow.key.desc())).all()
        found: list[KeptMapping] = []
        for row in rows:
            try:
                each = KeptMapping(id=row.id, mapping=_opened(row), saved_at=row.saved_at)
            except (StoreError, UsageError):
                continue
            found.append(replace(each, overruled=any(_covers(newer.mapping, each.mapping) for newer in found)))
        return tuple(found)

    def rename(self, mapping_id: str, name: str) -> KeptMapping:
        """Give a mapping another name; what it says stays as it is.

        Raises:
            UsageError: "mapping.invalid" for a name that is empty or too long.
            StoreError: "store.no_mapping".
        """
        require_somebody(self._who)
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            row = _row(session, mapping_id)
            row.name = checked(replace(_opened(row), name=name)).name
            session.commit()
            return KeptMapping(id=row.id, mapping=_opened(row), saved_at=row.saved_at)

    def delete(self, mapping_id: str) -> None:
        """Stop using a mapping; `restore` brings it back. Doing it twice is harmless.

        Raises:
            StoreError: "store.no_mapping".
        """
        require_somebody(self._who)
        with told(), Session(writing(self._engine)) as session:
            _row(session, mapping_id).deleted_at = datetime.now(UTC)
            session.commit()

    def restore(self, mapping_id: str) -> None:
        """Bring a deleted mapping back. Doing it twice is harmless.

        Raises:
            StoreError: "store.no_mapping", "store.too_many_mappings".
        """
        require_somebody(self._who)
        with told(), Session(writing(self._engine)) as session:
            row = _row(session, mapping_id)
            if row.deleted_at is not None:
                _room(session, 1)
                row.deleted_at = None
                session.commit()


def _row_of(mapping: TableMapping) -> MappingRow:
    payload = mappings_json([mapping])
    return MappingRow(
        id=uuid.uuid4().hex,
        name=mapping.name,
        saved_at=datetime.now(UTC),
        payload=payload,
        payload_sha256=hashlib.sha256(payload).hexdigest(),
        app_version=VERSION,
    )


def _room(session: Session, more: int) -> None:
    """Refuse more where the database would hold too many to be held against each table."""
    live = select(func.count()).select_from(MappingRow).where(MappingRow.deleted_at.is_(None))
    if (session.scalar(live) or 0) + more > MOST:
        raise StoreError(
            "store.too_many_mappings",
            t("{limit} column meanings are kept already", limit=MOST),
            fix=t("Delete some that are not needed any more"),
        )


def _row(session: Session, mapping_id: str) -> MappingRow:
    possible = mapping_id.isascii() and mapping_id.isalnum()
    row = session.scalar(select(MappingRow).where(MappingRow.id == mapping_id)) if possible else None
    if row is None:
        raise StoreError(
            "store.no_mapping",
            t("These column meanings are not kept any more"),
            fix=t("Say again what the columns are, and keep that"),
        )
    return row


def _opened(row: MappingRow) -> TableMapping:
    """Return the mapping of a row whose bytes are those that were kept, under the row's name."""
    if hashlib.sha256(row.payload).hexdigest() != row.payload_sha256:
        raise damaged(t('The column meanings "{name}" are not what was kept', name=row.name))
    (mapping,) = mappings_from(row.payload)
    return replace(mapping, name=row.name)


def _covers(newer: TableMapping, older: TableMapping) -> bool:
    """Whether every table that the older one is for is read by the newer one."""
    return same_headers(newer.headers, older.headers) and newer.sheet in (None, older.sheet)
