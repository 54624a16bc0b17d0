"""Save, list, open and share scenarios. What was saved is never changed and never lost."""

from __future__ import annotations

import hashlib
import secrets
import uuid
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, Select, func, select
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.i18n import t
from core.model.codec import decode, encode, newer_schema
from core.model.scenario import SCHEMA_VERSION, Scenario
from core.store.engine import connected, damaged, told, writing
from core.store.mappings import Mappings
from core.store.migrate import migrate
from core.store.tables import ScenarioRow, ShareRow

LARGEST = 256_000_000
"""Bytes of one scenario before compression; SQLite refuses a value of 1 GB."""

_TOKEN_CHARS = 64
_MOST_VERSIONS = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """One saved version, without its content.

    Attributes:
        id: of the scenario, the same for all its versions. version: from 1.
        token: of its link where this call may tell it, else None; a listing never tells.
        saved_at: time with zone UTC.
    """

    id: str
    name: str
    version: int
    saved_at: datetime
    app_version: str
    method_version: str
    token: str | None = None


def open_store(url: str) -> Store:
    """Open the database of scenarios, and make or migrate it first where needed.

    Args:
        url: an SQLAlchemy URL, see `core.settings.database_url`.

    Raises:
        StoreError: "store.url", "store.driver_missing", "store.unavailable",
            "store.damaged", "store.newer_schema".
    """
    engine = connected(url)
    try:
        migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine)


