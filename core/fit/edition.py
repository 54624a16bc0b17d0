"""Which constants answered: a short fingerprint of their file, printed with every answer and kept with saved ones."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from core.fit.method import VERSION
from core.settings import DATA

_CHARS = 8


@cache
def edition() -> str:
    """Return the fingerprint of the constants that come with Plimsoll."""
    return edition_of(DATA / "method" / f"constants-{VERSION}.json")


def edition_of(path: Path) -> str:
    """Return the first eight digits of the sha256 of a constants file, "" where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:_CHARS]
    except OSError:
        return ""
