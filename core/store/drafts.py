"""Unsaved work: what a session holds, kept under an unguessable id until it is saved, continued or forgotten.

A draft is never changed but for its question; each change of the files makes the next one. What is large in it lies in
blobs by content, so that an edit writes little: the files as they were read, their records, and tables that a person
may yet say something of.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from sqlalchemy import Engine, Select, select, update
from sqlalchemy.orm import Session, undefer

from core.edits import Told
from core.i18n import t
from core.ingest.raw import RawFile, Upload
from core.model.copied import Copied
from core.model.demand_curve import Curve
from core.model.mapping import TableMapping
from core.model.person import Person
from core.model.refusal import Refusal
from core.model.run import Run
from core.model.scenario import DecisionColumn
from core.normalise.regrouping import Regrouping
from core.store.access import require_somebody, roles_of
from core.store.blobs import Blobs
from core.store.draft_limits import DRAFT, pruned
from core.store.draft_list import (
    DraftEntry,
    Question,
    entry_of,
    label_of,
    once_each,
    question_json,
    question_of,
    same_work,
    settled_anew,
)
from core.store.draft_parts import Parts, Written, parts_of
from core.store.engine import damaged, told, writing
from core.store.originals import link_draft
from core.store.records import opened, packed
from core.store.tables import HeadRow
from core.store.tables_blobs import DraftRow

_ID_BYTES = 24
_ID_CHARS = 64


@dataclass(frozen=True, slots=True)
class BasedOn:
    """The saved version that work goes on from; `name` is what the scenario was called then."""

    scenario_id: str
    version: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a session holds; everything else it shows can be worked out from this.

    Attributes:
        files: as read, with what was said of their columns at the time.
        opened: runs of a saved scenario, which come without files.
        decided, told: what a person decided about runs, and said of them.
        mappings: what the person said of columns. tables: files whose columns something may be said of.
        refused: files that were not used.
        decision: the person's own columns.
        curve: demand over time, as read from a file.
        based_on: what was opened or saved last, None for work of its own.
        copied: what it is an own copy of, None where it is none.
    """

    files: tuple[RawFile, ...] = ()
    opened: tuple[Run, ...] = ()
    decided: Regrouping = field(default_factory=Regrouping)
    told: tuple[Told, ...] = ()
    mappings: tuple[TableMapping, ...] = ()
    tables: tuple[Upload, ...] = ()
    refused: tuple[Refusal, ...] = ()
    decision: tuple[DecisionColumn, ...] = ()
    curve: Curve | None = None
    based_on: BasedOn | None = None
    copied: Copied | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A draft that was kept: its id, and what of it lies in blobs now."""

    id: str
    written: Written


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft that was found."""

    id: str
    work: Work
    question: dict[str, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sheet:
    """The payload of a draft: what is small, and the hashes of what is large."""

    files: str
    opened: str
    tables: tuple[tuple[str, str], ...]
    decided: Regrouping
    told: tuple[Told, ...]
    mappings: tuple[TableMapping, ...]
    refused: tuple[Refusal, ...]
    decision: tuple[DecisionColumn, ...] = ()
    curve: Curve | None = None
    based_on: BasedOn | None = None
    copied: Copied | None = None


class Drafts:
    """The drafts of one person in one database. Safe to share between threads."""

    def __init__(self, engine: Engine, who: Person, blobs: Blobs) -> None:
        self._engine, self._who, self._blobs = engine, who, blobs

    def keep(
        self,
        work: Work,
        question: Question,
        *,
        runs: Sequence[str] = (),
        parent: str | None = None,
        written: Written | None = None,
        settled: bool = False,
    ) -> Kept:
        """Keep what a session holds under a new id that cannot be guessed. It is on the disk when this returns.

        Args:
            work: what is held.
            question: parameters of the address.
            runs: names of the runs, as shown.
            parent: the draft that this one follows.
            written: of the draft before: what has not changed since is not written again.
            settled: nothing in it is unsaved; it can be reloaded, and no list shows it, nor what says the same.

        Raises:
            StoreError: "store.sign_in_needed", "store.draft_too_large", "store.unwritable".
        """
        require_somebody(self._who)
        name = secrets.token_urlsafe(_ID_BYTES)
        # Nothing is taken for written in the second try: what was may be gone, where nobody needed it for an hour.
        for before in (written, None):
            parts = parts_of(work.files, work.opened, work.tables, before)
            row = self._row(name, work, parts, question, runs, settled=settled)
            row.parent, row.discarded_at = parent, row.saved_at if settled else None
            if self._kept(row, parts, {file.sha256 for file in work.files}):
                break
        return Kept(id=name, written=parts.written)

    def ask(self, name: str, question: Question, *, quiet: bool = False) -> None:
        """Replace the question of a draft; one that was put aside is unsaved work again, unless `quiet`.

        Saved work whose question comes back to what was saved is no unsaved work.
        """
        asked = question_json(question)
        with told(), Session(writing(self._engine)) as session:
            row = session.scalar(self._own(name)) if self._may_have(name) else None
            if row is None:
                return
            row.question, row.saved_at = asked, datetime.now(UTC)
            if quiet:
                row.label = settled_anew(row.label, asked)
            else:
                row.discarded_at = None
            session.commit()

    def find(self, name: str) -> Draft | None:
        """Return a draft of the person's, None where there is none under this id.

        Raises:
            StoreError: "store.damaged", "store.unreadable", "store.newer_schema".
        """
        with told(), Session(self._engine) as session:
            wanted = self._own(name).options(undefer(DraftRow.payload))
            row = session.scalar(wanted) if self._may_have(name) else None
            if row is None:
                return None
            return Draft(id=row.id, work=self._work(session, row), question=question_of(row.question))

    def mine(self, besides: str = "") -> tuple[DraftEntry, ...]:
        """Return the person's unsaved work, newest first: each piece of work once, as it was last.

        What holds the same and asks the same is one piece of work, however often it was begun.

        Args:
            besides: id of a draft that is in view; it is left out, with what says the same.
        """
        if self._who.is_nobody:
            return ()
        with told(), Session(self._engine) as session:
            rows = once_each(self._every(session), besides)
            based = {row.based_on for row in rows if row.based_on is not None}
            known = roles_of(session, self._who, sorted(based))
            heads = session.execute(select(HeadRow.id, HeadRow.name).where(HeadRow.id.in_(known))).all()
        return tuple(entry_of(row, dict(heads)) for row in rows)

    def discard(self, name: str) -> None:
        """Take a draft off the list of unsaved work; `bring_back` undoes it. Its address still opens it for a while."""
        self._change(name, {"discarded_at": datetime.now(UTC)})

    def bring_back(self, name: str) -> None:
        """Put a discarded draft back on the list."""
        self._change(name, {"discarded_at": None})

    def _change(self, name: str, values: dict[str, object]) -> None:
        if self._may_have(name):
            with told(), Session(writing(self._engine)) as session:
                session.execute(
                    update(DraftRow).where(DraftRow.id == name, DraftRow.owner == self._who.id).values(**values)
                )
                session.commit()

    def _own(self, name: str) -> Select[DraftRow]:
        return select(DraftRow).where(DraftRow.id == name, DraftRow.owner == self._who.id)

    def _may_have(self, name: str) -> bool:
        return _possible(name) and not self._who.is_nobody

    def _every(self, session: Session) -> Sequence[DraftRow]:
        """Return every draft of the person, the newest first."""
        own = select(DraftRow).where(DraftRow.owner == self._who.id)
        return session.scalars(own.order_by(DraftRow.saved_at.desc(), DraftRow.id)).all()

    def _kept(self, row: DraftRow, parts: Parts, files: Collection[str]) -> bool:
        """Write a draft; False, and nothing is written, where a blob that was written before is gone."""
        self._blobs.put(parts.new)
        with told(), Session(writing(self._engine)) as session:
            self._blobs.add(session, parts.new, DRAFT, row.id)
            if not self._blobs.hold(session, parts.before, DRAFT, row.id):
                return False
            link_draft(session, self._blobs, row.id, files)
            session.add(row)
            session.flush()
            if row.discarded_at is not None:
                saved = update(DraftRow).where(DraftRow.id.in_(same_work(self._every(session), row)))
                session.execute(saved.values(discarded_at=row.discarded_at))
            gone = pruned(session, self._blobs, self._who.id)
            session.commit()
        if gone:
            self._blobs.collect_now_and_then()
        return True

    def _row(
        self, name: str, work: Work, parts: Parts, question: Question, runs: Sequence[str], *, settled: bool
    ) -> DraftRow:
        sheet = _sheet(work, parts)
        payload, content = packed(sheet).payload, packed(replace(sheet, based_on=None, copied=None)).payload
        based, asked = work.based_on, question_json(question)
        return DraftRow(
            id=name,
            owner=self._who.id,
            saved_at=datetime.now(UTC),
            question=asked,
            label=label_of((file.name for file in work.files), runs, content, asked if settled else None),
            payload=payload,
            payload_sha256=hashlib.sha256(payload).hexdigest(),
            based_on=based.scenario_id if based else None,
            based_on_version=based.version if based else None,
        )

    def _work(self, session: Session, row: DraftRow) -> Work:
        if hashlib.sha256(row.payload).hexdigest() != row.payload_sha256:
            raise damaged(t("This unsaved work is not what was kept"))
        get = self._blobs.getter(session)
        sheet = opened(row.payload, _Sheet, get)
        return Work(
            files=opened(get(sheet.files), tuple[RawFile, ...], get) if sheet.files else (),
            opened=opened(get(sheet.opened), tuple[Run, ...], get) if sheet.opened else (),
            tables=tuple(Upload(name, get(sha256)) for name, sha256 in sheet.tables),
            decided=sheet.decided,
            told=sheet.told,
            mappings=sheet.mappings,
            refused=sheet.refused,
            decision=sheet.decision,
            curve=sheet.curve,
            based_on=sheet.based_on,
            copied=sheet.copied,
        )


def _sheet(work: Work, parts: Parts) -> _Sheet:
    return _Sheet(
        files=parts.files,
        opened=parts.opened,
        tables=parts.tables,
        decided=work.decided,
        told=work.told,
        mappings=work.mappings,
        refused=work.refused,
        decision=work.decision,
        curve=work.curve,
        based_on=work.based_on,
        copied=work.copied,
    )


def _possible(name: str) -> bool:
    """Return whether a text can be an id of ours: addresses are written by anybody."""
    return 0 < len(name) <= _ID_CHARS and name.isascii() and name.replace("-", "").replace("_", "").isalnum()
