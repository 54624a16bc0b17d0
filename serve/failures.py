"""What nobody foresaw: the person sees a sentence with a number, the log holds the traceback under the same number."""

from __future__ import annotations

import logging
import secrets

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from core.errors import PlimsollError
from core.i18n import t
from pages.parts.errors import tell
from pages.parts.speech import say
from serve import counts

LOG = logging.getLogger("plimsoll.failures")

_SYMBOLS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without what is mistaken for another when it is read out."""

_STREAMLITS_LINE = "Uncaught app execution"


def on_script_error(error: Exception) -> bool:
    """Tell the person of an error that no page caught, and the log; return True: nothing else is to be shown.

    An error that has words of its own (it came out of a callback, where no page catches it) is told in them.
    """
    if isinstance(error, PlimsollError):
        tell(error)
        return True
    counts.failed()
    number = logged(error)
    st.error(
        say(
            t(
                "Something went wrong that nobody foresaw; what you saved is safe. Reload the page. If it happens"
                " again, tell whoever runs Plimsoll this number: {number}",
                number=number,
            )
        ),
        icon=":material/error:",
    )
    return True


async def on_request_error(_request: Request, error: Exception) -> PlainTextResponse:
    """Answer a request that failed, with the number under which the log has it."""
    return PlainTextResponse(f"Something went wrong. Number for the log: {logged(error)}\n", status_code=500)


def logged(error: BaseException) -> str:
    """Write an error into the log and return its number."""
    number = "".join(secrets.choice(_SYMBOLS) for _ in range(8))
    LOG.error("error %s: %s", number, type(error).__name__, exc_info=error, extra={"error_id": number})
    return number


def quiet_streamlit() -> None:
    """Leave out Streamlit's own line on an error of a script: ours has the same traceback, and the number."""
    logging.getLogger("streamlit.error_util").addFilter(lambda record: record.msg != _STREAMLITS_LINE)
