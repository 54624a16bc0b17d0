"""What the levels show about the server around one load: the figures that a cause is read from."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from core.fit.fit import Fit
from core.model.metric import Metric
from core.model.stage import FloatArray

_BESIDE = 1.5
"""Local slopes are taken between the load divided and multiplied by this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """Figures at one load; each is None where the levels do not give it.

    Attributes:
        load: requests in flight that they are read at.
        rate: good requests per second.
        ttft_s, tpot_s, e2e_s: means, seconds. ttft_first_s, tpot_first_s: at the lowest level.
        first: load of the lowest level.
        idle: True where that level is low enough to show what an idle server takes.
        output_tokens: mean per request.
        knee: load at which the running batch is full, None where no level shows a queue.
        waiting_s: time that a request waits for a place in the batch, 0 below the knee.
        waiting_share: of TTFT.
        prefill_share: share of the time that reading prompts takes of the server: rate x what the
            first token takes beyond one decode step at the lowest level.
        growth_at_knee: d ln rate / d ln load just below the knee.
        prefill_peak: the same at the level of the highest rate. Above 1 prompts are read together, or wait for
            something else, and the share says nothing.
        apart: True where prompts are read on accelerators of their own.
        rate_slope, tpot_slope, ttft_slope: d ln value / d ln load around the load.
        gap_tail, tpot_tail: p99 over mean, of single gaps and of the time per token.
        tail_growth: tpot p99 over mean at the highest level, over the same at the knee.
        rate_fall: share of its best that the rate has lost at the highest level; 0 where it never falls.
        kv_used: share of the cache in use.
        max_num_seqs: the server's limit of the running batch.
        gpu_busy: share of time that the accelerator computes, from a profile.
    """

    load: float
    first: float = 1.0
    idle: bool = True
    rate: float | None = None
    ttft_s: float | None = None
    tpot_s: float | None = None
    e2e_s: float | None = None
    ttft_first_s: float | None = None
    tpot_first_s: float | None = None
    output_tokens: float | None = None
    knee: float | None = None
    waiting_s: float | None = None
    waiting_share: float | None = None
    prefill_share: float | None = None
    prefill_peak: float | None = None
    apart: bool = False
    growth_at_knee: float | None = None
    rate_slope: float | None = None
    tpot_slope: float | None = None
    ttft_slope: float | None = None
    gap_tail: float | None = None
    tpot_tail: float | None = None
    tail_growth: float | None = None
    rate_fall: float | None = None
    kv_used: float | None = None
    max_num_seqs: float | None = None
    gpu_busy: float | None = None


_ALONE = 1.5
"""Requests in flight up to which they hardly meet each other."""

_HALF_BUSY = 0.5
"""Share of time for prompts at the lowest level, above which its own TTFT holds a queue."""


