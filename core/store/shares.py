"""Links that open one version read-only: made, listed for its editors, opened by whoever has them, withdrawn."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Engine, func, or_, select, update
from sqlalchemy.orm import Session

from core.errors import StoreError, UsageError
from core.i18n import t
from core.letters import one_line
from core.model.person import Person, Role
from core.model.redaction import without_prices
from core.model.scenario import NAME_CHARS, Scenario
from core.store.access import not_found, require, require_somebody
from core.store.audit import Act, record
from core.store.blobs import Blobs
from core.store.engine import told, writing
from core.store.saved import Saved, saved_of
from core.store.share_undo import mark, require_undoable
from core.store.tables import HeadRow, ScenarioRow, ShareRow
from core.store.versions import opened, version_row

TOKEN_BYTES = 18
"""144 random bits."""

MOST = 500
"""Live links of one scenario."""

_TOKEN_CHARS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A link to one version.

    Attributes:
        token: what stands in the address.
        expires_at: with zone UTC, None where it does not. revoked_at: when it was withdrawn.
        public: opens without signing in, where signing in is asked for.
        views: how often it was opened; a browser that reloads it within half an hour counts once (`serve.visits`).
    """

    token: str
    scenario_id: str
    version: int
    label: str
    created_at: datetime
    created_by: str
    hide_prices: bool
    public: bool
    views: int
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_view_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What a link that opens leads to, without its content."""

    saved: Saved
    share: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What a link shows."""

    saved: Saved
    scenario: Scenario
    share: Share


