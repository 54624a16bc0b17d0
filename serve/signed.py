"""Whether a browser brings the cookie that Streamlit signs when a person has signed in with a provider."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME


def has_signed_in(scope: Scope) -> bool:
    """Return True where the cookie is there and signed by this server.

    The page decides what its person may do, and for how long; here it is enough that it is not just anybody.
    """
    cookies = cookie_parser("; ".join(Headers(scope=scope).getlist("cookie")))
    value = cookies.get(USER_COOKIE_NAME)
    signed = value.encode("latin-1", "replace") if value else None
    return signed is not None and decode_signed_value(get_cookie_secret(), USER_COOKIE_NAME, signed) is not None
