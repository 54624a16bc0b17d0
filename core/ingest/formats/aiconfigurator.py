"""NVIDIA AIConfigurator: pareto.csv and best_config_topn.csv, aggregated and disaggregated; curve tables.

Source: files written by AIConfigurator 0.12.0 (`cli default --save-dir`), read field by field;
docs/formats/aiconfigurator.md. Times are milliseconds and means: no request was ever sent, so there
are no counts, no percentiles and no queue. Every value of `parallel`, and every prefill budget
(`ctx_tokens`), is a deployment of its own.
"""

from __future__ import annotations

import hashlib
import re

from core.errors import Place
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.names import from_name
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.ingest.required import load_of
from core.ingest.row_fields import fields_of
from core.ingest.simulated import candidate
from core.ingest.table import header_of, table_of
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "aiconfigurator"
LABEL = "NVIDIA AIConfigurator"

_SHARED = frozenset(
    {"model", "isl", "osl", "concurrency", "ttft", "tpot", "request_latency", "tokens/s", "num_total_gpus"}
)
_AGGREGATED, _DISAGGREGATED = _SHARED | {"parallel", "ctx_tokens"}, _SHARED | {"(p)parallel", "(d)parallel"}
_CURVE = frozenset({"concurrency", "ttft_ms", "tpot_ms", "req_ms", "out_tok_s", "tok_s_gpu", "tok_s_user", "kv_warn"})

_TIMES = {Metric.TTFT: "ttft", Metric.TPOT: "tpot", Metric.E2E: "request_latency"}
_CURVE_TIMES = {Metric.TTFT: "ttft_ms", Metric.TPOT: "tpot_ms", Metric.E2E: "req_ms"}
# Settings of a deployment that are no condition of ours. Batch sizes follow the concurrency.
_SETTINGS = ("parallel", "ctx_tokens", "moe_tp", "cp", "fmha", "moe", "comm")
_POOL_SETTINGS = ("workers", "parallel", "moe_tp", "moe_ep", "cp", "gemm", "kvcache", "fmha", "moe", "comm")
_CURVE_NAME = re.compile(
    r"(?:aic_curve_)?(?P<model>.+)_(?P<system>[a-z]+\d+[a-z]*_[a-z]+)_tp(?P<tp>\d+)\.csv", re.IGNORECASE
)


def claims(header: tuple[str, ...]) -> bool:
    """Whether a header is one that AIConfigurator writes."""
    names = frozenset(header)
    return any(wanted <= names for wanted in (_AGGREGATED, _DISAGGREGATED, _CURVE))


