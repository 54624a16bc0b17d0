"""Whose copy a scenario is: kept with the event of its first version, and told with the scenario."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.letters import one_line
from core.model.copied import Copied
from core.model.scenario import NAME_CHARS
from core.store.audit import Act, detail_in
from core.store.tables import HeadRow
from core.store.tables_people import EventRow

NAME, VERSION, AUTHOR = "copy_of", "copy_version", "copy_by"
AUTHOR_CHARS = 200
_MOST_VERSIONS = 2**31 - 1


def detail_of(copied: Copied | None) -> dict[str, str | int]:
    """Return what the event of a first version says of the version that it is a copy of."""
    if copied is None:
        return {}
    name, author = one_line(copied.name)[:NAME_CHARS], one_line(copied.author)[:AUTHOR_CHARS]
    return {NAME: name, VERSION: copied.version, AUTHOR: author}


def copies(session: Session, heads: Iterable[HeadRow]) -> dict[str, Copied]:
    """Return by id whose copies scenarios are; those that are none, or of which it was not kept, are left out."""
    origins = {head.id: head.forked_from for head in heads if head.forked_from is not None}
    if not origins:
        return {}
    first = select(EventRow).where(
        EventRow.scenario_id.in_(origins), EventRow.act == Act.SAVED.value, EventRow.version == 1
    )
    told: dict[str, Copied] = {}
    for event in session.scalars(first):
        scenario_id = event.scenario_id or ""
        found = _copied(origins.get(scenario_id) or "", event)
        if found is not None:
            told[scenario_id] = found
    return told


def _copied(origin: str, event: EventRow) -> Copied | None:
    """Return what an event says; what is stored is only looked up, never trusted."""
    told = detail_in(event)
    name, version, author = (told.get(key) for key in (NAME, VERSION, AUTHOR))
    if not isinstance(name, str) or not isinstance(version, int) or not 1 <= version <= _MOST_VERSIONS:
        return None
    by = one_line(author)[:AUTHOR_CHARS] if isinstance(author, str) else ""
    return Copied(scenario_id=origin, name=one_line(name)[:NAME_CHARS], version=version, author=by)
