"""Parameters of the feed-forward part of each layer: one dense part, or routed experts with shared ones."""

from __future__ import annotations

from typing import NamedTuple

from core.limits.families import Family
from core.limits.fields import Fields

_EXPERTS = ("n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts")
_CHOSEN = ("num_experts_per_tok", "num_experts_per_token", "experts_per_token", "top_k_experts", "moe_topk")
_DENSE = ("intermediate_size", "n_inner", "ffn_hidden_size", "block_ff_dim")


class FeedForward(NamedTuple):
    """Parameters of one layer's feed-forward part, as the fields of the same names in `Layer`."""

    feed_forward: int = 0
    expert: int = 0
    experts: int = 0
    chosen: int = 0
    kept: int = 0


def feed_forwards(fields: Fields, family: Family, hidden: int, count: int) -> tuple[FeedForward, ...]:
    """Return the feed-forward part of each of `count` layers.

    Raises:
        RefusedFileError: "limits.missing_field", "limits.bad_field".
    """
    pattern = fields.text("hybrid_override_pattern")
    experts = fields.whole(*_EXPERTS) or 0
    if pattern:
        by_letter = {"-": False, "E": True}
        parts = {letter: _part(fields, family, hidden, experts if routed else 0)
                 for letter, routed in by_letter.items() if letter in pattern}  # fmt: skip
        return tuple(parts.get(letter, FeedForward()) for letter in pattern)
    if fields.whole(*_DENSE) is None and not experts and family.norms == 1:
        # Mamba's own classes have nothing beside their state.
        return (FeedForward(),) * count
    routed = _routed(fields, count) if experts > 1 else (False,) * count
    found = {each: _part(fields, family, hidden, experts if each else 0) for each in set(routed)}
    return tuple(found[each] for each in routed)


def _part(fields: Fields, family: Family, hidden: int, experts: int) -> FeedForward:
    matrices = 3 if family.gated else 2
    if not experts:
        # Llama 4 names the dense part of its mixed stack apart.
        width = fields.whole("intermediate_size_mlp") or _dense(fields, family, hidden)
        return FeedForward(feed_forward=matrices * hidden * width)
    width = fields.whole("moe_intermediate_size") or fields.needed("intermediate_size")
    shared = _shared(fields, width)
    biases = experts * (2 * width + hidden) if family.expert_biases else 0
    return FeedForward(
        feed_forward=matrices * hidden * shared,
        expert=matrices * hidden * width,
        experts=experts,
        chosen=_chosen(fields, experts),
        kept=hidden * experts + biases,
    )


def _dense(fields: Fields, family: Family, hidden: int) -> int:
    """Return the width of a dense part: four times the model's only where a class without gates leaves it out."""
    width = fields.whole(*_DENSE)
    if width is None and not family.gated:
        fields.leaves("intermediate_size")
        return 4 * hidden
    return width or fields.needed(*_DENSE)


def _shared(fields: Fields, width: int) -> int:
    """Return the width of all shared experts together."""
    named = ("shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "shared_intermediate_size")
    given = fields.whole(*named)
    if given is not None:
        return given
    if fields.whole("intermediate_size_mlp"):
        return width
    return (fields.whole("n_shared_experts", "num_shared_experts") or 0) * width


def _chosen(fields: Fields, experts: int) -> int:
    chosen = fields.needed(*_CHOSEN)
    if chosen > experts:
        raise fields.wrong(_CHOSEN[0])
    return chosen


def _routed(fields: Fields, count: int) -> tuple[bool, ...]:
    """Return which layers have routed experts: all of them but those that the file keeps dense."""
    listed = fields.listed("moe_layers")
    if listed:
        return tuple(i in listed for i in range(count))
    step = fields.whole("interleave_moe_layer_step", least=1)
    if step:
        return tuple((i + 1) % step == 0 for i in range(count))
    period, offset = fields.whole("expert_layer_period", least=1), fields.whole("expert_layer_offset")
    if period and offset is not None:
        return tuple(i % period == offset for i in range(count))
    sparse, dense = fields.whole("decoder_sparse_step", least=1), fields.listed("mlp_only_layers") or ()
    if sparse:
        return tuple(i not in dense and (i + 1) % sparse == 0 for i in range(count))
    each = fields.listed("moe_layer_freq")
    if each and len(each) == count:
        return tuple(bool(one) for one in each)
    first, step = fields.whole("first_k_dense_replace") or 0, fields.whole("moe_layer_freq", least=1) or 1
    return tuple(i >= first and i % step == 0 for i in range(count))
