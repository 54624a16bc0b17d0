"""What a layer with attention keeps of each token, and the parameters of its attention."""

from __future__ import annotations

from typing import NamedTuple

from core.limits.families import Family
from core.limits.fields import Fields
from core.model.architecture import Mixer

SCALE_BYTES = 4
"""Of the factor that the keys of a sparse index are scaled by, one for each token."""


class Heads(NamedTuple):
    """Heads of an attention layer, as the fields of the same names in `Layer`."""

    kv_heads: int
    key_dim: int
    value_dim: int
    latent: int
    index_bytes: int
    heads: int
    score_dim: int
    mix_dim: int
    parameters: int
    kept: int
    replicated: int


def heads_of(fields: Fields, family: Family, hidden: int, mixer: Mixer) -> Heads:
    """Return the heads of a layer that has attention.

    Raises:
        RefusedFileError: "limits.missing_field", "limits.bad_field".
    """
    if fields.whole("kv_lora_rank"):
        return _latent(fields, hidden)
    heads = fields.needed("num_attention_heads", "n_head", "num_heads")
    dim = fields.whole("head_dim", "attention_head_dim", least=1) or _divided(fields, hidden, heads)
    kv = _kv_heads(fields, heads)
    if mixer is not Mixer.WINDOW and "global_head_dim" in family.understood:
        dim = fields.whole("global_head_dim", least=1) or dim
        if fields.flag("attention_k_eq_v"):
            kv = fields.whole("num_global_key_value_heads", least=1) or kv
    queries = heads * dim * (2 if family.output_gate else 1)
    biased = fields.value("attention_bias", "use_qkv_bias", "bias", "use_bias")
    biases = (queries + 2 * kv * dim) if family.biases or biased is True else 0
    # Where the file itself says that there are biases, the way back has one too.
    biases += hidden if biased is True else 0
    norms = 2 * dim if family.head_norms or fields.flag("use_qk_norm") else 0
    return Heads(
        kv_heads=kv,
        key_dim=dim,
        value_dim=dim,
        latent=0,
        index_bytes=0,
        heads=heads,
        score_dim=dim,
        mix_dim=dim,
        parameters=hidden * (queries + 2 * kv * dim) + heads * dim * hidden,
        kept=biases + norms,
        replicated=0,
    )


def _latent(fields: Fields, hidden: int) -> Heads:
    """Multi-head latent attention: one compressed vector and one rotary key for each token, whatever the heads."""
    heads = fields.needed("num_attention_heads")
    rank, rope = fields.needed("kv_lora_rank"), fields.needed("qk_rope_head_dim")
    nope, value = fields.needed("qk_nope_head_dim"), fields.needed("v_head_dim")
    low = fields.whole("q_lora_rank") or 0
    wide = heads * (nope + rope)
    queries = low * wide if low else hidden * wide
    index_heads, index = fields.whole("index_n_heads") or 0, fields.whole("index_head_dim") or 0
    indexer = low * index_heads * index + hidden * (index + index_heads) if low else 0
    return Heads(
        kv_heads=0,
        key_dim=0,
        value_dim=0,
        latent=rank + rope,
        # The keys of a sparse index are kept at 8 bits with one factor each.
        index_bytes=index + SCALE_BYTES if index else 0,
        heads=heads,
        score_dim=nope + rope,
        mix_dim=value,
        parameters=queries + rank * heads * (nope + value) + heads * value * hidden,
        kept=rank + low + (2 * index if index else 0),
        # What squeezes a token into the latent is whole on every rank.
        replicated=hidden * (rank + rope) + hidden * low + indexer,
    )


def _divided(fields: Fields, hidden: int, heads: int) -> int:
    """Return the size of a head where the file leaves it to the width of the model."""
    if hidden % heads:
        raise fields.wrong("num_attention_heads")
    return hidden // heads


def _kv_heads(fields: Fields, heads: int) -> int:
    """Return the heads of keys and values: one where all queries share them, as many as queries where nothing is said.

    Raises:
        RefusedFileError: "limits.bad_field" where there are more than heads of queries.
    """
    kv = fields.whole("num_key_value_heads", "num_kv_heads", least=1)
    if fields.flag("multi_query") and not fields.flag("new_decoder_architecture"):
        kv = 1
    if kv is not None and (kv > heads or heads % kv):
        raise fields.wrong("num_key_value_heads")
    if kv is None:
        fields.leaves("num_key_value_heads")
    return kv or heads
