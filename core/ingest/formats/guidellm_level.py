"""One strategy of a GuideLLM report as a load level. docs/formats/guidellm.md.

Percentiles are GuideLLM's own: the first value whose cumulated share reaches p.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import Place
from core.i18n import Text, t
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.day import day_in
from core.ingest.fields import Fields
from core.ingest.formats.guidellm_requests import ENDINGS, requests_of
from core.ingest.formats.guidellm_settings import UNBOUNDED, Strategy, identity_of, model_of, strategy_of
from core.ingest.notices import no_load, none_completed
from core.ingest.raw import RawLevel, Reading, Scalar
from core.model.finding import Finding, Severity
from core.model.metric import Metric

TTFT, ITL, E2E = "time_to_first_token_ms", "inter_token_latency_ms", "request_latency"
UNITS = {TTFT: "ms", ITL: "ms", E2E: "s"}
# Their inter_token_latency is one value per request, (last - first token) / (n - 1): our TPOT.
METRICS = {TTFT: Metric.TTFT, ITL: Metric.TPOT, E2E: Metric.E2E}
PERCENTILES = {
    "p001": "p0.1",
    "p01": "p1",
    "p05": "p5",
    "p10": "p10",
    "p25": "p25",
    "p50": "p50",
    "p75": "p75",
    "p90": "p90",
    "p95": "p95",
    "p99": "p99",
    "p999": "p99.9",
}

AKIN = frozenset({Metric.TPOT})
"""It ends at the last token and may weigh each request by its tokens."""

VARIED = 0.1
"""Coefficient of variation of output lengths above which weighting by tokens moves the percentiles."""


def level_of(top: Fields, benchmark: Fields, *, early: bool) -> RawLevel:
    """Return one strategy as a level.

    Args:
        top: the whole report, for what stands there once.
        benchmark: the entry of `benchmarks`.
        early: True for 0.2 and 0.3.

    Raises:
        RefusedFileError: no metrics, or a value that is not a number.
    """
    # Findings of this level stay with it.
    benchmark.findings = []
    metrics = benchmark.inner("metrics")
    strategy = strategy_of(benchmark)
    totals = _totals(benchmark)
    good = totals["successful"]
    requests = requests_of(benchmark, totals) if good != 0 else None
    conditions, identity = _conditions(top, benchmark, strategy), identity_of(top, benchmark)
    # Where requests are kept, TPOT follows from them; their own value ends at another moment.
    used = [name for name in METRICS if good != 0 and not (name == ITL and requests is not None)]
    readings = tuple(reading for name in used for reading in _readings(metrics, name))
    rate = _mean(metrics, "requests_per_second")
    _notice(benchmark, strategy, good=good, rate=rate)
    if not early and requests is None and good != 0:
        _notice_weights(benchmark, metrics)
    return RawLevel(
        place=benchmark.place,
        measured_on=day_in(benchmark.number("start_time")),
        asked_concurrency=strategy.concurrency,
        asked_rate=strategy.rate,
        measured_concurrency=_mean(metrics, "request_concurrency", "total"),
        requests_sent=_sent(totals),
        requests_good=good,
        requests_failed=totals["errored"],
        requests_cut_off=totals["incomplete"],
        duration_s=_duration(benchmark),
        request_rate=rate,
        input_tokens_mean=_mean(metrics, "prompt_token_count") or None,
        output_tokens_mean=_mean(metrics, "output_token_count") or None,
        output_tok_s=_mean(metrics, "output_tokens_per_second"),
        # 0.2 counts prompt tokens twice in it.
        total_tok_s=None if early else _mean(metrics, "tokens_per_second"),
        readings=readings,
        sample_n=_samples(readings, good),
        requests=requests,
        conditions=conditions,
        identity=identity,
        run_key=_run_key(benchmark),
        akin=AKIN,
        findings=tuple(benchmark.findings),
    )


def _run_key(benchmark: Fields) -> str | None:
    """Return the tool's own id of a level, which its JSON, YAML and CSV share."""
    told = benchmark.text("id_") or benchmark.inner("config").text("id_")
    return f"guidellm|{told}" if told else None


def _totals(benchmark: Fields) -> dict[str, int | None]:
    early = benchmark.inner("request_totals")
    totals = early if early.values else benchmark.inner("metrics").inner("request_totals")
    return {ending: totals.count(ending) for ending in ENDINGS}


