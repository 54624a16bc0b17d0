"""Bytes of KV cache: of a token, and of a sequence of some length, on one rank.

What grows with every token: 2 x heads x head size x bytes for each layer with attention, or the compressed vector of
MLA. A layer with a window stops growing at its window; a layer with a state does not grow. Engines differ in whether
they free what a window has left behind, so there are two readings of a sequence (docs/memory.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.limits.ranks import kv_heads
from core.model.architecture import Architecture, Layer, Mixer

BLOCK = 16
"""Tokens that engines give room to at once."""

SPARSE_LATENT = "fp8_ds_mla"
_SPARSE_LATENT_BYTES = 656.0
"""Of a token in a layer of DeepSeek V3.2: 512 of 1 byte, 4 scales of 4 bytes, 64 of 2 bytes."""

TYPES: Mapping[str, tuple[str, float]] = {
    "fp32": ("FP32", 32.0),
    "bf16": ("16 bit", 16.0),
    "fp8": ("FP8", 8.0),
    "int8": ("INT8", 8.0),
    # 4 bits with a scale of 8 bits for each 16.
    "nvfp4": ("NVFP4", 4.5),
    SPARSE_LATENT: ("FP8 with a 16-bit rotary part", 8.0),
}
"""Types of the cache that a person may choose: the name, and bits of an element with its scales."""


class Windows(StrEnum):
    """What an engine does with tokens that a window has left behind."""

    FREED = "freed"
    KEPT = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """How a cache is kept.

    Attributes:
        kind: a key of `TYPES`. state_bits: of an element of a fixed state.
        windows: see `Windows`.
    """

    kind: str = "bf16"
    state_bits: float = 32.0
    windows: Windows = Windows.FREED

    @property
    def bits(self) -> float:
        """Bits of one element with its scales."""
        return TYPES[self.kind][1]


def type_of(word: str) -> str | None:
    """Return the type of a cache that a word of a file or a person names, None where it is none of `TYPES`.

    >>> type_of("fp8_e4m3"), type_of("torch.bfloat16"), type_of("fp8_ds_mla"), type_of("auto")
    ('fp8', 'bf16', 'fp8_ds_mla', None)
    """
    plain = word.lower().removeprefix("torch.").strip()
    if plain in TYPES:
        return plain
    told = {"nvfp4": "nvfp4", "fp4": "nvfp4", "fp8": "fp8", "int8": "int8", "float16": "bf16", "fp16": "bf16",
            "half": "bf16", "float32": "fp32"}  # fmt: skip
    return next((kind for mark, kind in told.items() if mark in plain), None)


def known(architecture: Architecture) -> bool:
    """Return whether it is known what every layer keeps."""
    return all(
        layer.mixer is not Mixer.UNKNOWN and not (layer.mixer is Mixer.STATE and layer.state + layer.conv == 0)
        for layer in architecture.kinds
    )


def token_bytes(layer: Layer, cache: Cache, tp: int = 1) -> float:
    """Return what one more token adds to one layer on one rank, while no window is full."""
    if layer.latent:
        own = _SPARSE_LATENT_BYTES if cache.kind == SPARSE_LATENT else layer.latent * cache.bits / 8
        return own + layer.index_bytes
    return kv_heads(layer, tp) * (layer.key_dim + layer.value_dim) * cache.bits / 8


def state_bytes(layer: Layer, cache: Cache, tp: int = 1) -> float:
    """Return the fixed state of one sequence in one layer on one rank; its convolution's tail has 16 bits."""
    return (layer.state * cache.state_bits / 8 + layer.conv * 2) / tp


def growing_bytes(layers: Iterable[tuple[Layer, int]], cache: Cache, tp: int = 1) -> float:
    """Return what one more token of a short sequence adds on one rank, in all layers together."""
    return sum(count * token_bytes(layer, cache, tp) for layer, count in layers)


def sequence_bytes(layers: Iterable[tuple[Layer, int]], cache: Cache, tokens: float, tp: int = 1) -> float:
    """Return what one sequence holds on one rank.

    Args:
        layers: of the rank, with their number.
        cache: how it is kept.
        tokens: of the sequence so far, in whole blocks where that matters.
        tp: ranks that heads are divided by.
    """
    total = 0.0
    for layer, count in layers:
        held = tokens
        if layer.window is not None and cache.windows is Windows.FREED:
            held = min(tokens, in_blocks(layer.window))
        total += count * (held * token_bytes(layer, cache, tp) + state_bytes(layer, cache, tp))
    return total


def mean_sequence_bytes(
    layers: Iterable[tuple[Layer, int]], cache: Cache, first: float, last: float, tp: int = 1
) -> float:
    """Return what a sequence holds on average while it grows evenly from `first` to `last` tokens, on one rank.

    What a layer holds bends only where its window is full, so the mean is exact on both sides of it.
    """
    total = 0.0
    for layer, count in layers:
        full = in_blocks(layer.window) if layer.window is not None and cache.windows is Windows.FREED else None
        held = _mean_held(first, last, full)
        total += count * (held * token_bytes(layer, cache, tp) + state_bytes(layer, cache, tp))
    return total


def _mean_held(first: float, last: float, full: float | None) -> float:
    """Return the mean of min(n, full) for n even between first and last."""
    if full is None or last <= full:
        return (first + last) / 2
    if first >= full:
        return full
    return ((full * full - first * first) / 2 + full * (last - full)) / (last - first)


def in_blocks(tokens: float) -> float:
    """Return tokens rounded up to whole blocks.

    >>> in_blocks(1), in_blocks(16), in_blocks(17)
    (16.0, 16.0, 32.0)
    """
    return float(-(-tokens // BLOCK) * BLOCK)
