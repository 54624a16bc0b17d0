"""Which names the app answers to: a page elsewhere must not reach it under a name that leads here."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from core.serving import OWN_MACHINE, within
from serve.places import Place, place_of

_PROBES = (Place.HEALTH, Place.READY, Place.METRICS)
"""Asked under the address of a machine or a pod, by programs that tell nothing or are checked otherwise."""

_WHAT = "This name is not one of the app's. Set PLIMSOLL_HOSTS to the names that it has (docs/deploy.md).\n"


class Hosts:
    """ASGI middleware that answers only to names of the app.

    The names are those of PLIMSOLL_HOSTS, else `server.allowedHosts`. Where none are set and the app listens on this
    machine alone, only this machine's own names count: otherwise any page in a browser here could have its own name
    lead to 127.0.0.1 and read what is saved (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self._app, self._base = app, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif place_of(scope["path"], self._base) is Place.AGENT and scope["type"] == "http":
            # Streamlit answers there even where its interface for programs is off.
            await PlainTextResponse("Not found", status_code=404)(scope, receive, send)
        elif self._knows(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose(code=1008)(scope, receive, send)
        else:
            await PlainTextResponse(_WHAT, status_code=421)(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        if place_of(scope["path"], self._base) in _PROBES:
            return True
        host = Headers(scope=scope).get("host")
        if config.get_option("server.allowedHosts"):
            return is_host_allowed(host)
        here = scope.get("server")
        return here is None or not within(here[0], OWN_MACHINE) or is_own_name(host)


def is_own_name(host: str | None) -> bool:
    """Return True for a name that only leads to the machine that asks.

    >>> [is_own_name(host) for host in ("localhost:8501", "[::1]", "127.0.0.1", "a.localhost", "evil.example", None)]
    [True, True, True, True, False, False]
    """
    try:
        name = urlsplit(f"//{host or ''}").hostname or ""
    except ValueError:
        return False
    return name == "localhost" or name.endswith(".localhost") or within(name, OWN_MACHINE)
