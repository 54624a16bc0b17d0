"""SGLang `bench_serving --output-file`: JSON Lines, one run a line, appended.

Known from 0.5.5 and older. One file may hold several runs of one level, and several models.
`concurrency` is the measured one. Details: docs/formats/sglang_bench.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.i18n import t
from core.ingest.bench_fields import (
    READING,
    accelerators_from_name,
    level_from_name,
    positive_rate,
    rate_that_was_applied,
    scalars,
    statistics_of,
    tokens_mean,
    total_tok_s,
)
from core.ingest.bench_records import requests_of
from core.ingest.bench_runs import runs_in
from core.ingest.conditions import known, sorted_settings
from core.ingest.fields import Fields
from core.ingest.names import model_in, without_load
from core.ingest.peek import json_paths
from core.ingest.raw import Head, RawFile, RawLevel, Scalar, Upload
from core.model.run import Kind

FORMAT_ID = "sglang_bench"
LABEL = "SGLang bench_serving (JSON Lines)"

_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*")
_E2E = re.compile(r"(?:mean|median|std|p\d+)_e2e_latency_ms")
# Arguments stand before server_info, which alone may be longer than the head.
_ARGUMENTS = {"random_input_len", "random_output_len", "random_range_ratio", "request_rate"}
_OWN_TEXTS = {"backend", "dataset_name", "tag", "request_rate", "server_info"}

# Of the hundreds of server settings, those that change speed and are no address, seed or path.
_SERVER_SETTINGS = (
    *("revision", "quantization", "dtype", "kv_cache_dtype", "tp_size", "pp_size", "dp_size", "ep_size"),
    *("max_running_requests", "speculative_algorithm", "speculative_num_steps", "speculative_eagle_topk"),
    *("speculative_num_draft_tokens", "mem_fraction_static", "chunked_prefill_size", "schedule_policy"),
    *("attention_backend", "disable_radix_cache", "enable_dp_attention", "enable_mixed_chunk", "context_length"),
    *("page_size", "moe_a2a_backend", "cuda_graph_max_bs", "nnodes", "stream_interval", "num_continuous_decode_steps"),
)
_MEMORY = {
    "kv_cache_tokens": "memory.token_capacity",
    "kv_cache_gib": "memory.kvcache",
    "weights_gib": "memory.weight",
}


def match(head: Head) -> float:
    """Return 1 where the first run has this tool's fields, among them those only it writes."""
    first = head.sample[found.end() :] if (found := _LIST.match(head.sample)) else head.sample
    keys = json_paths(first, depth=1)
    # vLLM's, and a simulator that names its latencies alike.
    if {"model_id", "num_prompts"} <= keys or "request_throughput_rps" in keys:
        return 0.0
    own = "total_output_tokens_retokenized" in keys or any(_E2E.fullmatch(key) for key in keys)
    return float(own or ("server_info" in keys and keys >= _ARGUMENTS))


def read(upload: Upload) -> RawFile:
    """Return the runs of a file, one level each, with their lines; repeated levels are kept.

    Raises:
        RefusedFileError: not JSON, cut off, or not a run of this tool; with its line.
    """
    runs = runs_in(upload, _is_run, t("This is not a run of SGLang bench_serving: it has no latency and no counts"))
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(_level(fields, alone=len(runs) == 1) for fields in runs),
    )


def _is_run(values: Mapping[str, object]) -> bool:
    return "completed" in values or any(READING.fullmatch(key) for key in values)


def _level(fields: Fields, *, alone: bool) -> RawLevel:
    completed = fields.count("completed")
    readings, sample_n = statistics_of(fields, completed)
    requests = requests_of(fields, completed)
    asked_concurrency, asked_rate, arrival = _asked(fields, alone=alone)
    conditions, identity = _settings(fields)
    output_tok_s = fields.not_negative("output_throughput")
    duration_s = fields.not_negative("duration")
    max_num_seqs = conditions.get("max_num_seqs")
    return RawLevel(
        place=fields.place,
        asked_concurrency=asked_concurrency,
        asked_rate=asked_rate,
        measured_concurrency=fields.not_negative("concurrency"),
        requests_sent=int(requests.good.size) if requests else None,
        requests_good=completed,
        requests_failed=int((~requests.good).sum()) if requests else None,
        duration_s=duration_s,
        request_rate=fields.not_negative("request_throughput"),
        input_tokens_mean=tokens_mean(fields, "total_input_tokens", completed),
        output_tokens_mean=tokens_mean(fields, "total_output_tokens", completed),
        output_tok_s=output_tok_s,
        total_tok_s=total_tok_s(fields, "total_throughput", output_tok_s),
        max_num_seqs=float(max_num_seqs) if isinstance(max_num_seqs, int) else None,
        acceptance_length=fields.not_negative("accept_length"),
        readings=readings,
        sample_n=sample_n,
        requests=requests,
        conditions=conditions | {"arrival": arrival},
        identity=identity,
        run_key=_run_key(fields, conditions, duration_s),
        findings=tuple(fields.findings),
    )


