"""Sets of targets to start from, each with where its numbers come from (data/presets/targets.csv)."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from core.i18n import Text, t
from core.model.metric import Metric
from core.model.target import Target, parse_target
from core.model.workload import WorkloadKind
from core.settings import DATA

NAMES: dict[str, Text] = {
    "chat": t("Chat"),
    "chat_premium": t("Chat, fast"),
    "reading": t("Chat, no slower than reading"),
    "reasoning": t("Reasoning"),
    "agents": t("Agents"),
    "api": t("API for many users"),
    "code": t("Code completion"),
    "retrieval": t("Answers from documents, summaries"),
    "voice": t("Voice"),
    "batch": t("Batch"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named set of targets.

    Attributes:
        kind: of workload that it is made for.
        targets: none for a batch, whose only promise is when it is done.
        source: where the limits come from, in the words of the source.
        url: address of the source, "" where there is none.
        as_published: True where the source has these very limits, False where we chose them after it.
    """

    id: str
    name: Text
    kind: WorkloadKind
    targets: tuple[Target, ...]
    source: str
    url: str
    as_published: bool


@cache
def presets() -> tuple[Preset, ...]:
    """Return every preset in the order of the file."""
    with (DATA / "presets" / "targets.csv").open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    found = []
    for name, group in groupby(rows, key=lambda row: row["preset"]):
        lines = list(group)
        found.append(
            Preset(
                id=name,
                name=NAMES[name],
                kind=WorkloadKind(lines[0]["kind"]),
                targets=tuple(_target(line) for line in lines if line["metric"]),
                source=lines[0]["source"],
                url=lines[0]["url"],
                as_published=lines[0]["standing"] == "as in the source",
            )
        )
    return tuple(found)


def _target(line: dict[str, str]) -> Target:
    op = ">=" if Metric(line["metric"]).higher_is_better else "<="
    return parse_target(f"{line['metric']} {line['statistic']} {op} {line['limit']}{line['unit']}")
