"""Unsaved work: what a session holds, kept under an unguessable id until it is saved, continued or forgotten.

A draft is never changed but for its question; each change of the files makes the next one. What is large in it lies in
blobs by content, so that an edit writes little: the files as they were read, their records, and tables that a person
may yet say something of.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec
from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session, undefer

from core.edits import Told
from core.i18n import t
from core.ingest.raw import RawFile, Upload
from core.model.answer import Refusal
from core.model.mapping import TableMapping
from core.model.person import Person
from core.model.run import Run
from core.model.scenario import DecisionColumn
from core.normalise.regrouping import Regrouping
from core.store.access import require_somebody, roles_of
from core.store.blobs import Blobs
from core.store.draft_limits import DRAFT, pruned
from core.store.draft_parts import Parts, Written, parts_of
from core.store.engine import damaged, told, writing
from core.store.originals import link_draft
from core.store.records import opened, packed
from core.store.tables import HeadRow
from core.store.tables_blobs import DraftRow

Question = Mapping[str, Sequence[str]]
"""Parameters of the address that ask what the person asks."""

NAMES_TOLD = 3
"""Names of files and of runs that a list shows of a draft; more are counted."""

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
        based_on: what was opened or saved last, None for work of its own.
    """

    files: tuple[RawFile, ...] = ()
    opened: tuple[Run, ...] = ()
    decided: Regrouping = field(default_factory=Regrouping)
    told: tuple[Told, ...] = ()
    mappings: tuple[TableMapping, ...] = ()
    tables: tuple[Upload, ...] = ()
    refused: tuple[Refusal, ...] = ()
    decision: tuple[DecisionColumn, ...] = ()
    based_on: BasedOn | None = None


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
class DraftEntry:
    """What a list shows of a draft.

    Attributes:
        files, runs: the first names of each. file_count, run_count: how many there are.
        saved_at: of the last change, time with zone UTC.
        based_on: id of the scenario that was opened, None where it began with files. based_on_version: its version.
        based_on_name: its name now, None where the person may not know it any more.
    """

    id: str
    files: tuple[str, ...]
    file_count: int
    runs: tuple[str, ...]
    run_count: int
    saved_at: datetime
    based_on: str | None = None
    based_on_version: int | None = None
    based_on_name: str | None = None


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
    based_on: BasedOn | None = None


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
            settled: nothing in it is unsaved; it can be reloaded, and no list shows it.

        Raises:
            StoreError: "store.sign_in_needed", "store.draft_too_large", "store.unwritable".
        """
        require_somebody(self._who)
        name = secrets.token_urlsafe(_ID_BYTES)
        # Nothing is taken for written in the second try: what was may be gone, where nobody needed it for an hour.
        for before in (written, None):
            parts = parts_of(work.files, work.opened, work.tables, before)
            row = self._row(name, work, parts, question, runs)
            row.parent, row.discarded_at = parent, row.saved_at if settled else None
            if self._kept(row, parts, {file.sha256 for file in work.files}):
                break
        return Kept(id=name, written=parts.written)

    def ask(self, name: str, question: Question, *, quiet: bool = False) -> None:
        """Replace the question of a draft; one that was put aside is unsaved work again, unless `quiet`."""
        values: dict[str, object] = {"question": _question(question), "saved_at": datetime.now(UTC)}
        self._change(name, values if quiet else values | {"discarded_at": None})

    def find(self, name: str) -> Draft | None:
        """Return a draft of the person's, None where there is none under this id.

        Raises:
            StoreError: "store.damaged", "store.unreadable", "store.newer_schema".
        """
        with told(), Session(self._engine) as session:
            wanted = select(DraftRow).where(DraftRow.id == name, DraftRow.owner == self._who.id)
            row = session.scalar(wanted.options(undefer(DraftRow.payload))) if _possible(name) else None
            if row is None or self._who.is_nobody:
                return None
            return Draft(id=row.id, work=self._work(session, row), question=_question_of(row.question))

    def mine(self) -> tuple[DraftEntry, ...]:
        """Return the person's unsaved work, newest first: of each line of changes the last."""
        if self._who.is_nobody:
            return ()
        followed = select(DraftRow.parent).where(DraftRow.parent.is_not(None))
        wanted = select(DraftRow).where(
            DraftRow.owner == self._who.id, DraftRow.discarded_at.is_(None), DraftRow.id.not_in(followed)
        )
        with told(), Session(self._engine) as session:
            rows = session.scalars(wanted.order_by(DraftRow.saved_at.desc(), DraftRow.id)).all()
            based = {row.based_on for row in rows if row.based_on is not None}
            known = roles_of(session, self._who, sorted(based))
            heads = session.execute(select(HeadRow.id, HeadRow.name).where(HeadRow.id.in_(known))).all()
        return tuple(_entry(row, dict(heads)) for row in rows)

    def discard(self, name: str) -> None:
        """Take a draft off the list of unsaved work; `bring_back` undoes it. Its address still opens it for a while."""
        self._change(name, {"discarded_at": datetime.now(UTC)})

    def bring_back(self, name: str) -> None:
        """Put a discarded draft back on the list."""
        self._change(name, {"discarded_at": None})

    def _change(self, name: str, values: dict[str, object]) -> None:
        own = update(DraftRow).where(DraftRow.id == name, DraftRow.owner == self._who.id)
        if _possible(name) and not self._who.is_nobody:
            with told(), Session(writing(self._engine)) as session:
                session.execute(own.values(**values))
                session.commit()

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
            gone = pruned(session, self._blobs, self._who.id)
            session.commit()
        if gone:
            self._blobs.collect_now_and_then()
        return True

    def _row(self, name: str, work: Work, parts: Parts, question: Question, runs: Sequence[str]) -> DraftRow:
        payload = packed(_sheet(work, parts)).payload
        based = work.based_on
        return DraftRow(
            id=name,
            owner=self._who.id,
            saved_at=datetime.now(UTC),
            question=_question(question),
            label=_label(work, runs),
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
            based_on=sheet.based_on,
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
        based_on=work.based_on,
    )


def _possible(name: str) -> bool:
    """Return whether a text can be an id of ours: addresses are written by anybody."""
    return 0 < len(name) <= _ID_CHARS and name.isascii() and name.replace("-", "").replace("_", "").isalnum()


def _question(question: Question) -> str:
    return json.dumps({name: list(values) for name, values in question.items()}, ensure_ascii=False)


def _question_of(text: str) -> dict[str, list[str]]:
    try:
        return msgspec.json.decode(text, type=dict[str, list[str]])
    except (msgspec.DecodeError, UnicodeError):
        return {}


class _Label(msgspec.Struct):
    """What a list shows, as it is kept."""

    files: list[str] = []
    file_count: int = 0
    runs: list[str] = []
    run_count: int = 0


def _label(work: Work, runs: Sequence[str]) -> str:
    files = list(dict.fromkeys(file.name for file in work.files))
    told = _Label(files[:NAMES_TOLD], len(files), list(runs[:NAMES_TOLD]), len(runs))
    return msgspec.json.encode(told).decode()


def _entry(row: DraftRow, names: Mapping[str, str]) -> DraftEntry:
    try:
        label = msgspec.json.decode(row.label, type=_Label)
    except (msgspec.DecodeError, UnicodeError):
        label = _Label()
    return DraftEntry(
        id=row.id,
        files=tuple(label.files),
        file_count=label.file_count,
        runs=tuple(label.runs),
        run_count=label.run_count,
        saved_at=row.saved_at,
        based_on=row.based_on,
        based_on_version=row.based_on_version,
        based_on_name=names.get(row.based_on or ""),
    )
