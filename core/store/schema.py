"""What every table is made of: names of constraints, and times that keep their zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, DateTime, Dialect, MetaData, String, TypeDecorator, event
from sqlalchemy.orm import DeclarativeBase, Mapper

from core.i18n import t
from core.store.engine import damaged, too_long

# Without names, SQLite's constraints cannot be changed by a later migration.
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

ID = 32
"""Characters of an id of ours: 128 random bits as hexadecimal digits."""

PERSON = 255
"""Characters of a person's id, which an identity provider chooses."""


class UtcTime(TypeDecorator[datetime]):
    """A time with a zone on both sides, kept as UTC; SQLite itself forgets zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 SQLAlchemy's signature
        """Refuse a time without a zone: nobody could say later when it was."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone")
        return None if value is None else value.astimezone(UTC)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], datetime | None] | None:
        """Read a time, and say that the database is damaged where there is none: SQLite keeps any text as one."""
        read = super().result_processor(dialect, coltype)
        if read is None:
            return None

        def checked(value: object) -> datetime | None:
            try:
                return read(value)
            except (ValueError, TypeError) as error:
                raise damaged(t("A time in the database of saved scenarios cannot be read")) from error

        return checked

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 SQLAlchemy's signature
        """Give the zone back."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables of the store."""

    metadata = MetaData(naming_convention=NAMES)


@event.listens_for(Base, "before_insert", propagate=True)
@event.listens_for(Base, "before_update", propagate=True)
def _fits(mapper: Mapper[Any], _connection: Connection, row: Base) -> None:
    """Refuse a text that is longer than its column: PostgreSQL does it too, SQLite would keep what neither promises."""
    for column in mapper.columns:
        most = column.type.length if isinstance(column.type, String) else None
        # Not getattr: that would read again what nobody has changed.
        value = row.__dict__.get(mapper.get_property_by_column(column).key)
        if most is not None and isinstance(value, str) and len(value) > most:
            raise too_long()
