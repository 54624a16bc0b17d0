"""Where a person wanted to go before signing in: kept by the server for the browser that asked, and followed once.

Streamlit takes everybody who has signed in to the start of the app. A browser is known by the token that Streamlit
gives it against forged requests: it is random, in a cookie that no script reads, and stays through signing in.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import streamlit as st
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

LIFETIME_S = 900.0
"""Signing in takes minutes; a visit of the next day begins at the start."""

MOST = 1_000
CHARS = 8_000
"""Of one address: what any server takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A place in the app: the last part of its path, and its parameters."""

    page: str
    params: Mapping[str, list[str]]


@dataclass(slots=True)
class Places:
    """Where the browsers of one process want to go, the oldest first."""

    kept: OrderedDict[str, tuple[float, Wanted]] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, browser: str, wanted: Wanted, now: float) -> None:
        """Keep a place in the stead of the one before; the oldest ones make room."""
        with self.lock:
            self.kept.pop(browser, None)
            self.kept[browser] = (now, wanted)
            while len(self.kept) > MOST:
                self.kept.popitem(last=False)

    def take(self, browser: str, now: float) -> Wanted | None:
        """Return a place once, None where none is kept or it is too old."""
        with self.lock:
            at, wanted = self.kept.pop(browser, (0.0, None))
        return wanted if wanted is not None and now - at < LIFETIME_S else None


@st.cache_resource(max_entries=1, show_spinner=False)
def _places() -> Places:
    return Places()


def remember() -> None:
    """Keep where this session is, for the one that begins after signing in."""
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    page = urlsplit(st.context.url or "").path.rstrip("/").rpartition("/")[2]
    browser = _browser()
    if browser and sum(len(value) for values in params.values() for value in values) < CHARS:
        _places().keep(browser, Wanted(page=page, params=params), time.monotonic())


def take() -> Wanted | None:
    """Return where this browser wanted to go before signing in, once."""
    browser = _browser()
    return _places().take(browser, time.monotonic()) if browser else None


def _browser() -> str:
    token, _ = decode_xsrf_token_string(st.context.cookies.get(XSRF_COOKIE_NAME, ""))
    return hashlib.sha256(token).hexdigest() if token else ""
