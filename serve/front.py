"""What stands before every request, in its order, and what is made ready before the first."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from core.errors import PlimsollError
from core.serving import Serving, serving
from core.settings import database_url, setting
from core.sign_in import auth_secrets
from serve import failures, logs
from serve.bodies import Bodies
from serve.database import Database
from serve.gate import Gate
from serve.headers import Headers
from serve.hosts import Hosts
from serve.probes import Probes
from serve.returning import Returning


def start() -> tuple[Serving, Mapping[str, Mapping[str, str]]]:
    """Read the settings and begin the log.

    Returns:
        How to serve, and what Streamlit has to know to sign people in.

    Raises:
        SystemExit: where a setting cannot be followed. It says which, and nothing is served.
    """
    try:
        settings, secrets = serving(), auth_secrets()
    except PlimsollError as error:
        raise SystemExit(f"Plimsoll does not start. {error}") from None
    known = (settings.metrics_token, *(setting(name) for name in ("COOKIE_SECRET", "OIDC_CLIENT_SECRET")))
    logs.start(as_json=settings.json_log, secrets=(*known, *logs.passwords(database_url())))
    failures.quiet_streamlit()
    return settings, secrets


def middleware(settings: Serving, database: Database) -> list[Middleware]:
    """Return the layers, the outermost first."""
    return [Middleware(Front, settings=settings, database=database)]


class Front:
    """All layers as one: where the app lives on its host is known only when Streamlit has read its settings."""

    def __init__(self, app: ASGIApp, settings: Serving, database: Database) -> None:
        # Rich would print tracebacks past the log, with what the log takes out.
        config.set_option("logger.enableRich", value=False)
        if settings.hosts:
            config.set_option("server.allowedHosts", list(settings.hosts))
        base = "/" + str(config.get_option("server.baseUrlPath") or "").strip("/")
        base = "" if base == "/" else base
        gate = Gate(Returning(Bodies(app, base), base), settings, base)
        self._app: ASGIApp = Headers(Hosts(Probes(gate, settings, database, base), base), settings, base)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request through the layers."""
        await self._app(scope, receive, send)
