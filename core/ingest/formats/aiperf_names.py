"""What AIPerf's metric names mean; shared by its files and its predecessor's. docs/formats/aiperf.md.

Source: AIPerf's metric reference, and files of October 2025, 0.10 and 0.13.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.names import all_from_name, concurrency_in, rate_in
from core.ingest.notices import no_load, none_completed, not_measured
from core.ingest.raw import RawLevel, Reading, Scalar
from core.model.finding import Finding, Severity
from core.model.metric import Metric, fraction, quantile_name

FORMAT_ID = "aiperf"
CANCELLED_TYPE = "RequestCancellationError"
CANCELLED_CODE = 499
"""How AIPerf marks a request that it cancelled itself, on purpose or at the end of its window."""

METRICS: Mapping[str, Metric] = {
    "time_to_first_token": Metric.TTFT,
    # One value per request, (e2e - ttft) / (n - 1): what everybody else calls TPOT.
    "inter_token_latency": Metric.TPOT,
    # Every gap between two chunks of every request, pooled: what vLLM calls ITL.
    "inter_chunk_latency": Metric.ITL,
    "request_latency": Metric.E2E,
}
INVERSES: Mapping[str, tuple[Metric, str]] = {
    # Per request: seconds of audio over seconds of processing, so 1 / RTF.
    "rtfx": (Metric.RTF, "ratio"),
    # Per request: 1 / inter token latency in seconds, so 1 / TPOT.
    "output_token_throughput_per_user": (Metric.TPOT, "s"),
}
"""Rates of single requests: their lowest percentiles are the highest of the time. A mean cannot be turned round."""
CALLS: Mapping[Metric, str] = {Metric.TPOT: "ITL", Metric.ITL: "inter-chunk latency"}
"""AIPerf's word where it means something else with us."""
EARLY_NAMES: Mapping[str, str] = {"ttft": "time_to_first_token", "ttst": "time_to_second_token"}
CSV_NAMES: Mapping[str, str] = {"real-time_factor_(rtfx)": "rtfx", "real-time_factor": "rtfx"}
"""Metrics whose title in a table is not their name."""
UNITS: Mapping[str, str] = {"sec": "s", "s": "s", "ms": "ms", "us": "us", "ns": "ns"}
SECONDS: Mapping[str, float] = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
STATISTICS: Mapping[str, str] = {"avg": "mean", "std": "sd"}
_QUANTILE = re.compile(r"p\d{1,2}(\.\d+)?")

Stats = Mapping[str, Fields]
"""One row of statistics by AIPerf's metric name; each row holds unit, avg, std, p1 ... p99, count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the file says beside its metrics; see the fields of `RawLevel`."""

    asked_concurrency: float | None = None
    asked_rate: float | None = None
    cancelled: int = 0
    memory_used_fraction: float | None = None
    conditions: Mapping[str, Scalar] = field(default_factory=dict)
    identity: Mapping[str, Scalar] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def level_of(stats: Stats, place: Place, said: Said) -> RawLevel:
    """Return the level that a summary describes.

    Raises:
        RefusedFileError: the file holds no result, or a value that is not a number.
    """
    good, errors = _counts(stats)
    if good is None and errors is None and not any(name in stats for name in METRICS):
        raise RefusedFileError(
            "ingest.no_levels",
            t("The file holds no count of requests and no latency"),
            fix=t("Send the profile_export_aiperf file of a run that ended"),
            place=place,
        )
    found = [*said.findings, *([none_completed(place)] if good == 0 else [])]
    readings: list[Reading] = []
    for name in METRICS if good != 0 else ():
        told = readings_of(METRICS[name], name, stats.get(name))
        # A file of nothing but zeros: every answer came as one chunk, so there was no gap to measure.
        if any(reading.value > 0.0 for reading in told):
            readings += told
        elif told:
            found.append(not_measured(stats[name].place, METRICS[name]))
    if good != 0:
        readings += _turned_round(stats)
        found += [*_chunks(stats, place), *_reasoning(stats, place)]
    return RawLevel(
        place=place,
        asked_concurrency=said.asked_concurrency,
        asked_rate=said.asked_rate,
        measured_concurrency=average(stats, "effective_concurrency"),
        requests_sent=None if good is None or errors is None else good + errors,
        requests_good=good,
        requests_failed=None if errors is None else max(errors - said.cancelled, 0),
        requests_cut_off=None if errors is None else min(said.cancelled, errors),
        duration_s=seconds(stats, "benchmark_duration"),
        request_rate=average(stats, "request_throughput"),
        input_tokens_mean=average(stats, "input_sequence_length"),
        output_tokens_mean=average(stats, "output_sequence_length"),
        output_tok_s=average(stats, "output_token_throughput"),
        total_tok_s=average(stats, "total_token_throughput"),
        memory_used_fraction=said.memory_used_fraction,
        readings=tuple(readings),
        sample_n=_samples(stats, readings),
        conditions=said.conditions,
        identity=said.identity,
        run_key=run_key(good, seconds(stats, "request_latency"), seconds(stats, "time_to_first_token")),
        findings=(*found, *noticed(stats)),
    )


