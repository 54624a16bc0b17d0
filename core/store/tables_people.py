"""The tables of people: who was seen, teams, who may do what to which scenario, and what was done."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from core.store.schema import ID, PERSON, Base, UtcTime
from core.store.tables import HeadRow

EMAIL = 254


class PersonRow(Base):
    """Somebody who has signed in at least once."""

    __tablename__ = "person"

    id: Mapped[str] = mapped_column(String(PERSON), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    email: Mapped[str | None] = mapped_column(String(EMAIL), index=True)
    first_seen: Mapped[datetime] = mapped_column(UtcTime)
    last_seen: Mapped[datetime] = mapped_column(UtcTime)


class TeamRow(Base):
    """People who share a role in scenarios. A deleted one stays, so that deleting can be undone."""

    __tablename__ = "team"

    id: Mapped[str] = mapped_column(String(ID), primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    created_at: Mapped[datetime] = mapped_column(UtcTime)
    created_by: Mapped[str] = mapped_column(String(PERSON))
    deleted_at: Mapped[datetime | None] = mapped_column(UtcTime)


class MemberRow(Base):
    """Membership of a team, by an e-mail address that the person may not have signed in with yet.

    `role` is that of the member in the team: an owner changes its members.
    """

    __tablename__ = "member"

    team_id: Mapped[str] = mapped_column(ForeignKey(TeamRow.id), primary_key=True)
    email: Mapped[str] = mapped_column(String(EMAIL), primary_key=True)
    role: Mapped[str] = mapped_column(String(20))
    added_at: Mapped[datetime] = mapped_column(UtcTime)


class AccessRow(Base):
    """A role in one scenario, of a person (by id), of an e-mail address, or of a team."""

    __tablename__ = "access"

    scenario_id: Mapped[str] = mapped_column(ForeignKey(HeadRow.id), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    subject: Mapped[str] = mapped_column(String(PERSON), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(20))
    given_at: Mapped[datetime] = mapped_column(UtcTime)
    given_by: Mapped[str | None] = mapped_column(String(PERSON))


class EventRow(Base):
    """One act in the audit trail: inserted, never changed, never deleted.

    `detail` is JSON and never holds a token, a price or a person's words beyond names.
    """

    __tablename__ = "event"

    key: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime, index=True)
    actor_id: Mapped[str] = mapped_column(String(PERSON))
    actor_name: Mapped[str] = mapped_column(String(200))
    act: Mapped[str] = mapped_column(String(40))
    scenario_id: Mapped[str | None] = mapped_column(String(ID), index=True)
    version: Mapped[int | None]
    detail: Mapped[str] = mapped_column(Text)


class PreferenceRow(Base):
    """Something that a person prefers, such as an own logo, by its name."""

    __tablename__ = "preference"

    owner: Mapped[str] = mapped_column(String(PERSON), primary_key=True)
    name: Mapped[str] = mapped_column(String(60), primary_key=True)
    value: Mapped[bytes] = mapped_column(LargeBinary)
    saved_at: Mapped[datetime] = mapped_column(UtcTime)
