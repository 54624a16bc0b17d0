"""What an inference server's start-up log says of itself: engine, model, parallelism, memory, KV cache.

Lines of vLLM 0.4 to 0.19, SGLang 0.2 to 0.5 and TensorRT-LLM 0.16 to 1.2, as their sources print them
(docs/formats/engine_log.md). Of a server's arguments only the known settings are looked at: keys,
paths and host names among them are never kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.ingest.log_lines import lines_with
from core.ingest.names import model_in
from core.ingest.raw import Scalar

NEAR = 1.02
"""What workers of one server, or two starts of it, may differ in their cache and still be one figure."""

_VLLM = re.compile(
    r"Initializing (?:a V1|an) LLM engine \(v(?P<version>[^)\s]{1,80})\) with config: ?(?P<config>[^\n]*)"
)
_VLLM_VERSION = re.compile(r"vLLM API server version (\d[\w.+-]{1,80})")
_ARGUMENTS = re.compile(r"(?:non-default args: ?\{|\bargs: ?Namespace\()(?P<config>[^\n]*)")
_SGLANG = re.compile(r"server_args=ServerArgs\((?P<config>[^\n]*)")
_SGLANG_LIMITS = re.compile(r"\bmax_total_num_tokens=\d+[^\n]{0,200}?max_running_requests=(\d+), context_len=(\d+)")
_TENSORRT = re.compile(r"TensorRT[- ]LLM version:? v?(\d[\w.+-]{1,60})|Engine version (\d[\w.+-]{1,60}) found")
_TENSORRT_LIMITS = re.compile(r"max_seq_len=(\d+), max_num_requests=(\d+)")
_TENSORRT_BATCH = re.compile(r"TRTGptModel maxBatchSize: (\d+)")

_TOKENS = (
    re.compile(r"GPU KV cache size: ([\d,]+) tokens"),
    re.compile(r"\bmax_total_num_tokens=(\d+)"),
)
_TENSORRT_CACHE = re.compile(r"Allocated (\d+(?:\.\d+)?) GiB for max tokens in paged KV cache \((\d+)\)")
_BLOCKS = re.compile(r"# GPU blocks: (\d+)")
_CONCURRENCY = re.compile(r"Maximum concurrency for ([\d,]+) tokens per request: ([\d.]+)x")
_CACHE_GIB = re.compile(r"Available KV cache memory: ([\d.]+) GiB|memory reserved for KV Cache is ([\d.]+)GiB")
_SGLANG_CACHE = re.compile(r"KV Cache is allocated\.[^\n]{0,200}?K (?:size: )?([\d.]+) GB, V (?:size: )?([\d.]+) GB")
_WEIGHTS = (
    re.compile(r"Model loading took ([\d.]+) GiB"),
    re.compile(r"Loading model weights took ([\d.]+) GB"),
    re.compile(r"Load weight end\.[^\n]{0,300}?mem usage=([\d.]+) GB"),
)
_LENGTH = re.compile(r"Using max model len (\d+)")
_DEVICE = re.compile(r"device_name=([A-Za-z][\w.-]{2,60}?)(?:,[^\n]{0,100}?)?\.json")

_TELLING = (
    "LLM engine (v", "vLLM API server version", "non-default args", "args: Namespace(", "ServerArgs(",
    "TensorRT-LLM version", "TensorRT LLM version", "Engine version ", "max_seq_len=", "TRTGptModel maxBatchSize",
    "GPU KV cache size", "max_total_num_tokens=", "paged KV cache (", "# GPU blocks", "Maximum concurrency for",
    "Available KV cache memory", "memory reserved for KV Cache", "KV Cache is allocated", "Model loading took",
    "Loading model weights took", "Load weight end", "Using max model len", "device_name=",
)  # fmt: skip
"""What is in every line that a pattern above looks for: a log is mostly other lines."""

_SETTINGS = {
    "model": ("served_model_name", "model", "model_path"),
    "model_revision": ("revision",),
    "quantization": ("quantization",),
    "dtype": ("dtype",),
    "kv_precision": ("kv_cache_dtype",),
    "tp": ("tensor_parallel_size", "tp_size"),
    "pp": ("pipeline_parallel_size", "pp_size"),
    "dp": ("data_parallel_size", "dp_size"),
    "ep": ("ep_size",),
    "max_num_seqs": ("max_num_seqs", "max_running_requests"),
    "max_model_len": ("max_seq_len", "max_model_len", "context_length"),
    "speculation": ("speculative_algorithm",),
    "proposer": ("speculative_draft_model_path",),
}
_COUNTS = frozenset({"tp", "pp", "dp", "ep", "max_num_seqs", "max_model_len"})
_UNSAID = frozenset({"none", "auto", "null", "", "default"})
_SPECULATIVE = re.compile(r"speculative_config=(?:(None)|SpeculativeConfig\(method='([^']+)'(?:, model='([^']*)')?)")


@dataclass(frozen=True, slots=True)
class Started:
    """Conditions that a log tells, and the names of those that it tells in two ways."""

    about: dict[str, Scalar]
    unclear: tuple[str, ...]


def started(text: str) -> Started:
    """Return what the start-up lines of a log say; nothing where there are none."""
    text = lines_with(text, _TELLING)
    seen: dict[str, list[Scalar]] = {}
    for source in (_vllm(text), _sglang(text), _tensorrt(text), _memory(text)):
        for name, values in source.items():
            seen.setdefault(name, values)
    about: dict[str, Scalar] = {}
    unclear: list[str] = []
    for name, values in seen.items():
        value = _one(values)
        if value is None:
            unclear.append(name)
        else:
            about[name] = value
    return Started(about, tuple(sorted(unclear)))


def _one(values: list[Scalar]) -> Scalar:
    """Return the one value of several lines; for figures that nearly agree the smallest, else None."""
    numbers = [value for value in values if isinstance(value, int | float)]
    if len(numbers) == len(values) and max(numbers) <= NEAR * min(numbers):
        return min(numbers)
    return values[0] if len(set(values)) == 1 else None


def _vllm(text: str) -> dict[str, list[Scalar]]:
    starts = list(_VLLM.finditer(text))
    versions: list[Scalar] = [start["version"] for start in starts] or list(_VLLM_VERSION.findall(text))
    configs = [start["config"] for start in starts]
    found = _settings(configs)
    for name, values in _settings([hit["config"] for hit in _ARGUMENTS.finditer(text)]).items():
        found.setdefault(name, values)
    if versions:
        found |= {"engine": ["vLLM"], "engine_version": versions}
    for config in configs:
        if eager := re.search(r"enforce_eager=(True|False)", config):
            found.setdefault("graph_replay", []).append("off" if eager[1] == "True" else "on")
        if hit := _SPECULATIVE.search(config):
            found.setdefault("speculation", []).append(hit[2] or "none")
            if hit[3]:
                found.setdefault("proposer", []).append(model_in(hit[3])[0])
    return found


def _sglang(text: str) -> dict[str, list[Scalar]]:
    configs = [hit["config"] for hit in _SGLANG.finditer(text)]
    if not configs:
        return {}
    found = _settings(configs) | {"engine": ["SGLang"]}
    limits = _SGLANG_LIMITS.findall(text)
    if limits:
        # What the server settled on, where its arguments left it open.
        found |= {"max_num_seqs": [int(n) for n, _ in limits], "max_model_len": [int(n) for _, n in limits]}
    graphs = [hit[1] for config in configs if (hit := re.search(r"disable_cuda_graph=(True|False)", config))]
    if graphs:
        found["graph_replay"] = ["off" if graph == "True" else "on" for graph in graphs]
    return found


def _tensorrt(text: str) -> dict[str, list[Scalar]]:
    versions = [one or other for one, other in _TENSORRT.findall(text)]
    caches = _TENSORRT_CACHE.findall(text)
    if not versions and not caches:
        return {}
    found: dict[str, list[Scalar]] = {"engine": ["TensorRT-LLM"]}
    if versions:
        found["engine_version"] = list(versions)
    if caches:
        # The first allocation only measures how much there is; the last one is kept.
        told = {"kv_cache_gib": float(caches[-1][0]), "kv_cache_tokens": int(caches[-1][1])}
        found |= {name: [value] for name, value in told.items() if value > 0}
    limits, batches = _TENSORRT_LIMITS.findall(text), _TENSORRT_BATCH.findall(text)
    if limits:
        found |= {"max_model_len": [int(limits[-1][0])], "max_num_seqs": [int(limits[-1][1])]}
    elif batches:
        found["max_num_seqs"] = [int(batches[-1])]
    return found


def _memory(text: str) -> dict[str, list[Scalar]]:
    found: dict[str, list[Scalar]] = {}
    tokens: list[Scalar] = [n for pattern in _TOKENS for hit in pattern.findall(text) if (n := _whole(hit)) > 0]
    gib: list[Scalar] = [float(one or other) for one, other in _CACHE_GIB.findall(text) if _number(one or other)]
    # Target and draft model have a cache each, of one number of tokens; the target's is printed first.
    sglang = [float(k) + float(v) for k, v in _SGLANG_CACHE.findall(text) if _number(k) and _number(v)][:1]
    weights = [float(hit) for pattern in _WEIGHTS for hit in pattern.findall(text) if _number(hit)]
    lengths: list[Scalar] = [int(hit) for hit in _LENGTH.findall(text)]
    devices: list[Scalar] = [name.replace("_", " ") for name in _DEVICE.findall(text)]
    told: dict[str, list[Scalar]] = {
        "kv_cache_tokens": tokens or _from_blocks(text),
        "kv_cache_gib": gib or list(sglang),
        "weights_gib": list(weights[:1]) if _SGLANG.search(text) else list(weights),
        "max_model_len": lengths,
        "accelerator": devices,
    }
    found |= {name: values for name, values in told.items() if values}
    return found


def _from_blocks(text: str) -> list[Scalar]:
    """Return the tokens of older logs: blocks times their size, which the concurrency beside them tells."""
    blocks, fits = _BLOCKS.findall(text), _CONCURRENCY.findall(text)
    found: list[Scalar] = []
    for count, (length, times) in zip(blocks, fits, strict=False):
        if int(count) > 0 and _number(times):
            size = round(float(times) * _whole(length) / int(count))
            if size > 0:
                found.append(int(count) * size)
    return found


def _settings(configs: Iterable[str]) -> dict[str, list[Scalar]]:
    """Return the known settings of arguments or configurations, those of each start after the other."""
    found: dict[str, list[Scalar]] = {}
    for config in configs:
        values = {name: _first(config, keys) for name, keys in _SETTINGS.items()}
        precision = values.pop("quantization") or (values.pop("dtype") or "").removeprefix("torch.")
        values["precision"] = precision or None
        values.pop("dtype", None)
        for name, value in values.items():
            typed = _typed(name, value) if value is not None else None
            if typed is not None:
                found.setdefault(name, []).append(typed)
    return found


def _typed(name: str, value: str) -> Scalar:
    if name in _COUNTS:
        return int(value) if re.fullmatch(r"[1-9]\d{0,8}", value) else None
    return model_in(value)[0] if name in ("model", "proposer") else value[:300]


def _first(config: str, keys: tuple[str, ...]) -> str | None:
    for key in keys:
        found = re.search(rf"(?<![\w'-])'?{key}'?(?:=|: )\[?(?:'([^']*)'|\"([^\"]*)\"|([^,)}}\]\s]+))", config)
        value = next((group for group in found.groups() if group is not None), "") if found else ""
        # A name that is served may be a path; the model's own name says more then.
        if value.lower() not in _UNSAID and not (key == "served_model_name" and value.startswith(("/", "."))):
            return value
    return None


def _whole(digits: str) -> int:
    return int(digits.replace(",", "") or 0)


def _number(text: str) -> bool:
    return re.fullmatch(r"\d+(?:\.\d*)?", text) is not None
