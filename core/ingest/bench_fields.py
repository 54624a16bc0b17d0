"""Fields that vLLM's benchmark script shares with its descendants (SGLang, InferenceX).

Statistics are named `mean_ttft_ms`, `p99.9_itl_ms`, `median_e2e_latency_ms`; without `_ms`
they are seconds. How the requests themselves are kept: `core.ingest.bench_records`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.names import accelerators_in, all_from_name, concurrency_in, from_name, parallelism_in, rate_in
from core.ingest.notices import no_load, none_completed, not_measured
from core.ingest.raw import Reading, Scalar
from core.model.finding import Finding, Severity
from core.model.metric import Metric, quantile_name

READING = re.compile(
    r"(?P<statistic>mean|median|std|p\d{1,2}(?:\.\d+)?)_(?P<metric>ttft|tpot|itl|e2el|e2e_latency)(?P<ms>_ms)?"
)
_METRICS = {
    "ttft": Metric.TTFT,
    "tpot": Metric.TPOT,
    "itl": Metric.ITL,
    "e2el": Metric.E2E,
    "e2e_latency": Metric.E2E,
}
_STATISTICS = {"mean": "mean", "std": "sd", "median": "p50"}
_NO_NUMBER = 1e300
TOO_FAST = 1.1
"""Answered over asked requests per second from which the rate asked for cannot be the one that was sent."""


def statistics_of(fields: Fields, completed: int | None) -> tuple[tuple[Reading, ...], dict[Metric, int]]:
    """Return the latency statistics of one run and the requests each rests on.

    Nothing completed means nothing measured, whatever the zeros in the file say. A metric
    whose every figure is zero was not measured either. Both leave a finding in `fields`.
    """
    found: dict[Metric, dict[str, Reading]] = {}
    for key in fields.values:
        match = READING.fullmatch(key)
        if not match:
            continue
        metric, statistic = _METRICS[match["metric"]], _statistic(match["statistic"])
        value = fields.not_negative(key)
        if value is not None and statistic is not None:
            reading = Reading(metric, statistic, value, "ms" if match["ms"] else "s", key)
            found.setdefault(metric, {}).setdefault(statistic, reading)
    if completed == 0:
        fields.findings.append(none_completed(fields.at("completed")))
        return (), {}
    kept = _without_zeros(fields, found)
    readings = tuple(reading for by_statistic in kept.values() for reading in by_statistic.values())
    return readings, dict.fromkeys(kept, completed) if completed is not None else {}


def tokens_mean(fields: Fields, key: str, completed: int | None) -> float | None:
    """Return a total of tokens per completed request; None where either is unknown or zero requests."""
    total = fields.not_negative(key)
    return total / completed if total is not None and completed else None


def total_tok_s(fields: Fields, key: str, output_tok_s: float | None) -> float | None:
    """Return input and output tokens per second; variants without the total give its two parts."""
    total, input_tok_s = fields.not_negative(key), fields.not_negative("input_throughput")
    if total is None and input_tok_s is not None and output_tok_s is not None:
        return input_tok_s + output_tok_s
    return total


def positive_rate(fields: Fields, key: str) -> float | None:
    """Return a finite request rate above zero; unlimited and missing are None, negative has a finding."""
    rate = fields.rate(key)
    return rate if rate is None or rate > 0.0 else fields.not_negative(key) or None


def rate_that_was_applied(fields: Fields, rate: float) -> float | None:
    """Return the asked rate, None where more was answered than it could have sent; leaves a finding then.

    A trace with times of its own replaces the rate, and the tool still prints the one that was asked
    for. Chance alone explains an excess up to four standard deviations of that many random arrivals.
    """
    done, completed = fields.not_negative("request_throughput"), fields.count("completed")
    if done is None or not completed or done <= rate * max(TOO_FAST, 1.0 + 4.0 / math.sqrt(completed)):
        return rate
    fields.findings.append(
        Finding(
            code="ingest.rate_not_applied",
            severity=Severity.WARNING,
            where=fields.at("request_rate"),
            what=t(
                "{asked} requests/s were asked for and {done} were answered: something else, such as a trace with"
                " its own times, set when requests were sent",
                asked=f"{rate:g}",
                done=f"{done:.4g}",
            ),
            consequence=t("The rate asked for is not used; the level is placed by what was in flight"),
            fix=t("Measure with a rate or a concurrency that is really applied"),
        )
    )
    return None


def level_from_name(
    fields: Fields, concurrency: float | None, rate_key: str, *, alone: bool
) -> tuple[float | None, float | None]:
    """Return (concurrency, rate) of a run that states no rate: its own, else what the file's name says.

    A name is asked for a rate only where the file leaves the rate out; "inf" is an answer.
    The name of a file with several runs names none of them, so it is asked only if the run is
    alone. A run without any limit leaves a finding.
    """
    if concurrency is not None:
        return concurrency, None
    name = fields.place.file if alone else None
    named = concurrency_in(name or "")
    if named is not None:
        fields.findings.append(from_name(fields.place, "asked_concurrency", named))
        return named, None
    rate = rate_in(name or "") if fields.values.get(rate_key) is None else None
    fields.findings.append(
        no_load(fields.at("max_concurrency")) if rate is None else from_name(fields.place, "asked_rate", rate)
    )
    return None, rate


def accelerators_from_name(fields: Fields, known: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Return conditions completed by accelerators and parallelism in the file's name, with one finding."""
    name = fields.place.file or ""
    pools = accelerators_in(name)
    # Accelerators for prefill are named only where prefill runs on its own.
    apart: dict[str, str | int] = {"serving_mode": "disaggregated"} if "prefill_accelerators" in pools else {}
    told: dict[str, str | int] = {**pools, **apart, **parallelism_in(name)}
    named = {key: value for key, value in told.items() if key not in known}
    if named:
        fields.findings.append(all_from_name(fields.place, named))
    return {**named, **known}


def scalars(values: Mapping[str, object]) -> dict[str, Scalar]:
    """Return the values that are no lists or objects, texts shortened to 300 characters.

    A number that no double holds, NaN and Infinity are no settings: they would be unlike themselves.
    """
    return {
        key[:100]: value[:300] if isinstance(value, str) else value
        for key, value in values.items()
        if value is None or isinstance(value, str) or (isinstance(value, int | float) and abs(value) < _NO_NUMBER)
    }


def _statistic(name: str) -> str | None:
    if name in _STATISTICS:
        return _STATISTICS[name]
    q = float(name[1:]) / 100
    return quantile_name(q) if 0.0 < q < 1.0 else None


def _without_zeros(fields: Fields, found: dict[Metric, dict[str, Reading]]) -> dict[Metric, dict[str, Reading]]:
    empty = [m for m, readings in found.items() if all(r.value == 0.0 for r in readings.values())]
    # Without one gap between chunks, (e2e - ttft)/(n - 1) measures nothing either.
    if Metric.ITL in empty and Metric.TPOT in found and Metric.TPOT not in empty:
        empty.append(Metric.TPOT)
    for metric in empty:
        fields.findings.append(not_measured(fields.at(next(iter(found[metric].values())).field), metric))
    return {metric: readings for metric, readings in found.items() if metric not in empty}