class _Series:
    """One figure of every level on straight lines in logarithms between the levels."""

    def __init__(self, load: FloatArray, value: FloatArray) -> None:
        known = np.isfinite(value) & (value > 0.0)
        distinct, at = np.unique(load[known], return_inverse=True)
        mean = np.bincount(at, np.log(value[known])) / np.bincount(at) if distinct.size else distinct
        self.load, self.log = np.log(distinct), mean

    def at(self, load: float) -> float | None:
        """Return the value at a load, that of the nearest level outside of them."""
        return float(np.exp(np.interp(np.log(load), self.load, self.log))) if self.load.size else None

    @property
    def most(self) -> float | None:
        """Return the highest value of any level."""
        return float(np.exp(self.log.max())) if self.log.size else None

    def slope(self, load: float) -> float | None:
        """Return d ln value / d ln load around a load."""
        if self.load.size < 2:
            return None
        ends = np.clip(np.log([load / _BESIDE, load * _BESIDE]), self.load[0], self.load[-1])
        if ends[1] - ends[0] < 0.1:
            near = int(np.clip(np.searchsorted(self.load, np.log(load)), 1, self.load.size - 1))
            ends = self.load[near - 1 : near + 1]
        low, high = np.interp(ends, self.load, self.log)
        return float((high - low) / (ends[1] - ends[0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Levels:
    """What the levels of one run show, whatever load is asked for."""

    first: float | None
    ttft: _Series
    tpot: _Series
    e2e: _Series
    rate: _Series
    output_tokens: _Series
    gap_tail: _Series
    tpot_tail: _Series
    kv_used: _Series
    rate_fall: float | None


_KEPT: WeakKeyDictionary[Fit, _Levels] = WeakKeyDictionary()
"""A moved limit asks for another load of the same levels."""


def _levels_of(fit: Fit) -> _Levels:
    kept = _KEPT.get(fit)
    if kept is None:
        kept = _KEPT[fit] = _read(fit)
    return kept


def _read(fit: Fit) -> _Levels:
    sweep = fit.sweep
    usable = ~sweep.saturated

    def series(value: FloatArray) -> _Series:
        return _Series(sweep.load[usable], value[usable])

    return _Levels(
        first=float(sweep.load[usable][0]) if usable.any() else None,
        ttft=series(sweep.middle(Metric.TTFT)),
        tpot=series(sweep.middle(Metric.TPOT)),
        e2e=series(sweep.middle(Metric.E2E)),
        rate=series(sweep.rate),
        output_tokens=series(sweep.field("output_tokens_mean")),
        gap_tail=series(_tail(fit, Metric.ITL)),
        tpot_tail=series(_tail(fit, Metric.TPOT)),
        kv_used=series(sweep.field("kv_used_fraction")),
        rate_fall=_fall(sweep.rate[usable]),
    )


def signs_at(fit: Fit, load: float, gpu_busy: float | None = None, *, apart: bool = False) -> Signs:
    """Return the figures of a fitted run at one load, > 0; `apart` where prefill has accelerators of its own."""
    levels = _levels_of(fit)
    ttft, tpot, rate = levels.ttft, levels.tpot, levels.rate
    each_s, first = rate.at(load), levels.first or load
    ttft_first, tpot_first = ttft.at(first), tpot.at(first)
    own_share = _prefill_share(rate.at(first), ttft_first, tpot_first)
    knee = knee_of(fit, load)
    waiting = max(load - knee, 0.0) / each_s if knee and each_s else (0.0 if each_s else None)
    ttft_s = ttft.at(load)
    return Signs(
        load=load,
        first=first,
        idle=first <= _ALONE or (first <= load / 2.0 and (own_share or 0.0) <= _HALF_BUSY),
        rate=each_s,
        ttft_s=ttft_s,
        tpot_s=tpot.at(load),
        e2e_s=levels.e2e.at(load),
        ttft_first_s=ttft_first,
        tpot_first_s=tpot_first,
        output_tokens=levels.output_tokens.at(load),
        knee=knee,
        waiting_s=waiting,
        waiting_share=None if waiting is None or not ttft_s else min(waiting / ttft_s, 1.0),
        prefill_share=_prefill_share(each_s, ttft_first, tpot_first),
        prefill_peak=_prefill_share(rate.most, ttft_first, tpot_first),
        apart=apart,
        growth_at_knee=None if knee is None else rate.slope(knee / _BESIDE),
        rate_slope=rate.slope(load),
        tpot_slope=tpot.slope(load),
        ttft_slope=ttft.slope(load),
        gap_tail=levels.gap_tail.at(load),
        tpot_tail=levels.tpot_tail.at(load),
        tail_growth=_tail_growth(fit, levels.tpot_tail),
        rate_fall=levels.rate_fall,
        kv_used=levels.kv_used.at(load),
        max_num_seqs=fit.max_num_seqs,
        gpu_busy=gpu_busy,
    )


def _tail(fit: Fit, metric: Metric) -> FloatArray:
    return fit.sweep.values(metric, "p99") / fit.sweep.values(metric, "mean")


def knee_of(fit: Fit, load: float) -> float | None:
    """Return where the batch is full: as the levels show it, else the server's own limit if the load is beyond."""
    if fit.knee is None and fit.max_num_seqs and load > fit.max_num_seqs:
        return fit.max_num_seqs
    return fit.knee


def _prefill_share(rate: float | None, ttft_s: float | None, tpot_s: float | None) -> float | None:
    if rate is None or ttft_s is None or tpot_s is None:
        return None
    return max(ttft_s - tpot_s, 0.0) * rate


def _tail_growth(fit: Fit, tail: _Series) -> float | None:
    if fit.knee is None or tail.load.size < 2:
        return None
    before, after = tail.at(fit.knee), tail.at(float(np.exp(tail.load[-1])))
    return after / before if before and after else None


def _fall(rate: FloatArray) -> float | None:
    known = rate[np.isfinite(rate) & (rate > 0.0)]
    return float(1.0 - known[-1] / known.max()) if known.size > 1 else None
