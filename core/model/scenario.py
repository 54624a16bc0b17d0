"""A scenario: everything needed to show one screen again, unchanged, a year later."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.errors import UsageError
from core.i18n import t
from core.letters import clean_text, flatten, is_blank, one_line
from core.model.answer import RunAnswer
from core.model.compared import Compared
from core.model.fleet import Fleet
from core.model.price import Price
from core.model.run import Run
from core.model.target import Target
from core.model.traffic import Traffic
from core.model.workload import Workload

SCHEMA_VERSION = 1
"""Raised when what is stored can no longer be read as before; older ones stay readable."""

NAME_CHARS = 120
NOTES_CHARS = 20_000

COLUMNS = 12
"""Columns of a person's own: more would not fit on any page that shows them."""


class DemandKind(StrEnum):
    """What a demand counts. Stored: never rename one."""

    CONCURRENCY = "concurrency"
    USERS = "users"
    REQ_S = "req_s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What the service has to carry at its peak.

    Attributes:
        peak: concurrent requests, active users (who pause for the scenario's think time), or requests/s; > 0.

    Raises:
        UsageError: "scenario.demand" where the peak is no number above 0.
    """

    peak: float
    kind: DemandKind = DemandKind.CONCURRENCY

    def __post_init__(self) -> None:
        if not (math.isfinite(self.peak) and self.peak > 0):
            raise UsageError(
                "scenario.demand",
                t("The demand is not a number above 0"),
                fix=t("Say how much the service has to carry at its peak, or leave it empty"),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionColumn:
    """A column of a person's own in the comparison of runs, such as lead time, rack power or vendor.

    Attributes:
        name: 1 to 120 characters on one line. values: in the person's words, by run id; none where unknown.
    """

    name: str
    values: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", clean_name(self.name))
        cleaned = {run: one_line(value)[:NAME_CHARS] for run, value in self.values.items()}
        object.__setattr__(self, "values", {run: value for run, value in cleaned.items() if value})


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
        decision: the person's own columns, `COLUMNS` at most. demand: what the service has to carry, None where unsaid.
        fleet: how the demand moves, what is added for safety and what else it could cost, None where nobody said.
        compared: differences that the person lets stand, and a study of before and after, None where nobody said.
        constants_version: fingerprint of the constants that answered, "" in what was saved before it was kept.

    Raises:
        UsageError: "scenario.name_empty", "scenario.name_too_long", "scenario.notes_too_long",
            "scenario.too_many_columns".
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
    decision: tuple[DecisionColumn, ...] = ()
    demand: Demand | None = None
    fleet: Fleet | None = None
    compared: Compared | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", clean_name(self.name))
        object.__setattr__(self, "notes", clean_text(self.notes))
        flatten(self, "method_version", "constants_version", "app_version")
        if len(self.decision) > COLUMNS:
            raise UsageError(
                "scenario.too_many_columns",
                t("There are more than {limit} columns of your own", limit=COLUMNS),
                fix=t("Remove some that do not decide"),
            )
        if len(self.notes) > NOTES_CHARS:
            raise UsageError(
                "scenario.notes_too_long",
                t("The notes hold more than {limit} characters", limit=NOTES_CHARS),
                fix=t("Shorten the notes"),
            )


def clean_name(text: str) -> str:
    r"""Return a name without control characters, on one line, without space around it.

    Raises:
        UsageError: nothing is left to be seen, or more than 120 characters are.

    >>> clean_name("  8 x H100\n\x00")
    '8 x H100'
    """
    kept = one_line(text)
    if is_blank(kept):
        raise UsageError("scenario.name_empty", t("The scenario has no name"), fix=t("Give it a name"))
    if len(kept) > NAME_CHARS:
        raise UsageError(
            "scenario.name_too_long",
            t("The name holds {length} characters, more than {limit}", length=len(kept), limit=NAME_CHARS),
            fix=t("Shorten the name, and put the rest into the notes"),
        )
    return kept
