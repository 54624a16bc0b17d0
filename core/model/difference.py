"""One condition of a run beside the same condition of the service's own traffic."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Match(StrEnum):
    """Whether both are the same; unknown is never equal. Stored and printed: never rename one."""

    EQUAL = "equal"
    DIFFERENT = "different"
    NOT_MEASURED = "not_measured"
    NOT_SAID = "not_said"


class Effect(StrEnum):
    """What a difference alone does to the answer. Stored and printed: never rename one."""

    NONE = "none"
    WIDENS = "widens"
    LOWERS = "lowers"
    UNTOLD = "cannot_tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A condition, as it was measured and as the service has it.

    Attributes:
        condition: "input_tokens", "output_tokens", "input_p95", "output_p95", "hit_rate" or "arrivals".
        measured, yours: tokens, a share, or a word for arrivals; None is unknown.
        effect: of this difference on its own, were everything else equal.
        safe: the safe number with this difference alone, None where there is none.
    """

    condition: str
    measured: float | str | None
    yours: float | str | None
    match: Match
    effect: Effect = Effect.NONE
    safe: int | None = None
