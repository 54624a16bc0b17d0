"""Classes of models whose layers are known, by the `model_type` of their `config.json`.

Defaults are those of the classes in Hugging Face transformers, for fields that published files leave out; which layers
of a class have a window, and what they are made of, is as its source there and in vLLM says (docs/memory.md).
A class that is not here is unknown: nothing is guessed from names of fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Windows(StrEnum):
    """Which layers have a window where the file names one and lists no layers."""

    ALL = "all"
    EVEN = "even"
    PATTERN = "pattern"
    LATE = "late"
    NONE = "none"


class Recurrence(StrEnum):
    """What a layer with a fixed state is."""

    NONE = "none"
    DELTA = "gated delta net"
    KDA = "kimi delta attention"
    LIGHTNING = "lightning attention"
    MAMBA = "mamba"
    MAMBA2 = "mamba2"
    CONV = "short convolution"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What a class of models is made of.

    Attributes:
        gated: the feed-forward part has three matrices, else two.
        norms: vectors of the model's width that a layer normalises with.
        head_norms: queries and keys are normalised by head.
        biases: of queries, keys and values, where the file says nothing of biases.
        output_gate: queries come with a gate of their size.
        windows: see `Windows`.
        recurrence: of the layers that keep a fixed state. both: such a layer has attention too.
        tied: whether the output layer is the input table where the file says nothing.
        expert_biases: routed experts have biases.
        understood: fields among `NOT_UNDERSTOOD` that are understood for this class.
        counted: whether its parameters can be counted; where not, only what it keeps of a sequence is told.
        defaults: fields of the class.
    """

    gated: bool = True
    norms: int = 2
    head_norms: bool = False
    biases: bool = False
    output_gate: bool = False
    windows: Windows = Windows.NONE
    recurrence: Recurrence = Recurrence.NONE
    both: bool = False
    tied: bool = False
    expert_biases: bool = False
    understood: frozenset[str] = frozenset()
    counted: bool = True
    defaults: Mapping[str, object] = field(default_factory=dict)


_PLAIN = Family()
_KV = "num_key_value_heads"
_MISTRAL = {"num_attention_heads": 32, _KV: 8, "intermediate_size": 14_336, "sliding_window": 4096}
_LLAMA4 = {
    "num_attention_heads": 40, _KV: 8, "head_dim": 128, "intermediate_size": 8192, "intermediate_size_mlp": 16_384,
    "num_local_experts": 16, "num_experts_per_tok": 1, "attention_chunk_size": 8192, "interleave_moe_layer_step": 1,
}  # fmt: skip


def _qwen3(kv_heads: int, **more: int) -> Family:
    return Family(head_norms=True, windows=Windows.LATE, defaults={_KV: kv_heads, **more})


_MAMBA2_HYBRID = Family(recurrence=Recurrence.MAMBA2)
_GEMMA2 = {_KV: 4, "head_dim": 256, "sliding_window": 4096}
_GEMMA3 = {
    "num_attention_heads": 8, _KV: 4, "head_dim": 256, "vocab_size": 262_208,
    "sliding_window": 4096, "sliding_window_pattern": 6,
}  # fmt: skip
_GPT_OSS = {_KV: 8, "head_dim": 64, "sliding_window": 128}
_GATED_DELTA = Family(head_norms=True, output_gate=True, recurrence=Recurrence.DELTA, defaults={"head_dim": 256})

