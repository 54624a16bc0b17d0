"""What the memory of a deployment allows: weights, what the engine takes, what is left for the cache, and for how many.

Formulas and their sources are in docs/memory.md. Every figure is of the fullest accelerator, and a span: engines,
versions and what a driver keeps are known only within bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.limits import gaps
from core.limits.cache import Cache, Windows, growing_bytes, in_blocks, known, mean_sequence_bytes, sequence_bytes
from core.limits.doubts import beyond_longest, doubts_of
from core.limits.engines import Meaning, Span, Takes, engine_named, seen_gib, takes
from core.limits.ranks import Ranks, Stage, copies, on_stage, stages
from core.limits.setup import Setup
from core.limits.storage import TYPES
from core.limits.weights import stage_bytes
from core.model.architecture import Mixer

GIB = 2.0**30
WEIGHTS_DOUBT = 0.02
"""Share by which weights reckoned and weights loaded differ: 0.9 % on average over 53 runs (PLN PR #205)."""
PADDED = 0.07
"""Share by which MXFP4 experts grow where an engine pads their width: gpt-oss-120b takes 64.4 GiB of 60.8."""
_ROUNDED_GIB = 0.005


class _Cost(Protocol):
    """Bytes that one request holds on an accelerator of a stage, at most or at least."""

    def __call__(self, stage: Stage, *, roomy: bool) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OnStage:
    """The memory of one accelerator of one stage, GiB.

    Attributes:
        usable: what weights, runtime and cache share. cache: what is left; below 0 it does not fit.
    """

    stage: Stage
    usable: Span
    weights: Span
    runtime: Span
    cache: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What memory allows.

    Attributes:
        setup: what it was reckoned with.
        seen: memory of one accelerator as software sees it, GiB; None where the accelerator is unknown.
        takes: what the engine takes.
        weights_gib: of the whole model once; None where unknown.
        fullest: the stage that decides; None where the accelerator or the weights are unknown.
        token_bytes: what a token adds on one accelerator while no window is full; None where unknown.
        model_token_bytes: the same for the whole model, each key once.
        copies: how often tensor parallelism holds the same key.
        kv_tokens: tokens that one engine's cache holds, counted without windows as engines print it.
        worst: requests at once where every one has the longest length, over all engines.
        steady: requests at once at the mean lengths, each half done on average.
        unknown: what cannot be told, as codes.
    """

    setup: Setup
    seen: Span | None
    takes: Takes
    weights_gib: float | None
    fullest: OnStage | None
    token_bytes: float | None
    model_token_bytes: float | None
    copies: float
    kv_tokens: Span | None
    worst: Span | None
    steady: Span | None
    unknown: tuple[str, ...]

    @property
    def fits(self) -> bool | None:
        """Whether the weights leave room for a cache; None where that lies within the doubt or is unknown."""
        if self.fullest is None:
            return None
        left = self.fullest.cache
        return True if left.low > 0.0 else False if left.high <= 0.0 else None

    @property
    def holds_one(self) -> bool | None:
        """Whether there is room for one request of the longest length; None where that is unknown."""
        return None if self.worst is None else self.worst.high >= 1.0


def memory_of(setup: Setup) -> Memory:
    """Return what the memory of a deployment allows."""
    model, ranks = setup.architecture, setup.ranks
    seen = seen_of(setup)
    taken = takes(
        setup.engine,
        setup.engine_version,
        experts=any(layer.experts for layer in model.kinds),
        beside=gaps.BESIDE_TEXT in model.unknown,
        ranks=ranks.all,
        gib=seen.mid if seen else 0.0,
    )
    cut = stages(len(model.order), ranks.pp)
    on = [_on_stage(setup, taken, seen, stage) for stage in cut]
    told = [each for each in on if each is not None]
    is_known = known(model)
    whole = stage_bytes(model, setup.storage, Stage(0, len(model.order)), Ranks())
    fullest = min(told, key=lambda each: each.cache.mid) if len(told) == len(cut) else None
    return Memory(
        setup=setup,
        seen=seen,
        takes=taken,
        weights_gib=None if whole is None else whole / GIB,
        fullest=fullest,
        token_bytes=max(growing_bytes(on_stage(model, stage), _cache(setup), ranks.tp) for stage in cut)
        if is_known
        else None,
        model_token_bytes=growing_bytes(model.layers(), _cache(setup)) if is_known else None,
        copies=copies(model, ranks.tp),
        kv_tokens=_kv_tokens(setup, told) if is_known and fullest else None,
        worst=_worst(setup, told) if is_known and fullest else None,
        steady=_steady(setup, told) if is_known and fullest else None,
        unknown=_unknown(setup, is_known=is_known, whole=whole),
    )


def seen_of(setup: Setup) -> Span | None:
    """Return the memory of one accelerator as software sees it, GiB; None where the accelerator is unknown."""
    part = setup.accelerator
    if part is None:
        return None
    if part.memory_mib is not None:
        return seen_gib(part.name, part.memory_mib)
    # A vendor's GB may be 10^9 bytes or 2^30 of them.
    return None if part.memory_gb is None else Span(low=part.memory_gb * 1e9 / GIB, high=part.memory_gb)


def weights_span(setup: Setup, stage: Stage) -> Span | None:
    """Return the weights of one accelerator of a stage, GiB; as loaded where the engine's log tells."""
    logged = setup.logged
    if logged is not None and logged.weights_gib is not None and setup.ranks.pp == 1:
        return around(logged.weights_gib)
    reckoned = stage_bytes(setup.architecture, setup.storage, stage, setup.ranks)
    return None if reckoned is None else _doubted(reckoned / GIB, setup)


def _doubted(gib: float, setup: Setup) -> Span:
    padded = PADDED if setup.storage.name == TYPES["mxfp4"][0] else WEIGHTS_DOUBT
    return Span(low=gib * (1.0 - WEIGHTS_DOUBT), high=gib * (1.0 + padded))


def around(gib: float) -> Span:
    """Return what a figure with two decimals may have been before it was rounded."""
    return Span(low=gib - _ROUNDED_GIB, high=gib + _ROUNDED_GIB)


def _on_stage(setup: Setup, taken: Takes, seen: Span | None, stage: Stage) -> OnStage | None:
    weights = weights_span(setup, stage)
    if weights is None or seen is None:
        return None
    runtime = _runtime(setup, taken)
    share = Span(low=setup.fraction, high=setup.fraction) if setup.fraction else taken.fraction
    cache, usable = left_for_cache(taken, share, seen, weights, runtime)
    logged = setup.logged
    if logged is not None and logged.kv_gib is not None:
        cache = around(logged.kv_gib)
    return OnStage(stage=stage, usable=usable, weights=weights, runtime=runtime, cache=cache)


def _runtime(setup: Setup, taken: Takes) -> Span:
    if setup.runtime_gib is not None:
        return Span(low=setup.runtime_gib, high=setup.runtime_gib)
    low = taken.working.low + taken.other.low + taken.graphs.low
    return Span(low=max(0.0, low), high=taken.working.high + taken.other.high + taken.graphs.high)


def left_for_cache(taken: Takes, share: Span, seen: Span, weights: Span, runtime: Span) -> tuple[Span, Span]:
    """Return what is left for the cache, and what weights, runtime and cache share, GiB."""

    def left(part: float, memory: float, loaded: float, used: float) -> float:
        free = memory - loaded - used
        of_all = part * memory - loaded - used
        return part * free - taken.reserve * memory if taken.meaning is Meaning.OF_FREE else of_all

    cache = Span(
        low=left(share.low, seen.low, weights.high, runtime.high),
        high=left(share.high, seen.high, weights.low, runtime.low),
    )
    usable = seen if taken.meaning is Meaning.OF_FREE else Span(low=share.low * seen.low, high=share.high * seen.high)
    return cache, usable


def _cache(setup: Setup, *, roomy: bool = False) -> Cache:
    """Return how the cache is kept: at its largest, or at its smallest where that is not known."""
    windows = setup.windows or (Windows.FREED if roomy else Windows.KEPT)
    return Cache(kind=setup.kv, windows=windows, state_bits=16.0 if roomy else 32.0)


def _room(cache: float) -> float:
    return max(0.0, cache) * GIB


def _kv_tokens(setup: Setup, told: list[OnStage]) -> Span | None:
    """Return the tokens of one engine's cache, each at its full cost; None where nothing grows with tokens."""
    held = [
        (each.cache, growing_bytes(on_stage(setup.architecture, each.stage), _cache(setup), setup.ranks.tp))
        for each in told
    ]
    costly = [(cache, cost) for cache, cost in held if cost > 0]
    if not costly:
        return None
    return Span(
        low=min(_room(cache.low) / cost for cache, cost in costly),
        high=min(_room(cache.high) / cost for cache, cost in costly),
    )


def _worst(setup: Setup, told: list[OnStage]) -> Span | None:
    if setup.longest is None:
        return None
    length = in_blocks(setup.longest)

    def cost(stage: Stage, *, roomy: bool) -> float:
        layers = on_stage(setup.architecture, stage)
        return sequence_bytes(layers, _cache(setup, roomy=roomy), length, setup.ranks.tp)

    return _requests(setup, told, cost)


def _steady(setup: Setup, told: list[OnStage]) -> Span | None:
    first, more = setup.input_tokens, setup.output_tokens
    if first is None or more is None or first + more <= 0.0 or beyond_longest(setup):
        return None

    def cost(stage: Stage, *, roomy: bool) -> float:
        layers = on_stage(setup.architecture, stage)
        return mean_sequence_bytes(layers, _cache(setup, roomy=roomy), first, first + more, setup.ranks.tp)

    return _requests(setup, told, cost)


def _requests(setup: Setup, told: list[OnStage], cost: _Cost) -> Span | None:
    """Return how many requests the caches of all engines hold at once: the stage that holds fewest decides."""
    engines = setup.ranks.dp * setup.replicas
    ends = []
    for roomy in (False, True):
        each = [(on.cache.high if roomy else on.cache.low, cost(on.stage, roomy=roomy)) for on in told]
        held = [_room(cache) / needed for cache, needed in each if needed > 0]
        if not held:
            return None
        ends.append(engines * min(held))
    return Span(low=min(ends), high=max(ends))


def _unknown(setup: Setup, *, is_known: bool, whole: float | None) -> tuple[str, ...]:
    found = list(setup.architecture.unknown)
    if setup.accelerator is None:
        found.append(gaps.ACCELERATOR)
    if whole is None and gaps.WEIGHTS not in found and gaps.STORAGE not in found and is_known:
        found.append(gaps.WEIGHTS)
    if setup.longest is None:
        found.append(gaps.LONGEST)
    if setup.input_tokens is None or setup.output_tokens is None:
        found.append(gaps.LENGTHS)
    if engine_named(setup.engine) is None:
        found.append(gaps.ENGINE)
    windowed = any(layer.window is not None for layer in setup.architecture.kinds)
    if windowed and setup.windows is None:
        found.append(gaps.WINDOWS)
    mixed = {layer.mixer for layer in setup.architecture.kinds}
    if Mixer.STATE in mixed and len(mixed - {Mixer.NONE}) > 1:
        found.append(gaps.PAGES)
    found += doubts_of(setup)
    return tuple(dict.fromkeys(found))
