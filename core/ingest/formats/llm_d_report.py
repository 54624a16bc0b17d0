"""llm-d-benchmark's benchmark report, versions 0.1, 0.2 and 0.2.1, YAML or JSON: one load level per file.

User names, cluster and pod ids, addresses and environment variables in it are never kept.
docs/formats/llm_d_report.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from core.errors import Place
from core.i18n import t
from core.ingest import doubled
from core.ingest.bench_fields import accelerators_from_name
from core.ingest.decode import refusal
from core.ingest.execution import by_numbers
from core.ingest.fields import Fields
from core.ingest.formats.llm_d_load import Load, load_of
from core.ingest.formats.llm_d_performance import Performance, calls_gap_itl, performance_of
from core.ingest.formats.llm_d_stack import early_stack, kv_used, restarts, stack_of
from core.ingest.formats.llm_d_units import in_their_unit
from core.ingest.names import from_name
from core.ingest.notices import no_load, none_completed
from core.ingest.peek import json_paths, yaml_paths
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.ingest.statistic_block import mean_s
from core.ingest.yaml_text import json_or_yaml
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = "llm_d_report"
LABEL = "llm-d benchmark report"

EARLY = "0.1"
KNOWN = ("0.1", "0.2", "0.2.1")
_SEND_AGAIN = t("Send the file again as the tool wrote it")


def match(head: Head) -> float:
    """Recognise the sections of a report; one without a scenario is inference-perf's own part."""
    paths = json_paths(head.sample) or yaml_paths(head.sample)
    if "scenario" not in paths and "version" in paths:
        return 0.0
    later = "results.request_performance" in paths
    early = "metrics.latency" in paths and all(f"scenario.{part}" in paths for part in ("load", "host"))
    return 0.95 if later or early else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a report.

    Raises:
        RefusedFileError: cut off, a part that is missing, an unknown unit, or a value that is not a number.
    """
    document = json_or_yaml(upload)
    if not isinstance(document, Mapping):
        what = t("The file does not hold one report")
        raise refusal("ingest.unexpected", what, upload.name, _SEND_AGAIN)
    top = Fields(document, Place(upload.name))
    version = top.text("version") or (EARLY if "metrics" in document else None)
    early = "metrics" in document
    section = top.inner("metrics") if early else top.inner("results").inner("request_performance").inner("aggregate")
    for part in ("scenario", "latency", "throughput"):
        if not (top if part == "scenario" else section).inner(part).values:
            what = t("The report ends before its {part}, or lacks it", part=part)
            raise refusal("ingest.truncated", what, upload.name, _SEND_AGAIN, field=part)
    load = load_of(top.inner("scenario").inner("load"), early=early)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=version,
        kind=Kind.MEASURED,
        levels=(_level(top, section, load, early=early),),
        findings=_newer(top.place, version),
        calls={Metric.TPOT: "ITL"} if calls_gap_itl(load.tool) else {},
    )


def _level(top: Fields, section: Fields, load: Load, *, early: bool) -> RawLevel:
    told = performance_of(section, load.tool)
    concurrency, rate = _load(top, load)
    readings = _readings(top, section, told, load)
    if told.good == 0:
        top.findings.append(none_completed(top.place))
    scenario = top.inner("scenario")
    conditions, identity = early_stack(scenario) if early else stack_of(scenario)
    top.findings.extend((*_parallel(top.place, load), *restarts(top.inner("results"))))
    return replace(
        told.level(top.place, readings),
        asked_concurrency=concurrency,
        asked_rate=rate,
        kv_used_fraction=None if early else kv_used(top.inner("results")),
        conditions=_known(accelerators_from_name(top, conditions | load.conditions)),
        identity=_known(identity | load.identity),
        run_key=_run_key(top.place, told, readings),
        findings=tuple(top.findings),
    )


def _readings(top: Fields, section: Fields, told: Performance, load: Load) -> list[Reading]:
    if told.good == 0:
        return []
    readings = in_their_unit(top, told, load.concurrency)
    if load.tool == "inference-perf":
        vary = doubled.lengths_vary(section.inner("requests").inner("output_length"))
        readings = doubled.without_doubled(top, readings, told.output_tokens, vary=vary)
    return readings


def _load(top: Fields, load: Load) -> tuple[float | None, float | None]:
    """Return (concurrency, rate): what the report says, else what its name says."""
    if load.rate is not None or load.concurrency is not None:
        return load.concurrency, load.rate
    named = load.from_name(top.place.file or "")
    for field, value in named.items():
        top.findings.append(from_name(top.place, field, value))
    if not named:
        top.findings.append(no_load(top.at("scenario.load")))
    return named.get("asked_concurrency"), named.get("asked_rate")


def _run_key(place: Place, told: Performance, readings: list[Reading]) -> str | None:
    e2e, ttft = mean_s(readings, Metric.E2E), mean_s(readings, Metric.TTFT)
    return by_numbers(place.file, told.good, e2e, ttft)


def _known(values: Mapping[str, Scalar]) -> dict[str, Scalar]:
    return {name: value for name, value in values.items() if value is not None}


def _parallel(place: Place, load: Load) -> tuple[Finding, ...]:
    if not load.clients or load.clients <= 1:
        return ()
    return (
        Finding(
            code="llm_d.parallel_clients",
            severity=Severity.WARNING,
            where=Place(place.file, None, "scenario.load.standardized.parallelism"),
            what=t("{count} load generators ran at once, and this report is of one of them", count=load.clients),
            consequence=t("The server carried that many times the load of this level"),
            fix=t("Pool the reports of all generators, or run one generator"),
        ),
    )


def _newer(place: Place, version: str | None) -> tuple[Finding, ...]:
    if version in KNOWN:
        return ()
    return (
        Finding(
            code="llm_d.newer_schema",
            severity=Severity.WARNING,
            where=Place(place.file, None, "version"),
            what=t("The report has version {version}; Plimsoll knows versions up to 0.2.1", version=version or "?"),
            consequence=t("It was read like version 0.2.1, so a changed meaning would go unnoticed"),
            fix=t("Compare the values with those of the load generator's own report"),
        ),
    )
