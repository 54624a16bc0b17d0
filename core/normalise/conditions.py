"""Conditions of a run: what its levels agree on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.model.run import Conditions
from core.normalise.lengths import SAME_WITHIN, input_length, output_length
from core.normalise.level import Level
from core.normalise.signature import MEASURED_AT_START, known_conditions


def conditions_of(levels: Sequence[Level]) -> Conditions:
    """Return every condition that is equal wherever it is known; the others are unknown.

    Mean lengths are measured at each level: within 10 % they are one condition, the mean
    weighted by requests; further apart they are unknown.
    """
    seen: dict[str, set[object]] = {}
    for level in levels:
        for name, value in known_conditions(level.conditions).items():
            seen.setdefault(name, set()).add(value)
    agreed = {name: next(iter(values)) for name, values in seen.items() if len(values) == 1}
    agreed |= {name: least for name in MEASURED_AT_START if (least := _least(seen.get(name, set()))) is not None}
    agreed["input_tokens_mean"] = _length(levels, input_length)
    agreed["output_tokens_mean"] = _length(levels, output_length)
    for name in ("cache_hit_rate", "acceptance_length"):
        measured = [getattr(level.stage, name) for level in levels]
        if agreed.get(name) is None and len(set(measured)) == 1:
            agreed[name] = measured[0]
    return Conditions(**agreed)  # type: ignore[arg-type]  # known_conditions has checked names and types


def _least(values: set[object]) -> object:
    """Return the least of figures that differ by no more than starts of one server do, else None."""
    numbers = [value for value in values if isinstance(value, int | float)]
    return min(numbers) if numbers and max(numbers) <= SAME_WITHIN * min(numbers) else None


def _length(levels: Sequence[Level], length: Callable[[Level], float | None]) -> float | None:
    pairs = [(value, level.stage.requests_good or 1) for level in levels if (value := length(level)) is not None]
    if not pairs:
        return None
    values = [value for value, _ in pairs]
    if min(values) == max(values):
        return values[0]
    if max(values) > SAME_WITHIN * min(values):
        return None
    return sum(value * count for value, count in pairs) / sum(count for _, count in pairs)
