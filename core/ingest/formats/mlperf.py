"""MLPerf Inference: mlperf_log_summary.txt as LoadGen writes it; Server and SingleStream runs.

Source: loadgen/results.cc and test_settings_internal.cc of mlcommons/inference, 2019 to 2025;
docs/formats/mlperf.md. Times are nanoseconds, counted from when a query was scheduled.
"""

from __future__ import annotations

import re

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal, text_of
from core.ingest.fields import Fields
from core.ingest.names import all_from_name
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Scalar, Upload
from core.model.finding import Finding, Severity
from core.model.metric import Metric, quantile_name
from core.model.run import Kind

FORMAT_ID = "mlperf"
LABEL = "MLPerf LoadGen (mlperf_log_summary.txt)"

_TITLE = re.compile(rb"^MLPerf Results Summary\r?$", re.MULTILINE)
_LINE = re.compile(r"(?P<label>[^:*\s][^:]{0,100}?) {0,60}: {1,60}(?P<value>\S.*)")
_PERCENTILE = re.compile(
    r"(?P<p>\d{1,2}\.\d+) percentile (?P<what>latency|first token latency|time to output token) \(ns\)"
)
_OF = {"latency": Metric.E2E, "first token latency": Metric.TTFT, "time to output token": Metric.TPOT}
_MEANS = {
    "Mean latency (ns)": Metric.E2E,
    "Mean First Token latency (ns)": Metric.TTFT,
    "Mean Time to Output Token (ns)": Metric.TPOT,
}
_SUBMISSION = re.compile(
    r"(?:^|/)(?P<system>[^/]+)/(?P<model>[^/]+)/(?:Server|SingleStream)/performance/run_\d+/[^/]+$", re.IGNORECASE
)
_END = re.compile(r"errors? encountered", re.IGNORECASE)
_SEND_AGAIN = t("Send the file again as the tool wrote it")


def match(head: Head) -> float:
    """0.95 for the title that LoadGen writes."""
    return 0.95 if _TITLE.search(head.sample) else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a performance run.

    Raises:
        RefusedFileError: cut off, a scenario or mode without a load level, or text for a number.
    """
    fields = _fields(upload)
    scenario = fields.text("Scenario")
    if fields.text("Mode") == "AccuracyOnly":
        raise refusal(
            "mlperf.accuracy",
            t("This is a run for accuracy: its times are no measurement"),
            upload.name,
            t("Send mlperf_log_summary.txt of the performance folder"),
        )
    if scenario not in ("Server", "SingleStream"):
        raise refusal(
            "mlperf.no_level",
            t("The scenario {name} has no load level: queries come all at once or in blocks", name=scenario or "?"),
            upload.name,
            t("Send the summary of a Server run for each target rate"),
        )
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=(_level(fields, scenario),),
    )


def _fields(upload: Upload) -> Fields:
    """Return the values by their labels."""
    text = text_of(upload)
    lines = text.splitlines()
    if not _END.search(text) or "Test Parameters Used" not in text:
        raise refusal(
            "ingest.truncated", t("The summary ends before its last line"), upload.name, _SEND_AGAIN, line=len(lines)
        )
    values: dict[str, object] = {}
    for line in lines:
        found = _LINE.fullmatch(line.strip())
        if found and found["label"] not in values:
            values[found["label"]] = found["value"]
    return Fields(values, Place(upload.name))


def _level(fields: Fields, scenario: str) -> RawLevel:
    server = scenario == "Server"
    rate = fields.not_negative("target_qps") if server else None
    conditions: dict[str, Scalar] = {
        "arrival": "poisson" if server else "closed loop",
        "tool": "MLPerf LoadGen",
        "ttft_scope": "from the scheduled arrival",
    }
    conditions |= _from_folders(fields)
    readings = _readings(fields)
    if fields.text("Result is") == "INVALID":
        fields.findings.append(_invalid(fields))
    return RawLevel(
        place=fields.place,
        asked_concurrency=None if server else 1.0,
        asked_rate=rate or None,
        applied_rate=fields.not_negative("Scheduled samples per second") if server else None,
        request_rate=fields.not_negative("Completed samples per second")
        if server
        else fields.not_negative("QPS w/ loadgen overhead"),
        output_tok_s=fields.not_negative("Completed tokens per second" if server else "TPS w/ loadgen overhead"),
        readings=readings,
        conditions=conditions,
        identity={"SUT name": name} if (name := fields.text("SUT name")) else {},
        findings=tuple(fields.findings),
    )


def _readings(fields: Fields) -> tuple[Reading, ...]:
    found = []
    for label in fields.values:
        hit = _PERCENTILE.fullmatch(label)
        metric = _OF[hit["what"]] if hit else _MEANS.get(label)
        value = fields.not_negative(label) if metric else None
        # Without token latencies the tool leaves zeros.
        if metric and value:
            statistic = quantile_name(float(hit["p"]) / 100.0) if hit else "mean"
            found.append(Reading(metric, statistic, value, "ns", label))
    return tuple(found)


def _from_folders(fields: Fields) -> dict[str, Scalar]:
    """Return the model that the folders of a submission name, with a finding."""
    found = _SUBMISSION.search((fields.place.file or "").replace("\\", "/"))
    if not found:
        return {}
    fields.findings.append(all_from_name(fields.place, {"model": found["model"]}))
    return {"model": found["model"]}


def _invalid(fields: Fields) -> Finding:
    unmet = [label.removesuffix(" satisfied") for label, value in fields.values.items() if value == "NO"]
    return Finding(
        code="mlperf.invalid",
        severity=Severity.WARNING,
        where=fields.at("Result is"),
        what=t("LoadGen calls this run invalid: {reasons}", reasons=", ".join(unmet) or "?"),
        consequence=t("The level was measured, but not by MLPerf's own rules on latency, length or number of queries"),
        fix=t("Where the run was too short, measure it again"),
    )
