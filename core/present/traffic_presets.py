"""Traffic to start from, each with where its lengths come from (data/presets/lengths.csv)."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

from core.i18n import Text, t
from core.model.traffic import Profile
from core.settings import DATA

NAMES: dict[str, Text] = {
    "chat": t("Chat"),
    "code_generation": t("Code generation"),
    "summaries": t("Summaries"),
    "documents": t("Long documents"),
    "long_prompt": t("Long prompts"),
    "short_answers": t("Short answers"),
    "reasoning": t("Reasoning"),
    "completion": t("Code completion"),
    "agents": t("Agents"),
    "retrieval": t("Answers from documents"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficPreset:
    """Named lengths; hit rate and arrivals are nobody's but the service's own.

    Attributes:
        source: where the lengths come from, in the words of the source.
        url: address of the source, "" where there is none.
        as_published: True where the source has these very lengths, False where we chose them.
    """

    id: str
    name: Text
    profile: Profile
    source: str
    url: str
    as_published: bool


@cache
def traffic_presets() -> tuple[TrafficPreset, ...]:
    """Return every preset in the order of the file."""
    with (DATA / "presets" / "lengths.csv").open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    return tuple(
        TrafficPreset(
            id=row["preset"],
            name=NAMES[row["preset"]],
            profile=Profile(input_tokens=float(row["input_tokens"]), output_tokens=float(row["output_tokens"])),
            source=row["source"],
            url=row["url"],
            as_published=row["standing"] == "as in the source",
        )
        for row in rows
    )
