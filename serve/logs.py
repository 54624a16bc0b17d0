"""The log: one line an event, in words or as JSON, and no secret in it.

Streamlit and the server give each of their loggers a handler and a formatter of its own, some of them late. So it is
the record that is made safe when it is made, whoever writes it out; and whoever is about to is given our formatter.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urlsplit

from serve.redact import redacted

_SHORTEST_SECRET = 8


class Lines(logging.Formatter):
    """Writes a record as one line: plain with the traceback indented below, or as one JSON object."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        trace = record.exc_text or record.stack_info or ""
        if not self._as_json:
            # A name that somebody gave a file must not begin a line that looks like one of ours.
            said = record.getMessage().replace("\r", "\\r").replace("\n", "\\n")
            below = "".join(f"\n    {line}" for line in trace.splitlines())
            return f"{at} {record.levelname} {record.name}: {said}{below}"
        parts = {"time": at, "level": record.levelname, "logger": record.name, "message": record.getMessage()}
        extra = {"error_id": getattr(record, "error_id", None), "trace": trace or None}
        return json.dumps(parts | {name: value for name, value in extra.items() if value}, ensure_ascii=False)


def start(*, as_json: bool, secrets: Iterable[str] = ()) -> None:
    """Write every line of this process in one form from now on, without secrets.

    Args:
        as_json: one JSON object a line.
        secrets: what must never be written, beside what looks like a secret; short ones are left out, for they
            would be found in innocent words.
    """
    known = tuple(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)
    lines = Lines(as_json=as_json)
    make = logging.getLogRecordFactory()
    plain = logging.Formatter()

    def made(*args: Any, **kwargs: Any) -> logging.LogRecord:  # noqa: ANN401  # whatever logging passes on
        record = make(*args, **kwargs)
        record.msg, record.args = redacted(_message(record), known), ()
        if record.exc_info:
            record.exc_text = redacted(plain.formatException(record.exc_info), known)
            record.exc_info = None
        if record.stack_info:
            record.stack_info = redacted(record.stack_info, known)
        _dress(record.name, lines)
        return record

    logging.setLogRecordFactory(made)
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.StreamHandler(sys.stderr))
    logging.getLogger("plimsoll").setLevel(logging.INFO)
    logging.captureWarnings(capture=True)


def passwords(url: str) -> tuple[str, ...]:
    """Return the password in an address as it stands there and as it is meant, nothing where there is none."""
    try:
        said = urlsplit(url).netloc.rpartition("@")[0].partition(":")[2]
    except ValueError:
        return ()
    return tuple({said, unquote(said)}) if said else ()


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError):
        # A mistake in a line of the log must not end what it tells about.
        return f"{record.msg} {record.args}"


def _dress(name: str, lines: Lines) -> None:
    """Give our formatter to every handler that a record of this logger will reach."""
    logger: logging.Logger | None = logging.getLogger(name)
    while logger is not None:
        for handler in logger.handlers:
            if handler.formatter is not lines:
                handler.setFormatter(lines)
        logger = logger.parent if logger.propagate else None
