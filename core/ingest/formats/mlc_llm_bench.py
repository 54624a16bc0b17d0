"""MLC LLM's `python -m mlc_llm.bench`: one row per concurrency or rate, seconds. docs/formats/mlc_llm_bench.md.

Its `time_per_output_token_s` is our TPOT where the first chunk holds one token. Its `inter_token_latency_s`
is the whole request over its output tokens: neither our ITL nor our TPOT, and not read.
"""

from __future__ import annotations

import hashlib
import math

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.bench_fields import TOO_FAST
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.notices import no_load, none_completed, not_measured
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.ingest.table import Table, header_of, number_text, table_of
from core.ingest.unmeasured import without_unmeasured
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "mlc_llm_bench"
LABEL = "MLC LLM bench CSV"

_FEATURE = "exec_feature"
"""What a level was run with."""
_CONCURRENCY, _RATE, _REPLAY = (f"{_FEATURE}.{name}" for name in ("num_concurrent_requests", "request_rate",
                                                                 "timestamp_scale"))  # fmt: skip
_SENT, _GOOD, _DONE_RATE = "num_total_requests", "num_completed_requests", "request_throughput"
_MARKS = frozenset({_SENT, _GOOD, "output_token_throughput_per_gpu"})
_TIMES = {
    Metric.TTFT: "time_to_first_token_s",
    Metric.TPOT: "time_per_output_token_s",
    Metric.E2E: "end_to_end_latency_s",
}
_STATISTICS = {"mean": "mean", "stddev": "sd"} | {f"quantiles.p{q}": f"p{q}" for q in (25, 50, 75, 90, 95, 99)}
_FIGURES = (
    "duration",
    _DONE_RATE,
    "input_tokens.mean",
    "output_tokens.mean",
    "input_token_throughput",
    "output_token_throughput",
)
_NOT_OURS = "inter_token_latency_s.mean"
_LOOK = t("Look into the server's log and measure this level again")


def match(head: Head) -> float:
    """0.95 for the column of what was run beside the tool's own counts."""
    return 0.95 if claims(header_of(head)) else 0.0


def claims(header: tuple[str, ...]) -> bool:
    """Whether a header is this tool's."""
    return set(header) >= _MARKS and any(name.split(".")[0] == _FEATURE for name in header)


def read(upload: Upload) -> RawFile:
    """Return one level per row whose load is known.

    Raises:
        RefusedFileError: a damaged table, a load that is not above zero, a cell that is not a number, or
            "ingest.no_levels" where not one request of the whole file was completed.
    """
    table = table_of(upload, LIMITS.levels)
    rows = _rows(table)
    lost = tuple(_load_lost(row) for row in rows if _is_lost(row))
    if len(lost) == len(rows):
        raise refusal("ingest.no_levels", lost[0].what, upload.name, _LOOK, line=rows[0].place.line, field=_FEATURE)
    told = (_itl_not_read(table),) if _NOT_OURS in table.header else ()
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(_level(row) for row in rows if not _is_lost(row)),
        findings=(*told, *lost),
    )


def _rows(table: Table) -> list[Fields]:
    rows = []
    for row in table.rows:
        cells = (number_text(cell, mark)[0] for cell, mark in zip(row.cells, table.decimal_marks, strict=True))
        rows.append(Fields(dict(zip(table.header, cells, strict=True)), Place(table.name, row.line)))
    return rows


def _is_lost(row: Fields) -> bool:
    """Whether nothing came back: the tool takes the load from its first good request, and then has none."""
    return row.count(_GOOD) == 0 and all(row.text(key) is None for key in (_CONCURRENCY, _RATE, _REPLAY))


def _level(row: Fields) -> RawLevel:
    sent, good = row.count(_SENT), row.count(_GOOD)
    gpus = row.count("num_gpus") or None
    concurrency, rate, arrival = _asked(row, good, gpus)
    failed = sent - good if sent is not None and good is not None and good <= sent else None
    if good == 0:
        row.findings.append(none_completed(row.at(_GOOD)))
    elif failed:
        row.findings.append(_short_answers(row, failed))
    told: dict[str, Scalar] = {"accelerator_count": gpus, "arrival": arrival, "tool": "MLC LLM bench"}
    # The duration of a level without a good request is a stand-in of 0.01 ms, and its rates rest on it.
    measured = {key: row.not_negative(key) for key in _FIGURES} if good != 0 else {}
    output_tok_s, input_tok_s = measured.get("output_token_throughput"), measured.get("input_token_throughput")
    return RawLevel(
        place=row.place,
        asked_concurrency=concurrency,
        asked_rate=rate,
        requests_sent=sent,
        requests_good=good,
        requests_failed=failed,
        duration_s=measured.get("duration"),
        request_rate=measured.get(_DONE_RATE),
        input_tokens_mean=measured.get("input_tokens.mean"),
        output_tokens_mean=measured.get("output_tokens.mean"),
        output_tok_s=output_tok_s,
        total_tok_s=output_tok_s + input_tok_s if output_tok_s is not None and input_tok_s is not None else None,
        readings=_readings(row) if good != 0 else (),
        conditions={name: value for name, value in told.items() if value is not None},
        # Nothing in the file says which model and server it is, and two tables never share one unasked.
        identity={"file": row.place.file},
        akin=frozenset({Metric.TPOT}),
        findings=tuple(row.findings),
    )


