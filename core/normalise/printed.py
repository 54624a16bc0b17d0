"""A printed result and the file of the same run, recognised as one by the digits that were printed.

The printed result names neither date nor model, so it shares no key with the tool's JSON. Two runs do not
agree in duration, mean TTFT and output rate to the last of two decimals by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.model.metric import Metric
from core.normalise.level import Level, family

Digits = tuple[str, int, str, str, str]


def with_keys_of_results(levels: Sequence[Level]) -> list[Level]:
    """Return levels; a printed one has the run key of the one result file that it repeats."""
    keys: dict[Digits, list[str]] = {}
    for level in levels:
        digits = _digits(level)
        if digits and level.run_key is not None and not is_printed(level):
            keys.setdefault(digits, []).append(level.run_key)
    return [_told(level, keys) for level in levels] if keys else list(levels)


def _told(level: Level, keys: Mapping[Digits, Sequence[str]]) -> Level:
    digits = _digits(level)
    found = set(keys.get(digits, ())) if digits and is_printed(level) else set()
    return replace(level, run_key=found.pop()) if len(found) == 1 else level


def is_printed(level: Level) -> bool:
    """Return whether a level was read from what a tool printed, to a few digits."""
    return level.format_id.endswith("_console")


def _digits(level: Level) -> Digits | None:
    stage = level.stage
    ttft = stage.value(Metric.TTFT, "mean")
    if stage.duration_s is None or ttft is None or stage.output_tok_s is None or not stage.requests_good:
        return None
    shown = f"{stage.duration_s:.2f}", f"{ttft * 1e3:.2f}", f"{stage.output_tok_s:.2f}"
    return family(level.format_id), stage.requests_good, *shown
