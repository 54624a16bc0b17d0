"""The largest difference between sides of a doubt at a load that both measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from core.model.metric import Metric
from core.normalise.doubts import Contrast
from core.normalise.level import Level

_COMPARED = ((Metric.TTFT, "mean"), (Metric.TTFT, "p50"), (Metric.TPOT, "mean"), (Metric.TPOT, "p50"))


def contrast_of(sides: Sequence[tuple[str, Sequence[Level]]]) -> Contrast | None:
    """Return where two sides differ most at a load that both measured."""
    found = []
    for (name, levels), (other_name, others) in combinations(sides, 2):
        for one in levels:
            for other in others:
                if one.load_key == other.load_key:
                    found += [_between(name, one, other_name, other, *each) for each in _COMPARED]
    known = [each for each in found if each is not None]
    return max(known, key=lambda each: each.high / each.low, default=None)


def _between(name: str, one: Level, other_name: str, other: Level, metric: Metric, statistic: str) -> Contrast | None:
    mine, theirs, load = one.stage.value(metric, statistic), other.stage.value(metric, statistic), one.stage.load
    if not mine or not theirs or load is None or not (0.0 < mine < math.inf and 0.0 < theirs < math.inf):
        return None
    (low, lower), (high, higher) = sorted(((mine, name), (theirs, other_name)))
    return Contrast(load=load, metric=metric, statistic=statistic, low=low, high=high, lower=lower, higher=higher)