def match(head: Head) -> float:
    """0.95 where every column that tells the format is there."""
    return 0.95 if claims(header_of(head)) else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per row, each with the deployment it belongs to.

    Raises:
        RefusedFileError: a damaged table, a row without a load or with a cell that is no number.
    """
    table = table_of(upload, LIMITS.levels)
    names = frozenset(table.header)
    curve = not names >= _SHARED
    read_level = _curve_level if curve else _disaggregated if names >= _DISAGGREGATED else _aggregated
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.SIMULATED,
        levels=tuple(read_level(row) for row in fields_of(table)),
        findings=_findings(upload.name, curve=curve),
    )


def _aggregated(row: Fields) -> RawLevel:
    conditions: dict[str, Scalar] = {
        "precision": row.text("gemm"),
        "kv_precision": row.text("kvcache"),
        "serving_mode": "aggregated",
        "accelerator": row.text("system"),
        "engine": row.text("backend"),
        "engine_version": row.text("version"),
        "tp": row.count("tp"),
        "pp": row.count("pp"),
        "dp": row.count("dp"),
        "ep": row.count("moe_ep"),
    }
    return _level(row, conditions, {key: row.text(key) for key in _SETTINGS})


def _disaggregated(row: Fields) -> RawLevel:
    """Two pools with their own parallelism: tp, pp, dp and ep are of a pool, so they are identity."""
    conditions: dict[str, Scalar] = {
        "precision": _both(row, "gemm"),
        "kv_precision": _both(row, "kvcache"),
        "serving_mode": "disaggregated",
        "accelerator": _both(row, "system"),
        "engine": _both(row, "backend"),
        "engine_version": _both(row, "version"),
        "prefill_accelerators": _accelerators(row, "(p)"),
        "decode_accelerators": _accelerators(row, "(d)"),
    }
    identity = {f"{pool}{key}": row.text(f"{pool}{key}") for pool in ("(p)", "(d)") for key in _POOL_SETTINGS}
    return _level(row, conditions, {**identity, "(p)bs": row.text("(p)bs"), "(e)workers": row.text("(e)workers")})


def _level(row: Fields, conditions: dict[str, Scalar], identity: dict[str, Scalar]) -> RawLevel:
    shared: dict[str, Scalar] = {"model": row.text("model"), "accelerator_count": row.count("num_total_gpus")}
    # Lengths are settings of a simulation, exact and the same at every level: they tell deployments apart.
    settings = {"isl": row.text("isl"), "osl": row.text("osl"), "prefix": row.text("prefix"), **identity}
    known = {key: value for key, value in (shared | conditions).items() if value is not None}
    told = {key: value for key, value in settings.items() if value is not None}
    return RawLevel(
        place=row.place,
        asked_concurrency=load_of(row, "concurrency"),
        request_rate=row.not_negative("request_rate"),
        input_tokens_mean=row.not_negative("isl"),
        output_tokens_mean=row.not_negative("osl"),
        output_tok_s=row.not_negative("tokens/s"),
        readings=_readings(row, _TIMES),
        conditions=known,
        identity=told,
        # A simulation is deterministic: pareto.csv and best_config_topn.csv hold the same point twice.
        run_key="|".join(map(str, (*known.values(), *told.values(), row.values.get("ttft"), row.values.get("tpot")))),
        findings=tuple(row.findings),
    )


def _curve_level(row: Fields) -> RawLevel:
    """One configuration per file; which one only the file's name tells."""
    name = row.place.file or ""
    conditions, _ = _from_name(name)
    findings = row.findings
    output, per_gpu = row.not_negative("out_tok_s"), row.not_negative("tok_s_gpu")
    if output and per_gpu and abs(output / per_gpu - round(output / per_gpu)) < 1e-6:
        conditions["accelerator_count"] = round(output / per_gpu)
    if (row.text("kv_warn") or "").lower() == "true":
        findings.append(_no_room(row))
    return RawLevel(
        place=row.place,
        asked_concurrency=load_of(row, "concurrency"),
        output_tok_s=output,
        readings=_readings(row, _CURVE_TIMES),
        conditions=conditions,
        identity={"file": name},
        findings=tuple(findings),
    )


def _readings(row: Fields, names: dict[Metric, str]) -> tuple[Reading, ...]:
    values = ((metric, key, row.not_negative(key)) for metric, key in names.items())
    # A time of exactly zero is one that the tables do not cover.
    return tuple(Reading(metric, "mean", value, "ms", key) for metric, key, value in values if value)


def _both(row: Fields, key: str) -> str | None:
    """Return what both pools share, else "prefill + decode"."""
    pools = [row.text(f"{pool}{key}") for pool in ("(p)", "(d)")]
    if None in pools:
        return None
    return pools[0] if pools[0] == pools[1] else " + ".join(str(pool) for pool in pools)


def _accelerators(row: Fields, pool: str) -> int | None:
    """Accelerators of one pool: workers x tp x pp x dp, and context parallelism where there is any."""
    parts = [row.count(f"{pool}{key}") for key in ("workers", "tp", "pp", "dp")]
    total = row.count(f"{pool}cp") or 1
    for part in parts:
        if not part:
            return None
        total *= part
    return total


def _from_name(name: str) -> tuple[dict[str, Scalar], list[Finding]]:
    found = _CURVE_NAME.fullmatch(name.replace("\\", "/").split("/")[-1])
    if not found:
        return {}, []
    tp = int(found["tp"])
    return {"model": found["model"], "accelerator": found["system"], "tp": tp}, [from_name(Place(name), "tp", tp)]


def _findings(name: str, *, curve: bool) -> tuple[Finding, ...]:
    frontier = Finding(
        code="simulated.frontier",
        severity=Severity.WARNING,
        where=Place(name),
        what=t("The file is a frontier: it keeps the best points of many configurations and leaves out the others"),
        consequence=t("Load levels of each configuration are missing, so its curve is coarse"),
        fix=t("Simulate one configuration at every load level to see its whole curve"),
    )
    means = candidate(name, t("They are means without a queue; percentiles cannot be told"))
    return (means, *_from_name(name)[1]) if curve else (means, frontier)


def _no_room(row: Fields) -> Finding:
    return Finding(
        code="simulated.kv_does_not_fit",
        severity=Severity.WARNING,
        where=row.at("kv_warn"),
        what=t("The simulator warns that the cache of this load does not fit into memory"),
        consequence=t("A real server would queue or preempt requests here"),
    )
