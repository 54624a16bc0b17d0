"""Something a reader should know about the data: never an exception."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.errors import Place
from core.i18n import Text
from core.letters import flatten


class Severity(StrEnum):
    """How much a finding weakens the answer. Stored: never rename one."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One observation with its place, its consequence and the next step.

    Attributes:
        code: stable, lower-case and dotted; listed in docs/codes.md.
        where: file and field it was seen in.
        what: what was seen, with its numbers.
        consequence: what that does to the answer, None where `what` says it.
        fix: what to do about it, None where nothing needs doing.
    """

    code: str
    severity: Severity
    where: Place
    what: Text
    consequence: Text | None = None
    fix: Text | None = None

    def __post_init__(self) -> None:
        flatten(self, "code")
