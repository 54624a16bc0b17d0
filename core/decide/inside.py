"""Which requests are inside the limits: one definition, for goodput and for the tokens that are paid for.

A request keeps a limit where its own value does. Goodput asks for every other limit (the contract);
money asks what was promised of single requests (`promised`): a mean promises nothing of one request,
and a p50 beside a p99 lets half of them be slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.model.metric import Metric, fraction
from core.model.stage import FloatArray, Requests, Stage
from core.model.target import Target

BoolArray = npt.NDArray[np.bool_]

COLUMNS: dict[Metric, Callable[[Requests], FloatArray]] = {
    Metric.TTFT: lambda requests: requests.ttft_s,
    Metric.TPOT: lambda requests: requests.tpot_s,
    Metric.E2E: lambda requests: requests.e2e_s,
    Metric.TOK_S_USER: lambda requests: requests.tpot_s,
}
"""Where records hold what judges a request by each metric, in seconds."""

_BETWEEN_TOKENS = frozenset({Metric.TPOT, Metric.TOK_S_USER})


@dataclass(frozen=True, slots=True)
class Judged:
    """Which requests keep a limit, and of which it is known; both of shape (n,). What is unknown is not kept."""

    kept: BoolArray
    known: BoolArray


@dataclass(frozen=True, slots=True)
class Share:
    """Share of the requests sent that is inside every limit, between two bounds; equal where it was counted."""

    least: float
    most: float


def judge(requests: Requests, limit: Target) -> Judged:
    """Judge every request by one limit on a metric of `COLUMNS`.

    A request of one token has no gap between tokens, so that it keeps any limit on them. A floor on
    tokens per second and user is a ceiling on the time per token.
    """
    values = COLUMNS[limit.metric](requests)
    free = (requests.output_tokens <= 1.0) & (limit.metric in _BETWEEN_TOKENS)
    return Judged(kept=(values <= _ceiling(limit)) | free, known=np.isfinite(values) | free)


def promised(targets: Iterable[Target]) -> dict[Metric, Target]:
    """Return by metric the target that promises something of single requests: that of the highest percentile."""
    best: dict[Metric, Target] = {}
    for target in sorted(targets, key=lambda one: fraction(one.statistic) or 0.0):
        if fraction(target.statistic) is not None and target.metric in COLUMNS:
            best[target.metric] = target
    return best


def share_inside(stage: Stage, limits: Sequence[Target]) -> Share:
    """Return the share of the requests sent at a level that is inside every limit.

    Counted where the level has its requests; requests that failed, or that are not in the records, are
    outside. Bounded by the statistics of each metric by itself where it has none (Frechet).
    """
    if stage.requests is None or any(limit.metric not in COLUMNS for limit in limits):
        return _from_marginals(stage, limits)
    requests = stage.requests
    sure, possible = requests.good.copy(), requests.good.copy()
    for limit in limits:
        judged = judge(requests, limit)
        sure &= judged.kept
        possible &= judged.kept | ~judged.known
    sent = max(sent_at(stage), 1)
    return Share(float(sure.sum()) / sent, float(possible.sum()) / sent)


def sent_at(stage: Stage) -> int:
    """Return how many requests a level sent: those in its records where their number is not told, or is smaller."""
    held = len(stage.requests) if stage.requests is not None else 0
    return max(held, stage.requests_sent or 0)


def _from_marginals(stage: Stage, limits: Sequence[Target]) -> Share:
    each = [_share_within(stage, limit) for limit in limits]
    least = max(0.0, 1.0 - sum(1.0 - share.least for share in each))
    most = min((share.most for share in each), default=1.0)
    answered = _answered(stage)
    return Share(least * (answered or 0.0), most * (1.0 if answered is None else answered))


def _answered(stage: Stage) -> float | None:
    """Return the share of the requests sent that were answered, None where failures are not counted."""
    good, failed = stage.requests_good, stage.requests_failed
    if good is None or failed is None:
        return None
    return good / max(good + failed + (stage.requests_cut_off or 0), stage.requests_sent or 0, 1)


def _share_within(stage: Stage, limit: Target) -> Share:
    """Return bounds of the share of good requests that keep one limit, from its metric's quantiles.

    A quantile of n requests lies between two of them, so that it tells their share to 1/n.
    """
    metric = Metric.TPOT if limit.metric is Metric.TOK_S_USER else limit.metric
    found = stage.statistics.get(metric)
    # Gaps are pooled over requests: how they are spread over the requests is not known.
    if found is None or metric is Metric.ITL:
        return Share(0.0, 1.0)
    n = found.n or stage.requests_good
    step, most = 1.0 / n if n else 0.0, _ceiling(limit)
    low = max((q for q, value in found.quantiles.items() if value <= most), default=0.0)
    high = min((q for q, value in found.quantiles.items() if value > most), default=1.0)
    return Share(max(low - step, 0.0), min(max(low, high) + step, 1.0))


def _ceiling(limit: Target) -> float:
    return 1.0 / limit.limit if limit.metric is Metric.TOK_S_USER else limit.limit
