"""Limits and paths, read once from the environment; nothing else reads it."""

from __future__ import annotations

import os
from dataclasses import dataclass
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


def blobs() -> str:
    """Return where large tables are kept: PLIMSOLL_BLOBS, "database" where it is not set."""
    return setting("BLOBS") or "database"


@dataclass(frozen=True, slots=True, kw_only=True)
class S3:
    """Where a bucket is: the address of a service that is not Amazon's, and the region."""

    endpoint: str = ""
    region: str | None = None


def s3() -> S3:
    """Return PLIMSOLL_S3_ENDPOINT and PLIMSOLL_S3_REGION; the region of AWS_REGION where that is not set."""
    regions = (setting("S3_REGION"), os.environ.get("AWS_REGION"), os.environ.get("AWS_DEFAULT_REGION"))
    return S3(endpoint=setting("S3_ENDPOINT"), region=next(filter(None, regions), None))


def draft_bytes() -> int:
    """Return how large unsaved work may be to be kept unasked: PLIMSOLL_DRAFT_MB, 256 where it is not set."""
    said = setting("DRAFT_MB")
    return (int(said[:6]) if said.isascii() and said.isdigit() else 256) * MEGABYTE


def price_days() -> int:
    """Return after how many days a price is marked as old: PLIMSOLL_PRICE_DAYS, 90 where it is not set."""
    said = setting("PRICE_DAYS")
    return int(said[:6]) if said.isascii() and said.isdigit() else 90


def originals() -> str:
    """Return what is kept of uploaded files: PLIMSOLL_KEEP_ORIGINALS, "off", "stripped" or "whole"."""
    said = setting("KEEP_ORIGINALS").lower()
    # A word that is none of these keeps nothing: what is kept by mistake cannot be taken back.
    return said if said in ("stripped", "whole") else "off"
