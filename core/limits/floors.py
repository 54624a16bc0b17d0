"""What no deployment can be faster than: time between tokens by bandwidth, time to first token by arithmetic.

    between tokens >= (weights read + cache read) / (accelerators x bandwidth)
    first token    >= (2 x active parameters x new tokens + attention) / (accelerators x operations)

Both hold for one token a step, and the second for tokens that no cached prefix gives. What deployments reach of the
peak is a band that tells what to expect, and no bound (docs/memory.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from core.catalogue.hardware import Accelerator, Quantity, Standing
from core.limits.cache import Cache, known, state_bytes, token_bytes
from core.limits.engines import Span
from core.limits.ranks import Ranks, on_stage, stages
from core.limits.setup import Setup
from core.limits.storage import SIXTEEN, TYPES
from core.limits.weights import layer_bytes
from core.model.architecture import Architecture, Layer, Storage

TERA = 1e12

MBU_LARGE = Span(low=0.55, high=0.85)
"""Share of peak bandwidth that is reached where an accelerator reads more than 5 GB a step."""
MBU_SMALL = Span(low=0.35, high=0.60)
"""The same below 2 GB: fixed costs weigh more."""
MBU_NARROW = 0.40
"""Where weights have fewer than 16 bits."""
LARGE, SMALL = 5e9, 2e9
MFU = Span(low=0.30, high=0.60)
"""Share of peak arithmetic that the first token reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """A time that cannot be fallen below, and what is to be expected.

    Attributes:
        seconds: the bound. expected: with the shares of the peak that deployments reach, seconds.
        work: bytes that one accelerator reads, or operations that all of them do together.
        rate: bytes/s of one accelerator, or operations/s of all of them.
        share: of the peak, with which `expected` is reckoned.
    """

    seconds: float
    expected: Span
    work: float
    rate: float
    share: Span


def itl_floor(setup: Setup, batch: float, context: float, *, generous: bool = False) -> Floor | None:
    """Return the time between tokens that bandwidth allows; None where it cannot be told.

    Args:
        setup: the deployment.
        batch: sequences that the whole deployment works on at once, 1 or more.
        context: tokens that each has so far, on average; 0 leaves the cache out.
        generous: take the highest bandwidth that any source gives.
    """
    rate = _figure(setup.accelerator, Quantity.BANDWIDTH, generous=generous)
    if rate is None or not known(setup.architecture):
        return None
    ranks, model = setup.ranks, setup.architecture
    own = max(1.0, batch / (ranks.dp * setup.replicas * ranks.pp))
    together = max(1.0, batch / (setup.replicas * ranks.pp)) if ranks.ep > 1 else own
    total = _head_bytes(model, setup.storage, ranks)
    # A token passes the stages one after the other, so that their times add up.
    for stage in stages(len(model.order), ranks.pp):
        for layer, count in on_stage(model, stage):
            read = layer_bytes(layer, setup.storage, ranks, model.hidden, experts_read(layer, together))
            if read is None:
                return None
            total += count * (read + own * cache_read(layer, setup.kv, context, ranks.tp))
    return _floor(total, rate * TERA, mbu(total / ranks.pp, setup.storage.bits))


def floor_of_bytes(part: Accelerator, read: float) -> Floor | None:
    """Return the time that one accelerator takes to read so many bytes, by the highest figure that any source gives."""
    rate = _figure(part, Quantity.BANDWIDTH, generous=True)
    return None if rate is None else _floor(read, rate * TERA, mbu(read))


def experts_read(layer: Layer, batch: float) -> float:
    """Return how many experts a step reads where `batch` tokens choose evenly among them.

    >>> from core.model.architecture import Mixer
    >>> round(experts_read(Layer(mixer=Mixer.FULL, experts=128, chosen=4), 22), 1)
    64.3
    """
    if not layer.experts:
        return 0.0
    missed: float = (1.0 - layer.chosen / layer.experts) ** batch
    return layer.experts * (1.0 - missed)


