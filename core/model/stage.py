"""One measured load level: the row that checking, fitting, deciding and pricing read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.errors import Place
from core.letters import flatten
from core.model.metric import Metric, fraction

FloatArray = npt.NDArray[np.float64]


AT_CEILING = 0.85
"""Share of a client's ceiling that is in flight in the mean where it ruled: filling and draining cost the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What is known of one metric at one level. Unknown is None, or an absent quantile.

    Attributes:
        mean: arithmetic mean, seconds (rtf: ratio).
        sd: standard deviation, same unit.
        n: number of observations that the statistics rest on.
        quantiles: value by fraction in (0, 1), as {0.99: 1.2}.
        rule: how the quantiles came about: "given" (the file's own), "linear" (ours, numpy), "pooled"
            (a weighted mean of several runs') or "sketch 0.1 %" (ours, within that error).
    """

    mean: float | None = None
    sd: float | None = None
    n: int | None = None
    quantiles: Mapping[float, float] = field(default_factory=dict)
    rule: str = "given"

    def value(self, statistic: str) -> float | None:
        """Return "mean" or a quantile such as "p99"; None where it is not known."""
        q = fraction(statistic)
        return self.mean if q is None else self.quantiles.get(q)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Requests:
    """Per-request records of one level, every array of shape (n,), NaN where unknown.

    Attributes:
        start_s: send time on any clock, seconds.
        ttft_s, tpot_s, e2e_s: seconds. tpot is NaN for a request with one token.
        input_tokens, output_tokens: counts.
        good: False where the request failed, was cut off or was cancelled.
    """

    start_s: FloatArray
    ttft_s: FloatArray
    tpot_s: FloatArray
    e2e_s: FloatArray
    input_tokens: FloatArray
    output_tokens: FloatArray
    good: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return int(self.good.size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One load level of one configuration. Times in seconds, rates per second.

    Attributes:
        where: file and place that it was read from.
        asked_concurrency: what the load generator was told, None in open loop.
        asked_rate: requests/s told, None where unlimited or not set.
        applied_rate: requests/s that the generator really sent.
        achieved_concurrency: mean requests in flight, measured or rate x mean e2e.
        achieved_rate: good requests per second of the measured window.
        requests_sent, requests_good, requests_failed, requests_cut_off: counts.
        output_tok_s, total_tok_s: tokens of completed requests per second of the window.
        statistics: by latency metric; a metric the file does not give is absent.
        requests: per-request records where the file has them.
        excluded: why a person or a rule keeps this level out of the fit, None if it is in.
        replicates: how many runs of this level were pooled into it.
        load_from_name: True where only the name of the file or its folder says at which load this was measured.
        measured_on: day on which it was measured as its file says, ISO 8601; of a pooled level the first.
        replicate_spread: by metric, sd (ddof 1) of ln of the pooled runs' means; empty where nothing was pooled.
    """

    where: Place
    statistics: Mapping[Metric, Statistics] = field(default_factory=dict)
    asked_concurrency: float | None = None
    asked_rate: float | None = None
    applied_rate: float | None = None
    achieved_concurrency: float | None = None
    achieved_rate: float | None = None
    requests_sent: int | None = None
    requests_good: int | None = None
    requests_failed: int | None = None
    requests_cut_off: int | None = None
    duration_s: float | None = None
    input_tokens_mean: float | None = None
    output_tokens_mean: float | None = None
    output_tok_s: float | None = None
    total_tok_s: float | None = None
    cached_input_tokens_mean: float | None = None
    cache_hit_rate: float | None = None
    max_num_seqs: float | None = None
    memory_used_fraction: float | None = None
    kv_used_fraction: float | None = None
    acceptance_length: float | None = None
    active_load_by_worker: tuple[float, ...] | None = None
    requests: Requests | None = None
    excluded: str | None = None
    replicates: int = 1
    replicate_spread: Mapping[Metric, float] = field(default_factory=dict)
    load_from_name: bool = False
    measured_on: str | None = None

    def __post_init__(self) -> None:
        flatten(self, "excluded", "measured_on")

    @property
    def open_loop(self) -> bool:
        """True where requests were sent at a rate, whatever was in flight; False where the client's ceiling ruled."""
        return self.asked_rate is not None and not self.at_ceiling

    @property
    def at_ceiling(self) -> bool:
        """True where a rate was asked for with a ceiling on the requests in flight, and the ceiling was reached.

        The rest of the requests then waited in the client, so that the level is a closed loop of that many.
        """
        if self.asked_rate is None or not self.asked_concurrency or self.achieved_concurrency is None:
            return False
        return self.achieved_concurrency >= AT_CEILING * self.asked_concurrency

    @property
    def load(self) -> float | None:
        """Position on the load axis: asked concurrency, in open loop the achieved one."""
        if self.open_loop or self.asked_concurrency is None:
            return self.achieved_concurrency
        return self.asked_concurrency

    def value(self, metric: Metric, statistic: str) -> float | None:
        """Return one statistic of one metric, None where the level does not have it."""
        found = self.statistics.get(metric)
        return found.value(statistic) if found else None
