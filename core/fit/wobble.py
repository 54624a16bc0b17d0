"""How much the speed of a server changes within one level, from the requests: what a disturbed machine shows.

A machine shared with other work stalls for seconds. A sparse sweep cannot tell that from its means, which may happen
to rise; the records of any one level can. TPOT is looked at, since it depends least on queues and prompts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.model.metric import Metric
from core.model.stage import Stage

BLOCKS = 8
"""Stretches of a level that are compared, by the time of sending."""

HEARD = 3.0
"""Weight of this change in the noise of a sweep, which is warned of and refused from a share on: a level is one draw of
disturbances that last long, and the next level, or the service, has another one."""

HOST = 1.5
"""Weight of the same in the range of an answer. With 1 the ranges on recorded disturbed sweeps held in 85 and 87 %,
with 2 in 94 % of the cases (python -m benchmarks.accuracy.noisy): chosen on those sweeps."""

_PER_BLOCK = 5
_LEAST_LEVELS = 3


def wobble(stages: Sequence[Stage]) -> float:
    """Return the rms over levels of the change of mean TPOT from stretch to stretch, relative; 0 where none tells.

    What the sampling of requests explains is taken out, and the first and last wave are left out:
    there the batch fills and drains.
    """
    found = [own for stage in stages if (own := _within(stage)) is not None]
    return float(np.sqrt(np.mean(np.square(found)))) if found else 0.0


def spread(stages: Sequence[Stage]) -> float:
    """Return the median over levels of sd over mean of TPOT, 0 where fewer than three levels tell."""
    known = [stage.statistics[Metric.TPOT] for stage in stages if Metric.TPOT in stage.statistics]
    ratios = [found.sd / found.mean for found in known if found.sd and found.mean]
    return float(np.median(ratios)) if len(ratios) >= _LEAST_LEVELS else 0.0


def _within(stage: Stage) -> float | None:
    requests = stage.requests
    if requests is None or stage.replicates > 1:
        return None
    known = requests.good & np.isfinite(requests.tpot_s) & np.isfinite(requests.start_s)
    values = requests.tpot_s[known][np.argsort(requests.start_s[known], kind="stable")]
    wave = int(min(max(stage.load or 0.0, 1.0), values.size / 4))
    values = values[wave : values.size - wave]
    if values.size < BLOCKS * _PER_BLOCK or not values.mean() > 0.0:
        return None
    means = np.array([part.mean() for part in np.array_split(values, BLOCKS)])
    by_chance = values.var() * BLOCKS / values.size
    return float(np.sqrt(max(means.var(ddof=1) - by_chance, 0.0)) / values.mean())