class Shares:
    """The links of one database, as one person may use them."""

    def __init__(self, engine: Engine, who: Person, blobs: Blobs) -> None:
        self._engine, self._who, self._blobs = engine, who, blobs

    def make(
        self,
        scenario_id: str,
        version: int | None = None,
        *,
        expires_at: datetime | None = None,
        hide_prices: bool = False,
        public: bool = True,
        label: str = "",
    ) -> Share:
        """Make a link to one version, the latest by default; a live one with the same conditions is given again.

        Args:
            scenario_id: of the scenario.
            version: that the link shows for good.
            expires_at: with a zone, in the future; None where the link is to stay.
            hide_prices: the link shows neither prices nor costs nor the person's own columns.
            public: it opens without signing in, where signing in is asked for.
            label: whom it is for, for its editors only.

        Raises:
            UsageError: "share.expiry".
            StoreError: "store.not_found", "store.not_allowed" for viewers, "store.too_many_links".
        """
        name = one_line(label)[:NAME_CHARS]
        ends = _end(expires_at)
        with told(), Session(writing(self._engine), expire_on_commit=False) as session:
            require(session, self._who, scenario_id, Role.EDITOR)
            row = version_row(session, scenario_id, version)
            link = _same(session, row, name, ends, hide_prices=hide_prices, public=public)
            if link is None:
                _room(session, scenario_id)
                token = secrets.token_urlsafe(TOKEN_BYTES)
                link = ShareRow(
                    token_sha256=_hash(token),
                    token=token,
                    scenario_key=row.key,
                    created_at=datetime.now(UTC),
                    expires_at=ends,
                    hide_prices=hide_prices,
                    public=public,
                    label=name,
                    created_by=self._who.id,
                    created_name=self._who.name,
                    views=0,
                )
                session.add(link)
                record(session, self._who, Act.SHARED, scenario_id, row.version, label=name, hide_prices=hide_prices)
                session.commit()
            return _share(link, row)

    def of(self, scenario_id: str) -> tuple[Share, ...]:
        """Return the links to every version of a scenario, the newest first, withdrawn ones too.

        Raises:
            StoreError: "store.not_found", "store.not_allowed" for viewers.
        """
        with told(), Session(self._engine) as session:
            require(session, self._who, scenario_id, Role.EDITOR)
            rows = select(ShareRow, ScenarioRow).join(ScenarioRow, ScenarioRow.key == ShareRow.scenario_key)
            rows = rows.where(ScenarioRow.id == scenario_id).order_by(ShareRow.created_at.desc())
            return tuple(_share(link, row) for link, row in session.execute(rows))

    def open(self, token: str, *, count: bool = True) -> Shared:
        """Open what a link shows, without the prices where they are hidden, and count it unless told otherwise.

        A link that is not public opens for everybody who has signed in.

        Raises:
            StoreError: "store.not_found", "store.revoked" also while the scenario is deleted, "store.expired",
                "store.sign_in_needed", and those of `Store.load`.
        """
        with told(), Session(self._engine, expire_on_commit=False) as session:
            link, row = self._found(session, token)
            shown = opened(row, self._blobs.getter(session))
            linked = _linked(link, row)
        if count:
            linked = self._counted(linked)
        hidden = linked.share.hide_prices
        return Shared(saved=linked.saved, scenario=without_prices(shown) if hidden else shown, share=linked.share)

    def look(self, token: str, *, count: bool = False) -> Linked:
        """Return where a link leads if it opens now; its content, which never changes, is left where it is.

        Args:
            token: of the link.
            count: whether this is a view to be counted.

        Raises:
            StoreError: "store.not_found", "store.revoked", "store.expired", "store.sign_in_needed", as for `open`.
        """
        with told(), Session(self._engine, expire_on_commit=False) as session:
            linked = _linked(*self._found(session, token))
        return self._counted(linked) if count else linked

    def _found(self, session: Session, token: str) -> tuple[ShareRow, ScenarioRow]:
        """Return a link that opens for this person now, and its version."""
        link = _link(session, token)
        if not link.public:
            require_somebody(self._who)
        return link, _live(session, link)

    def _counted(self, linked: Linked) -> Linked:
        """Count a view. A database that cannot be written still shows what it holds."""
        now, share = datetime.now(UTC), linked.share
        more = update(ShareRow).where(ShareRow.token_sha256 == _hash(share.token))
        with suppress(StoreError), told(), Session(writing(self._engine)) as session:
            session.execute(more.values(views=ShareRow.views + 1, last_view_at=now))
            session.commit()
            return replace(linked, share=replace(share, views=share.views + 1, last_view_at=now))
        return linked

    def revoke(self, token: str) -> None:
        """Withdraw a link; the scenario stays, and for `UNDO` so does `unrevoke`. Doing it twice is harmless.

        Raises:
            StoreError: "store.not_found", "store.not_allowed" for viewers.
        """
        with told(), Session(writing(self._engine)) as session:
            link, row = self._mine(session, token)
            if link.revoked_at is None:
                link.revoked_at = datetime.now(UTC)
                record(session, self._who, Act.REVOKED, row.id, row.version, label=link.label, link=mark(link))
                session.commit()

    def unrevoke(self, token: str) -> None:
        """Let a link open again as it was, for whoever withdrew it, within `UNDO`. Doing it twice is harmless.

        Raises:
            StoreError: "store.not_found", "store.not_allowed" for viewers, "store.revoked" where it is withdrawn for
                good, "store.too_many_links".
        """
        with told(), Session(writing(self._engine)) as session:
            link, row = self._mine(session, token)
            if link.revoked_at is None:
                return
            require_undoable(session, link, row.id, self._who)
            _room(session, row.id)
            link.revoked_at = None
            record(session, self._who, Act.UNREVOKED, row.id, row.version, label=link.label, link=mark(link))
            session.commit()

    def _mine(self, session: Session, token: str) -> tuple[ShareRow, ScenarioRow]:
        """Return a link that this person may change, and its version."""
        link = _link(session, token)
        row = session.get(ScenarioRow, link.scenario_key)
        if row is None:
            raise not_found()
        require(session, self._who, row.id, Role.EDITOR)
        return link, row


