"""What a column of a table can be, in words: the choices that a person has when mapping one."""

from __future__ import annotations

from collections.abc import Mapping

from core.i18n import Text, t
from core.ingest.columns import (
    ASKED,
    ASKED_RATE,
    DONE_RATE,
    LATENCY,
    MEASURED,
    SETTING,
)

IGNORED = "ignored"

ROLES: Mapping[str, Text] = {
    ASKED: t("Concurrent requests that were held"),
    MEASURED: t("Concurrent requests that were measured"),
    ASKED_RATE: t("Requests per second that were asked for"),
    "applied_rate": t("Requests per second that were sent"),
    DONE_RATE: t("Requests per second that were completed"),
    LATENCY: t("A latency or the real-time factor"),
    "requests_sent": t("Number of requests sent"),
    "requests_good": t("Number of requests completed"),
    "requests_failed": t("Number of requests that failed"),
    "requests_cut_off": t("Number of requests cut off"),
    "error_rate": t("Share of requests that failed"),
    "success_rate": t("Share of requests that were completed"),
    "duration_s": t("Duration of the measurement"),
    "output_tok_s": t("Output tokens per second of the whole system"),
    "total_tok_s": t("Input and output tokens per second of the whole system"),
    "input_asked": t("Input tokens per request, asked for"),
    "output_asked": t("Output tokens per request, asked for"),
    "input_tokens_mean": t("Input tokens per request, measured mean"),
    "output_tokens_mean": t("Output tokens per request, measured mean"),
    "input_total": t("Input tokens of all requests"),
    "output_total": t("Output tokens of all requests"),
    "cache_hit_rate": t("Share of input tokens that came from the cache"),
    "kv_used_fraction": t("Share of the KV cache in use"),
    "acceptance_length": t("Tokens accepted per step of speculation"),
    "conditions.model": t("Model"),
    "conditions.model_revision": t("Revision of the model"),
    "conditions.accelerator": t("Accelerator"),
    "conditions.accelerator_count": t("Number of accelerators"),
    "conditions.tp": t("Tensor parallel size"),
    "conditions.pp": t("Pipeline parallel size"),
    "conditions.ep": t("Expert parallel size"),
    "conditions.dp": t("Data parallel size"),
    "conditions.replicas": t("Number of replicas"),
    "conditions.precision": t("Precision of the weights"),
    "conditions.kv_precision": t("Precision of the KV cache"),
    "conditions.engine": t("Engine"),
    "conditions.engine_version": t("Version of the engine"),
    "conditions.max_num_seqs": t("Batch limit of the engine"),
    "conditions.interconnect": t("Interconnect"),
    "conditions.network": t("Network"),
    "conditions.speculation": t("Speculative decoding"),
    "conditions.serving_mode": t("Serving mode"),
    "conditions.arrival": t("Arrivals"),
    "conditions.tool": t("Benchmark tool"),
    "conditions.tool_version": t("Version of the benchmark tool"),
    SETTING: t("A setting that tells configurations apart"),
    IGNORED: t("Nothing that is needed"),
}
"""Every role that a mapping may name, in the order in which a list offers it."""
