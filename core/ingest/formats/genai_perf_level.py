"""What GenAI-Perf's metric names mean; shared by its table and its JSON. docs/formats/genai_perf.md.

Source: GenAI-Perf's exporters and parser of profile data, and output that people published: 2024 to 2025.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import Place, RefusedFileError
from core.i18n import t
from core.ingest.formats.aiperf_names import Stats, average, noticed, readings_of, seconds
from core.ingest.notices import none_completed, not_measured
from core.ingest.raw import RawLevel, Reading, Scalar
from core.model.finding import Finding
from core.model.metric import Metric

FORMAT_ID = "genai_perf"

_METRICS = {"time_to_first_token": Metric.TTFT, "request_latency": Metric.E2E}
_GAPS = "inter_token_latency"
# The first releases named it so, and pooled every gap; with the new name came one value per request.
_POOLED_GAPS = "num_output_token"
ALIASES = {_POOLED_GAPS: "output_sequence_length", "num_input_token": "input_sequence_length"}
_STREAMED = (Metric.TTFT, Metric.TPOT, Metric.ITL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a file says beside its metrics; see the fields of `RawLevel`. Streaming is None where it does not say."""

    asked_concurrency: float | None = None
    asked_rate: float | None = None
    streaming: bool | None = None
    memory_used_fraction: float | None = None
    conditions: Mapping[str, Scalar] = field(default_factory=dict)
    identity: Mapping[str, Scalar] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def calls_of(stats: Stats) -> dict[Metric, str]:
    """Return the tool's word where it means something else with us: its "ITL" is TPOT but for the first releases."""
    return {} if _POOLED_GAPS in stats else {Metric.TPOT: "ITL"}


def level_of(stats: Stats, place: Place, told: Told) -> RawLevel:
    """Return the level that a summary describes. The tool counts no failed requests.

    Raises:
        RefusedFileError: no latency in it, or a value that is not a number.
    """
    if "request_latency" not in stats:
        raise RefusedFileError(
            "ingest.no_levels",
            t("The file holds no latency of requests"),
            fix=t("Send the profile_export_genai_perf file of a run that ended"),
            place=place,
        )
    good = stats["request_count"].count("avg") if "request_count" in stats else None
    readings, findings = ([], [none_completed(place)]) if good == 0 else _readings(stats, streaming=told.streaming)
    return RawLevel(
        place=place,
        asked_concurrency=told.asked_concurrency,
        asked_rate=told.asked_rate,
        requests_good=good,
        request_rate=average(stats, "request_throughput"),
        input_tokens_mean=_length(stats, "input_sequence_length"),
        output_tokens_mean=_length(stats, "output_sequence_length"),
        output_tok_s=average(stats, "output_token_throughput"),
        memory_used_fraction=told.memory_used_fraction,
        readings=tuple(readings),
        sample_n=dict.fromkeys((r.metric for r in readings if r.metric is not Metric.ITL), good) if good else {},
        conditions=told.conditions,
        identity=told.identity,
        run_key=_run_key(stats, {reading.metric for reading in readings}),
        findings=(*told.findings, *findings, *noticed(stats)),
    )


def _readings(stats: Stats, *, streaming: bool | None) -> tuple[list[Reading], list[Finding]]:
    """Return what was measured: without streaming the tool writes the whole latency as time to the first token."""
    gaps = Metric.ITL if _POOLED_GAPS in stats else Metric.TPOT
    names = {**_METRICS, _GAPS: gaps}
    whole = streaming is False or _same_mean(stats)
    kept, findings = [], []
    for name, metric in names.items():
        found = readings_of(metric, name, stats.get(name))
        if found and ((whole and metric in _STREAMED) or all(reading.value == 0.0 for reading in found)):
            findings.append(not_measured(stats[name].place, metric))
        else:
            kept += found
    return kept, findings


def _same_mean(stats: Stats) -> bool:
    return seconds(stats, "time_to_first_token") == seconds(stats, "request_latency")


def _length(stats: Stats, name: str) -> float | None:
    old = next(old for old, new in ALIASES.items() if new == name)
    found = average(stats, name)
    return average(stats, old) if found is None else found


def _run_key(stats: Stats, measured: set[Metric]) -> str | None:
    """Name one execution alike from its JSON and its table, which prints two decimals."""
    rate, e2e_s = average(stats, "request_throughput"), seconds(stats, "request_latency")
    if rate is None or e2e_s is None or Metric.E2E not in measured:
        return None
    ttft_s = seconds(stats, "time_to_first_token") if Metric.TTFT in measured else None
    first = "" if ttft_s is None else f"{ttft_s * 1e3:.2f}"
    return f"{FORMAT_ID}|{rate:.2f}|{e2e_s * 1e3:.2f}|{first}"
