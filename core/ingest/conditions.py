"""Which condition a setting's name means, for settings that people and tools add to a result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields

from core.ingest.raw import Scalar
from core.model.run import Conditions

_ALIASES = {
    "accelerator": ("gpu", "gpu_type", "gpu_name", "gpu_model", "hardware", "hw", "device_name", "accelerator_type"),
    "accelerator_count": ("gpus", "num_gpus", "n_gpus", "gpu_count", "num_accelerators", "accelerators"),
    "tp": ("tp_size", "tensor_parallel", "tensor_parallel_size"),
    "pp": ("pp_size", "pipeline_parallel", "pipeline_parallel_size"),
    "ep": ("ep_size", "expert_parallel_size"),
    "dp": ("dp_size", "data_parallel", "data_parallel_size"),
    "precision": ("quantization", "quant", "dtype", "weight_dtype"),
    "kv_precision": ("kv_cache_dtype", "kv_dtype"),
    "engine": ("serving_engine", "inference_engine", "framework"),
    "engine_version": ("vllm_version", "sglang_version", "server_version", "framework_version"),
    "max_num_seqs": ("max_running_requests", "max_batch_size"),
    "replicas": ("num_replicas", "n_replicas"),
    "speculation": ("speculative_algorithm", "speculative_method"),
    "proposer": ("speculative_draft_model_path", "speculative_model"),
    "model_revision": ("revision",),
}
# What is measured, and so differs from level to level, is no condition of a whole run here.
_MEASURED = {"input_tokens_mean", "output_tokens_mean", "cache_hit_rate", "acceptance_length", "accelerator_memory_gb"}
_TYPES = {field.name: str(field.type) for field in fields(Conditions)}
_OWN = {name: name for name in _TYPES if name not in _MEASURED}
_CONDITION = _OWN | {alias: name for name, aliases in _ALIASES.items() for alias in aliases}

_UNSAID = {"auto", "none", "null", "unknown", "n/a", "-", ""}
# Load, counts, dates, seeds and whatever names a person's machine never tell configurations apart.
_PASSING = re.compile(
    r"(?:.*[_.])?(?:date|timestamp|datetime|seed|uuid|id|hostname|username|url|concurrency|qps|rps)"
    r"|time|(?:start|end|run)_?time|run|run_number|iteration|trial|repeat|attempt|host|user|port|path|dir|file"
    r"|conc|users|level|(?:req_|request_|asked_)?rate|num_prompts|num_requests|_benchmark_name|created|started"
)


def sorted_settings(settings: Mapping[str, Scalar]) -> tuple[dict[str, Scalar], dict[str, Scalar]]:
    """Split settings into (conditions by our name, identity by the file's name).

    Values that say nothing ("auto", null) and settings that are no property of the
    configuration (load, dates, seeds, hosts) are in neither. The first name of a condition wins.

    >>> sorted_settings({"gpu": "H100", "tensor-parallel-size": "8", "block_size": 16, "seed": 1})
    ({'accelerator': 'H100', 'tp': 8}, {'block_size': 16})
    """
    conditions: dict[str, Scalar] = {}
    identity: dict[str, Scalar] = {}
    for key, value in settings.items():
        name = key.strip().lower().replace("-", "_")
        if value is None or (isinstance(value, str) and value.strip().lower() in _UNSAID):
            continue
        condition, typed = _typed(name, value)
        if condition is not None and condition not in conditions:
            conditions[condition] = typed
        elif not _PASSING.fullmatch(name):
            identity[key] = value
    return conditions, identity


def known(key: str) -> bool:
    """Return whether a setting's name means one of our conditions."""
    return key.strip().lower().replace("-", "_") in _CONDITION


def _typed(name: str, value: Scalar) -> tuple[str | None, Scalar]:
    condition = _CONDITION.get(name)
    if condition is None:
        return None, None
    number = _whole(value)
    if "int" in _TYPES[condition]:
        return (condition, number) if number is not None else (None, None)
    if condition == "accelerator" and number is not None:
        return "accelerator_count", number
    return (condition, value) if isinstance(value, str) else (None, None)


def _whole(value: Scalar) -> int | None:
    if isinstance(value, bool) or value is None:
        return None
    text = str(value).strip()
    return int(text) if re.fullmatch(r"\d{1,7}", text) and int(text) > 0 else None