def _asked(row: Fields, good: int | None, gpus: int | None) -> tuple[float | None, float | None, str | None]:
    """Return concurrency, rate and arrival.

    Raises:
        RefusedFileError: a load that is not above zero.
    """
    concurrency, rate = row.not_negative(_CONCURRENCY), row.rate(_RATE)
    for key, load in ((_CONCURRENCY, concurrency), (_RATE, rate)):
        if load is not None and load <= 0.0:
            raise refusal(
                "ingest.no_load_value",
                t("The row has no load above zero"),
                row.place.file or "",
                t("Send the file again as the tool wrote it"),
                line=row.place.line,
                field=key,
            )
    if concurrency is not None:
        return concurrency, None, "closed loop"
    if rate is not None:
        return None, _of_all_gpus(row, _as_typed(rate), good, gpus), "poisson"
    if row.text(_RATE) is not None:
        return None, None, "unbounded"
    replayed = row.number(_REPLAY) is not None
    row.findings.append(no_load(row.at(_REPLAY if replayed else _FEATURE)))
    return None, None, "trace" if replayed else None


def _as_typed(rate: float) -> float:
    """Return the shortest decimal of the single-precision number that the tool made of a rate: 0.1 of 0.10000000149."""
    return float(str(np.float32(rate))) if float(np.float32(rate)) == rate else rate


def _of_all_gpus(row: Fields, rate: float, good: int | None, gpus: int | None) -> float:
    """Return the rate of the whole server: with --per-gpu-workload the file names that of one GPU.

    Nothing says whether the option was given, so only answers beyond what chance allows at the rate named show it:
    four standard deviations of that many random arrivals.
    """
    done = row.not_negative(_DONE_RATE)
    if gpus is None or gpus < 2 or not good or not done or done <= rate * max(TOO_FAST, 1.0 + 4.0 / math.sqrt(good)):
        return rate
    row.findings.append(
        Finding(
            code="mlc_llm_bench.rate_per_gpu",
            severity=Severity.INFO,
            where=row.at(_RATE),
            what=t(
                "{done} requests/s were answered at a rate of {rate}: it is the rate of one of {gpus} GPUs",
                done=f"{done:.4g}",
                rate=f"{rate:g}",
                gpus=gpus,
            ),
            consequence=t("It is multiplied by the number of GPUs"),
        )
    )
    return rate * gpus


def _readings(row: Fields) -> tuple[Reading, ...]:
    found = []
    for metric, name in _TIMES.items():
        for key, statistic in _STATISTICS.items():
            value = row.not_negative(f"{name}.{key}")
            if value is not None:
                found.append(Reading(metric, statistic, value, "s", f"{name}.{key}"))
    kept = without_unmeasured(row, found)
    metrics = {reading.metric for reading in kept}
    if Metric.TTFT in {reading.metric for reading in found} - metrics and Metric.TPOT in metrics:
        # Without a first token the tool's TPOT is the whole request over its tokens.
        row.findings.append(not_measured(row.at(f"{_TIMES[Metric.TPOT]}.mean"), Metric.TPOT))
        return tuple(reading for reading in kept if reading.metric is not Metric.TPOT)
    return kept


def _short_answers(row: Fields, failed: int) -> Finding:
    return Finding(
        code="mlc_llm_bench.short_answers_failed",
        severity=Severity.INFO,
        where=row.at(_GOOD),
        what=t("{count} requests count as failed", count=failed),
        consequence=t(
            "Answers that came whole in their first chunk may be among them: the tool counts those as failed"
        ),
    )


def _load_lost(row: Fields) -> Finding:
    return Finding(
        code="mlc_llm_bench.load_lost",
        severity=Severity.ERROR,
        where=row.at(_GOOD),
        what=t("No request of this row was completed, and the tool then does not write at which load"),
        consequence=t("The row is left out: the server may not carry that load"),
        fix=_LOOK,
    )


def _itl_not_read(table: Table) -> Finding:
    return Finding(
        code="mlc_llm_bench.itl_includes_ttft",
        severity=Severity.INFO,
        where=Place(table.name, table.line, _NOT_OURS),
        what=t(
            "MLC LLM's inter-token latency is the whole request divided by its output tokens:"
            " the time to the first token is in it"
        ),
        consequence=t("It is not used; the time per output token beside it is"),
    )
