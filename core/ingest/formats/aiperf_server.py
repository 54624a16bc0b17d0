"""NVIDIA AIPerf: server_metrics_export.json, the server's own counters over one run, summed up.

It has no level: it tells of the run in its own folder how full the KV cache was, and of the server
how large the cache is. vLLM's and SGLang's names are known. Details: docs/formats/aiperf_server.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.errors import Place
from core.i18n import t
from core.ingest.decode import json_document, refusal
from core.ingest.engine_load import gave_way_finding
from core.ingest.fields import Fields
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, Scalar, Upload
from core.model.run import Kind

FORMAT_ID = "aiperf_server"
LABEL = "NVIDIA AIPerf (server metrics)"

_STAMPS = {"aiperf_version", "summary.endpoints_configured", "metrics_phase"}
_USED = ("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", "sglang:token_usage")
_PREEMPTED = ("vllm:num_preemptions", "vllm:num_preemptions_total")
_HITS = (
    ("vllm:prefix_cache_hits", "vllm:prefix_cache_queries"),
    ("vllm:gpu_prefix_cache_hits", "vllm:gpu_prefix_cache_queries"),
)
_CACHE = "vllm:cache_config_info"
_TOKENS = "sglang:max_total_num_tokens"
_ENGINES = {"vllm:": "vLLM", "sglang:": "SGLang", "trtllm": "TensorRT-LLM"}
_GIB = float(1 << 30)


def match(head: Head) -> float:
    """0.95 where AIPerf sums up a server's metrics."""
    return 0.95 if json_paths(head.sample) >= _STAMPS else 0.0


def read(upload: Upload) -> RawFile:
    """Return what the counters tell, without levels.

    Raises:
        RefusedFileError: not JSON, cut off, of another phase than the measured one, or nothing known in it.
    """
    document = json_document(upload)
    top = Fields(document if isinstance(document, Mapping) else {}, Place(upload.name))
    metrics = top.inner("metrics")
    about, measured = _about(metrics), _measured(metrics)
    if top.text("metrics_phase") != "profiling" or not (about and (measured or "kv_cache_tokens" in about)):
        raise refusal(
            "ingest.by_product",
            t("This file holds counters of the server, and none of them tell of its KV cache"),
            upload.name,
            t("The results of this run are in profile_export_aiperf.json of the same folder: send that"),
        )
    count = int(sum(_stats(metrics, _PREEMPTED, "total")))
    given_way = (gave_way_finding(upload.name, count),) if count > 0 else ()
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=top.text("schema_version"),
        kind=Kind.MEASURED,
        levels=(),
        findings=(*top.findings, *given_way),
        about=about,
        about_format="aiperf",
        measured=measured,
    )


def _measured(metrics: Fields) -> dict[str, float]:
    """Return what holds for this run alone.

    The cache's use is its highest: the time before and after the load is among the samples, so that any
    other figure reads too low.
    """
    found: dict[str, float] = {}
    used = [share for share in _stats(metrics, _USED, "max") if share <= 1.0]
    if used:
        found["kv_used_fraction"] = max(used)
    for hits, queries in _HITS:
        asked = sum(_stats(metrics, (queries,), "total"))
        if asked > 0.0:
            found["cache_hit_rate"] = min(sum(_stats(metrics, (hits,), "total")) / asked, 1.0)
    return found


def _about(metrics: Fields) -> dict[str, Scalar]:
    """Return what holds for the server."""
    found: dict[str, Scalar] = {}
    engines = {engine for name in metrics.values for mark, engine in _ENGINES.items() if name.startswith(mark)}
    if len(engines) == 1:
        found["engine"] = engines.pop()
    labels = [each.inner("labels") for each in _series(metrics, _CACHE)]
    tokens = [size for label in labels if (size := _cache_tokens(label))]
    tokens += [int(size) for size in _stats(metrics, (_TOKENS,), "max") if size > 0.0]
    if tokens:
        found["kv_cache_tokens"] = min(tokens)
    kinds = {kind for label in labels if (kind := label.text("cache_dtype")) and kind != "auto"}
    if len(kinds) == 1:
        found["kv_precision"] = kinds.pop()
    memory = [bytes_ for label in labels if (bytes_ := label.not_negative("kv_cache_memory_bytes"))]
    if memory:
        found["kv_cache_gib"] = min(memory) / _GIB
    return found


def _cache_tokens(label: Fields) -> int | None:
    """Return the tokens of one engine's cache: as it says, else its blocks times their size."""
    told = label.count("kv_cache_size_tokens")
    blocks, size = label.count("num_gpu_blocks"), label.count("block_size")
    return told or (blocks * size if blocks and size else None)


def _series(metrics: Fields, name: str) -> list[Fields]:
    return metrics.inner(name).each("series")


def _stats(metrics: Fields, names: tuple[str, ...], statistic: str) -> Iterator[float]:
    for name in names:
        for each in _series(metrics, name):
            value = each.inner("stats").not_negative(statistic)
            if value is not None:
                yield value
