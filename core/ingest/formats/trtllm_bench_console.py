"""NVIDIA `trtllm-bench`, printed: the report between its headlines, in a log or a page; any number a file.

Its labels become the parts of the JSON report, so that both are read the same way.
Details: docs/formats/trtllm_bench_console.md.
"""

from __future__ import annotations

import re

from core.errors import Place
from core.i18n import t
from core.ingest.console_file import printed_start
from core.ingest.decode import refusal, text_of
from core.ingest.fields import Fields
from core.ingest.raw import Head, RawFile, Upload
from core.ingest.trtllm_level import level_of
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "trtllm_bench_console"
LABEL = "NVIDIA trtllm-bench (printed report)"

_SECTION = re.compile(r"= (?P<name>[A-Z][A-Z +]{1,60}?)(?: \(.{0,60}\))?")
_ROW = re.compile(r"(?P<label>[A-Z][^:]{1,60}?):\s+(?P<value>\S.*)")
_QUANTILE = re.compile(r"\[(?P<of>Latency|TTFT|TPOT)\] (?P<statistic>AVERAGE|P\d{2}) {0,20}: (?P<value>\S+)")
_STARTS = ("ENGINE DETAILS", "PYTORCH BACKEND")
_OVERVIEW = "PERFORMANCE OVERVIEW"
_WHERE = {
    "Latency": ("performance", "request_latency_percentiles_ms"),
    "TTFT": ("streaming_metrics", "ttft_percentiles"),
    "TPOT": ("streaming_metrics", "tpot_percentiles"),
}
_LABELS = {
    "Model": ("engine", "model"),
    "Model Path": ("engine", "model_path"),
    "TensorRT LLM Version": ("engine", "version"),
    "TensorRT-LLM Version": ("engine", "version"),
    "Dtype": ("engine", "dtype"),
    "KV Cache Dtype": ("engine", "kv_cache_dtype"),
    "Quantization": ("engine", "quantization"),
    "TP Size": ("world_info", "tp_size"),
    "PP Size": ("world_info", "pp_size"),
    "EP Size": ("world_info", "ep_size"),
    "Max Runtime Batch Size": ("world_info", "max_batch_size"),
    "Max Runtime Tokens": ("world_info", "max_num_tokens"),
    "Scheduling Policy": ("world_info", "scheduling_policy"),
    "Issue Rate (req/sec)": ("world_info", "issue_rate"),
    "Number of requests": ("request_info", "num_requests"),
    "Number of concurrent requests": ("request_info", "avg_num_concurrent_requests"),
    "Average Input Length (tokens)": ("request_info", "avg_input_length"),
    "Average Output Length (tokens)": ("request_info", "avg_output_length"),
    "Request Throughput (req/sec)": ("performance", "request_throughput_req_s"),
    "Total Output Throughput (tokens/sec)": ("performance", "system_output_throughput_tok_s"),
    "Token Throughput (tokens/sec)": ("performance", "system_output_throughput_tok_s"),
    "Total Token Throughput (tokens/sec)": ("performance", "system_total_throughput_tok_s"),
    "Total Latency (ms)": ("performance", "total_latency_ms"),
    "Average request latency (ms)": ("performance", "avg_request_latency_ms"),
    "Average time-to-first-token [TTFT] (ms)": ("streaming_metrics", "avg_ttft_ms"),
    "Average time-per-output-token [TPOT] (ms)": ("streaming_metrics", "avg_tpot_ms"),
}


def match(head: Head) -> float:
    """0.95 for the headline of the figures and a label that only this tool prints under it."""
    text = printed_start(head)
    return 0.95 if f"= {_OVERVIEW}" in text and "Request Throughput (req/sec):" in text else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per printed report.

    Raises:
        RefusedFileError: a last line that is cut off, no figures, too many reports, text for a number.
    """
    text = text_of(upload)
    if not text.endswith("\n"):
        raise refusal(
            "ingest.truncated",
            t("The last line of the log has no end"),
            upload.name,
            t("Send the log again; if it is whole, end its last line"),
            line=text.count("\n") + 1,
        )
    reports = [report for report in _reports(upload.name, text) if "performance" in report.values]
    if not reports or len(reports) > LIMITS.levels:
        raise refusal(
            "ingest.no_levels" if not reports else "ingest.too_large",
            t("The benchmark's output ends before its result")
            if not reports
            else t("The file holds more than {limit} runs", limit=LIMITS.levels),
            upload.name,
            t("Wait until the benchmark has printed its result, or look in its output for an error"),
            line=1,
        )
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(level_of(report, alone=len(reports) == 1) for report in reports),
    )


def _reports(name: str, text: str) -> list[Fields]:
    """Return the reports of a text as the JSON has them, each with the line of its first headline."""
    found: list[tuple[int, dict[str, dict[str, object]]]] = []
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        headline = _SECTION.fullmatch(line.strip())
        if headline:
            section = headline["name"].strip()
            again = section == _OVERVIEW and found and "performance" in found[-1][1]
            if not found or section in _STARTS or again:
                found.append((number, {}))
        elif found:
            _take(line, section, found[-1][1])
    return [Fields(report, Place(name, number)) for number, report in found]


def _take(line: str, section: str, report: dict[str, dict[str, object]]) -> None:
    quantile, row = _QUANTILE.fullmatch(line.strip()), _ROW.fullmatch(line.strip())
    if quantile:
        part, inner = _WHERE[quantile["of"]]
        values = report.setdefault(part, {}).setdefault(inner, {})
        if isinstance(values, dict):
            values.setdefault(quantile["statistic"].lower(), quantile["value"])
    elif row and row["label"] in _LABELS:
        part, key = _LABELS[row["label"]]
        report.setdefault(part, {}).setdefault(key, row["value"])
    elif section == "MACHINE DETAILS" and ", memory " in line:
        name, memory = line.strip().split(", memory ", 1)
        report.setdefault("machine", {}).update({"name": name, "memory.total": memory.split(" ")[0]})
