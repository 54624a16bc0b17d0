"""Agentic InferenceX rows of mid-2026, whose results are nested, under the flat names of those before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TOKENS = {"input": "mean_input_tokens", "output_actual": "mean_output_tokens_actual"}
_SERVER = {
    ("cache", "gpu_cache_hit_rate"): "server_gpu_cache_hit_rate",
    ("kv_cache", "gpu_usage_pct"): "gpu_kv_cache_usage_pct",
}


def flattened(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its nested results under flat names; a flat row comes back as it is.

    >>> flattened({"conc": 4, "request_metrics": {"latency": {"ttft": {"p90": 1.5}}}})["p90_ttft"]
    1.5
    """
    flat = {key: value for key, value in row.items() if not isinstance(value, Mapping)}
    results = row.get("request_metrics")
    if not isinstance(results, Mapping):
        return flat
    for metric, statistics in _inner(results, "latency").items():
        for statistic, value in _mapping(statistics).items():
            flat[f"{statistic}_{metric}"] = value
    throughput = _inner(results, "throughput")
    flat["duration_seconds"] = throughput.get("duration_seconds")
    for side in ("input", "output", "total"):
        flat[f"{side}_tput_tps"] = _inner(throughput, side).get("tokens_per_second")
    for side, name in _TOKENS.items():
        flat[name] = _inner(_inner(results, "tokens"), side).get("mean")
    for (group, key), name in _SERVER.items():
        flat[name] = _inner(_inner(row, "server_metrics"), group).get(key)
    warmup = _inner(row, "request_accounting").get("records_warmup_dropped")
    total = flat.get("num_requests_total")
    # The total of these files counts the warm-up, which no statistic is of.
    if isinstance(total, int) and isinstance(warmup, int):
        flat["num_requests_total"] = max(total - warmup, 0)
    return flat


def _inner(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    return _mapping(values.get(key))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
