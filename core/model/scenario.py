"""A scenario: everything needed to show one screen again, unchanged, a year later."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from core.errors import UsageError
from core.i18n import t
from core.model.answer import RunAnswer
from core.model.price import Price
from core.model.run import Run
from core.model.target import Target
from core.model.traffic import Traffic
from core.model.workload import Workload

SCHEMA_VERSION = 1
"""Raised when what is stored can no longer be read as before; older ones stay readable."""

NAME_CHARS = 120
NOTES_CHARS = 20_000

_REMOVED = frozenset({"Cc", "Cs"})
# Marks that turn the direction of text around: a name could be made to read as another.
_TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What a person saves. The answers are kept too, so that a later method changes no number.

    Attributes:
        name: 1 to 120 characters on one line; cleaned at birth, see `clean_name`.
        runs: as they were when it was saved, with exclusions and supplied conditions.
        answers: one for each run, as shown.
        notes: the person's own words.
        think_time_s: pause of a user between an answer and the next request, seconds.
        traffic: what the service's own users send, None where nothing was said of it.
        workload: what the deployment is for, with the job of a batch; None where nobody said.
        method_version: of the numbers. app_version: of the program that saved it.
        constants_version: fingerprint of the constants that answered, "" in what was saved before it was kept.

    Raises:
        UsageError: "scenario.name_empty", "scenario.name_too_long", "scenario.notes_too_long".
    """

    name: str
    runs: tuple[Run, ...]
    targets: tuple[Target, ...]
    price: Price | None
    answers: tuple[RunAnswer, ...]
    notes: str = ""
    think_time_s: float | None = None
    method_version: str
    constants_version: str = ""
    app_version: str
    schema_version: int = SCHEMA_VERSION
    traffic: Traffic | None = None
    workload: Workload | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", clean_name(self.name))
        if len(self.notes) > NOTES_CHARS:
            raise UsageError(
                "scenario.notes_too_long",
                t("The notes hold more than {limit} characters", limit=NOTES_CHARS),
                fix=t("Shorten the notes"),
            )


def clean_name(text: str) -> str:
    r"""Return a name without control characters, on one line, without space around it.

    Raises:
        UsageError: nothing is left, or more than 120 characters are.

    >>> clean_name("  8 x H100\n\x00")
    '8 x H100'
    """
    kept = one_line(text)
    if not kept:
        raise UsageError("scenario.name_empty", t("The scenario has no name"), fix=t("Give it a name"))
    if len(kept) > NAME_CHARS:
        raise UsageError(
            "scenario.name_too_long",
            t("The name holds {length} characters, more than {limit}", length=len(kept), limit=NAME_CHARS),
            fix=t("Shorten the name, and put the rest into the notes"),
        )
    return kept


def one_line(text: str) -> str:
    r"""Return text without control characters and marks of direction, on one line, without space around it.

    >>> one_line(" a\tb\u202e ")
    'a b'
    """
    line = "".join(" " if letter.isspace() else letter for letter in text)
    return "".join(c for c in line if unicodedata.category(c) not in _REMOVED and c not in _TURNING).strip()
