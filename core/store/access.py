"""Who may do what: every question of permission is answered here, before anything is read or written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, and_, false, or_, select, true
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.i18n import t
from core.model.person import Person, Role
from core.store.tables import HeadRow
from core.store.tables_people import AccessRow, MemberRow, TeamRow

PERSON, EMAIL, TEAM = "person", "email", "team"
"""Kinds of subjects that hold a role: a person who was seen, an address that may come, a team."""


def not_found() -> StoreError:
    """Return (not raise) the error of what is not there, or not for this person: the two never look different."""
    return StoreError(
        "store.not_found",
        t("There is no such saved scenario"),
        fix=t("Check the link, or choose one from the list of saved scenarios"),
    )


def not_allowed() -> StoreError:
    """Return (not raise) the error of a person whose role is too small."""
    return StoreError(
        "store.not_allowed",
        t("You may see this, but not change it this way"),
        fix=t("Ask an owner for more rights, or make a copy of your own"),
    )


def role_in(session: Session, who: Person, scenario_id: str) -> Role | None:
    """Return the highest role of a person in a scenario, given or through a team; None where there is none."""
    if who.admin:
        return Role.OWNER
    if who.is_nobody:
        return None
    given = session.scalars(select(AccessRow.role).where(_held_by(who), AccessRow.scenario_id == scenario_id))
    return highest(given.all())


def highest(roles: Iterable[str]) -> Role | None:
    """Return the highest of stored roles, None where there is none that this version knows."""
    stored = set(roles)
    known = [role for role in Role if role.value in stored]
    return known[-1] if known else None


def require(session: Session, who: Person, scenario_id: str, least: Role) -> HeadRow:
    """Return the head of a scenario in which a person has at least this role; deleted ones are for owners.

    Raises:
        StoreError: "store.not_found" where the person may not know of it, "store.not_allowed".
    """
    possible = scenario_id.isascii() and scenario_id.isalnum()
    head = session.get(HeadRow, scenario_id) if possible else None
    role = role_in(session, who, scenario_id) if head else None
    if head is None or role is None or (head.deleted_at is not None and role is not Role.OWNER):
        raise not_found()
    if not role.covers(least):
        raise not_allowed()
    return head


def require_somebody(who: Person) -> None:
    """Refuse whoever has not signed in where signing in is asked for.

    Raises:
        StoreError: "store.sign_in_needed".
    """
    if who.is_nobody:
        raise StoreError(
            "store.sign_in_needed", t("This is for people who have signed in"), fix=t("Sign in and open it again")
        )


def seen_by(who: Person) -> ColumnElement[bool]:
    """Return the condition on heads that a person may know of."""
    if who.admin:
        return true()
    if who.is_nobody:
        return false()
    return HeadRow.id.in_(select(AccessRow.scenario_id).where(_held_by(who)))


def roles_of(session: Session, who: Person, scenario_ids: Sequence[str]) -> dict[str, Role]:
    """Return the role of a person in each of several scenarios; those without one are left out."""
    if who.admin:
        return dict.fromkeys(scenario_ids, Role.OWNER)
    if who.is_nobody:
        return {}
    wanted = select(AccessRow.scenario_id, AccessRow.role).where(_held_by(who), AccessRow.scenario_id.in_(scenario_ids))
    given: dict[str, list[str]] = {}
    for scenario_id, role in session.execute(wanted):
        given.setdefault(scenario_id, []).append(role)
    found = {scenario_id: highest(roles) for scenario_id, roles in given.items()}
    return {scenario_id: role for scenario_id, role in found.items() if role is not None}


def _held_by(who: Person) -> ColumnElement[bool]:
    """Return the condition on roles that somebody holds: in person, by address, or through a team."""
    own = and_(AccessRow.kind == PERSON, AccessRow.subject == who.id)
    if who.email is None:
        return own
    address = and_(AccessRow.kind == EMAIL, AccessRow.subject == who.email)
    teams = (
        select(MemberRow.team_id)
        .join(TeamRow, TeamRow.id == MemberRow.team_id)
        .where(MemberRow.email == who.email, TeamRow.deleted_at.is_(None))
    )
    return or_(own, address, and_(AccessRow.kind == TEAM, AccessRow.subject.in_(teams)))
