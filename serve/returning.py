"""Where a person wanted to go before signing in: kept by the browser itself, so that every replica leads back there.

Streamlit takes everybody who has signed in to the start of the app. The page that leads to a provider says where it is;
that goes along in a cookie, signed and short-lived, and the answer after signing in leads there.
"""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value, decode_signed_value

from core.sign_in import CALLBACK

COOKIE = "plimsoll_back"
PARAMETER = "back"

LOGIN = "/auth/login"

LIFETIME_S = 900
"""Signing in takes minutes; a visit of the next day begins at the start."""

MOST = 2_000
"""Characters of an address that fit into a cookie with their signature."""


def sealed(address: str) -> str:
    """Return an address of this app as only this app can write it, "" where it cannot be kept."""
    if not _is_ours(address):
        return ""
    return create_signed_value(get_cookie_secret(), COOKIE, address).decode()


def opened(text: str) -> str:
    """Return the address in what `sealed` wrote, "" where it is forged, too old, or leads elsewhere."""
    signed = text.encode("latin-1", "replace")
    found = decode_signed_value(get_cookie_secret(), COOKIE, signed, LIFETIME_S / 86_400) if text else None
    address = found.decode("utf-8", "replace") if found else ""
    return address if _is_ours(address) else ""


class Returning:
    """ASGI middleware around the sign-in with a provider."""

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self._app, self._base = app, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on; on the way out the place to return to is kept, or followed once."""
        if scope["type"] != "http" or scope["path"] not in (self._base + LOGIN, self._base + CALLBACK):
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if scope["path"].endswith(LOGIN):
                    self._keep(scope, headers)
                else:
                    self._follow(scope, headers)
            await send(message)

        await self._app(scope, receive, sent)

    def _keep(self, scope: Scope, headers: MutableHeaders) -> None:
        told = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(PARAMETER, [""])
        if opened(told[0]):
            headers.append("Set-Cookie", self._cookie(told[0], LIFETIME_S))

    def _follow(self, scope: Scope, headers: MutableHeaders) -> None:
        kept = cookie_parser("; ".join(Headers(scope=scope).getlist("cookie"))).get(COOKIE, "")
        if not kept:
            return
        headers.append("Set-Cookie", self._cookie("", 0))
        address = opened(kept)
        if address and "location" in headers:
            headers["location"] = address

    def _cookie(self, value: str, seconds: int) -> str:
        return f"{COOKIE}={value}; Path={self._base or '/'}; Max-Age={seconds}; HttpOnly; SameSite=Lax"


def _is_ours(address: str) -> bool:
    """Return True for a path on this host that a browser takes for nothing else."""
    plain = address.isascii() and address.isprintable() and not set(address) & set(' "\\')
    return plain and len(address) <= MOST and address.startswith("/") and not address.startswith("//")
