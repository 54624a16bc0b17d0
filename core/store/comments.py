"""What people say of a scenario to each other. Plain text, kept as it was written but for signs that nobody sees."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from core.errors import StoreError, UsageError
from core.i18n import t
from core.letters import clean_text, one_line
from core.model.person import Person, Role
from core.model.scenario import NAME_CHARS
from core.store.access import not_found, require, require_somebody, role_in, roles_of
from core.store.audit import Act, record
from core.store.engine import told, writing
from core.store.tables import CommentRow

COMMENT_CHARS = 4_000
MOST = 2_000
"""Comments of one scenario: a page shows all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """One comment.

    Attributes:
        version: of the scenario that it is about.
        said_at: time with zone UTC.
        removable: the person who reads it may delete it: it is theirs, or the scenario is.
    """

    id: str
    version: int
    author: str
    said_at: datetime
    text: str
    removable: bool


class Comments:
    """The comments of one database, as one person may read and write them."""

    def __init__(self, engine: Engine, who: Person) -> None:
        self._engine, self._who = engine, who

    def add(self, scenario_id: str, text: str, version: int, *, author: str = "") -> Comment:
        """Say something of a version; whoever may see the scenario may.

        Args:
            scenario_id: of the scenario.
            text: 1 to 4,000 characters, plain.
            version: that it is about.
            author: what to be called where nobody has signed in; otherwise it is known.

        Raises:
            UsageError: "comment.empty", "comment.too_long".
            StoreError: "store.sign_in_needed", "store.not_found", "store.too_many_comments".
        """
        require_somebody(self._who)
        said = _checked(text)
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            head = require(session, self._who, scenario_id, Role.VIEWER)
            if not 1 <= version <= head.latest:
                raise not_found()
            _room(session, scenario_id)
            row = CommentRow(
                id=uuid.uuid4().hex,
                scenario_id=scenario_id,
                version=version,
                author_id=self._who.id,
                author_name=one_line(self._who.name or author)[:NAME_CHARS],
                said_at=datetime.now(UTC),
                text=said,
            )
            session.add(row)
            record(session, self._who, Act.COMMENTED, scenario_id, version)
            session.commit()
            return _comment(row, removable=True)

    def of(self, scenario_id: str) -> tuple[Comment, ...]:
        """Return the comments of a scenario, the newest last.

        Raises:
            StoreError: "store.not_found".
        """
        with told(), Session(self._engine) as session:
            require(session, self._who, scenario_id, Role.VIEWER)
            owner = role_in(session, self._who, scenario_id) is Role.OWNER
            rows = session.scalars(
                select(CommentRow)
                .where(CommentRow.scenario_id == scenario_id, CommentRow.deleted_at.is_(None))
                .order_by(CommentRow.key)
            )
            return tuple(_comment(row, removable=owner or row.author_id == self._who.id) for row in rows)

    def counts(self, scenario_ids: Sequence[str]) -> Mapping[str, int]:
        """Return how many comments scenarios have; one without any, or that this person may not see, is absent."""
        with told(), Session(self._engine) as session:
            seen = tuple(roles_of(session, self._who, tuple(scenario_ids)))
            counted = (
                select(CommentRow.scenario_id, func.count())
                .where(CommentRow.scenario_id.in_(seen), CommentRow.deleted_at.is_(None))
                .group_by(CommentRow.scenario_id)
            )
            return {scenario_id: int(count) for scenario_id, count in session.execute(counted)}

    def delete(self, comment_id: str) -> None:
        """Take a comment back, one's own or one of a scenario of one's own; `undelete` brings it back.

        Raises:
            StoreError: "store.no_comment".
        """
        self._mark(comment_id, datetime.now(UTC), Act.COMMENT_DELETED)

    def undelete(self, comment_id: str) -> None:
        """Bring back a comment that was deleted. Doing it twice is harmless.

        Raises:
            StoreError: "store.no_comment", "store.too_many_comments".
        """
        self._mark(comment_id, None, Act.COMMENT_UNDELETED)

    def _mark(self, comment_id: str, deleted_at: datetime | None, act: Act) -> None:
        with told(), Session(writing(self._engine)) as session:
            row = self._row(session, comment_id)
            if (row.deleted_at is None) == (deleted_at is None):
                return
            if deleted_at is None:
                _room(session, row.scenario_id)
            row.deleted_at = deleted_at
            record(session, self._who, act, row.scenario_id, row.version)
            session.commit()

    def _row(self, session: Session, comment_id: str) -> CommentRow:
        """Return a comment that this person may take back; any other looks as if it were not there."""
        possible = comment_id.isascii() and comment_id.isalnum()
        row = session.scalar(select(CommentRow).where(CommentRow.id == comment_id)) if possible else None
        role = role_in(session, self._who, row.scenario_id) if row else None
        if row is None or role is None or not (role is Role.OWNER or row.author_id == self._who.id):
            raise StoreError(
                "store.no_comment",
                t("There is no such comment of yours"),
                fix=t("Open the scenario again; somebody may have deleted it meanwhile"),
            )
        return row


def _checked(text: str) -> str:
    said = clean_text(text).strip()
    if not any(letter.isprintable() and not letter.isspace() for letter in said):
        raise UsageError("comment.empty", t("The comment is empty"), fix=t("Write what you want to say"))
    if len(said) > COMMENT_CHARS:
        raise UsageError(
            "comment.too_long",
            t("The comment holds {length} characters, more than {limit}", length=len(said), limit=COMMENT_CHARS),
            fix=t("Say it in two comments"),
        )
    return said


def _room(session: Session, scenario_id: str) -> None:
    live = select(func.count()).where(CommentRow.scenario_id == scenario_id, CommentRow.deleted_at.is_(None))
    if (session.scalar(live) or 0) >= MOST:
        raise StoreError(
            "store.too_many_comments",
            t("This scenario has {limit} comments already", limit=MOST),
            fix=t("Delete some that are settled"),
        )


def _comment(row: CommentRow, *, removable: bool) -> Comment:
    return Comment(
        id=row.id,
        version=row.version,
        author=row.author_name,
        said_at=row.said_at,
        text=row.text,
        removable=removable,
    )
