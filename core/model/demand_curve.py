"""How a demand moves over time: a day, or a longer trace, as a preset says or as a file was read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from core.errors import UsageError
from core.i18n import t
from core.letters import flatten

HOUR_S = 3600.0
DAY_POINTS = 24
MOST_POINTS = 9_000
"""A year of hours and some: a longer trace is summed into longer steps by whoever reads it."""
MOST_STEP_S = 7 * 24 * HOUR_S


class CurveKind(StrEnum):
    """Where a curve is from. Stored: never rename one."""

    PRESET = "preset"
    FILE = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Demand over time, step by step, without gaps; it repeats after its end.

    Only its shape is used: the peak is the demand's own (`core.model.scenario.Demand`).

    Attributes:
        points: mean demand of each step, >= 0, one of them above 0; of a file in the unit that it was read in.
        step_s: seconds of one step.
        kind: a preset or a file. name: id of the preset, or name of the file.
        peak: mean of the highest step in the unit of the demand that it was read as; None for a shape alone.
        inside: highest rate inside a step over the mean of the highest step, where the file has finer rows; >= 1.
        missing: steps that the file has no row for; they are left out.
        said: how the file was read, in the words of its headers.

    Raises:
        UsageError: "demand.curve" where it is no such thing.
    """

    points: tuple[float, ...]
    step_s: float = HOUR_S
    kind: CurveKind = CurveKind.PRESET
    name: str = ""
    peak: float | None = None
    inside: float | None = None
    missing: int = 0
    said: str = ""

    def __post_init__(self) -> None:
        flatten(self, "name", "said")
        lawful = (
            0 < len(self.points) <= MOST_POINTS
            and all(math.isfinite(point) and point >= 0.0 for point in self.points)
            and max(self.points, default=0.0) > 0.0
            and math.isfinite(max(self.points) * len(self.points))
            and 0.0 < self.step_s <= MOST_STEP_S
            and (self.peak is None or (math.isfinite(self.peak) and self.peak > 0.0))
            and (self.inside is None or (math.isfinite(self.inside) and self.inside >= 1.0))
            and self.missing >= 0
        )
        if not lawful:
            raise UsageError(
                "demand.curve",
                t("The demand over time is no row of numbers from 0 up, with one above 0"),
                fix=t("Choose a preset or send the file again"),
            )

    @property
    def shape(self) -> tuple[float, ...]:
        """Return the points as shares of the highest one, 0 to 1."""
        top = max(self.points)
        return tuple(point / top for point in self.points)

    @property
    def mean_share(self) -> float:
        """Return mean over peak: what of a fleet that is built for the peak is used in the mean."""
        return math.fsum(self.shape) / len(self.points)

    @property
    def whole_s(self) -> float:
        """Return how long it lasts before it repeats, seconds."""
        return self.step_s * len(self.points)
