"""A file that could not be used."""

from __future__ import annotations

from dataclasses import dataclass

from core.i18n import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A file that was not used, and why."""

    file: str
    code: str
    what: Text
    fix: Text
    line: int | None = None
    field: str | None = None