def average(stats: Stats, name: str) -> float | None:
    """Return the mean, or the only value, of one metric; None where it is missing or negative."""
    return stats[name].not_negative("avg") if name in stats else None


def run_key(good: int | None, e2e_s: float | None, ttft_s: float | None) -> str | None:
    """Name one execution alike from its JSON, CSV and JSONL: they share no id, but these three numbers.

    >>> run_key(20, 0.3447732392, 0.065638259)
    'aiperf|20|344.77|65.64'
    """
    if not good or e2e_s is None:
        return None
    ttft = "" if ttft_s is None else f"{ttft_s * 1e3:.2f}"
    return f"aiperf|{good}|{e2e_s * 1e3:.2f}|{ttft}"


def load_from_name(place: Place, name: str) -> tuple[float | None, float | None, tuple[Finding, ...]]:
    """Return asked concurrency, asked rate and findings, for files whose content does not say the load."""
    concurrency, rate = concurrency_in(name), rate_in(name)
    said = {"concurrency": concurrency, "request_rate": rate}
    told = {field: value for field, value in said.items() if value is not None}
    return concurrency, rate, (all_from_name(place, told) if told else no_load(place),)


def seen_accelerators(place: Place, gpus: Sequence[str]) -> tuple[Finding, ...]:
    """Say how many accelerators telemetry saw: those of the host, which need not all have served."""
    if not gpus:
        return ()
    return (
        Finding(
            code="aiperf.telemetry_accelerators",
            severity=Severity.INFO,
            where=place,
            what=t("Telemetry saw {count} accelerators: {names}", count=len(gpus), names=", ".join(sorted(set(gpus)))),
            consequence=t("How many of them served is not in the file, so the count stays unknown"),
            fix=t("Give the count of accelerators with the price"),
        ),
    )


def endpoint_key(urls: object) -> str | None:
    """Return a short digest that tells endpoints apart without keeping an internal address."""
    return hashlib.sha256(repr(urls).encode()).hexdigest()[:12] if urls else None


def noticed(stats: Stats) -> list[Finding]:
    """Return what was noticed while reading rows, once per place: some rows are read twice."""
    return list({(f.code, f.where): f for row in stats.values() for f in row.findings}.values())


def readings_of(metric: Metric, name: str, row: Fields | None) -> list[Reading]:
    """Return the statistics of one row, `name`, as those of a metric; none where the row or its unit is missing."""
    if row is None:
        return []
    unit = UNITS.get(row.text("unit") or "")
    found = []
    for key in row.values:
        statistic = STATISTICS.get(key) or (key if _QUANTILE.fullmatch(key) else None)
        value = row.not_negative(key) if statistic and unit else None
        if statistic and unit and value is not None:
            found.append(Reading(metric, statistic, value, unit, f"{name}.{key}"))
    return found


