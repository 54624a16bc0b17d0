"""The fixed state that one sequence has in a layer without a growing cache, and the parameters of such a layer."""

from __future__ import annotations

from typing import NamedTuple

from core.limits.families import Family, Recurrence
from core.limits.fields import Fields


class State(NamedTuple):
    """Elements of the state and of the convolution's tail, parameters that ranks divide, and those kept at 16 bits."""

    state: int
    conv: int
    parameters: int | None
    kept: int = 0


def state_of(fields: Fields, family: Family, hidden: int) -> State | None:
    """Return the state of one such layer, None where the file does not say how large it is.

    Raises:
        RefusedFileError: "limits.bad_field".
    """
    return _READERS[family.recurrence](fields, hidden)


def _delta(fields: Fields, hidden: int) -> State | None:
    """Gated delta net: a matrix of key by value for each value head; queries, keys and values are convolved."""
    keys, values = fields.whole("linear_num_key_heads"), fields.whole("linear_num_value_heads")
    key, value = fields.whole("linear_key_head_dim"), fields.whole("linear_value_head_dim")
    kernel = fields.whole("linear_conv_kernel_dim")
    if not (keys and values and key and value and kernel):
        return None
    wide, out = 2 * keys * key + values * value, values * value
    # Projections of queries, keys, values and their gate; two numbers for each head; the way back.
    matrices = hidden * (wide + out) + hidden * 2 * values + out * hidden
    return State(values * key * value, wide * (kernel - 1), matrices, wide * kernel + 2 * values + value)


def _kda(fields: Fields, hidden: int) -> State | None:
    """Kimi delta attention: a square matrix for each head; queries, keys and values are convolved each."""
    linear = fields.inside("linear_attn_config")
    heads, dim, kernel = (linear.whole(name) for name in ("num_heads", "head_dim", "short_conv_kernel_size"))
    if not (heads and dim and kernel):
        return None
    wide = heads * dim
    # Three projections and the way back, two gates of low rank, one number for each head.
    matrices = 4 * hidden * wide + 2 * (hidden * dim + dim * wide) + hidden * heads
    return State(heads * dim * dim, 3 * wide * (kernel - 1), matrices, 3 * wide * kernel + heads + wide + dim)


def _lightning(fields: Fields, hidden: int) -> State | None:
    """Lightning attention: a square matrix for each head, and no convolution."""
    heads, dim = fields.whole("num_attention_heads"), fields.whole("head_dim")
    if not (heads and dim):
        return None
    wide = heads * dim
    return State(heads * dim * dim, 0, 5 * hidden * wide, wide)


def _mamba2(fields: Fields, hidden: int) -> State | None:
    """Mamba-2: a matrix of head by state for each head; the inner width and the groups are convolved."""
    heads = fields.whole("mamba_n_heads", "mamba_num_heads", "num_heads")
    dim = fields.whole("mamba_d_head", "mamba_head_dim", "head_dim")
    size = fields.whole("mamba_d_state", "ssm_state_size", "state_size")
    groups = fields.whole("mamba_n_groups", "n_groups")
    kernel = fields.whole("mamba_d_conv", "conv_kernel")
    if not (heads and dim and size and groups and kernel):
        return None
    inner = heads * dim
    wide = inner + 2 * groups * size
    matrices = hidden * (inner + wide + heads) + inner * hidden
    return State(heads * dim * size, wide * (kernel - 1), matrices, wide * (kernel + 1) + 3 * heads + inner)


def _mamba(fields: Fields, hidden: int) -> State | None:
    """Mamba: a vector of states for each channel of the inner width, which is convolved."""
    size = fields.whole("mamba_d_state", "state_size")
    kernel = fields.whole("mamba_d_conv", "conv_kernel")
    expand = fields.whole("mamba_expand", "expand")
    if not (size and kernel and expand):
        return None
    inner = fields.whole("d_inner") or expand * hidden
    rank = fields.whole("mamba_dt_rank", "time_step_rank") or -(-hidden // 16)
    matrices = hidden * 2 * inner + inner * (rank + 2 * size) + rank * inner + inner * hidden
    return State(inner * size, inner * (kernel - 1), matrices, inner * (kernel + 1) + inner * (size + 2))


def _conv(fields: Fields, hidden: int) -> State | None:
    """Short convolution: only its tail is kept."""
    kernel = fields.whole("conv_L_cache")
    if not kernel:
        return None
    return State(0, hidden * (kernel - 1), 4 * hidden * hidden, hidden * kernel)


def _none(_fields: Fields, _hidden: int) -> State | None:
    return None


_READERS = {
    Recurrence.NONE: _none,
    Recurrence.DELTA: _delta,
    Recurrence.KDA: _kda,
    Recurrence.LIGHTNING: _lightning,
    Recurrence.MAMBA: _mamba,
    Recurrence.MAMBA2: _mamba2,
    Recurrence.CONV: _conv,
}
