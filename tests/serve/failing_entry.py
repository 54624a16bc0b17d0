"""Serves the failing app as `serve/asgi.py` serves the real one."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.routing import Route

from core.settings import database_url
from serve import failures, front
from serve.database import Database


async def fail(_request):
    """Fail outside of any script."""
    raise RuntimeError("the-text-of-the-error")


settings, _ = front.start()
app = st.App(
    Path(__file__).with_name("failing.py"),
    middleware=front.middleware(settings, Database(database_url)),
    routes=[Route("/fail", fail)],
    on_script_error=failures.on_script_error,
    exception_handlers={Exception: failures.on_request_error},
)
