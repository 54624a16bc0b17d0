"""Teams: people who hold a role in scenarios together. Its owners and admins change a team; its members see it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, delete, select
from sqlalchemy.orm import Session

from core.errors import StoreError, UsageError
from core.i18n import t
from core.model.email import email_of
from core.model.person import Person, Role
from core.model.scenario import clean_name
from core.store.access import TEAM, not_allowed, require_somebody
from core.store.audit import Act, record
from core.store.engine import told, writing
from core.store.owners import require_owners
from core.store.tables_people import AccessRow, MemberRow, TeamRow

MOST_MEMBERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One member of a team. Those whose role is owner change the team; the other roles mean the same here."""

    email: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A team as one person sees it.

    Attributes:
        members: by their addresses, in order.
        changeable: this person may rename and delete it and change its members.
    """

    id: str
    name: str
    members: tuple[Member, ...]
    changeable: bool


class Teams:
    """The teams of one database, as one person may see and change them.

    One that a person is not in looks as if it were not there ("store.no_team"), but to admins.
    """

    def __init__(self, engine: Engine, who: Person) -> None:
        self._engine, self._who = engine, who

    def list(self) -> tuple[Team, ...]:
        """Return the teams that the person is in, to admins all of them, by name."""
        if self._who.is_nobody:
            return ()
        with told(), Session(self._engine) as session:
            rows = session.scalars(select(TeamRow).where(TeamRow.deleted_at.is_(None)).order_by(TeamRow.name)).all()
            teams = tuple(_team(session, row, self._who) for row in rows)
        return tuple(team for team in teams if self._who.admin or _role(team.members, self._who))

    def make(self, name: str) -> Team:
        """Make a team; whoever makes it is its first owner.

        Raises:
            UsageError: "scenario.name_empty", "scenario.name_too_long".
            StoreError: "store.sign_in_needed"; "store.no_email" for somebody whose address nobody vouches for.
        """
        require_somebody(self._who)
        called = clean_name(name)
        if self._who.email is None and not self._who.admin:
            raise StoreError(
                "store.no_email",
                t("Your provider does not vouch for your e-mail address, and members of teams are known by theirs"),
                fix=t("Ask an administrator to make the team"),
            )
        now = datetime.now(UTC)
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            row = TeamRow(id=uuid.uuid4().hex, name=called, created_at=now, created_by=self._who.id)
            session.add(row)
            session.flush()
            if self._who.email is not None:
                session.add(MemberRow(team_id=row.id, email=self._who.email, role=Role.OWNER.value, added_at=now))
            record(session, self._who, Act.TEAM_CHANGED, team=called, change="made")
            session.commit()
            return _team(session, row, self._who)

    def rename(self, team_id: str, name: str) -> None:
        """Give a team another name.

        Raises:
            UsageError: "scenario.name_empty", "scenario.name_too_long".
            StoreError: "store.no_team", "store.not_allowed".
        """
        called = clean_name(name)
        with told(), Session(writing(self._engine)) as session:
            row = self._own(session, team_id)
            before, row.name = row.name, called
            record(session, self._who, Act.TEAM_CHANGED, team=called, change="renamed", before=before)
            session.commit()

    def delete(self, team_id: str) -> None:
        """Take a team, and the roles that its members hold through it, away; `undelete` brings both back.

        Doing it twice is harmless.

        Raises:
            StoreError: "store.no_team", "store.not_allowed", "store.last_owner".
        """
        with told(), Session(writing(self._engine)) as session:
            row = self._own(session, team_id, deleted=True)
            if row.deleted_at is None:
                row.deleted_at = datetime.now(UTC)
                self._require_owners(session, team_id)
                record(session, self._who, Act.TEAM_CHANGED, team=row.name, change="deleted")
                session.commit()

    def undelete(self, team_id: str) -> None:
        """Bring a deleted team back. Doing it twice is harmless.

        Raises:
            StoreError: "store.no_team", "store.not_allowed".
        """
        with told(), Session(writing(self._engine)) as session:
            row = self._own(session, team_id, deleted=True)
            if row.deleted_at is not None:
                row.deleted_at = None
                record(session, self._who, Act.TEAM_CHANGED, team=row.name, change="undeleted")
                session.commit()

    def put(self, team_id: str, email: str, role: Role = Role.VIEWER) -> None:
        """Make somebody a member, or change what a member may do to the team.

        Raises:
            UsageError: "person.email".
            StoreError: "store.no_team", "store.not_allowed", "store.last_owner", "store.too_many_people".
        """
        address = checked_email(email)
        with told(), Session(writing(self._engine)) as session:
            row = self._own(session, team_id)
            member = session.get(MemberRow, (team_id, address))
            if member is None:
                member = MemberRow(team_id=team_id, email=address, role=role.value, added_at=datetime.now(UTC))
                session.add(member)
            member.role = role.value
            session.flush()
            self._check_members(session, team_id)
            record(session, self._who, Act.TEAM_CHANGED, team=row.name, change="member", email=address, role=role.value)
            session.commit()

    def drop(self, team_id: str, email: str) -> None:
        """Take somebody out of a team. Doing it twice is harmless.

        Raises:
            UsageError: "person.email".
            StoreError: "store.no_team", "store.not_allowed", "store.last_owner".
        """
        address = checked_email(email)
        with told(), Session(writing(self._engine)) as session:
            row = self._own(session, team_id)
            if session.get(MemberRow, (team_id, address)) is None:
                return
            session.execute(delete(MemberRow).where(MemberRow.team_id == team_id, MemberRow.email == address))
            self._check_members(session, team_id)
            self._require_owners(session, team_id)
            record(session, self._who, Act.TEAM_CHANGED, team=row.name, change="member_removed", email=address)
            session.commit()

    def _own(self, session: Session, team_id: str, *, deleted: bool = False) -> TeamRow:
        """Return a team that this person may change."""
        row = session.get(TeamRow, team_id) if team_id.isascii() and team_id.isalnum() else None
        role = _role(_members(session, team_id), self._who) if row else None
        if row is None or not (self._who.admin or role) or (row.deleted_at is not None and not deleted):
            raise no_team()
        if not self._who.admin and role is not Role.OWNER:
            raise not_allowed()
        return row

    def _check_members(self, session: Session, team_id: str) -> None:
        members = _members(session, team_id)
        if len(members) > MOST_MEMBERS:
            raise StoreError(
                "store.too_many_people",
                t("This is more than {limit} people", limit=MOST_MEMBERS),
                fix=t("Make a second team"),
            )
        # An admin may leave a team to admins; nobody else may lock all of its members out.
        if not self._who.admin and all(member.role is not Role.OWNER for member in members):
            raise StoreError(
                "store.last_owner",
                t("Nobody would be left who may change the team"),
                fix=t("Let somebody else manage it first"),
            )

    def _require_owners(self, session: Session, team_id: str) -> None:
        session.flush()
        for scenario_id in session.scalars(
            select(AccessRow.scenario_id).where(
                AccessRow.kind == TEAM, AccessRow.subject == team_id, AccessRow.role == Role.OWNER.value
            )
        ).all():
            require_owners(session, scenario_id)


def checked_email(text: str) -> str:
    """Return the one spelling of an address.

    Raises:
        UsageError: "person.email".
    """
    address = email_of(text)
    if address is None:
        raise UsageError(
            "person.email", t("This is no e-mail address"), fix=t("Write it like {example}", example="ana@example.com")
        )
    return address


def no_team() -> StoreError:
    """Return (not raise) the error of a team that is not there, or not for this person."""
    return StoreError("store.no_team", t("There is no such team"), fix=t("Choose one of the list"))


def _members(session: Session, team_id: str) -> tuple[Member, ...]:
    rows = session.scalars(select(MemberRow).where(MemberRow.team_id == team_id).order_by(MemberRow.email)).all()
    return tuple(Member(email=row.email, role=Role(row.role)) for row in rows if row.role in set(Role))


def _role(members: tuple[Member, ...], who: Person) -> Role | None:
    return next((member.role for member in members if who.email is not None and member.email == who.email), None)


def _team(session: Session, row: TeamRow, who: Person) -> Team:
    members = _members(session, row.id)
    return Team(id=row.id, name=row.name, members=members, changeable=who.admin or _role(members, who) is Role.OWNER)
