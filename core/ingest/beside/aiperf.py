"""What AIPerf writes beside its results. docs/formats/aiperf.md."""

from __future__ import annotations

import re

from core.i18n import t
from core.ingest.byproduct import ByProduct, named
from core.ingest.peek import json_paths
from core.ingest.raw import Head

_LEVEL = t("The results of this run are in profile_export_aiperf.json of the same folder: send that")
_LEVELS = t("The results are in the profile_export_aiperf.json of every level's folder: send those")

_SWEEP_TABLE = re.compile(rb"[^\r\n]*\b(?:request_latency|effective_concurrency)_mean,[^\r\n]*_cv\b")
_REPEATS_TABLE = b"metric,mean,std,min,max,cv,"
_SERVER_TABLE = b"# AIPerf Server Metrics Export"
_STREAMS = re.compile(r"(?:gpu_telemetry|server_metrics|network_latency)_export\.(?:jsonl?|parquet)")
_TIMESLICES = re.compile(r"profile_export_aiperf_timeslices\.(?:csv|json)")
_LOG = re.compile(r"aiperf.*\.log")


def _json(head: Head, *paths: str) -> bool:
    return set(paths) <= json_paths(head.sample.split(b"\n", 1)[0] if head.name.endswith("l") else head.sample)


def _is_prompts(head: Head) -> bool:
    return _json(head, "data.[].session_id", "data.[].payloads")


def _is_mark(head: Head) -> bool:
    return _json(head, "ready", "was_cancelled", "partial")


def _is_console(head: Head) -> bool:
    return b"NVIDIA AIPerf |" in head.sample


def _is_server_metrics(head: Head) -> bool:
    return head.sample.startswith(_SERVER_TABLE) or _json(head, "aiperf_version", "summary.endpoints_configured")


def _is_stream(head: Head) -> bool:
    if named(head, _STREAMS):
        return True
    paths = json_paths(head.sample.split(b"\n", 1)[0])
    return "timestamp_ns" in paths and ("telemetry_data" in paths or {"endpoint_url", "metrics"} <= paths)


def _is_raw(head: Head) -> bool:
    paths = json_paths(head.sample.split(b"\n", 1)[0])
    return "metadata.benchmark_phase" in paths and "metrics" not in paths and bool({"payload", "responses"} & paths)


def _is_timeslices(head: Head) -> bool:
    return named(head, _TIMESLICES) or head.sample.startswith(b"Timeslice,") or _json(head, "timeslices")


def _is_repeats(head: Head) -> bool:
    of_runs = _json(head, "metadata.aggregation_type", "metadata.num_profile_runs", "metrics")
    return of_runs or head.sample.startswith(_REPEATS_TABLE)


def _is_sweep_table(head: Head) -> bool:
    return bool(_SWEEP_TABLE.match(head.sample))


def _is_search(head: Head) -> bool:
    return _json(head, "iterations.[].variation_values")


def _is_log(head: Head) -> bool:
    return named(head, _LOG)


BY_PRODUCTS: tuple[ByProduct, ...] = (
    ByProduct(recognise=_is_prompts, what=t("This file holds the prompts that AIPerf sent"), fix=_LEVEL),
    ByProduct(recognise=_is_mark, what=t("AIPerf writes this file to say that a run has ended"), fix=_LEVEL),
    ByProduct(recognise=_is_console, what=t("This is what AIPerf printed, rounded for the screen"), fix=_LEVEL),
    ByProduct(
        recognise=_is_server_metrics, what=t("This file holds counters of the server over time, no results"), fix=_LEVEL
    ),
    ByProduct(
        recognise=_is_stream,
        what=t("This file is a series of readings over time, no results; it is empty where nothing was read"),
        fix=_LEVEL,
    ),
    ByProduct(recognise=_is_raw, what=t("This file holds what was sent and received, without times"), fix=_LEVEL),
    ByProduct(
        recognise=_is_timeslices,
        what=t("This file cuts one run into slices of time; a slice is no load level"),
        fix=_LEVEL,
    ),
    ByProduct(
        recognise=_is_repeats,
        what=t("This file holds means over repeated runs, not the runs themselves"),
        fix=t("The runs are in the profile_export_aiperf.json of their folders: send those, they are pooled exactly"),
    ),
    ByProduct(
        recognise=_is_sweep_table,
        what=t("This table holds the means of a sweep, without units and percentiles"),
        fix=t("Send profile_export_aiperf_sweep.json beside it, or the folders of the levels"),
    ),
    ByProduct(recognise=_is_search, what=t("This file tells how AIPerf searched for a load"), fix=_LEVELS),
    ByProduct(recognise=_is_log, what=t("This is AIPerf's log"), fix=_LEVEL),
)
