"""A sweep in one file: one request at a time, some rates, and everything at once are one run.

GuideLLM's sweep measures a synchronous level and an unlimited burst first, to know which rates to
send. With one request in flight the arrival process makes no difference, so that level joins the
rates; the burst never reaches a steady state, so it joins them and is not used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from core.normalise.level import UNBOUNDED, Level


def as_one_sweep(levels: Sequence[Level]) -> list[Level]:
    """Return levels, those of a file's rate sweep with one arrival process and as open loop."""
    arrivals: dict[str, set[object]] = defaultdict(set)
    for level in levels:
        if level.stage.open_loop:
            arrivals[level.file.sha256].add(level.conditions.get("arrival"))
    swept = {sha256: next(iter(found)) for sha256, found in arrivals.items() if len(found) == 1}
    return [_joined(level, swept) if level.file.sha256 in swept else level for level in levels]


def _joined(level: Level, swept: dict[str, object]) -> Level:
    stage = level.stage
    single = not stage.open_loop and stage.asked_concurrency == 1.0
    if not single and stage.excluded != UNBOUNDED:
        return level
    arrival = swept[level.file.sha256]
    kept = {name: value for name, value in level.conditions.items() if name != "arrival"}
    told = {"arrival": arrival} if isinstance(arrival, str) else {}
    return replace(level, conditions={**kept, **told}, loop="open")
