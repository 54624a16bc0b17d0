"""Save, find, open and keep scenarios in order. What was saved is never changed and never lost."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core import settings
from core.model.copied import Copied
from core.model.person import LOCAL, Person, Role
from core.model.scenario import Scenario, clean_name
from core.store.access import PERSON, require, require_somebody, roles_of, seen_by
from core.store.audit import Act, Audit, record
from core.store.backups import Backups
from core.store.blobs import Blobs
from core.store.comments import Comments
from core.store.copies import copies, detail_of
from core.store.drafts import Drafts
from core.store.engine import connected, told, writing
from core.store.heads import clean_tags, describe, entry_of, tags_of
from core.store.mappings import Mappings
from core.store.migrate import migrate
from core.store.originals import Originals, link_version
from core.store.people import People
from core.store.preferences import Preferences
from core.store.records import Packed
from core.store.saved import ConflictError, Entry, Saved, saved_of
from core.store.shares import Shares
from core.store.summary import folded, reworded, words_of
from core.store.tables import HeadRow, ScenarioRow
from core.store.tables_people import AccessRow
from core.store.versions import HOLDER, opened, packed, row_of, version_row

SEARCH_CHARS = 500
"""What is looked for; SQLite gives up on patterns of 50,000 bytes."""


def open_store(url: str) -> Store:
    """Open the database of scenarios, and make or migrate it first where needed.

    Args:
        url: an SQLAlchemy URL, see `core.settings.database_url`.

    Raises:
        StoreError: "store.url", "store.driver_missing", "store.unavailable",
            "store.damaged", "store.newer_schema", "store.blobs_setting".
    """
    engine = connected(url)
    try:
        migrate(engine)
        return Store(engine)
    except BaseException:
        engine.dispose()
        raise


class Store:
    """One database as one person may use it. Safe to share between threads.

    Links are under `shares`, comments under `comments`, the audit trail under `audit`, what columns of tables
    mean under `mappings`, a person's own settings under `preferences`, unsaved work under `drafts`, large tables
    under `blobs`, uploaded files under `originals`, backups under `backups`. Every method raises StoreError:
    "store.unavailable" or "store.damaged" where the database fails, "store.not_found" for what is not there or not
    for this person, "store.not_allowed" where the person's role is too small, besides the codes that it names itself.
    """

    def __init__(self, engine: Engine, who: Person = LOCAL, blobs: Blobs | None = None) -> None:
        self._engine, self._who = engine, who
        self.blobs = blobs or Blobs(engine, settings.blobs())
        self.mappings = Mappings(engine, who)
        self.shares = Shares(engine, who, self.blobs)
        self.drafts = Drafts(engine, who, self.blobs)
        self.originals = Originals(engine, who, self.blobs)
        self.backups = Backups(engine, who, self.blobs)
        self.comments = Comments(engine, who)
        self.people = People(engine, who)
        self.audit = Audit(engine, who)
        self.preferences = Preferences(engine, who)

    def acting(self, who: Person) -> Store:
        """Return the same database as another person may use it."""
        return Store(self._engine, who, self.blobs)

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    def save(
        self,
        scenario: Scenario,
        scenario_id: str | None = None,
        *,
        based_on: int | None = None,
        message: str = "",
        tags: Iterable[str] | None = None,
        copied: Copied | None = None,
        forked_from: str | None = None,
    ) -> Saved:
        """Save a scenario, as the next version where `scenario_id` names one that exists.

        When this returns, the scenario is on the disk. It has been read back from its
        written form before, so that nothing is kept that could not be opened again.

        Args:
            scenario: what is in view.
            scenario_id: to add a version to (editors), None for a scenario of its own.
            based_on: version that was opened; saving is refused where another one came since. None asks nothing.
            message: what has changed, in the author's words.
            tags: in place of those of before; None leaves them.
            copied: the version whose shared view was copied, for a scenario of its own.
            forked_from: id of its scenario, where that is all that is known.

        Raises:
            ConflictError: "store.conflict".
            StoreError: "store.unwritable", "store.too_large", "store.sign_in_needed".
        """
        require_somebody(self._who)
        labels = None if tags is None else clean_tags(tags)
        done = packed(scenario)
        self.blobs.put(done.tables)
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            if scenario_id is None:
                origin = copied.scenario_id if copied else forked_from
                head = self._new_head(session, scenario, labels or (), origin)
                told_of = detail_of(copied)
            else:
                head, told_of = require(session, self._who, scenario_id, Role.EDITOR), {}
                if based_on is not None and based_on != head.latest:
                    raise ConflictError(saved_of(version_row(session, scenario_id, None)))
            row = self._add_version(session, head, scenario, done, based_on=based_on, message=message)
            describe(head, scenario, labels)
            record(session, self._who, Act.SAVED, head.id, row.version, **told_of)
            session.commit()
            return saved_of(row)

    def list(
        self, search: str = "", tags: Sequence[str] = (), *, archived: bool = False, deleted: bool = False
    ) -> tuple[Entry, ...]:
        """Return the scenarios that the person may know of, newest first; no content is read.

        Args:
            search: every word has to be in the name, the tags, the notes, or the names of runs, models and hardware.
            tags: all of them have to be there.
            archived: those that were put away instead of the others.
            deleted: those that can be brought back, for their owners.
        """
        wanted = select(HeadRow, ScenarioRow.summary, ScenarioRow.author_name).join(
            ScenarioRow, (ScenarioRow.id == HeadRow.id) & (ScenarioRow.version == HeadRow.latest)
        )
        wanted = wanted.where(seen_by(self._who))
        wanted = wanted.where(HeadRow.deleted_at.is_not(None) if deleted else HeadRow.deleted_at.is_(None))
        if not deleted:
            wanted = wanted.where(HeadRow.archived_at.is_not(None) if archived else HeadRow.archived_at.is_(None))
        for word in folded(search[:SEARCH_CHARS]).split():
            wanted = wanted.where(HeadRow.words.contains(word, autoescape=True))
        with told(), Session(self._engine) as session:
            found = session.execute(wanted.order_by(HeadRow.saved_at.desc(), HeadRow.id)).all()
            roles = roles_of(session, self._who, [head.id for head, _, _ in found])
            origins = copies(session, (head for head, _, _ in found if head.id in roles))
        mine = (one for one in found if one[0].id in roles)
        entries = (
            entry_of(head, roles[head.id], summary, author, origins.get(head.id)) for head, summary, author in mine
        )
        asked = {folded(tag) for tag in tags}
        shown = (entry for entry in entries if asked <= {folded(tag) for tag in entry.tags})
        return tuple(entry for entry in shown if not deleted or entry.role is Role.OWNER)

    def entry(self, scenario_id: str) -> Entry:
        """Return one scenario as a list shows it."""
        with told(), Session(self._engine) as session:
            head = require(session, self._who, scenario_id, Role.VIEWER)
            row = version_row(session, scenario_id, head.latest)
            role = roles_of(session, self._who, [scenario_id])[scenario_id]
            return entry_of(head, role, row.summary, row.author_name, copies(session, [head]).get(scenario_id))

    def versions(self, scenario_id: str) -> tuple[Saved, ...]:
        """Return every version of one scenario, newest first."""
        with told(), Session(self._engine) as session:
            require(session, self._who, scenario_id, Role.VIEWER)
            rows = select(ScenarioRow).where(ScenarioRow.id == scenario_id).order_by(ScenarioRow.version.desc())
            return tuple(saved_of(row) for row in session.scalars(rows))

    def load(self, scenario_id: str, version: int | None = None) -> tuple[Saved, Scenario]:
        """Open one version, the latest by default.

        Raises:
            StoreError: "store.unreadable", "store.newer_schema".
        """
        with told(), Session(self._engine) as session:
            require(session, self._who, scenario_id, Role.VIEWER)
            row = version_row(session, scenario_id, version)
            return saved_of(row), opened(row, self.blobs.getter(session))

    def restore(self, scenario_id: str, version: int) -> Saved:
        """Make the content of an old version the newest one; the versions between stay."""
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            head = require(session, self._who, scenario_id, Role.EDITOR)
            scenario = opened(version_row(session, scenario_id, version), self.blobs.getter(session))
            row = self._add_version(session, head, scenario, packed(scenario), based_on=version)
            describe(head, scenario, None)
            record(session, self._who, Act.RESTORED, head.id, row.version, origin=version)
            session.commit()
            return saved_of(row)

    def duplicate(self, scenario_id: str, version: int | None = None, *, name: str | None = None) -> Saved:
        """Make a scenario of the person's own from a version, the latest by default, under another name if given."""
        require_somebody(self._who)
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            origin = require(session, self._who, scenario_id, Role.VIEWER)
            scenario = opened(version_row(session, scenario_id, version), self.blobs.getter(session))
            copy = scenario if name is None else replace(scenario, name=name)
            head = self._new_head(session, copy, tags_of(origin), None)
            row = self._add_version(session, head, copy, packed(copy), based_on=None)
            record(session, self._who, Act.DUPLICATED, head.id, row.version, origin=scenario_id)
            session.commit()
            return saved_of(row)

    def rename(self, scenario_id: str, name: str) -> None:
        """Give a scenario another name; its versions keep the one they were saved under.

        Raises:
            UsageError: "scenario.name_empty", "scenario.name_too_long".
        """
        cleaned = clean_name(name)
        with told(), Session(writing(self._engine)) as session:
            head = require(session, self._who, scenario_id, Role.EDITOR)
            before, head.name = head.name, cleaned
            head.words = reworded(head.words, name=cleaned)
            record(session, self._who, Act.RENAMED, head.id, before=before, after=cleaned)
            session.commit()

    def tag(self, scenario_id: str, tags: Iterable[str]) -> None:
        """Replace the tags of a scenario.

        Raises:
            UsageError: "scenario.tags".
        """
        labels = clean_tags(tags)
        with told(), Session(writing(self._engine)) as session:
            head = require(session, self._who, scenario_id, Role.EDITOR)
            head.tags = json.dumps(labels, ensure_ascii=False)
            head.words = reworded(head.words, tags=labels)
            record(session, self._who, Act.TAGGED, head.id)
            session.commit()

    def archive(self, scenario_id: str) -> None:
        """Put a scenario away: it is listed only where asked for."""
        self._mark(scenario_id, "archived_at", Act.ARCHIVED, Role.EDITOR)

    def unarchive(self, scenario_id: str) -> None:
        """Take a scenario back into the list."""
        self._mark(scenario_id, "archived_at", Act.UNARCHIVED, Role.EDITOR, on=False)

    def delete(self, scenario_id: str) -> None:
        """Take a scenario out of every list, and stop its links; `undelete` brings both back. For owners."""
        self._mark(scenario_id, "deleted_at", Act.DELETED, Role.OWNER)

    def undelete(self, scenario_id: str) -> None:
        """Bring a deleted scenario back with its links. For owners."""
        self._mark(scenario_id, "deleted_at", Act.UNDELETED, Role.OWNER, on=False)

    def _mark(self, scenario_id: str, column: str, act: Act, least: Role, *, on: bool = True) -> None:
        with told(), Session(writing(self._engine)) as session:
            head = require(session, self._who, scenario_id, least)
            if (getattr(head, column) is not None) is not on:  # twice is once
                setattr(head, column, datetime.now(UTC) if on else None)
                record(session, self._who, act, head.id)
                session.commit()

    def _new_head(self, session: Session, scenario: Scenario, tags: Sequence[str], forked_from: str | None) -> HeadRow:
        now = datetime.now(UTC)
        head = HeadRow(
            id=uuid.uuid4().hex,
            name=scenario.name,
            tags=json.dumps(list(tags), ensure_ascii=False),
            words=words_of(scenario, tags),
            latest=0,
            created_at=now,
            created_by=self._who.id,
            saved_at=now,
            forked_from=forked_from,
        )
        session.add(head)
        session.flush()
        session.add(
            AccessRow(
                scenario_id=head.id,
                kind=PERSON,
                subject=self._who.id,
                role=Role.OWNER.value,
                given_at=now,
                given_by=self._who.id,
            )
        )
        return head

    def _add_version(
        self,
        session: Session,
        head: HeadRow,
        scenario: Scenario,
        done: Packed,
        *,
        based_on: int | None,
        message: str = "",
    ) -> ScenarioRow:
        row = row_of(
            scenario,
            done,
            self._who,
            scenario_id=head.id,
            version=head.latest + 1,
            based_on=based_on,
            message=message,
        )
        session.add(row)
        session.flush()
        self.blobs.add(session, done.tables, HOLDER, str(row.key))
        files = {file.sha256 for run in scenario.runs for file in run.files}
        link_version(session, self.blobs, self._who, row, files)
        head.latest, head.saved_at, head.deleted_at = row.version, row.saved_at, None
        return row
