"""Several executions of one level become one stage with more requests behind it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from core.i18n import Text, joined, t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.stage import FloatArray, Requests, Stage, Statistics
from core.normalise.level import Level
from core.normalise.named_apart import named_apart
from core.normalise.records import statistics_of

_TOTALS = ("requests_sent", "requests_good", "requests_failed", "requests_cut_off")
_OVER_TIME = (
    "applied_rate",
    "achieved_rate",
    "achieved_concurrency",
    "output_tok_s",
    "total_tok_s",
    "memory_used_fraction",
    "kv_used_fraction",
)
_OVER_REQUESTS = (
    "input_tokens_mean",
    "output_tokens_mean",
    "cached_input_tokens_mean",
    "cache_hit_rate",
    "acceptance_length",
)


def pooled(levels: Sequence[Level]) -> tuple[list[Stage], list[Finding]]:
    """Return one stage per level of one configuration, and what was pooled.

    Requests are put together where every execution has them, so that percentiles stay exact.
    Otherwise means and standard deviations are weighted by requests, which is exact too, and
    quantiles are the request-weighted mean of their logarithms, which is an approximation.
    """
    stages: list[Stage] = []
    findings: list[Finding] = []
    partly: dict[tuple[Metric, ...], list[tuple[Level, Text]]] = defaultdict(list)
    for ranked in executions(levels):
        if len(ranked) == 1:
            stages.append(ranked[0].stage)
            continue
        stages.append(_pooled(ranked))
        findings.append(_noted(ranked, stages[-1]))
        for metrics, share in _shares(ranked, stages[-1]).items():
            partly[metrics].append((ranked[0], share))
    return stages, [*findings, *(_partly_known(metrics, found) for metrics, found in sorted(partly.items()))]


def executions(levels: Sequence[Level]) -> list[list[Level]]:
    """Return the levels that become one stage each, in the order of the stages of `pooled`.

    What is left out is not pooled with what is used; a level without a load is with no other.
    """
    same: dict[object, list[Level]] = defaultdict(list)
    for position, level in enumerate(levels):
        alone = position if level.stage.load is None else None
        same[level.load_key, level.stage.excluded, alone].append(level)
    return [sorted(members, key=lambda level: (level.file.name, str(level.stage.where))) for members in same.values()]


def _pooled(levels: Sequence[Level]) -> Stage:
    stages = [level.stage for level in levels]
    requests, gaps_s = _records(levels)
    seconds = _weights([stage.duration_s for stage in stages])
    counts = _weights([stage.requests_good for stage in stages])
    exact = statistics_of(requests, gaps_s) if requests is not None else {}
    metrics = sorted({metric for stage in stages for metric in stage.statistics} - exact.keys())
    given = {m: _statistics([s.statistics[m] for s in stages if m in s.statistics]) for m in metrics}
    values: dict[str, float | int | None] = {name: _total(stages, name) for name in _TOTALS}
    values |= {name: _mean([getattr(stage, name) for stage in stages], seconds) for name in _OVER_TIME}
    values |= {name: _mean([getattr(stage, name) for stage in stages], counts) for name in _OVER_REQUESTS}
    limits = {stage.max_num_seqs for stage in stages}
    return replace(
        stages[0],
        statistics={**given, **exact},
        requests=requests,
        duration_s=_total(stages, "duration_s"),
        max_num_seqs=stages[0].max_num_seqs if len(limits) == 1 else None,
        active_load_by_worker=None,
        measured_on=min((stage.measured_on for stage in stages if stage.measured_on), default=None),
        replicates=len(stages),
        load_from_name=any(stage.load_from_name for stage in stages),
        replicate_spread=_spread(stages),
        **values,  # type: ignore[arg-type]  # names of Stage, see the three lists above
    )


def _records(levels: Sequence[Level]) -> tuple[Requests | None, FloatArray]:
    records = [level.stage.requests for level in levels if level.stage.requests is not None]
    if len(records) < len(levels):
        return None, np.empty(0)

    def column(of: Callable[[Requests], FloatArray]) -> FloatArray:
        return np.concatenate([of(each) for each in records])

    requests = Requests(
        start_s=_one_after_another(records),
        ttft_s=column(lambda r: r.ttft_s),
        tpot_s=column(lambda r: r.tpot_s),
        e2e_s=column(lambda r: r.e2e_s),
        input_tokens=column(lambda r: r.input_tokens),
        output_tokens=column(lambda r: r.output_tokens),
        good=np.concatenate([each.good for each in records]),
    )
    # Gaps of some of the executions would speak for all of them: then there are none.
    whole = all(level.gaps_s.size for level in levels)
    return requests, np.concatenate([level.gaps_s for level in levels]) if whole else np.empty(0)


def _one_after_another(records: Sequence[Requests]) -> FloatArray:
    """Shift each execution behind the one before: on one clock they would seem to overlap."""
    shifted, offset = [], 0.0
    for each in records:
        known = np.isfinite(each.start_s)
        first = float(each.start_s[known].min()) if known.any() else 0.0
        start = each.start_s - first + offset
        shifted.append(start)
        ends = np.concatenate([start, start + each.e2e_s])
        ends = ends[np.isfinite(ends)]
        offset = float(ends.max()) if ends.size else offset
    return np.concatenate(shifted)


def _statistics(parts: Sequence[Statistics]) -> Statistics:
    if len(parts) == 1:
        return parts[0]
    weights = _weights([part.n for part in parts])
    mean = _mean([part.mean for part in parts], weights)
    shared = set.intersection(*(set(part.quantiles) for part in parts))
    counts = [part.n for part in parts if part.n is not None]
    return Statistics(
        mean=mean,
        sd=_sd(parts, weights, mean),
        n=sum(counts) if len(counts) == len(parts) else None,
        quantiles={q: _log_mean([part.quantiles[q] for part in parts], weights) for q in sorted(shared)},
        rule="pooled",
    )


def _sd(parts: Sequence[Statistics], weights: FloatArray, mean: float | None) -> float | None:
    """Return the sd of all requests together: variance within plus variance between."""
    pairs = [(part.sd, part.mean) for part in parts if part.sd is not None and part.mean is not None]
    if mean is None or len(pairs) < len(parts):
        return None
    squares = np.array([sd * sd + (value - mean) ** 2 for sd, value in pairs])
    return float(math.sqrt(float((weights * squares).sum())))


def _log_mean(values: Sequence[float], weights: FloatArray) -> float:
    array = np.array(values)
    if (array <= 0.0).any():
        return float((weights * array).sum())
    return float(np.exp((weights * np.log(array)).sum()))


def _mean(values: Sequence[float | None], weights: FloatArray) -> float | None:
    known = [value for value in values if value is not None]
    return float((weights * np.array(known)).sum()) if len(known) == len(weights) else None


def _weights(amounts: Sequence[float | None]) -> FloatArray:
    """Return shares that sum to 1; equal ones where an amount is unknown or nothing."""
    known = np.array([amount or 0.0 for amount in amounts], dtype=np.float64)
    return known / known.sum() if (known > 0.0).all() else np.full(len(amounts), 1.0 / len(amounts))


def _total(stages: Sequence[Stage], name: str) -> float | int | None:
    values = [getattr(stage, name) for stage in stages]
    return None if None in values else sum(values)


def _spread(stages: Sequence[Stage]) -> dict[Metric, float]:
    spread = {}
    for metric in Metric:
        means = [stage.value(metric, "mean") for stage in stages]
        logs = [math.log(mean) for mean in means if mean is not None and mean > 0.0]
        if len(logs) == len(stages):
            spread[metric] = float(np.std(logs, ddof=1))
    return spread


def _shares(levels: Sequence[Level], stage: Stage) -> dict[tuple[Metric, ...], Text]:
    """Return how much of a level the metrics rest on that only some of its executions have, alike ones together."""
    same: dict[tuple[int, ...], list[Metric]] = defaultdict(list)
    for metric in sorted(stage.statistics):
        having = tuple(i for i, level in enumerate(levels) if metric in level.stage.statistics)
        if 0 < len(having) < len(levels):
            same[having].append(metric)
    return {tuple(metrics): _share(levels, having, stage, metrics[0]) for having, metrics in same.items()}


def _share(levels: Sequence[Level], having: Sequence[int], stage: Stage, metric: Metric) -> Text:
    load = "?" if stage.load is None else f"{stage.load:g}"
    own = _total([levels[i].stage for i in having], "requests_good")
    known, total = stage.statistics[metric].n if own is None else own, stage.requests_good
    if known is None or total is None:
        return t("{some} of {count} executions at {load}", some=len(having), count=len(levels), load=load)
    return t("{some} of {count} requests at {load}", some=known, count=total, load=load)


def _partly_known(metrics: Sequence[Metric], found: Sequence[tuple[Level, Text]]) -> Finding:
    names = ", ".join(metric.value.upper() for metric in metrics)
    return Finding(
        code="pool.part_of_requests",
        severity=Severity.WARNING,
        where=found[0][0].stage.where,
        what=t("{metrics} rests on {shares}", metrics=names, shares=joined([share for _, share in found])),
        consequence=t("The other executions of the level do not have it, so that it speaks for a part of the requests"),
        fix=t("Measure it in every execution, or split the run so that each has its own figures"),
    )


def _noted(levels: Sequence[Level], stage: Stage) -> Finding:
    apart = named_apart(level.stage.where.file or "" for level in levels)
    if apart:
        return _named_apart(levels, stage, *apart)
    exact = stage.requests is not None
    how = t("their requests were put together") if exact else t("percentiles are a weighted average, not exact")
    return Finding(
        code="pool.replicates",
        severity=Severity.INFO,
        where=levels[0].stage.where,
        what=t("Level {load} was run {count} times: {how}", load=f"{stage.load:g}", count=len(levels), how=how),
        consequence=t("It is one level with more requests behind it"),
        fix=t("If they are of different deployments, split the run on the Data page")
        if exact
        else t(
            "Send per-request records for exact percentiles. If they are of different deployments, split the run on "
            "the Data page"
        ),
    )


def _named_apart(levels: Sequence[Level], stage: Stage, first: str, other: str) -> Finding:
    return Finding(
        code="pool.named_apart",
        severity=Severity.WARNING,
        where=levels[0].stage.where,
        what=t(
            "Level {load} was found {count} times in files with different names, such as {first} and {other}, and "
            "became one",
            load=f"{stage.load:g}",
            count=len(levels),
            first=first,
            other=other,
        ),
        consequence=t("If they are of different deployments, every number of this run is an average of them"),
        fix=t("Split the run on the Data page, or send each deployment in a folder of its own"),
    )
