"""What a person prefers, by name. The store keeps bytes; whoever reads them checks them."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.i18n import t
from core.model.person import Person
from core.store.access import require_somebody
from core.store.engine import told, writing
from core.store.tables_people import PreferenceRow

LARGEST = 2_000_000
"""Bytes of one preference: a logo fits."""


class Preferences:
    """The preferences of one person in one database."""

    def __init__(self, engine: Engine, who: Person) -> None:
        self._engine, self._who = engine, who

    def get(self, name: str) -> bytes | None:
        """Return a preference, None where there is none or nobody has signed in."""
        if self._who.is_nobody:
            return None
        with told(), Session(self._engine) as session:
            row = session.get(PreferenceRow, (self._who.id, name))
            return row.value if row else None

    def set(self, name: str, value: bytes | None) -> None:
        """Keep a preference, or forget it where the value is None.

        Raises:
            StoreError: "store.sign_in_needed", "store.too_large".
        """
        require_somebody(self._who)
        if value is not None and len(value) > LARGEST:
            raise StoreError(
                "store.too_large",
                t("This holds more than {limit} MB", limit=LARGEST // 1_000_000),
                fix=t("Use a smaller one"),
            )
        with told(), Session(writing(self._engine)) as session:
            row = session.get(PreferenceRow, (self._who.id, name))
            if row is not None:
                session.delete(row)
                session.flush()
            if value is not None:
                session.add(PreferenceRow(owner=self._who.id, name=name, value=value, saved_at=datetime.now(UTC)))
            session.commit()
