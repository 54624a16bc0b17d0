"""What EvalScope writes beside the results of its performance test. docs/formats/evalscope.md."""

from __future__ import annotations

from core.i18n import t
from core.ingest.byproduct import ByProduct
from core.ingest.peek import json_paths
from core.ingest.raw import Head

_LEVEL = t("The results are in benchmark_summary.json and benchmark_percentile.json of the same folder: send those")


def _is_timeline(head: Head) -> bool:
    return {"wall_start", "points.[].cum_completion"} <= json_paths(head.sample)


def _is_throughput(head: Head) -> bool:
    return {"last_window_s", "warmup_frac", "rows.[].steady_state"} <= json_paths(head.sample)


def _is_page(head: Head) -> bool:
    return b"<!-- evalscope-perf-render" in head.sample


def _is_traces(head: Head) -> bool:
    return {"n_traces", "ttft"} <= json_paths(head.sample)


BY_PRODUCTS: tuple[ByProduct, ...] = (
    ByProduct(recognise=_is_timeline, what=t("This file counts tokens over time, without latencies"), fix=_LEVEL),
    ByProduct(recognise=_is_throughput, what=t("This file holds tokens per second, without latencies"), fix=_LEVEL),
    ByProduct(
        recognise=_is_page,
        what=t("This page shows the results, for people"),
        fix=t(
            "Send performance_summary.txt beside it, or benchmark_summary.json and benchmark_percentile.json of every "
            "level's folder"
        ),
    ),
    ByProduct(recognise=_is_traces, what=t("This file sums up conversations, not requests"), fix=_LEVEL),
)
