"""Request lengths: levels with clearly different prompts or answers are not one run."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from core.normalise.level import Level

SAME_WITHIN = 1.10
"""Ratio of mean lengths up to which levels are of the same workload."""

SAMPLING = 3.0
"""Standard errors allowed on top where lengths are drawn at random (coefficient of variation 1)."""

UNKNOWN_COUNT = 100


def split_by_length(levels: Sequence[Level]) -> list[list[Level]]:
    """Part levels by mean input length, then by mean output length.

    A sweep is cut where neighbouring means (in order of length) differ by more than 10 % and
    both sides hold the same level, which one sweep never does; without such a level only where
    the difference is also beyond chance.
    """
    return [part for first in _parted(levels, input_length) for part in _parted(first, output_length)]


def input_length(level: Level) -> float | None:
    """Return the mean input length of a level, measured or else as a condition."""
    return _length(level.stage.input_tokens_mean, level.conditions.get("input_tokens_mean"))


def output_length(level: Level) -> float | None:
    """Return the mean output length of a level, measured or else as a condition."""
    return _length(level.stage.output_tokens_mean, level.conditions.get("output_tokens_mean"))


def _length(measured: float | None, condition: object) -> float | None:
    value = condition if measured is None else measured
    return float(value) if isinstance(value, int | float) and value > 0.0 else None


def _parted(levels: Sequence[Level], length: Callable[[Level], float | None]) -> list[list[Level]]:
    known = sorted(
        (level for level in levels if length(level) is not None),
        key=lambda level: (length(level) or 0.0, level.file.name),
    )
    unknown = [level for level in levels if length(level) is None]
    parts: list[list[Level]] = []
    for position, level in enumerate(known):
        if parts and not _cut(parts[-1], known[position:], length):
            parts[-1].append(level)
        else:
            parts.append([level])
    if unknown and len(parts) == 1:
        parts[0].extend(unknown)
    elif unknown:
        parts.append(unknown)
    return parts


def _cut(left: Sequence[Level], right: Sequence[Level], length: Callable[[Level], float | None]) -> bool:
    ratio = (length(right[0]) or 0.0) / (length(left[-1]) or 1.0)
    if ratio <= SAME_WITHIN:
        return False
    if {level.load_key for level in left} & {level.load_key for level in right}:
        return True
    fewest = min(level.stage.requests_good or UNKNOWN_COUNT for level in (left[-1], right[0]))
    return ratio > SAME_WITHIN + SAMPLING / math.sqrt(fewest)
