"""Opening a link: that it still opens is asked in every run; what it shows is read once, since it never changes."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import PlimsollError
from core.model.person import LOCAL
from core.model.scenario import Scenario
from core.settings import database_url
from core.store.shares import Shared
from pages.parts import database, keys
from pages.parts.errors import attempt
from serve import counts, visits

if TYPE_CHECKING:
    from core.store.store import Store

KEPT = 24
KEPT_S = 6 * 3600


def opened(token: str) -> Shared:
    """Return what a link shows, and count it where a visit begins.

    Raises:
        StoreError: those of `Shares.open`, in every run: a link that ends while it is read shows nothing from then on.
    """
    store = database.store()
    linked = store.shares.look(token)
    saved, hidden = linked.saved, linked.share.hide_prices
    scenario = _content(database_url(), saved.id, saved.version, saved.saved_at, store, token, hidden=hidden)
    if _begins(token):
        linked = store.shares.look(token, count=True)
        counts.share_opened()
    return Shared(saved=linked.saved, scenario=scenario, share=linked.share)


def _begins(token: str) -> bool:
    """Return True the first time that a session opens a link, unless its browser did so a moment ago."""
    seen: set[str] = st.session_state.setdefault(keys.VIEWED, set())
    if token in seen:
        return False
    seen.add(token)
    return visits.VISITS.begins(token, str(st.context.cookies.get(visits.COOKIE, "")))


def unlisted() -> bool:
    """Return True in a session that came by a link without prices where nobody signs in.

    Whoever reaches the server can open the list of scenarios there; what is shared without prices does not lead to it
    (docs/decisions/0016-a-link-without-prices.md).
    """
    token = st.query_params.get(keys.Q_SHARE, "")
    if token and token != st.session_state.get(keys.UNLISTED) and st.session_state[keys.PERSON] == LOCAL.id:
        linked = attempt(lambda: database.store().shares.look(token))
        if not isinstance(linked, PlimsollError) and linked.share.hide_prices:
            st.session_state[keys.UNLISTED] = token
    return keys.UNLISTED in st.session_state


@st.cache_resource(max_entries=KEPT, ttl=KEPT_S, show_spinner=False)
def _content(
    url: str,  # noqa: ARG001 - part of the key
    scenario_id: str,  # noqa: ARG001 - part of the key
    version: int,  # noqa: ARG001 - part of the key
    saved_at: datetime,  # noqa: ARG001 - part of the key: another version, after a backup was restored
    _store: Store,
    _token: str,
    *,
    hidden: bool,  # noqa: ARG001 - part of the key: with prices and without are two contents
) -> Scenario:
    return _store.shares.open(_token, count=False).scenario
