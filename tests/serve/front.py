"""The layers before an app that says what reached it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from core.serving import Serving
from core.store.readiness import Readiness
from serve.bodies import Bodies
from serve.gate import Gate
from serve.headers import Headers
from serve.hosts import Hosts
from serve.probes import Probes

with warnings.catch_warnings():
    # It would rather have a newer library, which is not there for every Python.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

STRANGER = ("203.0.113.7", 40000)
PROXY = ("127.0.0.1", 40000)


class Told:
    """A database in the state that a test wants."""

    def __init__(self, state: Readiness = Readiness.READY) -> None:
        self.state = state

    async def ready(self) -> Readiness:
        return self.state


async def echo(scope, receive, send):
    """Say which headers and how much of a body arrived; over a websocket too."""
    if scope["type"] == "websocket":
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        await socket.send_text(json.dumps(dict(socket.headers.items())))
        await socket.close()
        return
    request = Request(scope, receive)
    size = len(await request.body())
    answer: Response = JSONResponse({"headers": dict(request.headers), "size": size, "path": scope["path"]})
    if "html" in scope["path"]:
        answer = Response("<!doctype html>", media_type="text/html")
    answer.headers["Set-Cookie"] = "a=b; Path=/"
    answer.headers["Cache-Control"] = "public, immutable, max-age=31536000"
    await answer(scope, receive, send)


def client(
    settings: Serving | None = None,
    *,
    peer: tuple[str, int] = STRANGER,
    state: Readiness = Readiness.READY,
    base: str = "",
    url: str = "http://plimsoll.example",
    app: Callable = echo,
    **bounds: float,
) -> TestClient:
    """Return a client at `peer` of the layers as `serve.front` puts them."""
    settings = settings or Serving()
    gate = Gate(Bodies(app, base, **bounds), settings, base)
    layers = Headers(Hosts(Probes(gate, settings, Told(state), base), base), settings, base)
    return TestClient(layers, base_url=url, client=peer, raise_server_exceptions=False)
