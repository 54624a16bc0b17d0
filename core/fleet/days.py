"""Days to start from: how demand moves over 24 hours (data/presets/days.csv), each with where it comes from."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

from core.i18n import Text, t
from core.model.demand_curve import DAY_POINTS, Curve, CurveKind
from core.settings import DATA

NAMES: dict[str, Text] = {
    "office": t("Office hours"),
    "consumer": t("Evenings"),
    "worldwide": t("Users all over the world"),
    "deepseek": t("DeepSeek's published day"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPreset:
    """A named day.

    Attributes:
        curve: 24 hours, of a shape alone.
        source: where it comes from, "" where it is ours. url: address of the source.
        standing: what of it is the source's; "ours" where nothing is.
    """

    id: str
    name: Text
    curve: Curve
    source: str
    url: str
    standing: str

    @property
    def ours(self) -> bool:
        """Return True where no source stands behind it."""
        return not self.source


@cache
def day_presets() -> tuple[DayPreset, ...]:
    """Return every preset in the order of the file."""
    with (DATA / "presets" / "days.csv").open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    return tuple(
        DayPreset(
            id=row["preset"],
            name=NAMES[row["preset"]],
            curve=Curve(
                points=tuple(float(row[f"h{hour:02d}"]) for hour in range(DAY_POINTS)),
                kind=CurveKind.PRESET,
                name=row["preset"],
            ),
            source=row["source"],
            url=row["url"],
            standing=row["standing"],
        )
        for row in rows
    )


def day_of(name: str) -> Curve | None:
    """Return the curve of a preset, None where there is none of that name."""
    return next((preset.curve for preset in day_presets() if preset.id == name), None)
