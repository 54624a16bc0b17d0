"""What GenAI-Perf and perf_analyzer write beside the results. docs/formats/genai_perf.md."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head

_LEVEL = t("The results are in profile_export_genai_perf.json of the same folder: send that")


def _is_raw(head: Head) -> bool:
    paths = json_paths(head.sample)
    return {"experiments.[].experiment", "experiments.[].requests"} <= paths


def _is_prompts(head: Head) -> bool:
    return "data.[].payload" in json_paths(head.sample)


def _is_console(head: Head) -> bool:
    return b"NVIDIA GenAI-Perf |" in head.sample


def _is_telemetry(head: Head) -> bool:
    return head.sample.startswith((b"Metric,GPU,avg,", b"Metric,GPU,Value"))


def _is_analysis(head: Head) -> bool:
    return head.sample.startswith(b"Config Name,") and b"Time To First Token (ms)" in head.sample.split(b"\n", 1)[0]


BY_PRODUCTS: tuple[ByProduct, ...] = (
    ByProduct(
        recognise=_is_raw,
        what=t("These are perf_analyzer's raw time stamps, in which tokens are not counted"),
        fix=_LEVEL,
    ),
    ByProduct(recognise=_is_prompts, what=t("This file holds the prompts that GenAI-Perf sent"), fix=_LEVEL),
    ByProduct(recognise=_is_console, what=t("This is what GenAI-Perf printed, rounded for the screen"), fix=_LEVEL),
    ByProduct(
        recognise=_is_telemetry, what=t("This table holds what the accelerators did, and no latency"), fix=_LEVEL
    ),
    ByProduct(
        recognise=_is_analysis,
        what=t("This table holds one percentile of each of several configurations"),
        fix=t("Send profile_export_genai_perf.json of every configuration's folder instead"),
    ),
)
