"""In what type a checkpoint is stored: bits of a parameter with its scales, and which parts are left as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.limits.fields import Fields
from core.model.architecture import Storage

SIXTEEN = 16.0
_FLOAT = 32.0

TYPES: Mapping[str, tuple[str, float]] = {
    "fp32": ("FP32", _FLOAT),
    "bf16": ("BF16", SIXTEEN),
    "fp16": ("FP16", SIXTEEN),
    "fp8": ("FP8", 8.0),
    "int8": ("INT8", 8.0),
    # 4 bits with a scale of 16 and a zero of 4 bits for each 128, as AWQ and GPTQ are mostly published.
    "int4": ("INT4", 4.0 + 20.0 / 128),
    # 4 bits with a scale of 8 bits for each 32, and for each 16.
    "mxfp4": ("MXFP4", 4.0 + 8.0 / 32),
    "nvfp4": ("NVFP4", 4.0 + 8.0 / 16),
}
"""Types of weights that a person may choose: the name, and bits with scales."""

_WRITTEN = {
    "float32": "fp32", "float": "fp32", "bfloat16": "bf16", "float16": "fp16", "half": "fp16", "fp16": "fp16",
    "bf16": "bf16", "fp32": "fp32", "float8_e4m3fn": "fp8",
}  # fmt: skip
_FEWEST_GROUP = 8


def type_of(word: str) -> str | None:
    """Return the type that a word of a file or a person names, None where it is none of `TYPES`.

    >>> type_of("torch.bfloat16"), type_of("FP8"), type_of("w4a16"), type_of("sharp")
    ('bf16', 'fp8', 'int4', None)
    """
    plain = word.lower().removeprefix("torch.").strip()
    named = _WRITTEN.get(plain, plain)
    if named in TYPES:
        return named
    told = {
        "nvfp4": "nvfp4", "modelopt_fp4": "nvfp4", "mxfp4": "mxfp4", "awq": "int4", "gptq": "int4", "w4a16": "int4",
        "int4": "int4", "w8a8": "int8", "w8a16": "int8", "int8": "int8", "fp8": "fp8", "fp4": "nvfp4",
        "bfloat16": "bf16", "float16": "fp16",
    }  # fmt: skip
    return next((kind for mark, kind in told.items() if mark in plain), None)


def storage_of(fields: Fields) -> Storage:
    """Return the type that a checkpoint says it is stored in; its bits are None where that cannot be told."""
    found = fields.value("quantization_config", "compression_config")
    if not isinstance(found, dict):
        kind = type_of(fields.text("torch_dtype", "dtype"))
        name, bits = TYPES[kind] if kind else ("", None)
        return Storage(bits=bits, name=name, embedding=True)
    quantised = fields.inside("quantization_config" if fields.value("quantization_config") else "compression_config")
    name, size = _quantised(quantised)
    left = _left_out(quantised)
    return Storage(
        bits=size,
        name=name,
        attention=not any("attn" in word or "attention" in word for word in left),
        shared=not any("shared_expert" in word for word in left),
    )


def _quantised(found: Fields) -> tuple[str, float | None]:
    method = found.text("quant_method").lower()
    algorithm = found.text("quant_algo").lower()
    if method in ("awq", "gptq", "auto-round", "auto_round"):
        bits, group = found.whole("bits", "w_bit", least=1), found.whole("group_size", "q_group_size")
        if bits is None or bits > SIXTEEN:
            return method.upper(), None
        each = max(_FEWEST_GROUP, group) if group else None
        return f"{method.upper()} {bits}", bits + ((SIXTEEN + bits) / each if each else 0.0)
    if method == "bitsandbytes":
        if found.flag("load_in_8bit", "_load_in_8bit"):
            return "INT8", TYPES["int8"][1]
        # A scale of 32 bits for each 64; quantised once more it takes 8 bits, and 32 for each 256 of them.
        twice = found.flag("bnb_4bit_use_double_quant")
        return "NF4", 4.0 + (8.0 / 64 + _FLOAT / (64 * 256) if twice else _FLOAT / 64)
    if method == "compressed-tensors":
        return _compressed(found)
    word = algorithm or method
    kind = "fp8" if word in ("fp8", "fbgemm_fp8", "fp8_pb_wo") else word if word in TYPES else None
    return TYPES[kind] if kind else (word.upper(), None)


def _compressed(found: Fields) -> tuple[str, float | None]:
    """Return what compressed-tensors says of its groups; where they differ, the size cannot be told from here."""
    groups = found.value("config_groups")
    parts = list(groups.values()) if isinstance(groups, dict) else []
    sizes = {_group_bits(part) for part in parts[:100]}
    if len(sizes) != 1:
        return "compressed-tensors", None
    name, bits = sizes.pop()
    return name, bits


def _group_bits(group: object) -> tuple[str, float | None]:
    weights = group.get("weights") if isinstance(group, dict) else None
    if not isinstance(weights, dict):
        return "compressed-tensors", None
    bits, size, kind = weights.get("num_bits"), weights.get("group_size"), weights.get("type")
    if isinstance(bits, bool) or bits not in (4, 8):
        return "compressed-tensors", None
    each = size if isinstance(size, int) and not isinstance(size, bool) and size >= _FEWEST_GROUP else None
    if kind == "float":
        return TYPES["fp8"] if bits == 8 else TYPES["nvfp4"] if each == 16 else TYPES["mxfp4"]
    return f"INT{bits}", bits + (SIXTEEN / each if each else 0.0)


def _left_out(found: Fields) -> Sequence[str]:
    """Return the names of modules that are not quantised, in small letters."""
    names: list[str] = []
    for name in ("modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules"):
        # A long list names the same few modules once for each layer; it may be longer than any model has layers.
        value = found.value(name)
        names += (
            [one.lower()[:200] for one in value[:20_000] if isinstance(one, str)] if isinstance(value, list) else []
        )
    return names


def kv_bits_of(fields: Fields) -> int | None:
    """Return the bits of the cache that a checkpoint asks for, None where it asks for none."""
    scheme = fields.inside("quantization_config").inside("kv_cache_scheme")
    bits = scheme.whole("num_bits")
    return bits if bits in (4, 8) else None
