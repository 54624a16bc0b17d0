"""Grafana k6: the end-of-test summary as JSON, by --summary-export or handleSummary; one test a file.

Source: k6 0.30 to 1.3, its documentation and summaries in public pages; docs/formats/k6.md. Times are
milliseconds. k6 knows requests, not tokens: a first token only where the script measures one itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.columns import column_of
from core.ingest.decode import json_document, refusal
from core.ingest.fields import Fields
from core.ingest.k6_load import load_of, no_first_token, several_requests
from core.ingest.notices import none_completed
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Upload
from core.model.finding import Finding, Severity
from core.model.metric import Metric, quantile_name
from core.model.run import Kind

FORMAT_ID = "k6"
LABEL = "Grafana k6 (summary JSON)"

_STAMPS = {"metrics.http_req_duration", "metrics.http_reqs"}
_GOOD = "http_req_duration{expected_response:true}"
_QUANTILE = re.compile(r"p\((\d{1,2}(?:\.\d+)?)\)")
_PLAIN = {"avg": "mean", "med": "p50"}
_OWN = re.compile(r"(?:http_|iteration|vus|data_|group_duration|checks|dropped_|grpc_|ws_|browser_).*")


def match(head: Head) -> float:
    """0.95 where k6's own metrics of requests are there."""
    return 0.95 if json_paths(head.sample, depth=2) >= _STAMPS else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a test.

    Raises:
        RefusedFileError: not JSON, cut off, no summary of k6, or text in place of a number.
    """
    document = json_document(upload)
    metrics = document.get("metrics") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or not isinstance(metrics, Mapping):
        raise refusal(
            "ingest.missing_field",
            t("This is not a summary of k6: its metrics are missing"),
            upload.name,
            t("Send the file of --summary-export, or what handleSummary writes"),
        )
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version="handleSummary" if "state" in document else "summary-export",
        kind=Kind.MEASURED,
        levels=(_level(Fields(document, Place(upload.name))),),
        calls={Metric.E2E: "http_req_duration"},
    )


def _level(summary: Fields) -> RawLevel:
    metrics = summary.inner("metrics")
    sent = _values(metrics, "http_reqs").count("count")
    failed = _failed(metrics)
    good = sent - failed if sent is not None and failed is not None and failed <= sent else None
    vus = _values(metrics, "vus")
    load, arrival = load_of(summary, vus.not_negative("min"), vus.not_negative("max"))
    several_requests(summary, sent, _values(metrics, "iterations").count("count"))
    if good == 0:
        summary.findings.append(none_completed(metrics.at("http_req_failed")))
    duration_ms = summary.inner("state").not_negative("testRunDurationMs")
    rate = _values(metrics, "http_reqs").not_negative("rate")
    readings = _readings(metrics, failed) if good != 0 else ()
    if not any(reading.metric is Metric.TTFT for reading in readings):
        no_first_token(summary)
    return RawLevel(
        place=summary.place,
        asked_concurrency=load,
        requests_sent=sent,
        requests_good=good,
        requests_failed=failed,
        duration_s=duration_ms / 1e3 if duration_ms is not None else None,
        request_rate=rate * good / sent if rate is not None and good is not None and sent else None,
        readings=readings,
        sample_n={Metric.E2E: good} if good is not None and _GOOD in metrics.values else {},
        conditions={"tool": "k6"} | ({"arrival": arrival} if arrival else {}),
        findings=tuple(summary.findings),
    )


def _values(metrics: Fields, name: str) -> Fields:
    """Return the figures of one metric: handleSummary has them in "values", --summary-export plainly."""
    metric = metrics.inner(name)
    return metric.inner("values") if isinstance(metric.values.get("values"), Mapping) else metric


def _failed(metrics: Fields) -> int | None:
    """Return how many requests failed: "passes" counts how often http_req_failed was true."""
    failed = _values(metrics, "http_req_failed")
    return failed.count("passes")


def _readings(metrics: Fields, failed: int | None) -> tuple[Reading, ...]:
    good = _GOOD in metrics.values
    if not good and failed:
        metrics.findings.append(_mixed(metrics))
    found = _trend(metrics, Metric.E2E, _GOOD if good else "http_req_duration", "ms")
    for name in metrics.values:
        column = column_of(0, name)
        if _OWN.fullmatch(name) or "{" in name or column.metric not in (Metric.TTFT, Metric.TPOT, Metric.ITL):
            continue
        timed = metrics.inner(name).text("contains") == "time"
        unit = column.unit or ("ms" if timed else None)
        if unit is None:
            metrics.findings.append(_no_unit(metrics, name))
        else:
            found += _trend(metrics, column.metric, name, unit)
    return tuple({(r.metric, r.statistic): r for r in reversed(found)}.values())


def _trend(metrics: Fields, metric: Metric, name: str, unit: str) -> list[Reading]:
    values = _values(metrics, name)
    found = []
    for key in values.values:
        quantile = _QUANTILE.fullmatch(key)
        statistic = quantile_name(float(quantile[1]) / 100.0) if quantile else _PLAIN.get(key)
        value = values.not_negative(key) if statistic and statistic != "p0" else None
        if statistic and value is not None:
            found.append(Reading(metric, statistic, value, unit, f"{name}.{key}"))
    return found


def _mixed(metrics: Fields) -> Finding:
    return Finding(
        code="k6.failures_included",
        severity=Severity.WARNING,
        where=metrics.at("http_req_duration"),
        what=t("The response times of failed requests are among the others"),
        consequence=t("Quick errors make the level look faster than it is"),
        fix=t("Keep k6's own threshold tag expected_response in the summary"),
    )


def _no_unit(metrics: Fields, name: str) -> Finding:
    return Finding(
        code="k6.unit_unknown",
        severity=Severity.WARNING,
        where=metrics.at(name),
        what=t("The script's own metric has no unit"),
        consequence=t("It is not used"),
        fix=t("Create it as new Trend(name, true), which are milliseconds, or end its name with _ms"),
    )
