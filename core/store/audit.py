"""The audit trail: who did what and when. Events are inserted with the act itself and never changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core.model.person import Person, Role
from core.store.access import not_allowed, require
from core.store.engine import told
from core.store.tables_people import EventRow

MOST = 5_000
"""Events that one call returns, the newest first."""


class Act(StrEnum):
    """What was done. Stored: never rename one."""

    SAVED = "saved"
    RESTORED = "restored"
    DUPLICATED = "duplicated"
    RENAMED = "renamed"
    TAGGED = "tagged"
    ARCHIVED = "archived"
    UNARCHIVED = "unarchived"
    DELETED = "deleted"
    UNDELETED = "undeleted"
    SHARED = "shared"
    REVOKED = "revoked"
    UNREVOKED = "unrevoked"
    COMMENTED = "commented"
    COMMENT_DELETED = "comment_deleted"
    COMMENT_UNDELETED = "comment_undeleted"
    GAVE = "gave"
    TOOK = "took"
    TEAM_CHANGED = "team_changed"
    SIGNED_IN = "signed_in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One act.

    Attributes:
        at: time with zone UTC.
        act: a value of `Act`, or one that a newer version wrote.
        detail: names and numbers that belong to it; never a token or a price.
    """

    at: datetime
    actor_id: str
    actor_name: str
    act: str
    scenario_id: str | None
    version: int | None
    detail: Mapping[str, str | int | bool | None]


def record(
    session: Session,
    who: Person,
    act: Act,
    scenario_id: str | None = None,
    version: int | None = None,
    **detail: str | int | bool | None,
) -> None:
    """Add an event to the transaction of the act itself: the one is never without the other."""
    session.add(
        EventRow(
            at=datetime.now(UTC),
            actor_id=who.id,
            actor_name=who.name,
            act=act.value,
            scenario_id=scenario_id,
            version=version,
            detail=json.dumps(detail, ensure_ascii=False),
        )
    )


class Audit:
    """The audit trail of one database, as one person may read it."""

    def __init__(self, engine: Engine, who: Person) -> None:
        self._engine, self._who = engine, who

    def of(self, scenario_id: str) -> tuple[Event, ...]:
        """Return what was done to a scenario, newest first.

        Raises:
            StoreError: "store.not_found", "store.not_allowed" for all but its owners.
        """
        with told(), Session(self._engine) as session:
            require(session, self._who, scenario_id, Role.OWNER)
            rows = select(EventRow).where(EventRow.scenario_id == scenario_id)
            return tuple(_event(row) for row in session.scalars(rows.order_by(EventRow.key.desc()).limit(MOST)))

    def all(self) -> tuple[Event, ...]:
        """Return what was done to anything, newest first.

        Raises:
            StoreError: "store.not_allowed" for all but admins.
        """
        if not self._who.admin:
            raise not_allowed()
        with told(), Session(self._engine) as session:
            rows = select(EventRow).order_by(EventRow.key.desc()).limit(MOST)
            return tuple(_event(row) for row in session.scalars(rows))


def detail_in(row: EventRow) -> dict[str, str | int | bool | None]:
    """Return what belongs to an event; what cannot be read is nothing."""
    try:
        found = json.loads(row.detail)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _event(row: EventRow) -> Event:
    return Event(
        at=row.at,
        actor_id=row.actor_id,
        actor_name=row.actor_name,
        act=row.act,
        scenario_id=row.scenario_id,
        version=row.version,
        detail=detail_in(row),
    )