def _asked(fields: Fields, *, alone: bool) -> tuple[float | None, float | None, str | None]:
    """Return concurrency and rate as asked, and the arrival process."""
    concurrency = fields.not_negative("max_concurrency") or None
    if fields.text("request_rate") == "trace":
        return None, None, "trace"
    rate = positive_rate(fields, "request_rate")
    if rate is not None and rate_that_was_applied(fields, rate) is None:
        return concurrency, None, None
    if rate is not None:
        return concurrency, rate, "poisson"
    concurrency, rate = level_from_name(fields, concurrency, "request_rate", alone=alone)
    return concurrency, rate, "closed loop" if concurrency is not None else None


def _settings(fields: Fields) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """Return conditions and identity: the server's, the client's, and what a person added."""
    server, prefill = _roles(fields.values.get("server_info"))
    texts = {
        k: v for k, v in scalars(fields.values).items() if k not in _OWN_TEXTS and (isinstance(v, str) or known(k))
    }
    conditions, identity = sorted_settings({key: server.get(key) for key in _SERVER_SETTINGS} | texts)
    model, revision = model_in(_text(server.get("model_path")) or fields.text("model_id") or fields.text("model"))
    backend, label = fields.text("backend"), without_load(fields.text("tag") or "")
    told: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "engine": "SGLang" if server or backend in ("sglang", "sglang-native") else None,
        "engine_version": _text(server.get("version")),
        "proposer": model_in(_text(server.get("speculative_draft_model_path")))[0],
        "serving_mode": "disaggregated" if prefill else None,
        "length_distribution": _lengths(fields),
        "tool": "SGLang bench_serving",
    }
    # Of each engine; what SGLang calls GB are 2^30 bytes.
    for name, key in _MEMORY.items():
        value = server.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            told[name] = value
    if "speculative_algorithm" in server:
        told["speculation"] = conditions.get("speculation") or "none"
    if isinstance(server.get("disable_cuda_graph"), bool):
        told["graph_replay"] = "off" if server["disable_cuda_graph"] else "on"
    own: dict[str, Scalar] = {"backend": backend, "tag": label or None}
    own |= {f"prefill.{key}": _scalar(prefill.get(key)) for key in ("tp_size", "dp_size", "ep_size")}
    conditions = accelerators_from_name(fields, conditions) | {k: v for k, v in told.items() if v is not None}
    return conditions, identity | {name: value for name, value in own.items() if value is not None}


def _roles(info: object) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """Return the settings of the server that decodes, and of the one that prefills where they are two."""
    if not isinstance(info, Mapping):
        return {}, {}
    if "decode" in info or "prefill" in info:
        return _flat(_first(info.get("decode"))), _flat(_first(info.get("prefill")))
    return _flat(info), {}


def _flat(info: object) -> dict[str, Scalar]:
    if not isinstance(info, Mapping):
        return {}
    inner = _first(info.get("internal_states"))
    layers = [scalars(layer) for layer in (inner, info) if isinstance(layer, Mapping)]
    memory = [layer.get("memory_usage") for layer in (inner, info) if isinstance(layer, Mapping)]
    layers += [{f"memory.{k}": v for k, v in scalars(each).items()} for each in memory if isinstance(each, Mapping)]
    # A setting that stands as null in both was not used; one that is absent is unknown.
    flat: dict[str, Scalar] = {key: None for layer in layers for key in layer}
    for layer in layers:
        flat |= {key: value for key, value in layer.items() if value is not None}
    return flat


def _first(value: object) -> object:
    if isinstance(value, list):
        return value[0] if value else None
    return value


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _scalar(value: object) -> Scalar:
    return value if isinstance(value, str | int | float | bool) else None


def _lengths(fields: Fields) -> str | None:
    """Return how lengths were drawn, as the tool was told: "random 1024/128, range ratio 0.5"."""
    dataset = fields.text("dataset_name")
    asked = [fields.not_negative(f"random_{key}") for key in ("input_len", "output_len", "range_ratio")]
    if dataset is None or not dataset.startswith("random") or None in asked:
        return dataset
    return f"{dataset} {asked[0]:g}/{asked[1]:g}, range ratio {asked[2]:g}"


def _run_key(fields: Fields, conditions: Mapping[str, Scalar], duration_s: float | None) -> str | None:
    if duration_s is None:
        return None
    asked = f"{fields.values.get('max_concurrency')}|{fields.values.get('request_rate')}"
    return f"{conditions.get('model')}|{asked}|{duration_s:.6f}"
