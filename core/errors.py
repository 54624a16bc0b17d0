"""Every error a user can meet: what happened, where, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from core.i18n import Text
from core.letters import flatten


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the user's own material a problem lies; every part is optional."""

    file: str | None = None
    line: int | None = None
    field: str | None = None

    def __post_init__(self) -> None:
        flatten(self, "file", "field")

    def __str__(self) -> str:
        parts = (self.file, f"line {self.line}" if self.line else None, self.field)
        return ", ".join(part for part in parts if part)


class PlimsollError(Exception):
    """Base of all errors that the pages and the command line show.

    Attributes:
        code: stable, lower-case and dotted; listed in docs/codes.md.
        what: what happened, as a sentence.
        fix: what to do next, as a sentence.
        place: file, line and field it is about.
    """

    def __init__(self, code: str, what: Text, *, fix: Text, place: Place | None = None) -> None:
        super().__init__(str(what))
        self.code, self.what, self.fix, self.place = code, what, fix, place or Place()

    def __str__(self) -> str:
        where = f" ({self.place})" if str(self.place) else ""
        return f"{self.what}{where}. {self.fix}"


class RefusedFileError(PlimsollError):
    """A file that cannot be used; the other files of the same upload still can."""


class UsageError(PlimsollError):
    """A target, price or option that was written in a way nobody can follow."""


class StoreError(PlimsollError):
    """A scenario that could not be saved, found or opened."""
