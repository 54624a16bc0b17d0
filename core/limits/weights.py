"""Bytes of weights: of the whole model, and of the ranks that it is cut onto."""

from __future__ import annotations

from dataclasses import replace

from core.limits.ranks import Ranks, Stage, kv_heads, on_stage, stages
from core.limits.storage import SIXTEEN, TYPES
from core.model.architecture import Architecture, Layer, Storage

_WIDE = ("fp32", "bf16", "fp16")


def served_as(architecture: Architecture, wanted: str | None = None) -> Storage:
    """Return the type that weights are served in: the one wanted, else that of the checkpoint.

    Engines serve a checkpoint of 32 bits with 16, unless told otherwise. Where a type below 16 bits is wanted of
    a checkpoint that has another, its tables stay at 16 bits, as in published ones.
    """
    own = architecture.storage
    if wanted is None:
        return replace(own, bits=SIXTEEN, name="BF16") if own.bits == TYPES["fp32"][1] else own
    name, bits = TYPES[wanted]
    if wanted in _WIDE:
        return Storage(bits=bits, name=name, embedding=True)
    if own.name == name:
        return own
    return Storage(bits=bits, name=name)


def total_bytes(architecture: Architecture, storage: Storage) -> float | None:
    """Return the bytes of all weights once, None where they cannot be told."""
    return stage_bytes(architecture, storage, Stage(0, len(architecture.order)), Ranks())


def rank_bytes(architecture: Architecture, storage: Storage, ranks: Ranks) -> tuple[float | None, ...]:
    """Return the bytes on a rank of each stage; None where they cannot be told."""
    return tuple(
        stage_bytes(architecture, storage, stage, ranks) for stage in stages(len(architecture.order), ranks.pp)
    )


def stage_bytes(architecture: Architecture, storage: Storage, stage: Stage, ranks: Ranks) -> float | None:
    """Return the bytes of weights on one rank of a stage, None where they cannot be told."""
    if storage.bits is None:
        return None
    total = 0.0
    for layer, count in on_stage(architecture, stage):
        held = layer_bytes(layer, storage, ranks, architecture.hidden)
        if held is None:
            return None
        total += count * held
    return total + _tables(architecture, storage, stage, ranks)


def layer_bytes(
    layer: Layer, storage: Storage, ranks: Ranks, hidden: int, experts: float | None = None
) -> float | None:
    """Return the bytes of one layer on one rank, None where its parameters are not known.

    Args:
        layer: its parameters.
        storage: the type.
        ranks: how it is cut.
        hidden: width of the model.
        experts: how many of the experts count, None for all.
    """
    if layer.attention is None or layer.feed_forward is None or storage.bits is None:
        return None
    tp, packed, wide = ranks.tp, storage.bits / 8, SIXTEEN / 8
    wide = max(wide, packed) if storage.embedding else wide
    attention = packed if storage.attention else wide
    # Keys and values of a rank that shares a head with others are projected there once more.
    pairs = hidden * (layer.key_dim + layer.value_dim)
    cut = (layer.attention - layer.kv_heads * pairs) / tp + kv_heads(layer, tp) * pairs
    held = attention * (cut + layer.replicated) + (packed if storage.shared else wide) * layer.feed_forward / tp
    return held + packed * layer.expert * _experts_of_rank(layer, ranks, experts) + wide * layer.kept


def _experts_of_rank(layer: Layer, ranks: Ranks, experts: float | None) -> float:
    """Return how many experts' worth of parameters one rank has, or reads."""
    if not layer.experts:
        return 0.0
    if experts is not None:
        return experts / (ranks.ep if ranks.ep > 1 else ranks.tp)
    return float(-(-layer.experts // ranks.ep)) if ranks.ep > 1 else layer.experts / ranks.tp


def _tables(architecture: Architecture, storage: Storage, stage: Stage, ranks: Ranks) -> float:
    """Return the bytes of the tables of words: the first stage has the input, the last one the output."""
    packed = storage.bits if storage.embedding and storage.bits else SIXTEEN
    is_first, is_last = stage.first == 0, stage.last == len(architecture.order)
    parameters = architecture.embedding if is_first else 0
    if is_last:
        # A table that serves as both is held by the first and the last stage.
        parameters += architecture.head or (0 if is_first else architecture.embedding)
    return (parameters / ranks.tp + (architecture.beside if is_last else 0)) * packed / 8
