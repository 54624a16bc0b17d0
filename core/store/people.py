"""People: who was seen, and who holds which role in a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, delete, func, select
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.i18n import t
from core.letters import one_line
from core.model.person import LOCAL, Person, Role
from core.store.access import EMAIL, PERSON, TEAM, require, require_somebody
from core.store.audit import Act, record
from core.store.engine import told, writing
from core.store.owners import require_owners
from core.store.schema import PERSON as MOST_CHARS
from core.store.tables_people import AccessRow, MemberRow, PersonRow, TeamRow
from core.store.teams import Teams, checked_email, no_team

MOST_HOLDERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Somebody who holds a role in a scenario.

    Attributes:
        kind: "person", "email" or "team". subject: the id or address that `People.give` takes.
        name: of the person or team, as far as it is known; the address where it is not.
        deleted: a team that is not there any more; it gives nothing.
    """

    kind: str
    subject: str
    name: str
    role: Role
    given_at: datetime
    email: str | None = None
    deleted: bool = False


class People:
    """Who may do what, as one person may see and change it; teams are under `teams`."""

    def __init__(self, engine: Engine, who: Person) -> None:
        self._engine, self._who = engine, who
        self.teams = Teams(engine, who)

    def seen(self, who: Person) -> None:
        """Keep that somebody has signed in, with the name and address of today.

        Raises:
            StoreError: "store.sign_in_needed".
        """
        require_somebody(who)
        if who.id == LOCAL.id:
            return
        now = datetime.now(UTC)
        with told(), Session(writing(self._engine)) as session:
            row = session.get(PersonRow, who.id)
            if row is None:
                row = PersonRow(id=who.id, name=who.name, email=who.email, first_seen=now, last_seen=now)
                session.add(row)
            row.name, row.email, row.last_seen = who.name, who.email, now
            record(session, who, Act.SIGNED_IN)
            session.commit()

    def who(self, scenario_id: str) -> tuple[Holder, ...]:
        """Return everybody who holds a role in a scenario, owners first.

        Raises:
            StoreError: "store.not_found", "store.not_allowed" for all but its owners.
        """
        with told(), Session(self._engine) as session:
            require(session, self._who, scenario_id, Role.OWNER)
            rows = session.scalars(select(AccessRow).where(AccessRow.scenario_id == scenario_id)).all()
            known = _known(session, [row.subject for row in rows])
            teams = _teams(session, [row.subject for row in rows if row.kind == TEAM])
        holders = [_holder(row, known, teams) for row in rows if row.role in set(Role)]
        ranks = tuple(reversed(Role))
        return tuple(sorted(holders, key=lambda each: (ranks.index(each.role), each.name.casefold(), each.subject)))

    def give(self, scenario_id: str, kind: str, subject: str, role: Role) -> None:
        """Give a role in a scenario, in place of the one that the same subject held.

        Args:
            scenario_id: of the scenario.
            kind: "person", "email" or "team".
            subject: id of a person who was seen, an address that may never have been seen, or a team's id.
            role: what the subject may do from now on.

        Raises:
            UsageError: "person.email".
            StoreError: "store.not_found", "store.not_allowed" for all but owners, "store.last_owner",
                "store.no_person", "store.no_team", "store.too_many_people".
        """
        with told(), Session(writing(self._engine)) as session:
            require(session, self._who, scenario_id, Role.OWNER)
            key, name = self._subject(session, kind, subject)
            row = session.get(AccessRow, (scenario_id, kind, key))
            if row is None:
                _room(session, scenario_id)
                row = AccessRow(scenario_id=scenario_id, kind=kind, subject=key)
                session.add(row)
            row.role, row.given_at, row.given_by = role.value, datetime.now(UTC), self._who.id
            session.flush()
            require_owners(session, scenario_id)
            record(session, self._who, Act.GAVE, scenario_id, kind=kind, to=name, role=role.value)
            session.commit()

    def take(self, scenario_id: str, kind: str, subject: str) -> None:
        """Take a role away. Doing it twice is harmless.

        Raises:
            StoreError: "store.not_found", "store.not_allowed" for all but owners, "store.last_owner".
        """
        with told(), Session(writing(self._engine)) as session:
            require(session, self._who, scenario_id, Role.OWNER)
            row = session.get(AccessRow, (scenario_id, kind, subject)) if _possible(subject) else None
            if row is None:
                return
            known, teams = _known(session, [subject]), _teams(session, [subject] if kind == TEAM else [])
            name = _holder(row, known, teams).name if row.role in set(Role) else subject
            found = (AccessRow.scenario_id == scenario_id, AccessRow.kind == kind, AccessRow.subject == subject)
            session.execute(delete(AccessRow).where(*found))
            require_owners(session, scenario_id)
            record(session, self._who, Act.TOOK, scenario_id, kind=kind, to=name, role=row.role)
            session.commit()

    def _subject(self, session: Session, kind: str, subject: str) -> tuple[str, str]:
        """Return the key of a subject and its name, where it may be given a role."""
        if kind == EMAIL:
            address = checked_email(subject)
            return address, address
        if kind == TEAM:
            team = session.get(TeamRow, subject) if subject.isascii() and subject.isalnum() else None
            inside = team and self._who.email and session.get(MemberRow, (team.id, self._who.email))
            if team is None or team.deleted_at is not None or not (self._who.admin or inside):
                raise no_team()
            return team.id, team.name
        person = session.get(PersonRow, subject) if kind == PERSON and _possible(subject) else None
        if person is None:
            raise StoreError(
                "store.no_person",
                t("Nobody of this name has signed in yet"),
                fix=t("Give the role to an e-mail address; it counts as soon as its person signs in"),
            )
        return person.id, person.name


def _possible(subject: str) -> bool:
    """Return False for what no id is, and what PostgreSQL would not take."""
    return len(subject) <= MOST_CHARS and subject == one_line(subject)


def _room(session: Session, scenario_id: str) -> None:
    held = session.scalar(select(func.count()).where(AccessRow.scenario_id == scenario_id)) or 0
    if held >= MOST_HOLDERS:
        raise StoreError(
            "store.too_many_people",
            t("This is more than {limit} people", limit=MOST_HOLDERS),
            fix=t("Make a team of them, and give the role to it"),
        )


def _known(session: Session, subjects: Sequence[str]) -> Mapping[str, PersonRow]:
    """Return the persons who were seen, by id and by address."""
    found = session.scalars(select(PersonRow).where(PersonRow.id.in_(subjects) | PersonRow.email.in_(subjects))).all()
    return {row.id: row for row in found} | {row.email: row for row in found if row.email}


def _teams(session: Session, ids: Sequence[str]) -> Mapping[str, TeamRow]:
    found = session.scalars(select(TeamRow).where(TeamRow.id.in_(ids))).all()
    return {row.id: row for row in found}


def _holder(row: AccessRow, known: Mapping[str, PersonRow], teams: Mapping[str, TeamRow]) -> Holder:
    team, person = teams.get(row.subject), known.get(row.subject)
    if row.kind == TEAM:
        name, email, deleted = (team.name if team else row.subject), None, team is None or team.deleted_at is not None
    else:
        email = person.email if person else (row.subject if row.kind == EMAIL else None)
        name, deleted = (person.name if person else row.subject), False
    return Holder(
        kind=row.kind,
        subject=row.subject,
        name=name,
        role=Role(row.role),
        given_at=row.given_at,
        email=email,
        deleted=deleted,
    )
