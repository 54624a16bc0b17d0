"""Whether the names of files that hold one level twice say more than "the same again"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.ingest.names import REPETITION, without_load

_FOLDERS_AND_END = re.compile(r"^.*[/\\]|(?:\.[A-Za-z]+)+$")
_PARTS = re.compile(r"[-_ .,()\[\]+=@#]+")
_STAMP = re.compile(r"(?:\d+|[0-9a-f]*\d[0-9a-f]*|\d{4,}t\d+z?|t|z|utc|copy)", re.IGNORECASE)
"""A counter, a date, a time, a hash: what tools and people put into a name to keep two results apart."""


def named_apart(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two names that differ in more than a load, a count, a date or a hash; None where no two do.

    >>> named_apart(["a/vllm-2replicas_conc8.json", "a/llm-d-1p1d_conc8.json"])
    ('vllm-2replicas_conc8.json', 'llm-d-1p1d_conc8.json')
    >>> named_apart(["base-conc8-20260428-095035.json", "base-conc8-20260429-101112.json", "base-conc8 (1).json"])
    """
    shown: dict[frozenset[str], str] = {}
    for name in names:
        bare = _FOLDERS_AND_END.sub("", name)
        parts = _PARTS.split(REPETITION.sub("", without_load(bare)).lower())
        shown.setdefault(frozenset(part for part in parts if part and not _STAMP.fullmatch(part)), _own(name))
    first, *others = shown.values()
    return (first, others[0]) if others else None


def _own(name: str) -> str:
    return re.split(r"[/\\]", name)[-1]
