"""Answers for machines: is the process up, can it work, what does it count."""

from __future__ import annotations

import time

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.serving import Serving
from core.store.readiness import Readiness
from serve import counts, metrics
from serve.database import Database
from serve.places import Place, place_of


class Probes:
    """ASGI middleware that answers /healthz, /readyz and /metrics, guards Streamlit's metrics, and counts the rest."""

    def __init__(self, app: ASGIApp, settings: Serving, database: Database, base: str = "") -> None:
        self._app, self._settings, self._database, self._base = app, settings, database, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on and count."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            elif message["type"] == "websocket.close" and status == 500:
                status = 403
            await send(message)

        place = place_of(scope["path"], self._base)
        try:
            own = await self._own(scope, place) if scope["type"] == "http" else None
            await (own or self._app)(scope, receive, sent)
        finally:
            counts.answered(place.value, scope.get("method", "GET"), status, time.perf_counter() - begun)

    async def _own(self, scope: Scope, place: Place) -> Response | None:
        """Return the answer that is ours to give, None where the app answers."""
        if place is Place.METRICS:
            refused = metrics.refusal(scope, self._settings)
            if refused is not None or "_stcore" in scope["path"]:
                return refused
        elif not (place is Place.READY or (place is Place.HEALTH and "_stcore" not in scope["path"])):
            return None
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Only GET", status_code=405, headers={"Allow": "GET, HEAD"})
        if place is Place.HEALTH:
            return PlainTextResponse("ok")
        state = await self._database.ready()
        if place is Place.READY:
            return PlainTextResponse(state.value, status_code=200 if state is Readiness.READY else 503)
        text = await run_in_threadpool(metrics.text, state)
        return Response(text, media_type=metrics.CONTENT_TYPE)
