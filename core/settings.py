"""Limits and paths, read once from the environment; nothing else reads it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"

MEGABYTE = 1_000_000

PREFIX = "PLIMSOLL_"
"""Of every setting of ours in the environment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What an upload may be before it is refused unread (uploads are hostile).

    `file_bytes` holds for what has to be read at once; what is read in blocks (`core.ingest.source`) may be
    `stream_bytes` long with `requests` rows. Up to `kept_requests` of a file stay with their levels, beyond
    that only their statistics do; until these are worked out, more than `numbers_in_memory` lie on disk. Up to
    `kept_gaps` gaps between tokens are pooled exactly (docs/decisions/0009-millions-of-requests.md).
    """

    file_bytes: int = 200 * MEGABYTE
    line_bytes: int = 16 * MEGABYTE
    depth: int = 100
    json_parts: int = 5_000_000
    csv_columns: int = 2_000
    csv_rows: int = 2_000_000
    levels: int = 2_000
    name_chars: int = 300
    files: int = 2_000
    container_bytes: int = 400 * MEGABYTE
    container_ratio: int = 100
    stream_bytes: int = 100_000 * MEGABYTE
    requests: int = 25_000_000
    kept_requests: int = 500_000
    numbers_in_memory: int = 15_000_000
    kept_gaps: int = 10_000_000


LIMITS = Limits()


def data_home() -> Path:
    """Return the folder for saved scenarios: PLIMSOLL_HOME, else the user's data folder."""
    chosen = os.environ.get("PLIMSOLL_HOME")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "plimsoll"


def database_url() -> str:
    """Return the SQLAlchemy URL: PLIMSOLL_DATABASE_URL, else SQLite under `data_home`."""
    return os.environ.get("PLIMSOLL_DATABASE_URL") or f"sqlite:///{data_home() / 'plimsoll.db'}"


def inbox() -> Path | None:
    """Return the watched folder whose files the Data page offers: PLIMSOLL_INBOX, None where it is not set."""
    chosen = os.environ.get("PLIMSOLL_INBOX")
    return Path(chosen) if chosen else None


def setting(name: str) -> str:
    """Return what PLIMSOLL_<name> says, or the file that PLIMSOLL_<name>_FILE names; "" where neither is set.

    Raises:
        OSError, UnicodeDecodeError: the file cannot be read.
    """
    said = os.environ.get(PREFIX + name, "").strip()
    path = os.environ.get(f"{PREFIX}{name}_FILE", "").strip()
    return said or (Path(path).read_text(encoding="utf-8").strip() if path else "")


class SignIn(StrEnum):
    """Who says who a person is: nobody (one user), a provider by OpenID Connect, or a proxy in a header."""

    OFF = "off"
    OIDC = "oidc"
    HEADER = "header"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """How the app answers over the network.

    Attributes:
        user_header, name_header: what a trusted proxy says a person's address and name in, "" where it does not.
        proxies: networks whose word on people and on https counts.
        frames: sources that may show the app inside a page of theirs, as CSP's frame-ancestors.
        metrics_token: what a reader of the metrics has to know; without one only this machine may read them.
        json_log: True where each line of the log is a JSON object.
        replica: the name of this process among several, told in a header; "" where it has none.
    """

    sign_in: SignIn = SignIn.OFF
    user_header: str = "x-auth-request-email"
    name_header: str = ""
    proxies: tuple[IPv4Network | IPv6Network, ...] = (ip_network("127.0.0.1"), ip_network("::1"))
    frames: str = "'none'"
    metrics_token: str = ""
    json_log: bool = False
    replica: str = ""


def serving() -> Serving:
    """Return how to serve, as the environment says.

    Raises:
        ValueError: for a value that nobody can follow. The server must not start then: where sign-in is
            misspelt, everybody would be let in.
    """
    return Serving(
        sign_in=SignIn(_one_of("PLIMSOLL_SIGN_IN", tuple(SignIn))),
        user_header=_matching("PLIMSOLL_USER_HEADER", _HEADER, "X-Auth-Request-Email").lower(),
        name_header=_matching("PLIMSOLL_NAME_HEADER", _HEADER, "").lower(),
        proxies=_networks("PLIMSOLL_TRUSTED_PROXIES", "127.0.0.1,::1"),
        frames=_matching("PLIMSOLL_FRAME_ANCESTORS", _SOURCES, "'none'"),
        metrics_token=_matching("PLIMSOLL_METRICS_TOKEN", _SECRET, ""),
        json_log=_one_of("PLIMSOLL_LOG", ("plain", "json")) == "json",
        replica=_matching("PLIMSOLL_REPLICA", _NAME, ""),
    )


_HEADER = re.compile(r"[A-Za-z0-9-]{1,64}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SECRET = re.compile(r"[!-~]{16,}")
_SOURCES = re.compile(r"'none'|(?:(?:'self'|https?://[A-Za-z0-9.*:-]+)(?: (?=.)|$))+")


def _said(name: str, default: str) -> str:
    return os.environ.get(name, "").strip() or default


def _one_of(name: str, known: tuple[str, ...]) -> str:
    """Return what a setting says, the first of `known` where it says nothing."""
    said = _said(name, known[0])
    if said not in known:
        raise ValueError(f"{name} is one of {', '.join(known)}")
    return str(said)


def _matching(name: str, form: re.Pattern[str], default: str) -> str:
    # The value is not repeated: it may be a secret, and what is raised here ends in the log.
    said = _said(name, default)
    if said and not form.fullmatch(said):
        raise ValueError(f"{name} has a value that cannot be used; docs/deploy.md says what it may be")
    return said


def _networks(name: str, default: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in _said(name, default).split(",") if part.strip())
    except ValueError as error:
        raise ValueError(f"{name} is a list of addresses or networks, such as 127.0.0.1,10.0.0.0/8") from error
