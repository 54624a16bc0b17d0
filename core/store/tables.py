"""The tables: every version of every scenario, the links to them, and what columns of uploads mean."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# Without names, SQLite's constraints cannot be changed by a later migration.
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
LIVE = text("revoked_at IS NULL")


class UtcTime(TypeDecorator[datetime]):
    """A time with a zone on both sides, kept as UTC; SQLite itself forgets zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 SQLAlchemy's signature
        """Refuse a time without a zone: nobody could say later when it was."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 SQLAlchemy's signature
        """Give the zone back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables of the store."""

    metadata = MetaData(naming_convention=NAMES)


class ScenarioRow(Base):
    """One version of one scenario. A row is inserted once and never changed.

    `id` names the scenario, `version` counts from 1 within it. `payload` is the whole
    scenario as `core.model.codec` writes it, compressed with zlib; the hash is of these bytes.
    """

    __tablename__ = "scenario"
    __table_args__ = (UniqueConstraint("id", "version"),)

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(32))
    version: Mapped[int]
    name: Mapped[str] = mapped_column(String(120))
    saved_at: Mapped[datetime] = mapped_column(UtcTime)
    payload: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    payload_sha256: Mapped[str] = mapped_column(String(64))
    schema_version: Mapped[int]
    app_version: Mapped[str] = mapped_column(String(64))
    method_version: Mapped[str] = mapped_column(String(64))


class ShareRow(Base):
    """A link to one version. Looked up by the hash of its token; a version has one live link at most."""

    __tablename__ = "share"
    __table_args__ = (
        Index("uq_share_live_scenario_key", "scenario_key", unique=True, sqlite_where=LIVE, postgresql_where=LIVE),
    )

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    token: Mapped[str] = mapped_column(String(64))
    scenario_key: Mapped[int] = mapped_column(ForeignKey(ScenarioRow.key))
    created_at: Mapped[datetime] = mapped_column(UtcTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcTime)


class MappingRow(Base):
    """What a person said the columns of a kind of table mean.

    `payload` is JSON as `core.model.mapping.mappings_json` writes it, never changed; the name that counts is the
    row's. A deleted one stays, so that deleting can be undone.
    """

    __tablename__ = "mapping"
    __table_args__ = (UniqueConstraint("id"),)

    key: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(120))
    saved_at: Mapped[datetime] = mapped_column(UtcTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcTime)
    payload: Mapped[bytes] = mapped_column(LargeBinary)
    payload_sha256: Mapped[str] = mapped_column(String(64))
    app_version: Mapped[str] = mapped_column(String(64))
