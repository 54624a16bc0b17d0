"""Which layer of a model looks back how: a list of layers in the file, a rule in it, or the rule of its class."""

from __future__ import annotations

from collections.abc import Sequence

from core.limits.families import Family, Recurrence, Windows
from core.limits.fields import Fields
from core.model.architecture import Mixer

_WORDS = {
    "full_attention": Mixer.FULL, "attention": Mixer.FULL, "sliding_attention": Mixer.WINDOW,
    "chunked_attention": Mixer.WINDOW, "linear_attention": Mixer.STATE, "mamba": Mixer.STATE, "conv": Mixer.STATE,
    "hybrid": Mixer.FULL,
}  # fmt: skip
_LETTERS = {"M": Mixer.STATE, "*": Mixer.FULL, "-": Mixer.NONE, "E": Mixer.NONE}
"""Of a pattern with a letter for each layer: Mamba, attention, feed-forward, experts."""
_KINDS_OF_WINDOW = {"L": Mixer.WINDOW, "G": Mixer.FULL}

Mixers = Sequence[Mixer]


def mixers_of(fields: Fields, family: Family, count: int) -> Mixers | None:
    """Return how each of `count` layers looks back, None where the file has a window and nothing tells which have it.

    Raises:
        RefusedFileError: "limits.bad_field" where a list is of another length than the model has layers.
    """
    listed = _listed(fields, count) or _by_period(fields, family, count)
    if listed is not None:
        return _shared(fields, family, listed)
    if family.recurrence is not Recurrence.NONE and not family.both:
        only_state = family.norms == 1 and not fields.whole("num_attention_heads")
        # A class with such layers whose file does not say which they are.
        return [Mixer.STATE if only_state else Mixer.UNKNOWN] * count
    windows = _windows(fields, family, count)
    return None if windows is None else _shared(fields, family, windows)


def _listed(fields: Fields, count: int) -> Mixers | None:
    """Return what a list or a pattern in the file says of each layer."""
    pattern = fields.text("hybrid_override_pattern")
    if pattern:
        return _exact(fields, "hybrid_override_pattern", [_LETTERS.get(each, Mixer.UNKNOWN) for each in pattern], count)
    for name in ("layers_block_type", "layer_types"):
        words = fields.listed(name)
        if words:
            return _exact(fields, name, [_WORDS.get(str(word), Mixer.UNKNOWN) for word in words], count)
    types = fields.listed("attn_type_list")
    if types:
        found = [{0: Mixer.STATE, 1: Mixer.FULL}.get(one, Mixer.UNKNOWN) if isinstance(one, int) else Mixer.UNKNOWN
                 for one in types]  # fmt: skip
        return _exact(fields, "attn_type_list", found, count)
    linear = fields.inside("linear_attn_config")
    full = linear.listed("full_attn_layers")
    if full is not None:
        # Counted from 1.
        return [Mixer.FULL if number in full else Mixer.STATE for number in range(1, count + 1)]
    attention = fields.listed("attn_layer_indices")
    return None if attention is None else [Mixer.FULL if i in attention else Mixer.STATE for i in range(count)]


def _exact(fields: Fields, name: str, found: list[Mixer], count: int) -> Mixers:
    if len(found) != count:
        raise fields.wrong(name)
    return found


def _by_period(fields: Fields, family: Family, count: int) -> Mixers | None:
    """Return what a period in the file says: every so manyth layer has attention, the others keep a state."""
    if family.recurrence is Recurrence.NONE:
        return None
    interval = fields.whole("full_attention_interval", least=1)
    if interval:
        return [Mixer.FULL if (i + 1) % interval == 0 else Mixer.STATE for i in range(count)]
    period, offset = fields.whole("attn_layer_period", least=1), fields.whole("attn_layer_offset")
    if period and offset is not None:
        return [Mixer.FULL if i % period == offset else Mixer.STATE for i in range(count)]
    return None


def _windows(fields: Fields, family: Family, count: int) -> Mixers | None:
    """Return which layers have a window."""
    full: Mixers = [Mixer.FULL] * count
    chunk = fields.whole("attention_chunk_size")
    if chunk:
        rotary = fields.listed("no_rope_layers")
        # Layers with rotary positions see one chunk; where no list says which, every fourth has none.
        return [
            Mixer.WINDOW if (bool(rotary[i]) if rotary and len(rotary) == count else (i + 1) % 4 != 0) else Mixer.FULL
            for i in range(count)
        ]
    if not fields.whole("sliding_window") or fields.value("use_sliding_window") is False:
        return full
    letters = fields.text("sliding_window_pattern")
    if letters:
        return [_KINDS_OF_WINDOW.get(letters[i % len(letters)], Mixer.UNKNOWN) for i in range(count)]
    match family.windows:
        case Windows.ALL:
            return [Mixer.WINDOW] * count
        case Windows.EVEN:
            return [Mixer.WINDOW if i % 2 == 0 else Mixer.FULL for i in range(count)]
        case Windows.PATTERN:
            step = fields.needed("sliding_window_pattern", "_sliding_window_pattern")
            return [Mixer.FULL if (i + 1) % step == 0 else Mixer.WINDOW for i in range(count)]
        case Windows.LATE:
            if not fields.flag("use_sliding_window"):
                return full
            first = fields.whole("max_window_layers") or 0
            return [Mixer.WINDOW if i >= first else Mixer.FULL for i in range(count)]
        case _:
            return None


def _shared(fields: Fields, family: Family, found: Mixers) -> Mixers:
    """Return the layers with those that read the cache of an earlier layer keeping none of their own."""
    shared = fields.whole("num_kv_shared_layers") or 0
    if not shared or "num_kv_shared_layers" not in family.understood:
        return found
    return [*found[: max(0, len(found) - shared)], *([Mixer.NONE] * min(shared, len(found)))]