FAMILIES: Mapping[str, Family] = {
    "llama": _PLAIN,
    "llama4_text": Family(defaults=_LLAMA4),
    "mistral": Family(windows=Windows.ALL, defaults=_MISTRAL),
    "ministral3": _PLAIN,
    "mixtral": Family(windows=Windows.ALL, defaults={_KV: 8}),
    "phi3": Family(windows=Windows.ALL),
    "granite": _PLAIN,
    "granitemoe": _PLAIN,
    "granitemoehybrid": _MAMBA2_HYBRID,
    "seed_oss": Family(defaults={_KV: 8, "head_dim": 128}),
    "smollm3": Family(windows=Windows.NONE, tied=True, defaults={_KV: 4}),
    "internlm2": _PLAIN,
    "exaone": _PLAIN,
    "olmo2": Family(head_norms=True),
    "qwen2": Family(biases=True, windows=Windows.LATE, defaults={_KV: 32}),
    "qwen2_moe": Family(biases=True, windows=Windows.LATE, defaults={_KV: 16}),
    "qwen3": _qwen3(32, head_dim=128),
    "qwen3_moe": _qwen3(4),
    "qwen3_vl_text": _qwen3(32, head_dim=128),
    "qwen3_vl_moe_text": _qwen3(16),
    "qwen3_next": _GATED_DELTA,
    "qwen3_5_text": _GATED_DELTA,
    "qwen3_5_moe_text": _GATED_DELTA,
    "gemma": Family(tied=True, defaults={_KV: 16, "head_dim": 256}),
    "gemma2": Family(norms=4, windows=Windows.EVEN, tied=True, defaults=_GEMMA2),
    "gemma3_text": Family(norms=4, head_norms=True, windows=Windows.PATTERN, tied=True, defaults=_GEMMA3),
    "gemma4_text": Family(
        windows=Windows.PATTERN,
        counted=False,
        understood=frozenset({"num_kv_shared_layers", "global_head_dim", "hidden_size_per_layer_input"}),
        tied=True,
        defaults={"sliding_window_pattern": 6},
    ),
    "cohere": Family(norms=1, tied=True),
    "cohere2": Family(norms=1, windows=Windows.PATTERN, tied=True, defaults={"sliding_window_pattern": 4}),
    "deepseek_v2": _PLAIN,
    "deepseek_v3": _PLAIN,
    "deepseek_v32": Family(defaults={"index_head_dim": 128, "index_n_heads": 64}),
    "kimi_k2": _PLAIN,
    "glm4": Family(norms=4, defaults={_KV: 2, "head_dim": 128}),
    "glm4_moe": Family(defaults={_KV: 8}),
    "glm4_moe_lite": _PLAIN,
    "glm_moe_dsa": Family(defaults={"index_head_dim": 128, "index_n_heads": 32}),
    "gpt_oss": Family(biases=True, windows=Windows.EVEN, expert_biases=True, defaults=_GPT_OSS),
    "minimax": Family(recurrence=Recurrence.LIGHTNING),
    "minimax_m1": Family(recurrence=Recurrence.LIGHTNING),
    "minimax_text_01": Family(recurrence=Recurrence.LIGHTNING),
    "minimax_m2": Family(head_norms=True),
    "kimi_linear": Family(recurrence=Recurrence.KDA),
    "jamba": Family(recurrence=Recurrence.MAMBA, tied=False, defaults={_KV: 8}),
    "bamba": _MAMBA2_HYBRID,
    "falcon_h1": Family(recurrence=Recurrence.MAMBA2, both=True),
    "nemotron_h": Family(gated=False, norms=1, recurrence=Recurrence.MAMBA2),
    "nemotron": Family(gated=False),
    "lfm2": Family(head_norms=True, recurrence=Recurrence.CONV, tied=True),
    "mamba": Family(norms=1, recurrence=Recurrence.MAMBA, tied=True),
    "falcon_mamba": Family(norms=1, recurrence=Recurrence.MAMBA, tied=True),
    "mamba2": Family(norms=1, recurrence=Recurrence.MAMBA2),
    "starcoder2": Family(gated=False, biases=True, windows=Windows.ALL, tied=True, defaults={_KV: 2}),
    "gpt_bigcode": Family(gated=False, biases=True, tied=True, defaults={"multi_query": True}),
    "falcon": Family(gated=False, tied=True, defaults={"multi_query": True}),
}
"""By `model_type` of the text part of a file."""

SAME_AS = {
    "gemma3": "gemma3_text", "gemma4": "gemma4_text", "mistral3": "mistral", "qwen3_vl": "qwen3_vl_text",
    "qwen3_vl_moe": "qwen3_vl_moe_text", "qwen3_5": "qwen3_5_text", "qwen3_5_moe": "qwen3_5_moe_text",
    "llama4": "llama4_text", "kimi_k25": "kimi_k2", "minimax-m2": "minimax_m2", "MiniMaxM1": "minimax_m1",
    "MiniMaxText01": "minimax_text_01",
}  # fmt: skip
"""Other names that the same classes have."""

NOT_UNDERSTOOD = (
    "compress_ratios", "cross_attention_layers", "num_kv_shared_layers", "global_head_dim", "kv_sharing_layers",
    "layers_to_share_kv", "num_memory_blocks", "hidden_size_per_layer_input", "block_configs", "layer_configs",
)  # fmt: skip
"""Fields that change what a layer keeps, in ways that differ from class to class: with them nothing is told."""
