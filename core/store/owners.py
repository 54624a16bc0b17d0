"""A scenario always has an owner: somebody who can still open it, give rights in it and delete it."""

from __future__ import annotations

from sqlalchemy import and_, exists, or_, select
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.i18n import t
from core.model.person import Role
from core.store.access import TEAM
from core.store.tables_people import AccessRow, MemberRow, TeamRow


def require_owners(session: Session, scenario_id: str) -> None:
    """Refuse a change, which has been flushed, after which nobody would own a scenario.

    A team owns one as long as it is there and somebody is in it.

    Raises:
        StoreError: "store.last_owner".
    """
    manned = exists().where(
        TeamRow.id == AccessRow.subject, TeamRow.deleted_at.is_(None), MemberRow.team_id == TeamRow.id
    )
    owning = select(AccessRow.subject).where(
        AccessRow.scenario_id == scenario_id,
        AccessRow.role == Role.OWNER.value,
        or_(AccessRow.kind != TEAM, and_(AccessRow.kind == TEAM, manned)),
    )
    if session.scalar(owning.limit(1)) is None:
        raise StoreError(
            "store.last_owner",
            t("Nobody would be left who owns the scenario"),
            fix=t("Make somebody else an owner first"),
        )
