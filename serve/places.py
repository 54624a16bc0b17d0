"""What a path of the app is for: the class of a request, by which it is counted, bounded and cached."""

from __future__ import annotations

from enum import StrEnum
from urllib.parse import parse_qsl

from starlette.types import Scope

from pages.parts.keys import Q_DRAFT, Q_SHARE

SECRET_PARAMETERS = frozenset({Q_SHARE, Q_DRAFT, "back", "code", "state"})
"""Parameters of addresses that open something: a link, a draft, a sign-in under way."""


class Place(StrEnum):
    """The classes of requests."""

    PAGE = "page"
    STATIC = "static"
    MEDIA = "media"
    UPLOAD = "upload"
    STREAM = "stream"
    SIGN_IN = "sign_in"
    HEALTH = "health"
    READY = "ready"
    METRICS = "metrics"
    AGENT = "agent"
    INNER = "inner"


_WHOLE = {
    "/healthz": Place.HEALTH,
    "/_stcore/health": Place.HEALTH,
    "/readyz": Place.READY,
    "/metrics": Place.METRICS,
    "/_stcore/metrics": Place.METRICS,
    "/_stcore/stream": Place.STREAM,
    "/oauth2callback": Place.SIGN_IN,
    "/auth/login": Place.SIGN_IN,
    "/auth/logout": Place.SIGN_IN,
    "/favicon.png": Place.STATIC,
    "/manifest.json": Place.STATIC,
}
_BEGINNING = (
    ("/_stcore/upload_file/", Place.UPLOAD),
    ("/_stcore/agent", Place.AGENT),
    ("/_stcore/", Place.INNER),
    ("/component/", Place.INNER),
    ("/media/", Place.MEDIA),
    ("/static/", Place.STATIC),
)


def place_of(path: str, base: str = "") -> Place:
    """Return the class of a path; `base` is where the app lives on its host, such as "/capacity", "" at its root.

    >>> place_of("/compare"), place_of("/media/ab.png"), place_of("/capacity/healthz", "/capacity")
    (<Place.PAGE: 'page'>, <Place.MEDIA: 'media'>, <Place.HEALTH: 'health'>)
    """
    inner = path[len(base) :] if base and path.startswith(f"{base}/") else path
    # Where a base is set, probes of the machine that runs the app still ask at the root.
    found = _WHOLE.get(inner.rstrip("/") or "/")
    return found or next((place for start, place in _BEGINNING if inner.startswith(start)), Place.PAGE)


def names_secret(scope: Scope) -> bool:
    """Return True where the address holds something that opens a scenario or a session to whoever has it."""
    query = scope.get("query_string", b"").decode("latin-1")
    return any(name in SECRET_PARAMETERS for name, _ in parse_qsl(query, keep_blank_values=True))