def cache_read(layer: Layer, kv: str, context: float, tp: int) -> float:
    """Return the bytes that a rank reads of one sequence's cache in one layer, at least."""
    cache = Cache(kind=kv, state_bits=SIXTEEN)
    if context <= 0.0:
        return 0.0
    if layer.index_bytes:
        # Of what a sparse index passes over only the index is read.
        return context * layer.index_bytes
    seen = context if layer.window is None else min(context, layer.window)
    return seen * token_bytes(layer, cache, tp) + state_bytes(layer, cache, tp)


def _head_bytes(model: Architecture, storage: Storage, ranks: Ranks) -> float:
    """Return the output layer's bytes on one rank; of the input table only the rows of the tokens are read."""
    bits = storage.bits if storage.embedding and storage.bits else SIXTEEN
    return (model.head or model.embedding) / ranks.tp * bits / 8


def mbu(read: float, bits: float | None = None) -> Span:
    """Return the share of peak bandwidth to expect where one accelerator reads so many bytes a step.

    Args:
        read: bytes.
        bits: of a weight; below 16, unpacking takes time that reading does not.
    """
    low, high = (MBU_LARGE if read >= LARGE else MBU_SMALL).low, (MBU_SMALL if read <= SMALL else MBU_LARGE).high
    return Span(low=low if bits is None or bits >= SIXTEEN else min(low, MBU_NARROW), high=high)


def ttft_floor(setup: Setup, tokens: float, *, generous: bool = False) -> Floor | None:
    """Return the time to the first token that arithmetic allows; None where it cannot be told.

    Args:
        setup: the deployment.
        tokens: of the question that no cache gives, above 0.
        generous: take the highest figure that any source gives.
    """
    rate = operations(setup.accelerator, setup.storage, generous=generous)
    work = prefill_operations(setup.architecture, tokens)
    if rate is None or work is None:
        return None
    ranks = setup.ranks
    # One question runs on one engine; experts that are spread further do their part of it elsewhere.
    return _floor(work, rate * TERA * (ranks.all if ranks.ep > 1 else ranks.engine), MFU)


def prefill_operations(model: Architecture, tokens: float) -> float | None:
    """Return the operations that reading `tokens` tokens takes, None where they cannot be told.

    Two for each active parameter and token; in attention four for each element of a head and each earlier token,
    of which there are half as many as tokens on average. The output layer works on the last token only.
    """
    if not known(model):
        return None
    total = 2.0 * (model.head or model.embedding)
    for layer, count in model.layers():
        if layer.attention is None or layer.feed_forward is None:
            return None
        active = layer.attention + layer.replicated + layer.feed_forward + layer.chosen * layer.expert
        total += count * tokens * (2.0 * active + _scores(layer, tokens))
    return total


def _scores(layer: Layer, tokens: float) -> float:
    """Return the operations of attention for one token of a question, on average, at least."""
    if layer.index_bytes or not layer.heads:
        return 0.0
    past = tokens / 2
    if layer.window is not None and tokens > layer.window:
        past = layer.window - layer.window * layer.window / (2 * tokens)
    return 2.0 * layer.heads * (layer.score_dim + layer.mix_dim) * past


def operations(part: Accelerator | None, storage: Storage, *, generous: bool = False) -> float | None:
    """Return the fastest arithmetic that weights of a type may use, 10^12 operations/s; None where unknown."""
    if storage.bits is None:
        return None
    wanted = [Quantity.BF16]
    if storage.bits < SIXTEEN:
        wanted.append(Quantity.FP8)
    if storage.name in (TYPES["mxfp4"][0], TYPES["nvfp4"][0]):
        wanted.append(Quantity.FP4)
    found = [_figure(part, each, generous=generous) for each in wanted]
    return max((each for each in found if each is not None), default=None)


def _figure(part: Accelerator | None, quantity: Quantity, *, generous: bool) -> float | None:
    if part is None:
        return None
    if not generous:
        return part.value(quantity)
    dense = (one.value for one in part.figures.get(quantity, ()) if one.standing is not Standing.SPARSE)
    return max(dense, default=None)


def _floor(work: float, rate: float, share: Span) -> Floor:
    seconds = work / rate
    expected = Span(low=seconds / share.high, high=seconds / share.low)
    return Floor(seconds=seconds, expected=expected, work=work, rate=rate, share=share)
