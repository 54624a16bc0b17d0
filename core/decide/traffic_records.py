"""What the per-request records of a run say about lengths: their spread, and how the first token follows the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.model.run import Run
from core.model.stage import FloatArray, Requests

FEWEST = 200
"""Requests below which nothing is read from records."""

LEAST_SPREAD = 0.05
"""Spread of ln input tokens below which a slope on them is noise."""

_ERRORS = 2.0


@dataclass(frozen=True, slots=True)
class Slope:
    """Elasticity of the first token's time with the prompt's length: its low and high end (2 standard errors)."""

    low: float
    high: float


def length_quantile(run: Run, name: str, q: float) -> float | None:
    """Return the quantile of a length over its mean in the records, None without records.

    Args:
        run: its levels in use are read.
        name: "input_tokens" or "output_tokens".
        q: in (0, 1).
    """
    found = [getattr(records, name)[records.good] for records in _records(run)]
    values = np.concatenate(found) if found else np.empty(0)
    known = values[np.isfinite(values) & (values > 0.0)]
    if known.size < FEWEST:
        return None
    return float(np.quantile(known, q) / known.mean())


def prompt_slope(run: Run) -> Slope | None:
    """Return how much longer the first token takes for a longer prompt at one and the same load.

    Least squares of ln TTFT on ln input tokens with each level's means taken out; what the prompts of all
    do to the load is not in it. Held between 0 (no effect) and 1 (proportional).
    """
    pairs = [_centred(records) for records in _records(run)]
    x, y = (np.concatenate([pair[i] for pair in pairs]) if pairs else np.empty(0) for i in (0, 1))
    if x.size < FEWEST or float(np.std(x)) < LEAST_SPREAD:
        return None
    square = float(x @ x)
    slope = float(x @ y) / square
    error = _ERRORS * float(np.sqrt(np.sum((y - slope * x) ** 2) / (x.size - 1) / square))
    low, high = np.clip((slope - error, slope + error), 0.0, 1.0)
    return Slope(float(low), float(high))


def _records(run: Run) -> Iterator[Requests]:
    return (stage.requests for stage in run.stages if stage.excluded is None and stage.requests is not None)


def _centred(records: Requests) -> tuple[FloatArray, FloatArray]:
    with np.errstate(invalid="ignore"):
        fine = records.good & (records.input_tokens > 0.0) & (records.ttft_s > 0.0)
        fine &= np.isfinite(records.input_tokens) & np.isfinite(records.ttft_s)
    x, y = np.log(records.input_tokens[fine]), np.log(records.ttft_s[fine])
    return (x - x.mean(), y - y.mean()) if x.size else (x, y)
