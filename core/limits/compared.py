"""What was reckoned beside what the engine's own log says, each with the reason where they part."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from core.limits.cache import BLOCK, Cache, Windows, in_blocks, sequence_bytes, token_bytes
from core.limits.engines import Span
from core.limits.memory import GIB, Memory, around, memory_of
from core.model.architecture import Architecture, Layer, Mixer


class Of(StrEnum):
    """What is compared."""

    WEIGHTS = "weights"
    CACHE = "cache"
    EACH = "each"
    TOKENS = "tokens"
    TIMES = "times"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One figure of a log beside ours.

    Attributes:
        reckoned: ours, without what the same log says of it. logged: the log's, as a span where it was rounded.
        agrees: whether the two overlap.
    """

    of: Of
    reckoned: Span
    logged: Span

    @property
    def agrees(self) -> bool:
        """Whether the log's figure lies within what was reckoned."""
        return self.reckoned.low <= self.logged.high and self.logged.low <= self.reckoned.high


def compared(memory: Memory) -> tuple[Compared, ...]:
    """Return each figure of the log that something was reckoned for; nothing without a log."""
    logged = memory.setup.logged
    if logged is None:
        return ()
    # What is set beside the log must not know what the log says.
    alone = memory_of(replace(memory.setup, logged=replace(logged, weights_gib=None, kv_gib=None)))
    found = []
    if alone.fullest and logged.weights_gib is not None:
        found.append(Compared(of=Of.WEIGHTS, reckoned=alone.fullest.weights, logged=around(logged.weights_gib)))
    if alone.fullest and logged.kv_gib is not None:
        found.append(Compared(of=Of.CACHE, reckoned=alone.fullest.cache, logged=around(logged.kv_gib)))
    cost = counted_bytes(memory)
    if cost is not None and logged.kv_gib is not None and logged.kv_tokens is not None:
        room = around(logged.kv_gib)
        # Tokens are whole blocks: up to one block more may have found room.
        each = Span(low=room.low * GIB / (logged.kv_tokens + BLOCK), high=room.high * GIB / logged.kv_tokens)
        found.append(Compared(of=Of.EACH, reckoned=cost, logged=each))
    elif cost is not None and alone.fullest and logged.kv_tokens is not None:
        room = alone.fullest.cache
        ends = Span(low=max(0.0, room.low) * GIB / cost.high, high=max(0.0, room.high) * GIB / cost.low)
        found.append(Compared(of=Of.TOKENS, reckoned=ends, logged=Span(low=logged.kv_tokens, high=logged.kv_tokens)))
    times = _times(memory)
    if times is not None and logged.times is not None:
        found.append(Compared(of=Of.TIMES, reckoned=times, logged=around(logged.times)))
    return tuple(found)


def counted_bytes(memory: Memory) -> Span | None:
    """Return the bytes of a token as the engine counts its cache, on one accelerator; None where nothing tells.

    vLLM puts layers of one kind into groups of equal size, and fills the last group of a kind up with nothing; it
    divides its blocks by the number of groups. With states among the layers its line is no measure of anything
    (vLLM issue 40691).
    """
    model, setup = memory.setup.architecture, memory.setup
    if memory.token_bytes is None or any(layer.mixer is Mixer.STATE for layer in model.kinds) or setup.ranks.pp > 1:
        return None
    plain = memory.token_bytes
    padded = padded_layers(model)
    if padded is None or not plain:
        return Span(low=plain, high=plain) if plain else None
    kept = sum(1 for position in model.order if model.kinds[position].mixer is not Mixer.NONE)
    return Span(low=plain, high=plain * padded / kept)


def padded_layers(model: Architecture) -> int | None:
    """Return how many layers the cache has room for where two kinds are grouped; None for one kind, or unequal ones."""
    groups: dict[tuple[int | None, int], int] = {}
    costs = set()
    for layer, count in model.layers():
        if layer.mixer is Mixer.NONE:
            continue
        key = (layer.window, layer.latent)
        groups[key] = groups.get(key, 0) + count
        costs.add(token_bytes(layer, Cache()))
    if len(groups) < 2 or len(costs) != 1:
        return None
    smallest, largest = min(groups.values()), max(groups.values())
    size = largest if largest < 1.25 * smallest else smallest
    return sum(-(-count // size) * size for count in groups.values())


def _times(memory: Memory) -> Span | None:
    """Return how many requests of the log's length its own cache holds; the engine may or may not free windows."""
    setup = memory.setup
    logged = setup.logged
    if logged is None or logged.length is None or memory.fullest is None or memory.token_bytes is None:
        return None
    room = memory.fullest.cache
    layers: list[tuple[Layer, int]] = list(setup.architecture.layers())
    length = in_blocks(logged.length)
    kept = Cache(kind=setup.kv, windows=Windows.KEPT)
    freed = Cache(kind=setup.kv, windows=Windows.FREED, state_bits=16.0)
    most = sequence_bytes(layers, kept, length, setup.ranks.tp) / setup.ranks.pp
    least = sequence_bytes(layers, freed, length, setup.ranks.tp) / setup.ranks.pp
    if not least:
        return None
    if setup.windows is not None:
        least = most if setup.windows is Windows.KEPT else least
    return Span(low=max(0.0, room.low) * GIB / most, high=max(0.0, room.high) * GIB / least)
