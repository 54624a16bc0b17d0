"""AIPerf's summary: profile_export_aiperf.json, one level per file. docs/formats/aiperf.md.

Read here: October 2025 (everything under `records`), 0.8 (`input_config.loadgen`),
0.10 to 0.13 (`input_config.phases`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.day import day_in
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats import aiperf_names as names
from core.ingest.formats.aiperf_config import asked_of, cut_short, identity_of, model_of
from core.ingest.formats.aiperf_names import CANCELLED_CODE, CANCELLED_TYPE
from core.ingest.formats.aiperf_telemetry import accelerators_of, memory_used
from core.ingest.names import model_in
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.model.run import Kind

FORMAT_ID = names.FORMAT_ID
LABEL = "AIPerf JSON"

_RESULTS = ("request_latency", "request_count", "error_request_count", "request_throughput", "benchmark_duration")


def match(head: Head) -> float:
    """Recognise results that stand beside their unit, with AIPerf's name somewhere in the head."""
    paths = json_paths(head.sample)
    if any(f"records.{name}.tag" in paths for name in _RESULTS):
        return 1.0
    if not any({f"{name}.unit", f"{name}.avg"} <= paths for name in _RESULTS):
        return 0.0
    return 1.0 if "aiperf_version" in paths else 0.9 if b"aiperf" in head.sample else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a summary.

    Raises:
        RefusedFileError: not an object, no result in it, or a value that is not a number.
    """
    document = json_document(upload)
    place = Place(upload.name)
    if not isinstance(document, Mapping):
        raise refusal(
            "ingest.unexpected",
            t("The file does not hold one JSON object"),
            upload.name,
            t("Send the file again as the tool wrote it"),
        )
    top = Fields(document, place)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=top.text("schema_version") or ("records" if "records" in document else None),
        kind=Kind.MEASURED,
        levels=(_level(top, upload.name),),
        findings=tuple(top.findings),
        calls=names.CALLS,
    )


def _level(top: Fields, name: str) -> RawLevel:
    config = top.inner("input_config")
    asked = asked_of(config, name, top.place)
    gpus = accelerators_of(top)
    model, revision = model_in(model_of(config))
    conditions: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "arrival": asked.arrival,
        "accelerator": ", ".join(sorted(set(gpus)))[:300] or None,
        "tool": "AIPerf",
        "tool_version": top.text("aiperf_version"),
    }
    said = names.Said(
        asked_concurrency=asked.concurrency,
        asked_rate=asked.rate,
        cancelled=_cancelled(top),
        memory_used_fraction=memory_used(top),
        conditions=accelerators_from_name(top, {k: v for k, v in conditions.items() if v is not None}),
        identity=identity_of(config),
        findings=(*asked.findings, *names.seen_accelerators(top.place, gpus)),
    )
    level = names.level_of(_stats(top), top.place, said)
    short = cut_short(top, asked, duration_s=level.duration_s, requests=level.requests_sent)
    return replace(level, findings=(*level.findings, *short), measured_on=day_in(top.text("start_time")))


def _stats(top: Fields) -> names.Stats:
    rows = top.inner("records") if "records" in top.values else top
    found = {}
    for key, value in rows.values.items():
        if isinstance(value, Mapping) and "avg" in value and "unit" in value:
            found[names.EARLY_NAMES.get(key, key)] = Fields(value, rows.at(key))
    return found


def _cancelled(top: Fields) -> int:
    """Return how many requests AIPerf itself cancelled: it counts them among the errors."""
    total = 0
    for entry in top.each("error_summary"):
        details = entry.inner("error_details")
        if details.text("type") == CANCELLED_TYPE or details.values.get("code") == CANCELLED_CODE:
            total += entry.count("count") or 0
    return total
