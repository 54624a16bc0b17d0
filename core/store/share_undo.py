"""Taking back that a link was withdrawn: by whoever did it, for a short while."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.errors import StoreError
from core.i18n import t
from core.model.person import Person
from core.store.audit import Act, detail_in
from core.store.tables import ShareRow
from core.store.tables_people import EventRow

UNDO = timedelta(hours=1)
"""How long whoever withdrew a link can take that back."""

MARK_CHARS = 16


def mark(link: ShareRow) -> str:
    """Return what tells a link apart in the audit trail; nobody can make the link of it."""
    return link.token_sha256[:MARK_CHARS]


def require_undoable(session: Session, link: ShareRow, scenario_id: str, who: Person) -> None:
    """Refuse whoever did not withdraw a link, or did it too long ago.

    Raises:
        StoreError: "store.revoked".
    """
    fresh = link.revoked_at is not None and datetime.now(UTC) - link.revoked_at < UNDO
    acts = select(EventRow).where(EventRow.scenario_id == scenario_id, EventRow.act == Act.REVOKED.value)
    events = session.scalars(acts.order_by(EventRow.key.desc())) if fresh else ()
    last = next((event for event in events if detail_in(event).get("link") == mark(link)), None)
    if last is None or last.actor_id != who.id:
        raise StoreError(
            "store.revoked", t("This link is withdrawn for good"), fix=t("Make a new link and send that instead")
        )
