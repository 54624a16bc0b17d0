"""Tokens worth paying for: those of completed requests inside the limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.decide.inside import COLUMNS, judge, promised
from core.model.answer import LoadPoint
from core.model.metric import Metric, fraction
from core.model.run import Run
from core.model.stage import FloatArray, Requests, Stage
from core.model.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodShare:
    """Shares of completed requests, and of their tokens, that are inside the limits.

    Attributes:
        output, input, total: of tokens, 0 to 1; 1 where nothing tells. requests: of the requests themselves.
        complete: False where some of it could not be judged, so that good tokens are
            counted too high.
    """

    output: float = 1.0
    input: float = 1.0
    total: float = 1.0
    requests: float = 1.0
    complete: bool = False


def good_share(run: Run, point: LoadPoint, targets: Sequence[Target]) -> GoodShare:
    """Return the shares at a load, from the records of the measured levels on both sides of it.

    Between two levels a share is interpolated. Where the fitted values at the load keep
    every percentile target, the promise itself says how many requests may be outside
    (1 % for a p99), and the share is not taken to be lower than that, as far as the better
    of the two levels keeps it: a straight line from a good level to an overloaded one would throw away
    tokens that the promise counts.

    Args:
        run: stages with per-request records, where the files have them.
        point: load and fitted values there.
        targets: without any every completed request is good;
            those on a percentile of TTFT, TPOT, E2E or tokens/s per user judge single
            requests; a mean judges none, and a share of requests is about all of them.
    """
    if not targets:
        return GoodShare(complete=True)
    limits = promised(targets)
    floor = _promised(limits, point)

    def share(weight: Callable[[Requests], FloatArray]) -> float | None:
        levels = _around(run, point.at, lambda stage: _share(stage, limits, weight))
        if not levels:
            return None
        return max(_between(levels, point.at), min(floor, max(found for _, found in levels)))

    output = share(lambda r: r.output_tokens)
    if output is None:
        return GoodShare()
    into = share(lambda r: r.input_tokens)
    total = share(lambda r: r.input_tokens + r.output_tokens)
    requests = share(lambda r: np.ones(len(r)))
    return GoodShare(
        output=output,
        input=output if into is None else into,
        total=output if total is None else total,
        requests=output if requests is None else requests,
        complete=all(_judged(run, point.at, metric) for metric in _percentiles(targets)),
    )


def near(run: Run, load: float, value: Callable[[Stage], float | None]) -> float | None:
    """Interpolate a value of the stages linearly between the two levels around a load.

    Only the nearest level on each side counts, levels kept out of the fit do not; where
    one of the two has no value the other's is used, where neither has one it is None.
    """
    levels = _around(run, load, value)
    return _between(levels, load) if levels else None


def _around(run: Run, load: float, value: Callable[[Stage], float | None]) -> list[tuple[float, float]]:
    """Return (load, value) of the nearest level on each side, without those that have no value."""
    stages = sorted(((s.load, i) for i, s in enumerate(run.stages) if s.load is not None and s.excluded is None))
    below = [level for level in stages if level[0] <= load][-1:]
    above = [level for level in stages if level[0] >= load][:1]
    found = ((at, value(run.stages[i])) for at, i in dict.fromkeys(below + above))
    return [(at, one) for at, one in found if one is not None]


def _between(levels: list[tuple[float, float]], load: float) -> float:
    return float(np.interp(load, [at for at, _ in levels], [found for _, found in levels]))


def _share(stage: Stage, limits: dict[Metric, Target], weight: Callable[[Requests], FloatArray]) -> float | None:
    """Share of `weight` inside the limits; requests with something unknown are left out of both sums."""
    if stage.requests is None:
        return None
    requests = stage.requests
    tokens = weight(requests)
    inside = np.ones(len(requests), dtype=np.bool_)
    counted = requests.good & np.isfinite(tokens)
    for metric, target in limits.items():
        if not np.isfinite(COLUMNS[metric](requests)[requests.good]).any():
            continue
        judged = judge(requests, target)
        counted &= judged.known
        inside &= judged.kept
    whole = float(tokens[counted].sum())
    return float(tokens[counted & inside].sum()) / whole if whole > 0.0 else None


def _within(value: float, target: Target) -> bool:
    return value >= target.limit if target.op == ">=" else value <= target.limit


def _promised(limits: dict[Metric, Target], point: LoadPoint) -> float:
    """Smallest share of requests inside every limit if each percentile target holds: 1 - sum(1 - q)."""
    outside = 0.0
    for target in limits.values():
        fitted = point.metrics.get(f"{target.metric.value} {target.statistic}")
        if fitted is None or fitted.mid is None or not _within(fitted.mid, target):
            return 0.0
        outside += 1.0 - (fraction(target.statistic) or 0.0)
    return max(0.0, 1.0 - outside) if limits else 0.0


def _percentiles(targets: Sequence[Target]) -> set[Metric]:
    return {target.metric for target in targets if fraction(target.statistic) is not None}


def _judged(run: Run, load: float, metric: Metric) -> bool:
    def known(stage: Stage) -> float | None:
        if stage.requests is None or metric not in COLUMNS:
            return None
        return 1.0 if np.isfinite(COLUMNS[metric](stage.requests)).any() else None

    return near(run, load, known) is not None
