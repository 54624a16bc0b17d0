"""One stage of inference-perf as a load level. Seconds throughout. docs/formats/inference_perf.md.

Source of the definitions: inference_perf/reportgen/base.py of kubernetes-sigs/inference-perf. TPOT is
(last - first token) / (n - 1) of each request, ITL the pooled gaps, the tokens of one chunk at one time.
"""

from __future__ import annotations

import re

from core.errors import Place
from core.i18n import t
from core.ingest import doubled, names
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.execution import by_numbers
from core.ingest.fields import Fields
from core.ingest.notices import no_load, none_completed
from core.ingest.raw import RawLevel, Reading, Scalar
from core.ingest.statistic_block import mean_s, readings_in
from core.model.finding import Finding, Severity
from core.model.metric import Metric

METRICS = {
    "time_to_first_token": Metric.TTFT,
    "time_per_output_token": Metric.TPOT,
    "inter_token_latency": Metric.ITL,
    "request_latency": Metric.E2E,
}
TOOL = "inference-perf"
AKIN = frozenset({Metric.TPOT})
"""It ends at the last token, and goes by the client's count of tokens."""
_STAGE = re.compile(r"stage_(\d{1,6})(?!\d)")
SAME_COUNT = 0.01
"""Share by which the client's count of tokens may differ from the server's before it is a finding."""


def stage_in(name: str) -> int | None:
    """Return the number of the stage that a file's name tells.

    >>> stage_in("run/stage_3_lifecycle_metrics.json"), stage_in("summary_lifecycle_metrics.json")
    (3, None)
    """
    found = _STAGE.search(name.replace("\\", "/").rsplit("/", 1)[-1])
    return int(found[1]) if found else None


def level_of(report: Fields) -> RawLevel:
    """Return the level of a stage's report.

    Raises:
        RefusedFileError: a load, count or latency that is not a number.
    """
    load, successes = report.inner("load_summary"), report.inner("successes")
    good = successes.count("count")
    concurrency, rate = _load(load)
    readings = _readings(successes.inner("latency")) if good != 0 else []
    lengths = Lengths(successes)
    readings = doubled.without_doubled(report, readings, lengths.client, vary=lengths.vary)
    throughput = successes.inner("throughput")
    agree = lengths.agree
    if not agree:
        report.findings.append(lengths.differ(report.place))
    if good == 0:
        report.findings.append(none_completed(report.place))
    if concurrency is None and rate is None:
        report.findings.append(no_load(load.place))
    return RawLevel(
        place=report.place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        # With a fixed concurrency their rates are counts of requests, not loads.
        applied_rate=(load.not_negative("achieved_rate") or None) if concurrency is None else None,
        requests_sent=load.count("count"),
        requests_good=good,
        requests_failed=report.inner("failures").count("count"),
        duration_s=report.not_negative("benchmark_time_seconds") or None,
        request_rate=throughput.not_negative("requests_per_sec"),
        input_tokens_mean=lengths.input,
        output_tokens_mean=lengths.server or lengths.client,
        # Their rates count tokens as the client does; the server's count times the rate is what was made.
        output_tok_s=throughput.not_negative("output_tokens_per_sec") if agree else None,
        total_tok_s=throughput.not_negative("total_tokens_per_sec") if agree else None,
        readings=tuple(readings),
        sample_n=_samples(readings, good),
        conditions=_conditions(report, concurrency),
        identity=identity_of(report.place),
        run_key=by_numbers(report.place.file, good, mean_s(readings, Metric.E2E), mean_s(readings, Metric.TTFT)),
        akin=AKIN,
        position=stage_in(report.place.file or ""),
        findings=tuple(report.findings),
    )


class Lengths:
    """Tokens per request, as the server and as the client counted them."""

    def __init__(self, successes: Fields) -> None:
        self.input = successes.inner("prompt_tokens").not_negative("mean")
        if self.input is None:
            self.input = successes.inner("prompt_len").not_negative("mean")
        own = successes.inner("output_len")
        self.client = own.not_negative("mean")
        self.server = successes.inner("output_tokens").not_negative("mean") or None
        self.vary = doubled.lengths_vary(own)

    @property
    def agree(self) -> bool:
        """True where both counts are alike or one is unknown."""
        if not self.client or not self.server:
            return True
        return abs(self.client / self.server - 1.0) <= SAME_COUNT

    def differ(self, place: Place) -> Finding:
        """Return the finding of two counts that differ."""
        share = abs((self.client or 0.0) / (self.server or 1.0) - 1.0)
        return Finding(
            code="inference_perf.token_counts_differ",
            severity=Severity.WARNING if share > 0.1 else Severity.INFO,
            where=Place(place.file, place.line, "successes.output_len"),
            what=t(
                "The client counted {client} tokens per answer, the server {server}",
                client=f"{self.client:.4g}",
                server=f"{self.server:.4g}",
            ),
            consequence=t(
                "The server's count is used; TPOT of the summary goes by the client's, so it is off by {share}",
                share=f"{100 * share:.1f} %",
            ),
            fix=t("Set use_server_output_tokens in the report section of inference-perf's configuration"),
        )


def _load(load: Fields) -> tuple[float | None, float | None]:
    """Return (concurrency, rate): of a stage of fixed concurrency, `requested_rate` is a number of requests."""
    concurrency = load.not_negative("concurrency") or None
    if concurrency is not None:
        return concurrency, None
    return None, load.not_negative("requested_rate") or None


def _readings(latency: Fields) -> list[Reading]:
    return [reading for key, metric in METRICS.items() for reading in readings_in(latency.inner(key), metric, "s")]


def _samples(readings: list[Reading], good: int | None) -> dict[Metric, int]:
    return {reading.metric: good for reading in readings} if good is not None else {}


def _conditions(report: Fields, concurrency: float | None) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {"tool": TOOL}
    if concurrency is not None:
        found["arrival"] = "closed loop"
    return accelerators_from_name(report, found)


def identity_of(place: Place) -> dict[str, Scalar]:
    """Return the folder: no setting of the server is in the report, and every run writes its own folder."""
    folder = names.configuration_folder(place.file or "")
    return {"folder": folder} if folder else {}
