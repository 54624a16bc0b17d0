"""The gate before every request: only a trusted proxy says who a person is, and it says so in one header."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.serving import Serving
from core.sign_in import Way
from core.vouched import NAME_HEADER, PERSON_HEADER, PROOF, PROOF_HEADER
from serve.peers import is_proxy
from serve.places import Place, place_of
from serve.signed import has_signed_in, past_cookies, without

_OURS = frozenset(name.encode() for name in (PERSON_HEADER, NAME_HEADER, PROOF_HEADER))

_LONGEST = 512
"""Bytes of an address or a name that a proxy may say."""


class Gate:
    """ASGI middleware that takes away what a client says of itself and what has ended, and hands on a proxy's word."""

    def __init__(self, app: ASGIApp, settings: Serving, base: str = "") -> None:
        self._app, self._settings, self._base = app, settings, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on as it may be believed, or refuse what needs a person where there is none."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        vouched = self._vouched(scope)
        past = self._past(scope)
        sent = without(scope, past) if past else scope["headers"]
        kept = [(name, value) for name, value in sent if name.lower() not in _OURS]
        scope = {**scope, "headers": [*kept, *vouched]}
        send = self._forgetting(send, past) if past and scope["type"] == "http" else send
        if scope["type"] == "http" and self._needs_person(scope) and not self._is_person(scope, vouched):
            refusal = PlainTextResponse("Sign in first", status_code=401, headers={"Connection": "close"})
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _past(self, scope: Scope) -> tuple[str, ...]:
        """Return the cookies of a sign-in that has ended; the way out of the provider is still found by them."""
        if self._settings.way is not Way.OIDC or place_of(scope["path"], self._base) is Place.SIGN_IN:
            return ()
        return past_cookies(scope)

    def _forgetting(self, send: Send, names: tuple[str, ...]) -> Send:
        """Let the browser forget cookies with the answer."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name in names:
                    headers.append(
                        "Set-Cookie", f"{name}=; Path={self._base or '/'}; Max-Age=0; HttpOnly; SameSite=Lax"
                    )
            await send(message)

        return sent

    def _vouched(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Return the headers that say whom a trusted proxy vouches for, none where it vouches for nobody."""
        if self._settings.way is not Way.HEADER or not is_proxy(scope, self._settings.proxies):
            return []
        person = _only(scope, self._settings.user_header)
        if person is None:
            return []
        name = _only(scope, self._settings.name_header) if self._settings.name_header else None
        said = [(PROOF_HEADER.encode(), PROOF.encode()), (PERSON_HEADER.encode(), person)]
        return [*said, (NAME_HEADER.encode(), name)] if name else said

    def _needs_person(self, scope: Scope) -> bool:
        return self._settings.way is not Way.OFF and place_of(scope["path"], self._base) is Place.UPLOAD

    def _is_person(self, scope: Scope, vouched: list[tuple[bytes, bytes]]) -> bool:
        return bool(vouched) if self._settings.way is Way.HEADER else has_signed_in(scope)


def _only(scope: Scope, name: str) -> bytes | None:
    """Return the value of a header that stands there once and says something, else None.

    Two of them mean that a client sent one and the proxy left it there: neither can be believed.
    """
    found = Headers(scope=scope).getlist(name)
    value = found[0].strip().encode("latin-1") if len(found) == 1 else b""
    return value if 0 < len(value) <= _LONGEST and all(byte >= 0x20 and byte != 0x7F for byte in value) else None
