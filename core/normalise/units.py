"""The one place where a file's unit becomes seconds."""

from __future__ import annotations

from typing import TypeVar

from core.model.stage import FloatArray

Amount = TypeVar("Amount", float, FloatArray)

_FACTORS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ratio": 1.0}


def known_unit(unit: str) -> bool:
    """Return True if `seconds` can convert from this unit."""
    return unit in _FACTORS


def seconds(value: Amount, unit: str) -> Amount:
    """Convert a time, or an array of them, to seconds; a ratio (rtf) stays as it is.

    Args:
        value: in `unit`, any shape.
        unit: "s", "ms", "us", "ns" or "ratio".

    Raises:
        ValueError: another unit.

    >>> seconds(250.0, "ms"), seconds(2.0, "s"), seconds(0.5, "ratio")
    (0.25, 2.0, 0.5)
    """
    if unit not in _FACTORS:
        raise ValueError(f"not a unit of time: {unit}")
    return value * _FACTORS[unit]
