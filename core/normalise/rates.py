"""Rates, mean lengths and the load reached at one level: the file's own, or what follows exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.i18n import t
from core.ingest.raw import RawLevel
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.stage import FloatArray, Requests, Statistics
from core.normalise.counts import Counts
from core.normalise.load import by_little, mean_in_flight, span


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Rates per second of one level, the window they are of, and mean lengths in tokens."""

    requests: float | None
    duration_s: float | None
    input_tokens_mean: float | None
    output_tokens_mean: float | None
    output_tok_s: float | None
    total_tok_s: float | None


def rates_of(raw: RawLevel, requests: Requests | None, counts: Counts) -> Rates:
    """Return rates; token rates that the file does not give are rate x mean length of good requests."""
    duration_s = _positive(raw.duration_s)
    if duration_s is None and requests is not None:
        duration_s = span(requests.start_s, requests.e2e_s)
    rate = counts.good / duration_s if counts.good is not None and duration_s else None
    # A summary's own rate may be of a steady window that its count and duration are not of.
    if raw.request_rate is not None and (requests is None or rate is None):
        rate = raw.request_rate
    input_mean, output_mean = raw.input_tokens_mean, raw.output_tokens_mean
    if requests is not None:
        input_mean = _mean_known(requests.input_tokens[requests.good], input_mean)
        output_mean = _mean_known(requests.output_tokens[requests.good], output_mean)
    output_tok_s, total_tok_s = raw.output_tok_s, raw.total_tok_s
    if output_tok_s is None and rate is not None and output_mean is not None:
        output_tok_s = rate * output_mean
    if total_tok_s is None and rate is not None and output_mean is not None and input_mean is not None:
        total_tok_s = rate * (input_mean + output_mean)
    return Rates(
        requests=_finite(rate),
        duration_s=duration_s,
        input_tokens_mean=input_mean,
        output_tokens_mean=output_mean,
        output_tok_s=_finite(output_tok_s),
        total_tok_s=_finite(total_tok_s),
    )


def in_flight(
    raw: RawLevel, requests: Requests | None, statistics: Mapping[Metric, Statistics], rates: Rates
) -> tuple[float | None, tuple[Finding, ...]]:
    """Return the mean requests in flight: counted, as the file gives it, or by Little's law.

    Where E2E is missing and the level was sent at a rate, its mean is taken from TTFT, TPOT and
    the mean length, with a finding: nothing else could place the level on the load axis.
    """
    measured = mean_in_flight(requests.start_s, requests.e2e_s) if requests is not None else None
    measured = measured or _positive(raw.measured_concurrency)
    if measured is None:
        measured = by_little(rates.requests, _mean(statistics, Metric.E2E))
    if measured is not None or (raw.asked_concurrency is not None and raw.asked_rate is None):
        return measured, ()
    ttft, tpot, tokens = _mean(statistics, Metric.TTFT), _mean(statistics, Metric.TPOT), rates.output_tokens_mean
    if ttft is None or tpot is None or tokens is None:
        return None, ()
    estimate = by_little(rates.requests, ttft + max(tokens - 1.0, 0.0) * tpot)
    return estimate, (_from_identity(raw, estimate),) if estimate is not None else ()


def _from_identity(raw: RawLevel, load: float) -> Finding:
    return Finding(
        code="load.from_identity",
        severity=Severity.INFO,
        where=raw.place,
        what=t(
            "The file holds no E2E: {load} requests in flight are taken from rate x (TTFT + (tokens - 1) x TPOT)",
            load=f"{load:.3g}",
        ),
        consequence=t("The position on the load axis may be off by a few per cent where output lengths vary"),
        fix=t("Ask the load generator for E2E latency too"),
    )


def _mean(statistics: Mapping[Metric, Statistics], metric: Metric) -> float | None:
    return statistics[metric].mean if metric in statistics else None


def _mean_known(values: FloatArray, otherwise: float | None) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else otherwise


def _positive(value: float | None) -> float | None:
    return value if value is not None and value > 0.0 else None


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
