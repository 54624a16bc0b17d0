"""Whether a browser brings the cookie that Streamlit signs when a person has signed in, and whether it has ended."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import TOKENS_COOKIE_NAME, USER_COOKIE_NAME

from core.errors import PlimsollError
from core.sign_in import sign_in
from core.vouched import person_of_claims

_OURS = re.compile(rf"(?:{re.escape(USER_COOKIE_NAME)}|{re.escape(TOKENS_COOKIE_NAME)})(?:_\d+)?")
"""The cookies of a sign-in; large ones come in parts."""


def has_signed_in(scope: Scope) -> bool:
    """Return True where the cookie is there, signed by this server, and names somebody whose sign-in has not ended."""
    return _is_good(_cookies(scope))


def past_cookies(scope: Scope) -> tuple[str, ...]:
    """Return the names of the cookies of a sign-in that signs nobody in any more, () where there is none."""
    cookies = _cookies(scope)
    if USER_COOKIE_NAME not in cookies or _is_good(cookies):
        return ()
    return tuple(name for name in cookies if _OURS.fullmatch(name))


def without(scope: Scope, names: tuple[str, ...]) -> list[tuple[bytes, bytes]]:
    """Return the headers of a request without some of its cookies."""
    kept = "; ".join(f"{name}={value}" for name, value in _cookies(scope).items() if name not in names)
    others = [(name, value) for name, value in scope["headers"] if name.lower() != b"cookie"]
    return [*others, (b"cookie", kept.encode("latin-1", "replace"))] if kept else others


def _cookies(scope: Scope) -> dict[str, str]:
    return cookie_parser("; ".join(Headers(scope=scope).getlist("cookie")))


def _is_good(cookies: Mapping[str, str]) -> bool:
    claims = _claims(cookies)
    # A setting that makes no sense any more lets nobody in.
    with suppress(PlimsollError):
        return claims is not None and not person_of_claims(claims, sign_in(), time.time()).is_nobody
    return False


def _claims(cookies: Mapping[str, str]) -> Mapping[str, object] | None:
    def one(name: str) -> bytes | None:
        signed = cookies.get(name, "").encode("latin-1", "replace")
        return decode_signed_value(get_cookie_secret(), name, signed) if signed else None

    text = get_cookie_with_chunks(one, USER_COOKIE_NAME)
    with suppress(ValueError):
        found = json.loads(text) if text else None
        return found if isinstance(found, dict) else None
    return None
