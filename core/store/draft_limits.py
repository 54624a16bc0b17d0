"""How long drafts stay: what was followed by another for an hour, the rest for a month, and not too many of anybody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.orm import Session, aliased

from core.store.blobs import Blobs
from core.store.tables_blobs import DraftRow

DRAFT = "draft"
"""Kind of holder of blobs."""

FOLLOWED = timedelta(hours=1)
"""How long a draft stays that another one followed: a second tab, or a step back in the browser, may want it."""

LIFETIME = timedelta(days=30)
MOST = 200
"""Drafts of one person, followed ones among them."""


def pruned(session: Session, blobs: Blobs, owner: str, now: datetime | None = None) -> int:
    """Remove drafts that are too old, of anybody, and the oldest of an owner who has too many; return how many."""
    moment = now or datetime.now(UTC)
    after = aliased(DraftRow)
    followed = exists().where(after.parent == DraftRow.id, after.saved_at < moment - FOLLOWED)
    old = select(DraftRow.id).where(or_(followed, DraftRow.saved_at < moment - LIFETIME))
    newest = select(DraftRow.id).where(DraftRow.owner == owner).order_by(DraftRow.saved_at.desc(), DraftRow.id)
    gone = {*session.scalars(old), *session.scalars(newest.offset(MOST))}
    if gone:
        session.execute(delete(DraftRow).where(DraftRow.id.in_(gone)))
        blobs.release(session, DRAFT, gone)
    return len(gone)
