"""What the store tells of scenarios without opening them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.errors import StoreError
from core.i18n import t
from core.model.copied import Copied
from core.model.person import Role
from core.store.summary import RunSummary, summary_from
from core.store.tables import ScenarioRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """One saved version, without its content.

    Attributes:
        id: of the scenario, the same for all its versions. version: from 1.
        saved_at: time with zone UTC.
        author: name of who saved it, "" where nobody had signed in.
        message: what the author says has changed, "" where nothing was said.
        based_on: version that it was made from, None for the first and for what was saved before this was kept.
        answers: what it says, None where that cannot be told without opening it.
    """

    id: str
    name: str
    version: int
    saved_at: datetime
    app_version: str
    method_version: str
    author: str = ""
    message: str = ""
    based_on: int | None = None
    answers: tuple[RunSummary, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One scenario in a list.

    Attributes:
        role: of the person who asks.
        answers: what its latest version says, None where that cannot be told without opening it.
        author: of the latest version.
        forked_from: id of the scenario from whose shared view it was copied.
        copied: what is known of that version, None where nothing is.
    """

    id: str
    name: str
    tags: tuple[str, ...]
    latest: int
    saved_at: datetime
    created_at: datetime
    role: Role
    answers: tuple[RunSummary, ...] | None
    author: str = ""
    archived_at: datetime | None = None
    deleted_at: datetime | None = None
    forked_from: str | None = None
    copied: Copied | None = None


class ConflictError(StoreError):
    """Somebody else saved in between. Nothing was saved and nothing is lost.

    Attributes:
        newer: the version that is the latest now.
    """

    def __init__(self, newer: Saved) -> None:
        super().__init__(
            "store.conflict",
            t(
                '"{name}" was saved by somebody else in between, as version {version}',
                name=newer.name,
                version=newer.version,
            ),
            fix=t("Look at both, then choose which one is to be the newest"),
        )
        self.newer = newer


def saved_of(row: ScenarioRow) -> Saved:
    """Return what a row tells without its content."""
    return Saved(
        id=row.id,
        name=row.name,
        version=row.version,
        saved_at=row.saved_at,
        app_version=row.app_version,
        method_version=row.method_version,
        author=row.author_name or "",
        message=row.message or "",
        based_on=row.based_on,
        answers=summary_from(row.summary),
    )
