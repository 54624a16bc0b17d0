"""The way to a provider, and from there back to where a person was (`serve.returning`)."""

from __future__ import annotations

from urllib.parse import quote, urlencode, urlsplit

import streamlit as st
from streamlit.auth_util import validate_auth_credentials
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.user_info import generate_login_redirect_url

from serve.returning import PARAMETER, sealed


def to_sign_in(provider: str) -> None:
    """Lead the browser to a provider as `st.login` does, and say where it is now.

    Args:
        provider: Streamlit's name of it.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    validate_auth_credentials(provider)
    message = ForwardMsg()
    back = sealed(_here())
    message.auth_redirect.url = generate_login_redirect_url(provider) + (f"&{PARAMETER}={back}" if back else "")
    context.enqueue(message)


def _here() -> str:
    """Return the address of this page as it stands now, without the host."""
    params = [(name, value) for name in st.query_params for value in st.query_params.get_all(name)]
    path = quote(urlsplit(st.context.url or "").path or "/", safe="/%")
    return f"{path}?{urlencode(params)}" if params else path
