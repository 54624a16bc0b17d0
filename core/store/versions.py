"""Rows of versions: written so that they can be opened again, opened only where they are what was written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.i18n import t
from core.letters import clean_text
from core.model.codec import newer_schema
from core.model.person import Person
from core.model.scenario import SCHEMA_VERSION, Scenario
from core.model.sound import untrue
from core.store import records
from core.store.access import not_found
from core.store.engine import damaged
from core.store.records import Packed
from core.store.summary import summary_of
from core.store.tables import ScenarioRow

HOLDER = "scenario"
"""Kind of holder of blobs: a version, by the key of its row."""

MESSAGE_CHARS = 500
_MOST_VERSIONS = 2**31 - 1


def packed(scenario: Scenario) -> Packed:
    """Return a scenario, written so that it is known to come back, with its large tables apart.

    Raises:
        StoreError: "store.unwritable", "store.too_large".
    """
    wrong = untrue(scenario)
    if wrong is not None:
        raise StoreError(
            "store.unwritable",
            t("This scenario holds something that cannot be saved: {reason}", reason=wrong),
            fix=t("Remove the file it came from and save again"),
        )
    done = records.packed(scenario)
    try:
        records.opened(done.payload, Scenario, done.tables.__getitem__)
    except StoreError as error:
        raise StoreError("store.unwritable", error.what, fix=t("Please report it; nothing was saved")) from error
    return done


def opened(row: ScenarioRow, get: Callable[[str], bytes]) -> Scenario:
    """Return the content of a row whose bytes are those that were saved.

    Args:
        row: of one version.
        get: gives a table by its hash, see `core.store.blobs`.

    Raises:
        StoreError: "store.damaged", "store.unreadable", "store.newer_schema".
    """
    if row.schema_version > SCHEMA_VERSION:
        raise newer_schema()
    if hashlib.sha256(row.payload).hexdigest() != row.payload_sha256:
        raise damaged(t('The saved scenario "{name}" is not what was saved', name=row.name))
    scenario = records.opened(row.payload, Scenario, get)
    wrong = untrue(scenario)
    if wrong is not None:
        raise damaged(t('The saved scenario "{name}" cannot be true: {what}', name=row.name, what=wrong))
    return scenario


def row_of(
    scenario: Scenario,
    done: Packed,
    who: Person,
    *,
    scenario_id: str,
    version: int,
    based_on: int | None,
    message: str,
) -> ScenarioRow:
    """Return the row of a new version."""
    return ScenarioRow(
        id=scenario_id,
        version=version,
        name=scenario.name,
        saved_at=datetime.now(UTC),
        payload=done.payload,
        payload_sha256=hashlib.sha256(done.payload).hexdigest(),
        schema_version=scenario.schema_version,
        app_version=scenario.app_version,
        method_version=scenario.method_version,
        author_id=who.id,
        author_name=who.name,
        message=clean_text(message).strip()[:MESSAGE_CHARS] or None,
        based_on=based_on,
        summary=summary_of(scenario),
    )


def version_row(session: Session, scenario_id: str, version: int | None) -> ScenarioRow:
    """Return the row of one version, the latest by default.

    Raises:
        StoreError: "store.not_found".
    """
    wanted = select(ScenarioRow).where(ScenarioRow.id == scenario_id)
    if version is not None:
        wanted = wanted.where(ScenarioRow.version == version)
    possible = version is None or 1 <= version <= _MOST_VERSIONS
    row = session.scalar(wanted.order_by(ScenarioRow.version.desc()).limit(1)) if possible else None
    if row is None:
        raise not_found()
    return row
