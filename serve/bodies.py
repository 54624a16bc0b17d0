"""How much a request may bring, and how slowly: refused before it is read, or as soon as it is too much."""

from __future__ import annotations

import asyncio
import time

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from serve.places import Place, place_of

SMALL_BYTES = 64 * 1024
"""For everything but uploads: nothing else here reads a body."""

FRAMING_BYTES = 1024 * 1024
"""What stands around a file of an upload."""

SILENCE_S = 30.0
"""How long the sender of a body may say nothing."""

GRACE_S, LEAST_BYTES_S = 60.0, 8 * 1024
"""After the grace a body has to have come at this pace on the whole."""


class _Refused(Exception):  # noqa: N818  # it is no error: it carries an answer out of the app
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Bodies:
    """ASGI middleware that bounds the bodies of requests in size and time."""

    def __init__(self, app: ASGIApp, base: str = "", *, silence_s: float = SILENCE_S, grace_s: float = GRACE_S) -> None:
        self._app, self._base = app, base
        self._silence_s, self._grace_s = silence_s, grace_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on with a body that is bounded, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most(scope)
        started = False

        async def sent(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            _check_length(scope, most)
            await self._app(scope, self._bounded(receive, most), sent)
        except _Refused as refused:
            if started:
                raise
            # The rest of the body is not waited for.
            answer = PlainTextResponse(refused.why, status_code=refused.status, headers={"Connection": "close"})
            await answer(scope, receive, send)

    def _most(self, scope: Scope) -> int:
        if place_of(scope["path"], self._base) is not Place.UPLOAD:
            return SMALL_BYTES
        return int(config.get_option("server.maxUploadSize")) * 1024 * 1024 + FRAMING_BYTES

    def _bounded(self, receive: Receive, most: int) -> Receive:
        begun, got, complete = time.monotonic(), 0, False

        async def received() -> Message:
            nonlocal got, complete
            if complete:
                return await receive()
            pace_s = begun + self._grace_s + got / LEAST_BYTES_S - time.monotonic()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, min(self._silence_s, pace_s)))
            except TimeoutError as error:
                raise _Refused(408, "The body came too slowly") from error
            got += len(message.get("body", b""))
            complete = message["type"] != "http.request" or not message.get("more_body", False)
            if got > most:
                raise _Refused(413, "The body is too large")
            return message

        return received


def _check_length(scope: Scope, most: int) -> None:
    """Refuse a body that is announced to be too large, or whose length nobody can follow."""
    lengths = Headers(scope=scope).getlist("content-length")
    if not lengths:
        return
    if len(set(lengths)) > 1 or not (lengths[0].isascii() and lengths[0].isdecimal()):
        raise _Refused(400, "The length of the body is not a number")
    # A number of thousands of digits is too large without being read.
    if len(lengths[0]) > 20 or int(lengths[0]) > most:
        raise _Refused(413, "The body is too large")