def _sent(totals: Mapping[str, int | None]) -> int | None:
    known = [count for count in totals.values() if count is not None]
    return sum(known) if len(known) == len(ENDINGS) else None


def _conditions(top: Fields, benchmark: Fields, strategy: Strategy) -> dict[str, Scalar]:
    model, revision = model_of(top, benchmark)
    found: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "arrival": strategy.arrival,
        "tool": "GuideLLM",
        "tool_version": top.inner("metadata").text("guidellm_version"),
    }
    return accelerators_from_name(benchmark, {name: value for name, value in found.items() if value is not None})


def _readings(metrics: Fields, name: str) -> list[Reading]:
    """Return the statistics of good requests; a metric that no request had is written as zeros."""
    values = metrics.inner(name).inner("successful")
    if not values.count("count") or values.number("max") == 0.0:
        return []
    percentiles = values.inner("percentiles")
    told = [("mean", values, "mean"), ("sd", values, "std_dev")]
    told += [(statistic, percentiles, key) for key, statistic in PERCENTILES.items() if key in percentiles.values]
    if "p50" not in percentiles.values:
        told.append(("p50", values, "median"))
    found = []
    for statistic, fields, key in told:
        value = fields.not_negative(key)
        if value is not None:
            found.append(Reading(METRICS[name], statistic, value, UNITS[name], f"{name}.successful.{key}"))
    return found


def _samples(readings: tuple[Reading, ...], good: int | None) -> dict[Metric, int]:
    # Their count of inter_token_latency is of tokens from 0.4 on; a request gives one value.
    return {reading.metric: good for reading in readings} if good is not None else {}


def _mean(metrics: Fields, name: str, ending: str = "successful") -> float | None:
    values = metrics.inner(name).inner(ending)
    return values.not_negative("mean") if values.values.get("count") != 0 else None


def _duration(benchmark: Fields) -> float | None:
    duration = benchmark.not_negative("duration")
    start, end = benchmark.number("start_time"), benchmark.number("end_time")
    if duration is None and start is not None and end is not None and end > start:
        return end - start
    return duration


def _notice(benchmark: Fields, strategy: Strategy, *, good: int | None, rate: float | None) -> None:
    where, found = benchmark.place, benchmark.findings
    if good == 0:
        found.append(none_completed(where))
    if strategy.arrival == UNBOUNDED:
        what = t("This level sent everything at once (strategy throughput)")
        found.append(_warning("guidellm.not_a_level", where, what, t("Its load was not chosen, so it is no level")))
    elif strategy.concurrency is None and strategy.rate is None:
        found.append(no_load(where))
    if rate is not None and strategy.rate is not None and rate > 1.05 * strategy.rate:
        what = t(
            "{got} requests/s were achieved where {asked} were asked", got=f"{rate:.3g}", asked=f"{strategy.rate:.3g}"
        )
        why = t("A burst at the start counts too much in a short run; the load is the measured one")
        found.append(_warning("guidellm.rate_above_asked", where, what, why))
    for told in benchmark.each("warnings"):
        message = told.text("message") or told.text("code")
        if message:
            found.append(
                _warning("guidellm.tool_warning", where, t("GuideLLM warns: {message}", message=message[:200]), None)
            )


def _notice_weights(benchmark: Fields, metrics: Fields) -> None:
    """Say that percentiles of TPOT are weighted by tokens, and whether that matters here."""
    lengths = metrics.inner("output_token_count").inner("successful")
    mean, sd = lengths.not_negative("mean"), lengths.not_negative("std_dev")
    varied = bool(mean and sd and sd > VARIED * mean)
    benchmark.findings.append(
        Finding(
            code="guidellm.tpot_token_weighted",
            severity=Severity.WARNING if varied else Severity.INFO,
            where=benchmark.at(f"metrics.{ITL}"),
            what=t("TPOT is weighted by tokens, so that long answers count more"),
            consequence=t("Answers differ in length here: its percentiles are not those of requests")
            if varied
            else t("All answers are about as long, so it makes no difference here"),
            fix=t("Keep all requests in the report to get exact percentiles") if varied else None,
        )
    )


def _warning(code: str, where: Place, what: Text, consequence: Text | None) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, where=where, what=what, consequence=consequence)