def _turned_round(stats: Stats) -> list[Reading]:
    """Return the percentiles of times that the file gives as rates only.

    The slowest 5 % of the rates are the longest 5 % of the times, so p5 of one is p95 of the other.
    """
    found: list[Reading] = []
    known = {METRICS[name] for name in stats.keys() & METRICS.keys()}
    for name, (metric, unit) in INVERSES.items():
        row = stats.get(name) if metric not in known else None
        for key in row.values if row is not None else ():
            value = row.not_negative(key) if row is not None and _QUANTILE.fullmatch(key) else None
            if value:
                turned = quantile_name(round(1.0 - (fraction(key) or 0.0), 8))
                found.append(Reading(metric, turned, 1.0 / value, unit, f"{name}.{key}"))
    return found


def _samples(stats: Stats, readings: Sequence[Reading]) -> dict[Metric, int]:
    found = {reading.metric: _count(stats.get(reading.field.rpartition(".")[0])) for reading in readings}
    return {metric: n for metric, n in found.items() if n}


def _counts(stats: Stats) -> tuple[int | None, int | None]:
    """Return good and failed requests; AIPerf leaves a row out where its count is 0."""
    good = stats["request_count"].count("avg") if "request_count" in stats else None
    errors = stats["error_request_count"].count("avg") if "error_request_count" in stats else None
    if good is None and errors:
        good = 0
    if errors is None and good is not None:
        errors = 0
    return good, errors


def _count(row: Fields | None) -> int | None:
    return row.count("count") if row is not None else None


def seconds(stats: Stats, name: str) -> float | None:
    """Return the mean of a time in seconds; None where it or its unit is missing."""
    value = average(stats, name)
    unit = UNITS.get(stats[name].text("unit") or "") if name in stats else None
    return value * SECONDS[unit] if value is not None and unit else None


def _chunks(stats: Stats, place: Place) -> list[Finding]:
    """Say where chunks hold several tokens: gaps between chunks are then longer than between tokens."""
    gaps, requests = _count(stats.get("inter_chunk_latency")), _count(stats.get("output_sequence_length"))
    length = average(stats, "output_sequence_length")
    if not gaps or not requests or not length or gaps >= 0.8 * requests * (length - 1.0):
        return []
    return [chunked(place, requests * (length - 1.0) / gaps)]


def reasoned(place: Place, tokens: float | None, shown: float | None) -> list[Finding]:
    """Say how much of the output is reasoning, and when the answer itself begins where the file tells.

    Args:
        place: of the level.
        tokens: mean tokens of reasoning of a good request.
        shown: mean seconds from sending to the first token that is not of the reasoning.
    """
    if not tokens:
        return []
    later = t("TTFT ends with the first token of the reasoning; the answer itself begins later")
    if shown is not None:
        later = t(
            "TTFT ends with the first token of the reasoning; the answer itself begins {seconds} s after the request, "
            "on average",
            seconds=f"{shown:.3g}",
        )
    return [
        Finding(
            code="reasoning.tokens",
            severity=Severity.INFO,
            where=place,
            what=t("About {tokens} of the tokens of an answer are reasoning", tokens=f"{tokens:.0f}"),
            consequence=later,
            fix=t("Set the limit on TTFT for the first sign of life, and one on E2E for the whole answer"),
        )
    ]


def _reasoning(stats: Stats, place: Place) -> list[Finding]:
    shown = seconds(stats, "time_to_first_output_token")
    return reasoned(place, average(stats, "reasoning_token_count"), shown)


def chunked(place: Place, tokens: float) -> Finding:
    """Return the finding of a stream whose chunks hold several tokens on average."""
    return Finding(
        code="aiperf.several_tokens_per_chunk",
        severity=Severity.INFO,
        where=place,
        what=t("A chunk of the answer holds {tokens} tokens on average", tokens=f"{tokens:.1f}"),
        consequence=t("ITL is the gap between chunks here, longer than the time per token; TPOT is per token"),
    )
