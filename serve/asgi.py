"""Entry of the app on the network: `streamlit run serve/asgi.py`, or `uvicorn serve.asgi:app` (docs/deploy.md)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# `streamlit run` looks for modules beside this file, where each is meant to be found as a part of `serve` only.
sys.path[:] = [str(ROOT), *(each for each in sys.path if Path(each or ".").resolve() not in (ROOT, ROOT / "serve"))]

import streamlit as st  # noqa: E402  # after the path is right

from core.settings import database_url  # noqa: E402
from serve import failures, front  # noqa: E402
from serve.database import Database  # noqa: E402

settings, secrets = front.start()
database = Database(database_url)


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Make the database ready beside serving: the process answers at once, and says when it can work."""
    preparing = asyncio.create_task(database.prepare())
    yield
    preparing.cancel()
    with suppress(asyncio.CancelledError):
        await preparing
    database.close()


app = st.App(
    ROOT / "app.py",
    lifespan=lifespan,
    middleware=front.middleware(settings, database),
    secrets={section: dict(said) for section, said in secrets.items()},
    on_script_error=failures.on_script_error,
    exception_handlers={Exception: failures.on_request_error},
)
