"""AISimulate's recommendation.json and its CSV: every deployment that a search simulated; docs/formats/aisimulate.md.

Source: the documented result contract, schema 1.0 and 1.1. Every candidate is a deployment of its own at one
load, so each is one level of its own run. One that broke a target still has its numbers, and is read; one
without numbers is counted in a finding. A strict target was held against means, never against percentiles.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace

import msgspec

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.formats.aisimulate import FORMAT_ID as PREDICTION
from core.ingest.formats.aisimulate_report import level_of
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.ingest.simulated import candidate
from core.ingest.table import Table, header_of, table_of
from core.model.finding import Finding, Severity
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = PREDICTION
LABEL = "NVIDIA AISimulate recommendation"

_COLUMNS = frozenset({"candidate_id", "status", "used_gpus", "metrics_json", "provenance_json"})
# Keys are sorted, so what stands behind the candidates may be far away.
_KEYS = frozenset({"candidate_retention", "candidates.[].candidate_id", "candidates.[].status"})
_NESTED = ("prediction_config", "metrics", "provenance")
_SEND_AGAIN = t("Send the file again as the tool wrote it")


def match(head: Head) -> float:
    """0.95 where every key or column that tells the format is there."""
    return 0.95 if json_paths(head.sample) >= _KEYS or frozenset(header_of(head)) >= _COLUMNS else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per candidate that has numbers.

    Raises:
        RefusedFileError: cut off, a cell that is no JSON, or no candidate with numbers.
    """
    is_json = upload.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"
    candidates = _of_json(upload) if is_json else _of_table(table_of(upload, LIMITS.levels))
    levels = tuple(_level(each) for each in candidates if each.inner("metrics").values)
    if not levels:
        raise refusal("ingest.no_levels", t("No candidate of the search has numbers"), upload.name, _SEND_AGAIN)
    without = len(candidates) - len(levels)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="recommendation",
        kind=Kind.SIMULATED,
        levels=levels,
        findings=(candidate(upload.name), *_single(upload.name), *(_without(upload.name, without) if without else ())),
    )


def _of_json(upload: Upload) -> list[Fields]:
    document = json_document(upload)
    return Fields(document if isinstance(document, Mapping) else {}, Place(upload.name)).each("candidates")


def _of_table(table: Table) -> list[Fields]:
    """Return the rows with the JSON of their cells opened."""
    found = []
    for row in table.rows:
        values: dict[str, object] = dict(zip(table.header, row.cells, strict=True))
        for name in _NESTED:
            values[name] = _opened(table.name, row.line, f"{name}_json", str(values.get(f"{name}_json", "")))
        found.append(Fields(values, Place(table.name, row.line)))
    return found


def _opened(name: str, line: int, column: str, cell: str) -> object:
    if not cell.strip():
        return {}
    try:
        return msgspec.json.decode(cell.encode())
    except (msgspec.DecodeError, RecursionError) as error:
        what = t("The cell {column} is no JSON", column=column)
        raise refusal("ingest.not_json", what, name, _SEND_AGAIN, line=line, field=column) from error


def _level(found: Fields) -> RawLevel:
    config, provenance = found.inner("prediction_config"), found.inner("provenance")
    load, engine = config.inner("traffic").inner("load"), config.inner("engine")
    workload = provenance.inner("workload")
    concurrency = load.rate("concurrency") or workload.rate("concurrency")
    rate = load.rate("requests_per_second") or workload.rate("request_rate")
    level = level_of(found.inner("metrics"))
    conditions: dict[str, Scalar] = {
        "model": provenance.text("model") or engine.text("model"),
        "accelerator": provenance.text("hardware") or engine.text("hardware"),
        "engine": provenance.text("backend") or engine.text("backend"),
        "engine_version": provenance.text("backend_version") or engine.text("backend_version"),
        "serving_mode": engine.text("mode"),
        "accelerator_count": found.count("used_gpus"),
    }
    return replace(
        level,
        place=found.place,
        asked_concurrency=concurrency,
        asked_rate=None if concurrency else rate,
        conditions={**level.conditions, **{name: value for name, value in conditions.items() if value is not None}},
        identity={"candidate": found.text("candidate_id"), "topology": _written(provenance.values.get("topology"))},
        run_key=f"{found.text('candidate_id')}|{_numbers(found.inner('metrics').values)}",
        findings=tuple(found.findings),
    )


def _written(value: object) -> str | None:
    """Return a nested setting as one text, the same for the same setting."""
    return json.dumps(value, sort_keys=True, default=str)[:300] if value else None


def _single(name: str) -> tuple[Finding, ...]:
    return (
        Finding(
            code="simulated.single_levels",
            severity=Severity.WARNING,
            where=Place(name),
            what=t("Every deployment of the search was simulated at one load only"),
            consequence=t("What happens at any other load of it cannot be told"),
            fix=t("Simulate the chosen deployment at several loads and send their reports"),
        ),
    )


def _without(name: str, count: int) -> tuple[Finding, ...]:
    return (
        Finding(
            code="aisimulate.candidates_without_numbers",
            severity=Severity.INFO,
            where=Place(name),
            what=t("Candidates that failed, ran out of time or were never simulated: {count}", count=count),
            consequence=t("They are left out"),
        ),
    )


def _numbers(values: Mapping[str, object]) -> list[tuple[str, float]]:
    """Return what was counted and measured, to tell one execution from another."""
    return sorted((name, value) for name, value in values.items() if isinstance(value, int | float))