def _end(expires_at: datetime | None) -> datetime | None:
    """Return when a link ends, in UTC."""
    if expires_at is None:
        return None
    if expires_at.tzinfo is None or expires_at <= datetime.now(UTC):
        raise UsageError(
            "share.expiry", t("The link would have ended already"), fix=t("Choose a day that is still to come")
        )
    return expires_at.astimezone(UTC)


def _same(
    session: Session, row: ScenarioRow, label: str, ends: datetime | None, *, hide_prices: bool, public: bool
) -> ShareRow | None:
    """Return a live link with these conditions: asking twice makes one."""
    same = select(ShareRow).where(
        ShareRow.scenario_key == row.key,
        ShareRow.revoked_at.is_(None),
        ShareRow.hide_prices == hide_prices,
        ShareRow.public == public,
        ShareRow.label == label,
        ShareRow.expires_at.is_(None) if ends is None else ShareRow.expires_at == ends,
    )
    return session.scalar(same.order_by(ShareRow.created_at).limit(1))


def _room(session: Session, scenario_id: str) -> None:
    """Refuse more links than anybody could keep an eye on."""
    links = select(func.count()).select_from(ShareRow).join(ScenarioRow, ScenarioRow.key == ShareRow.scenario_key)
    ahead = or_(ShareRow.expires_at.is_(None), ShareRow.expires_at > datetime.now(UTC))
    live = links.where(ScenarioRow.id == scenario_id, ShareRow.revoked_at.is_(None), ahead)
    if (session.scalar(live) or 0) >= MOST:
        raise StoreError(
            "store.too_many_links",
            t("This scenario has {limit} links already", limit=MOST),
            fix=t("Withdraw those that nobody needs any more"),
        )


def _live(session: Session, link: ShareRow) -> ScenarioRow:
    """Return the version that a link shows, if it still shows it."""
    row = session.get(ScenarioRow, link.scenario_key)
    head = session.get(HeadRow, row.id) if row is not None else None
    if row is None or head is None:
        raise not_found()
    if link.revoked_at is not None:
        raise _withdrawn()
    if head.deleted_at is not None:
        raise StoreError(
            "store.revoked",
            t("The scenario of this link was deleted"),
            fix=t("Ask the person who sent the link to bring the scenario back"),
        )
    if link.expires_at is not None and link.expires_at <= datetime.now(UTC):
        raise _expired(link.expires_at)
    return row


def _link(session: Session, token: str) -> ShareRow:
    link = session.get(ShareRow, _hash(token)) if len(token) <= _TOKEN_CHARS else None
    if link is None:
        raise not_found()
    return link


def _linked(link: ShareRow, row: ScenarioRow) -> Linked:
    saved = saved_of(row)
    # What changed is told in the author's own words, which may well speak of money; the answers in short name costs.
    hidden = replace(saved, message="", answers=None)
    return Linked(saved=hidden if link.hide_prices else saved, share=_share(link, row))


def _share(link: ShareRow, row: ScenarioRow) -> Share:
    return Share(
        token=link.token,
        scenario_id=row.id,
        version=row.version,
        label=link.label,
        created_at=link.created_at,
        created_by=link.created_name or "",
        hide_prices=link.hide_prices,
        public=link.public,
        views=link.views,
        expires_at=link.expires_at,
        revoked_at=link.revoked_at,
        last_view_at=link.last_view_at,
    )


def _hash(token: str) -> str:
    # The search in the index then compares hashes: its timing tells nothing about a token.
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _withdrawn() -> StoreError:
    return StoreError("store.revoked", t("This link was withdrawn"), fix=t("Ask the person who sent it for a new one"))


def _expired(when: datetime) -> StoreError:
    return StoreError(
        "store.expired",
        t("This link was valid until {time}", time=f"{when.astimezone(UTC):%Y-%m-%d %H:%M} UTC"),
        fix=t("Ask the person who sent it for a new one"),
    )
