"""What a probability of leading is worth against a known leader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.compare.fitting import Row
from core.compare.compare import LEADS_FROM

BINS = 10


def figures(rows: Sequence[Row]) -> dict[str, float]:
    """Return the figures of pairs whose chance is one number.

    calibration_error  mean over ten bins of as many pairs of |chance - share that leads|
    brier              mean squared distance of the chance from what is true; brier_best: of taking the better estimate
    named              share of pairs in which a leader is named; named_right: of these, how many truly lead
    """
    told = [row for row in rows if row[0].is_told]
    chance = np.array([row[0].low for row in told])
    leads, best = (np.array([row[place] for row in told], float) for place in (1, 2))
    named = (chance >= LEADS_FROM) | (chance <= 1.0 - LEADS_FROM)
    right = (chance > 0.5) == (leads > 0.5)
    return {
        "n": len(told),
        "calibration_error": round(float(calibration_error(chance, leads)), 4),
        "brier": round(float(np.mean((chance - leads) ** 2)), 4),
        "brier_best": round(float(np.mean((best - leads) ** 2)), 4),
        "named": round(float(named.mean()), 4),
        "named_right": round(float(right[named].mean()), 4),
    }


def of_bounds(rows: Sequence[Row]) -> dict[str, float]:
    """Return the figures of pairs of which only bounds of the chance are known.

    named and named_right as above; inside: how far the share that leads stays within the mean bounds (0: it does).
    """
    open_ = [row for row in rows if not row[0].is_told]
    low, high = (np.array([getattr(row[0], end) for row in open_]) for end in ("low", "high"))
    leads = np.array([row[1] for row in open_], float)
    named = (low >= LEADS_FROM) | (high <= 1.0 - LEADS_FROM)
    right = (low > 0.5) == (leads > 0.5)
    return {
        "n": len(open_),
        "named": round(float(named.mean()), 4),
        "named_right": round(float(right[named].mean()), 4),
        "outside": round(float(max(low.mean() - leads.mean(), leads.mean() - high.mean(), 0.0)), 4),
    }


def calibration_error(chance: np.ndarray, leads: np.ndarray) -> float:
    """Return the mean distance of chance and share over bins of as many pairs each."""
    parts = bins(chance)
    return sum(len(p) * abs(chance[p].mean() - leads[p].mean()) for p in parts) / len(chance)


def bins(chance: np.ndarray) -> list[np.ndarray]:
    return [part for part in np.array_split(np.argsort(chance, kind="stable"), BINS) if len(part)]


def bin_rows(rows: Sequence[Row]) -> list[dict[str, float]]:
    """Return, for each bin, the mean chance said and the share that leads."""
    told = [row for row in rows if row[0].is_told]
    chance, leads = np.array([row[0].low for row in told]), np.array([row[1] for row in told], float)
    return [
        {"said": round(float(chance[p].mean()), 4), "found": round(float(leads[p].mean()), 4), "n": len(p)}
        for p in bins(chance)
    ]
