"""InferenceX's multi-turn tables: one row per configuration and level, milliseconds. docs/formats/inferencex.md.

Seen: `summary.csv` (level column `users`) and `experiment_summary.csv` (`bs`). Throughput is of the
whole system here; hit rates are in per cent.
"""

from __future__ import annotations

import hashlib
import re

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.formats import inferencex_copies as copies
from core.ingest.formats.inferencex_settings import settings_in_name
from core.ingest.notices import none_completed
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.ingest.table import Table, header_of, number_text, table_of
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "inferencex"
LABEL = "InferenceX multi-turn CSV"

_MARKS = frozenset({"exp_name", "tp", "offload", "mean_ttft_ms", "mean_tpot_ms", "mean_latency_ms"})
_LOADS = ("users", "bs")
_STATISTIC = re.compile(r"(?P<statistic>mean|p\d{2,4})_(?P<metric>ttft|tpot|latency)_ms")
_METRICS = {"ttft": Metric.TTFT, "tpot": Metric.TPOT, "latency": Metric.E2E}
_TEXTS = frozenset({"exp_name", "offload", "status"})
_MOST, _NEAR = 1e6, 1e-6


def match(head: Head) -> float:
    """0.95 where the experiment, its settings, a level and the three latencies are columns."""
    return 0.95 if claims(header_of(head)) else 0.0


def claims(header: tuple[str, ...]) -> bool:
    """Whether a header is one of these tables."""
    return set(header) >= _MARKS and any(load in header for load in _LOADS)


def read(upload: Upload) -> RawFile:
    """Return one level per row, without the rows that are proven to be of another configuration.

    Raises:
        RefusedFileError: a damaged table, a row without a load, a cell that is not a number.
    """
    table = table_of(upload, LIMITS.levels)
    kept, findings = copies.judged([_level(row) for row in _rows(table)])
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version="multi-turn",
        kind=Kind.MEASURED,
        levels=kept,
        findings=findings,
    )


def _rows(table: Table) -> list[Fields]:
    rows = []
    for row in table.rows:
        values: dict[str, object] = {}
        for name, cell, mark in zip(table.header, row.cells, table.decimal_marks, strict=True):
            values[name] = cell.strip() if name in _TEXTS else number_text(cell, mark)[0]
        rows.append(Fields(values, Place(table.name, row.line)))
    return rows


def _level(row: Fields) -> RawLevel:
    named, identity = settings_in_name(row.text("exp_name") or "")
    good = row.count("num_requests")
    input_tok_s, total_tok_s = row.not_negative("input_throughput_tps"), row.not_negative("total_throughput_tps")
    output_tok_s = row.not_negative("output_throughput_tps")
    if output_tok_s is None and total_tok_s is not None and input_tok_s is not None:
        output_tok_s = max(total_tok_s - input_tok_s, 0.0)
    tp = row.count("tp") or None
    told: dict[str, Scalar] = {"tp": tp, "accelerator_count": _accelerators(row), "arrival": "closed loop"}
    conditions = told | {"tool": "InferenceX"} | named
    return RawLevel(
        place=row.place,
        asked_concurrency=_load(row),
        requests_good=good,
        request_rate=row.not_negative("throughput_rps"),
        output_tok_s=output_tok_s,
        total_tok_s=total_tok_s,
        cache_hit_rate=_hit_rate(row),
        readings=_readings(row, good),
        conditions={name: value for name, value in conditions.items() if value is not None},
        identity={"file": row.place.file, "offload": row.text("offload"), **identity},
        findings=tuple(row.findings),
    )


def _load(row: Fields) -> float:
    key = next(key for key in _LOADS if key in row.values)
    load = row.not_negative(key)
    if not load:
        raise refusal(
            "ingest.no_load_value",
            t("The row has no load above zero"),
            row.place.file or "",
            t("Send the file again as the tool wrote it"),
            line=row.place.line,
            field=key,
        )
    return load


def _readings(row: Fields, good: int | None) -> tuple[Reading, ...]:
    status = row.text("status")
    if good == 0:
        row.findings.append(none_completed(row.at("num_requests")))
        return ()
    if status is not None and status.upper() != "SUCCESS":
        row.findings.append(_failed(row, status))
        return ()
    found = []
    for key in row.values:
        name = _STATISTIC.fullmatch(key)
        value = row.not_negative(key) if name else None
        if name and value:
            found.append(Reading(_METRICS[name["metric"]], _statistic(name["statistic"]), value, "ms", key))
    return tuple(found)


def _statistic(name: str) -> str:
    """Return "p99.9" for "p999": behind the second digit the decimals begin."""
    return name if name == "mean" or len(name) == 3 else f"{name[:3]}.{name[3:]}"


def _accelerators(row: Fields) -> int | None:
    """Return how many accelerators the throughput was divided by, None where the table does not show it."""
    total, each = row.not_negative("total_throughput_tps"), row.not_negative("total_tps_per_gpu")
    count = total / each if total and each else 0.0
    return round(count) if 0.5 < count < _MOST and abs(count - round(count)) <= _NEAR else None


def _hit_rate(row: Fields) -> float | None:
    """Return the share of prompt tokens found in the cache; where a second cache served too, its share is unknown."""
    first, second = row.not_negative("gpu_hit_rate"), row.not_negative("cpu_hit_rate")
    return first / 100.0 if first is not None and first <= 100.0 and not second else None


def _failed(row: Fields, status: str) -> Finding:
    return Finding(
        code="inferencex.run_failed",
        severity=Severity.WARNING,
        where=row.at("status"),
        what=t("The run of this row did not end well: {status}", status=status[:40]),
        consequence=t("Its latencies are not used"),
        fix=t("Measure this level again"),
    )
