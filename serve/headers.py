"""The headers of every answer: what a browser may load, keep, frame and tell others."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from core.serving import Serving
from serve.peers import is_https
from serve.places import Place, names_secret, place_of

YEAR_S = 365 * 24 * 3600

REPLICA = "X-Plimsoll-Replica"

_INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)

# Powers of a browser that no page here needs; copying a link is the one that is kept.
_NO_POWERS = ", ".join(
    f"{power}=()"
    for power in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
        *("microphone", "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb"),
    )
)

_ALWAYS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    # The address holds the token of a shared link: no other site may be told it.
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": _NO_POWERS,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"
"""For files that people made: opened by themselves they run nothing and load nothing."""


def policy(frames: str, scripts: Iterable[str] = ()) -> str:
    """Return the content security policy of the page.

    Args:
        frames: who may show the app inside a page of theirs.
        scripts: texts of the scripts that stand in the page itself; no other inline script runs.

    Each exception was measured in Chromium (docs/decisions/0011-serving.md).
    """
    known = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    parts = {
        "default-src": "'self'",
        "script-src": f"'self' 'wasm-unsafe-eval' {known}".strip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": frames,
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


@cache
def page_scripts() -> tuple[str, ...]:
    """Return the scripts that Streamlit's page holds in itself, as installed."""
    page = Path(file_util.get_static_dir()) / "index.html"
    return tuple(_INLINE_SCRIPT.findall(page.read_text(encoding="utf-8"))) if page.is_file() else ()


class Headers:
    """ASGI middleware that puts the headers on every answer, a refusal too."""

    def __init__(self, app: ASGIApp, settings: Serving, base: str = "") -> None:
        self._app, self._settings, self._base = app, settings, base
        self._policy = policy(settings.frames, page_scripts())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept", "websocket.http.response.start"):
                self.put_on(scope, MutableHeaders(scope=message))
            await send(message)

        await self._app(scope, receive, sent)

    def put_on(self, scope: Scope, headers: MutableHeaders) -> None:
        """Set the headers of one answer."""
        place = place_of(scope["path"], self._base)
        for name, value in _ALWAYS.items():
            headers[name] = value
        headers["Content-Security-Policy"] = _FILE_POLICY if place is Place.MEDIA else self._policy
        if self._settings.frames == "'none'":
            headers["X-Frame-Options"] = "DENY"
        if self._settings.replica:
            headers[REPLICA] = self._settings.replica
        if is_https(scope, self._settings.proxies):
            headers["Strict-Transport-Security"] = f"max-age={YEAR_S}"
            _only_encrypted(headers)
        if place is not Place.STATIC or headers.get("content-type", "").startswith("text/html"):
            headers["Cache-Control"] = "no-store"
            headers["X-Robots-Tag"] = "noindex, nofollow"
        elif names_secret(scope):
            headers["Cache-Control"] = "no-store"


def _only_encrypted(headers: MutableHeaders) -> None:
    """Mark cookies that were set over an encrypted connection: they never travel over another one."""
    for place, (name, value) in enumerate(headers.raw):
        if name.lower() == b"set-cookie" and b"; secure" not in value.lower():
            headers.raw[place] = (name, value + b"; Secure")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
