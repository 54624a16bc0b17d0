"""Who is at the other end of a connection: a proxy whose word counts, this machine, or anybody."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import Scope

from core.serving import OWN_MACHINE, Network, within

FORWARDED = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via")
"""What a proxy adds to what it hands on."""


def is_rewritten(scope: Scope) -> bool:
    """Return True where the server in front of the app put a forwarded address in the place of the peer's.

    uvicorn does so by default. The address then is what somebody wrote in a header, and who was really there cannot
    be known any more: nobody's word counts. A written address has no port, or the port that is written beside it.
    """
    client = scope.get("client")
    if client is None:
        return False
    written = (part.strip() for line in Headers(scope=scope).getlist("x-forwarded-for") for part in line.split(","))
    host, port = client
    return not port or any(part in (f"{host}:{port}", f"[{host}]:{port}") for part in written)


def is_proxy(scope: Scope, proxies: tuple[Network, ...]) -> bool:
    """Return True where the peer is a proxy whose word counts."""
    client = scope.get("client")
    return client is not None and within(client[0], proxies) and not is_rewritten(scope)


def is_local(scope: Scope) -> bool:
    """Return True for a program on this machine that speaks for itself, not for somebody elsewhere."""
    client = scope.get("client")
    if client is None or is_rewritten(scope) or not within(client[0], OWN_MACHINE):
        return False
    headers = Headers(scope=scope)
    return not any(name in headers for name in FORWARDED)


def is_https(scope: Scope, proxies: tuple[Network, ...]) -> bool:
    """Return True where the person's own connection is encrypted, as far as a trusted proxy or this server knows."""
    if is_proxy(scope, proxies):
        told = Headers(scope=scope).getlist("x-forwarded-proto")
        if told:
            return told[-1].rpartition(",")[2].strip().lower() in ("https", "wss")
    return scope.get("scheme") in ("https", "wss") and not is_rewritten(scope)
