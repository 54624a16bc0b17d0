"""Values of conditions under one name each: "FP8" and "fp8", "NVIDIA H100 80GB HBM3" and "h100_sxm" are the same."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from core.catalogue.hardware import accelerator

ROUND = 0.02
"""Relative: means of lengths drawn from one distribution differ by so much from run to run."""

_PRECISION = {
    "bfloat16": "bf16",
    "float16": "fp16",
    "half": "fp16",
    "float8": "fp8",
    "float8_e4m3fn": "fp8_e4m3",
    "fp8_e4m3fn": "fp8_e4m3",
    "e4m3": "fp8_e4m3",
    "e5m2": "fp8_e5m2",
    "float4": "fp4",
}
_MEANS = frozenset({"input_tokens_mean", "output_tokens_mean", "cache_hit_rate", "acceptance_length"})
_NONE = frozenset({"", "none", "off", "no", "false", "disabled"})


def same_value(field: str, one: object, other: object) -> bool:
    """Return True where two known values of a condition mean the same.

    >>> same_value("precision", "BF16", "bfloat16"), same_value("model", "org/Llama-8B", "llama-8b")
    (True, True)
    >>> same_value("input_tokens_mean", 1024.0, 1031.0), same_value("tp", 4, 8)
    (True, False)
    """
    if isinstance(one, int | float) and isinstance(other, int | float):
        near = ROUND * max(abs(one), abs(other)) if field in _MEANS else 0.0
        return abs(one - other) <= near
    return normal(field, str(one)) == normal(field, str(other))


def normal(field: str, value: str) -> str:
    """Return a value under the name that every spelling of it has here."""
    plain = re.sub(r"[\s-]+", "_", value.strip().casefold())
    if field in ("precision", "kv_precision"):
        return _PRECISION.get(plain, plain)
    if field == "model":
        return re.sub(r"[\s-]+", "_", PurePosixPath(value.strip().rstrip("/")).name.casefold())
    if field == "accelerator":
        known = accelerator(value)
        return known.name.casefold() if known else plain
    if field == "engine_version":
        return plain.removeprefix("v")
    if field == "engine":
        return plain.split("_")[0] if plain.startswith(("vllm", "sglang")) else plain
    return plain


def is_off(value: object) -> bool:
    """Return True for a word that says there is none, such as "off" for speculation."""
    return isinstance(value, str) and value.strip().casefold() in _NONE


def is_relaxed(verification: str | None) -> bool:
    """Return True where drafts are accepted that the model itself would not have written."""
    return verification is not None and any(
        word in verification.casefold() for word in ("relax", "typical", "lossy", "approx")
    )
