"""What vLLM's benchmark commands write beside the results of `bench serve`. docs/formats/vllm_bench.md."""

from __future__ import annotations

import re

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head

_SERVE = t("Measure with vllm bench serve at several levels of --max-concurrency and send its JSON files")
_RUNS = t("The results are in run=0.json and summary.json of the folders beside it, and in summary.csv: send those")
_LIST = re.compile(rb"\s*\[\s*")


def _keys(head: Head, *keys: str) -> bool:
    return set(keys) <= json_paths(head.sample, depth=1)


def _is_latency(head: Head) -> bool:
    return _keys(head, "avg_latency", "latencies", "percentiles") or _keys(head, "avg_latency", "std_latency")


def _is_throughput(head: Head) -> bool:
    return _keys(head, "elapsed_time", "num_requests", "requests_per_second", "tokens_per_second")


def _is_startup(head: Head) -> bool:
    return any(path.startswith("avg_cold_") for path in json_paths(head.sample, depth=1))


def _is_pytorch(head: Head) -> bool:
    first = head.sample[found.end() :] if (found := _LIST.match(head.sample)) else b""
    return {"benchmark.name", "model.name", "metric.name"} <= json_paths(first)


def _is_failure(head: Head) -> bool:
    return _keys(head, "error_type", "error", "serve_overrides")


BY_PRODUCTS = (
    ByProduct(
        recognise=_is_latency,
        what=t("This is a result of vllm bench latency: one batch at a time, without requests that arrive"),
        fix=_SERVE,
    ),
    ByProduct(
        recognise=_is_throughput,
        what=t("This is a result of vllm bench throughput: everything at once, without a load and without latencies"),
        fix=_SERVE,
    ),
    ByProduct(
        recognise=_is_startup,
        what=t("This is a result of vllm bench startup: how long the server takes to start"),
        fix=_SERVE,
    ),
    ByProduct(
        recognise=_is_pytorch,
        what=t("This is the copy of a vLLM result that PyTorch's benchmark collection reads"),
        fix=t("Send the JSON file of the same name without .pytorch"),
    ),
    ByProduct(
        recognise=_is_failure,
        what=t("This is the note of a sweep's run that failed: it holds no result"),
        fix=_RUNS,
    ),
)
