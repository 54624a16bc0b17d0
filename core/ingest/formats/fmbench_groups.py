"""all_metrics.csv of FMBench: its groups of requests put together to one row per level.

Sums are exact: requests, tokens, and the time of a group as its prompt tokens over its prompt token
throughput (the throughput is rounded to two decimals, its own `transactions_per_second` too coarsely).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from core.ingest.fields import Fields
from core.ingest.formats.fmbench_readings import METRICS


def of_groups(rows: Sequence[Fields], keys: Sequence[str]) -> list[Fields]:
    """Return one row per level in the order of its first group, with the columns of a summary.

    Added are `successes` and `failures` (requests), and `duration_s`, None where a group does not tell.

    Args:
        rows: one per group.
        keys: columns that tell configurations apart; the concurrency is added.

    Raises:
        RefusedFileError: a cell that is no number, with line and column.
    """
    levels: dict[tuple[object, ...], list[Fields]] = defaultdict(list)
    for row in rows:
        levels[tuple(row.values.get(key) for key in (*keys, "concurrency"))].append(row)
    return [_level(groups, keys) for groups in levels.values()]


def _level(groups: Sequence[Fields], keys: Sequence[str]) -> Fields:
    first = groups[0]
    good: list[int] = [group.count("successes") or 0 for group in groups]
    values: dict[str, object] = {key: first.values.get(key) for key in (*keys, "concurrency")}
    answered = sum(good)
    values["successes"] = answered
    # A group is always as large as the concurrency; FMBench pads the last one with its first request.
    sent = sum(group.count("transactions") or group.count("concurrency") or 0 for group in groups)
    values["failures"] = max(sent - answered, 0)
    values["duration_s"] = _duration(groups)
    for side in ("prompt", "completion"):
        total = _total(groups, f"all_{side}s_token_count")
        values[f"{side}_token_count_mean"] = total / answered if total is not None and answered else None
    for column in first.values:
        if column.partition("_")[0] in METRICS:
            values[column] = _mean(groups, good, column)
    found = Fields(values, first.place)
    found.findings = [finding for group in groups for finding in group.findings]
    return found


def _duration(groups: Sequence[Fields]) -> float | None:
    total = 0.0
    for group in groups:
        tokens, rate = group.not_negative("all_prompts_token_count"), group.not_negative("prompt_token_throughput")
        if not tokens or not rate:
            return None
        total += tokens / rate
    return total if math.isfinite(total) else None


def _total(groups: Sequence[Fields], column: str) -> float | None:
    found = [group.not_negative(column) for group in groups]
    return None if None in found else math.fsum(value for value in found if value is not None)


def _mean(groups: Sequence[Fields], good: Sequence[int], column: str) -> float | None:
    """Return the mean over requests: over groups, each weighted with its good ones."""
    pairs = [(group.not_negative(column), n) for group, n in zip(groups, good, strict=True)]
    known = [(value, n) for value, n in pairs if value is not None and n > 0]
    weight = sum(n for _, n in known)
    return sum(value * n for value, n in known) / weight if weight else None