class Store:
    """Scenarios in one database, and under `mappings` what columns of tables mean. Safe to share between threads.

    Every method raises StoreError: "store.unavailable" or "store.damaged" where the
    database fails, besides the codes that it names itself.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.mappings = Mappings(engine)

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    def save(self, scenario: Scenario, scenario_id: str | None = None) -> Saved:
        """Save a scenario, as the next version where `scenario_id` names one that exists.

        When this returns, the scenario is on the disk. It has been read back from its
        written form before, so that nothing is kept that could not be opened again.

        Raises:
            StoreError: "store.not_found", "store.unwritable", "store.too_large".
        """
        payload = _packed(scenario)
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            row = ScenarioRow(
                id=uuid.uuid4().hex if scenario_id is None else scenario_id,
                version=1 if scenario_id is None else _row(session, scenario_id, None).version + 1,
                name=scenario.name,
                saved_at=datetime.now(UTC),
                payload=payload,
                payload_sha256=hashlib.sha256(payload).hexdigest(),
                schema_version=scenario.schema_version,
                app_version=scenario.app_version,
                method_version=scenario.method_version,
            )
            session.add(row)
            session.commit()
            return _saved(row)

    def list(self) -> tuple[Saved, ...]:
        """Return the latest version of every scenario, newest first, without tokens."""
        newest = select(func.max(ScenarioRow.key)).group_by(ScenarioRow.id)
        return self._listed(select(ScenarioRow).where(ScenarioRow.key.in_(newest)))

    def versions(self, scenario_id: str) -> tuple[Saved, ...]:
        """Return every version of one scenario, newest first, without tokens.

        Raises:
            StoreError: "store.not_found".
        """
        found = self._listed(select(ScenarioRow).where(ScenarioRow.id == scenario_id))
        if not found:
            raise _not_found()
        return found

    def load(self, scenario_id: str, version: int | None = None) -> tuple[Saved, Scenario]:
        """Open one version, the latest by default, with the token of its live link.

        Raises:
            StoreError: "store.not_found", "store.damaged", "store.unreadable", "store.newer_schema".
        """
        with told(), Session(self._engine) as session:
            row = _row(session, scenario_id, version)
            return _saved(row, _live_token(session, row)), _opened(row)

    def share(self, scenario_id: str, version: int | None = None) -> str:
        """Return the token of the link to one version (the latest by default), the same until it is revoked.

        Raises:
            StoreError: "store.not_found".
        """
        with told(), Session(writing(self._engine)) as session:
            row = _row(session, scenario_id, version)
            token = _live_token(session, row)
            if token is None:
                token = secrets.token_urlsafe(18)
                session.add(
                    ShareRow(token_sha256=_hash(token), token=token, scenario_key=row.key, created_at=datetime.now(UTC))
                )
                session.commit()
            return token

    def by_token(self, token: str) -> tuple[Saved, Scenario]:
        """Open what a link shows.

        Raises:
            StoreError: "store.not_found", "store.revoked", and those of `load`.
        """
        with told(), Session(self._engine) as session:
            link = _link(session, token)
            if link.revoked_at is not None:
                raise StoreError(
                    "store.revoked",
                    t("This link was withdrawn"),
                    fix=t("Ask the person who sent it for a new one"),
                )
            row = session.get_one(ScenarioRow, link.scenario_key)
            return _saved(row, link.token), _opened(row)

    def revoke(self, token: str) -> None:
        """Withdraw a link for good; the scenario stays. Doing it twice is harmless.

        Raises:
            StoreError: "store.not_found".
        """
        with told(), Session(writing(self._engine)) as session:
            link = _link(session, token)
            if link.revoked_at is None:
                link.revoked_at = datetime.now(UTC)
                session.commit()

    def _listed(self, rows: Select[ScenarioRow]) -> tuple[Saved, ...]:
        with told(), Session(self._engine) as session:
            return tuple(_saved(row) for row in session.scalars(rows.order_by(ScenarioRow.key.desc())))


def _packed(scenario: Scenario) -> bytes:
    """Return the compressed bytes of a scenario that are known to give it back."""
    written = encode(scenario)
    if len(written) > LARGEST:
        raise StoreError(
            "store.too_large",
            t("The scenario holds more than {limit} MB", limit=LARGEST // 1_000_000),
            fix=t("Save it with the tools' summary files instead of their per-request records"),
        )
    try:
        decode(written, Scenario)
    except StoreError as error:
        raise StoreError("store.unwritable", error.what, fix=t("Please report it; nothing was saved")) from error
    return zlib.compress(written)


def _opened(row: ScenarioRow) -> Scenario:
    """Return the content of a row whose bytes are those that were saved."""
    if row.schema_version > SCHEMA_VERSION:
        raise newer_schema()
    if hashlib.sha256(row.payload).hexdigest() != row.payload_sha256:
        raise damaged(t('The saved scenario "{name}" is not what was saved', name=row.name))
    try:
        written = zlib.decompressobj().decompress(row.payload, LARGEST + 1)
    except zlib.error as error:
        raise damaged(t('The saved scenario "{name}" is not what was saved', name=row.name)) from error
    return decode(written, Scenario)


def _row(session: Session, scenario_id: str, version: int | None) -> ScenarioRow:
    wanted = select(ScenarioRow).where(ScenarioRow.id == scenario_id)
    if version is not None:
        wanted = wanted.where(ScenarioRow.version == version)
    possible = scenario_id.isascii() and scenario_id.isalnum() and (version is None or 1 <= version <= _MOST_VERSIONS)
    row = session.scalar(wanted.order_by(ScenarioRow.version.desc()).limit(1)) if possible else None
    if row is None:
        raise _not_found()
    return row


def _live_token(session: Session, row: ScenarioRow) -> str | None:
    live = select(ShareRow.token).where(ShareRow.scenario_key == row.key, ShareRow.revoked_at.is_(None))
    return session.scalar(live)


def _link(session: Session, token: str) -> ShareRow:
    link = session.get(ShareRow, _hash(token)) if len(token) <= _TOKEN_CHARS else None
    if link is None:
        raise _not_found()
    return link


def _saved(row: ScenarioRow, token: str | None = None) -> Saved:
    return Saved(
        id=row.id,
        name=row.name,
        version=row.version,
        saved_at=row.saved_at,
        app_version=row.app_version,
        method_version=row.method_version,
        token=token,
    )


def _hash(token: str) -> str:
    # The search in the index then compares hashes: its timing tells nothing about a token.
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _not_found() -> StoreError:
    return StoreError(
        "store.not_found",
        t("There is no such saved scenario"),
        fix=t("Check the link, or choose one from the list of saved scenarios"),
    )
