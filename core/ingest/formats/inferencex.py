"""InferenceX (InferenceMAX) aggregates: one object per file, or an array of configurations. docs/formats/inferencex.md.

Seen: `agg_*.json` of 2026 (fixed lengths, seconds, `p99.9_ttft`). Agentic rows (`scenario_type`,
no median, statistics of AIPerf, also nested under `request_metrics`) follow the published script.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.bench_fields import statistics_of
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats import inferencex_copies as copies
from core.ingest.formats.inferencex_gpus import accelerators_of, throughput_of
from core.ingest.formats.inferencex_nested import flattened
from core.ingest.formats.inferencex_settings import settings_of
from core.ingest.formats.inferencex_speed import tpot_from_speed
from core.ingest.notices import no_load, none_completed
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Upload
from core.ingest.record_columns import first_record
from core.model.metric import Metric, fraction
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "inferencex"
LABEL = "InferenceX aggregate"

_SETTINGS = frozenset({"hw", "conc", "framework", "precision"})
_RESULTS = frozenset({"tput_per_gpu", "scenario_type", "mean_intvty", "num_requests_successful", "request_metrics"})


def match(head: Head) -> float:
    """1 for an object, or a list of objects, with the settings of a configuration and one of its results."""
    paths = json_paths(head.sample, depth=1) or first_record(head.sample)
    return float(paths >= _SETTINGS and bool(paths & _RESULTS))


def read(upload: Upload) -> RawFile:
    """Return one level per row.

    Raises:
        RefusedFileError: not JSON, cut off, something else among the rows, or a value that is not a number.
    """
    rows = _rows(upload)
    levels = [_level(row) for row in rows]
    kept, findings = copies.judged(levels)
    aiperf = any(_gap_per_request(row) for row in rows)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="agentic" if any("scenario_type" in row.values for row in rows) else "fixed length",
        kind=Kind.MEASURED,
        levels=kept,
        findings=findings,
        calls={Metric.TPOT: "ITL"} if aiperf else {},
    )


def _rows(upload: Upload) -> list[Fields]:
    document = json_document(upload)
    items = document if isinstance(document, list) else [document]
    if len(items) > LIMITS.levels:
        raise refusal(
            "ingest.too_large",
            t("The file holds more than {limit} runs", limit=LIMITS.levels),
            upload.name,
            t("Split it into several files"),
        )
    rows = []
    for index, item in enumerate(items):
        field = f"[{index}]" if isinstance(document, list) else None
        if not isinstance(item, Mapping) or "conc" not in item or not {"tp", "prefill_tp"} & item.keys():
            raise refusal(
                "inferencex.no_row",
                t("This is no row of InferenceX: its concurrency or its parallelism is missing"),
                upload.name,
                t("Send the file as InferenceX wrote it"),
                field=field,
            )
        rows.append(Fields(flattened(item), Place(upload.name, None, field)))
    return rows


def _level(row: Fields) -> RawLevel:
    sent, good = row.count("num_requests_total"), row.count("num_requests_successful")
    accelerators = accelerators_of(row)
    output_tok_s, total_tok_s = throughput_of(row, accelerators)
    readings, sample_n = _readings(row, good)
    load = row.not_negative("conc")
    if not load:
        row.findings.append(no_load(row.at("conc")))
    conditions, identity = settings_of(row, accelerators)
    return RawLevel(
        place=row.place,
        asked_concurrency=load or None,
        requests_sent=sent,
        requests_good=good,
        requests_failed=sent - good if sent is not None and good is not None and good <= sent else None,
        duration_s=row.not_negative("duration_seconds") or None,
        input_tokens_mean=row.not_negative("mean_input_tokens"),
        output_tokens_mean=row.not_negative("mean_output_tokens_actual"),
        output_tok_s=output_tok_s if good != 0 else None,
        total_tok_s=total_tok_s if good != 0 else None,
        cache_hit_rate=_share(row, "server_gpu_cache_hit_rate"),
        kv_used_fraction=_share(row, "gpu_kv_cache_usage_pct"),
        readings=readings,
        sample_n=sample_n,
        conditions=conditions,
        identity=identity,
        findings=tuple(row.findings),
    )


def _readings(row: Fields, good: int | None) -> tuple[tuple[Reading, ...], dict[Metric, int]]:
    if good == 0:
        row.findings.append(none_completed(row.at("num_requests_successful")))
        return (), {}
    # p50 stands as "median" or as "p50"; statistics_of knows both, and seconds by the missing "_ms".
    readings, sample_n = statistics_of(row, good)
    if _gap_per_request(row):
        readings = tuple(reading for reading in readings if reading.metric is not Metric.ITL)
        sample_n = {metric: n for metric, n in sample_n.items() if metric is not Metric.ITL}
    known = {fraction(r.statistic): r.value for r in readings if r.metric is Metric.TPOT and r.statistic[0] == "p"}
    return (*readings, *tpot_from_speed(row, {q: v for q, v in known.items() if q is not None})), sample_n


def _gap_per_request(row: Fields) -> bool:
    """Whether the "ITL" of a row is AIPerf's, one value per request: it then equals TPOT in every statistic."""
    pairs = [
        (value, row.values.get(key.replace("_itl", "_tpot"))) for key, value in row.values.items() if "_itl" in key
    ]
    known = [(itl, tpot) for itl, tpot in pairs if isinstance(itl, float) and itl]
    return bool(known) and all(itl == tpot for itl, tpot in known)


def _share(row: Fields, key: str) -> float | None:
    """Return a share; the tool sums its gauges over servers, so that one above 1 is none."""
    value = row.not_negative(key)
    return value if value is not None and value <= 1.0 else None
