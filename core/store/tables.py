"""The tables of scenarios: their versions, links, comments; and what columns of uploads mean."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, false, true
from sqlalchemy.orm import Mapped, mapped_column

from core.store.schema import ID, PERSON, Base, UtcTime


class ScenarioRow(Base):
    """One version of one scenario. A row is inserted once and never changed.

    `id` names the scenario, `version` counts from 1 within it. `payload` is the whole
    scenario as `core.store.records` writes it; the hash is of these bytes. `summary` is what a
    list shows of its answers, as JSON; rows from before it was kept have none.
    """

    __tablename__ = "scenario"
    __table_args__ = (UniqueConstraint("id", "version"),)

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(ID))
    version: Mapped[int]
    name: Mapped[str] = mapped_column(String(120))
    saved_at: Mapped[datetime] = mapped_column(UtcTime)
    payload: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    payload_sha256: Mapped[str] = mapped_column(String(64))
    schema_version: Mapped[int]
    app_version: Mapped[str] = mapped_column(String(64))
    method_version: Mapped[str] = mapped_column(String(64))
    author_id: Mapped[str | None] = mapped_column(String(PERSON))
    author_name: Mapped[str | None] = mapped_column(String(200))
    message: Mapped[str | None] = mapped_column(Text)
    based_on: Mapped[int | None]
    summary: Mapped[str | None] = mapped_column(Text)


class HeadRow(Base):
    """One scenario: what may change about it without a new version.

    Attributes:
        words: what the search looks through, folded: name, tags, notes, models and hardware.
        tags: JSON list.
        latest: newest version. saved_at: of that version.
        forked_from: id of the scenario whose shared view this was copied from, None if it was not.
    """

    __tablename__ = "head"

    id: Mapped[str] = mapped_column(String(ID), primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    tags: Mapped[str] = mapped_column(Text)
    words: Mapped[str] = mapped_column(Text)
    latest: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(UtcTime)
    created_by: Mapped[str | None] = mapped_column(String(PERSON))
    saved_at: Mapped[datetime] = mapped_column(UtcTime, index=True)
    archived_at: Mapped[datetime | None] = mapped_column(UtcTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcTime)
    forked_from: Mapped[str | None] = mapped_column(String(ID))


class ShareRow(Base):
    """A link to one version. Looked up by the hash of its token.

    Attributes:
        public: opens without signing in, where signing in is asked for.
        views: how often it was opened; a browser that reloads it within half an hour counts once (`serve.visits`).
            Who opened it is not kept.
    """

    __tablename__ = "share"
    __table_args__ = (Index("ix_share_scenario_key", "scenario_key"),)

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    token: Mapped[str] = mapped_column(String(64))
    scenario_key: Mapped[int] = mapped_column(ForeignKey(ScenarioRow.key))
    created_at: Mapped[datetime] = mapped_column(UtcTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcTime)
    expires_at: Mapped[datetime | None] = mapped_column(UtcTime)
    hide_prices: Mapped[bool] = mapped_column(server_default=false())
    public: Mapped[bool] = mapped_column(server_default=true())
    label: Mapped[str] = mapped_column(String(120), server_default="")
    created_by: Mapped[str | None] = mapped_column(String(PERSON))
    created_name: Mapped[str | None] = mapped_column(String(200))
    views: Mapped[int] = mapped_column(server_default="0")
    last_view_at: Mapped[datetime | None] = mapped_column(UtcTime)


class CommentRow(Base):
    """What somebody said of a scenario. A deleted one stays, so that deleting can be undone."""

    __tablename__ = "comment"
    __table_args__ = (UniqueConstraint("id"),)

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(ID))
    scenario_id: Mapped[str] = mapped_column(ForeignKey(HeadRow.id), index=True)
    version: Mapped[int]
    author_id: Mapped[str] = mapped_column(String(PERSON))
    author_name: Mapped[str] = mapped_column(String(200))
    said_at: Mapped[datetime] = mapped_column(UtcTime)
    text: Mapped[str] = mapped_column(Text)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcTime)


class MappingRow(Base):
    """What a person said the columns of a kind of table mean.

    `payload` is JSON as `core.model.mapping.mappings_json` writes it, never changed; the name that counts is the
    row's. A deleted one stays, so that deleting can be undone.
    """

    __tablename__ = "mapping"
    __table_args__ = (UniqueConstraint("id"),)

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(ID))
    name: Mapped[str] = mapped_column(String(120))
    saved_at: Mapped[datetime] = mapped_column(UtcTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcTime)
    payload: Mapped[bytes] = mapped_column(LargeBinary)
    payload_sha256: Mapped[str] = mapped_column(String(64))
    app_version: Mapped[str] = mapped_column(String(64))
