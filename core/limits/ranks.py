"""How a model is cut: layers over stages of pipeline parallelism, heads and matrices over ranks of tensor parallelism.

All byte counts are of one rank, that is of one accelerator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.model.architecture import Architecture, Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Ranks of each kind of parallelism. One engine has tp x pp accelerators; dp engines share the experts.

    Attributes:
        ep: ranks that whole experts are spread over; 1 where experts are cut like all matrices.
    """

    tp: int = 1
    pp: int = 1
    dp: int = 1
    ep: int = 1

    @property
    def engine(self) -> int:
        """Accelerators that hold one copy of the attention and one KV cache."""
        return self.tp * self.pp

    @property
    def all(self) -> int:
        """Accelerators of the deployment."""
        return self.tp * self.pp * self.dp


@dataclass(frozen=True, slots=True)
class Stage:
    """Layers of one stage: from `first` to before `last`."""

    first: int
    last: int


def stages(layers: int, pp: int) -> tuple[Stage, ...]:
    """Return the stages that layers are cut into, as vLLM does: the rest goes to stages before the last one.

    >>> [stage.last - stage.first for stage in stages(61, 4)]
    [15, 15, 16, 15]
    """
    each, rest = divmod(layers, pp)
    sizes = [each] * pp
    for position in range(rest):
        # The last stage has the output layer besides, so that it gets one only where all others have.
        sizes[-2 - position if pp > 1 and position < pp - 1 else -1] += 1
    found, first = [], 0
    for size in sizes:
        found.append(Stage(first, first + size))
        first += size
    return tuple(found)


def kv_heads(layer: Layer, tp: int) -> int:
    """Return the heads of keys and values that one rank holds: never less than one, so that they are copied then.

    >>> from core.model.architecture import Mixer
    >>> [kv_heads(Layer(mixer=Mixer.FULL, kv_heads=8), tp) for tp in (1, 2, 8, 16)]
    [8, 4, 1, 1]
    """
    return max(1, -(-layer.kv_heads // tp)) if layer.kv_heads else 0


def copies(architecture: Architecture, tp: int) -> float:
    """Return how often tensor parallelism holds the same key: 1 where each rank has heads of its own.

    Layers with one compressed vector for all heads hold it on every rank.
    """
    found = [1.0]
    for layer, _ in architecture.layers():
        if layer.latent:
            found.append(float(tp))
        elif layer.kv_heads:
            found.append(kv_heads(layer, tp) * tp / layer.kv_heads)
    return max(found)


def on_stage(architecture: Architecture, stage: Stage) -> Iterator[tuple[Layer, int]]:
    """Give the kinds of layers of one stage with their number."""
    return architecture.layers(stage.first, stage.last)
