"""What a model's own `config.json` says of its size: layers, what each keeps of a sequence, and parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.letters import flatten

MOST_BITS = 64.0
MOST_LAYERS = 1_000
MOST = 10**14
"""More parameters or elements than this no part of a model has."""


class Mixer(StrEnum):
    """How a layer looks back at earlier tokens, and so what it keeps of them. Stored: never rename one."""

    FULL = "full"
    WINDOW = "window"
    LATENT = "latent"
    STATE = "state"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One kind of layer. Sizes are elements or parameters, never bytes: those depend on the types chosen.

    Attributes:
        mixer: how it looks back. NONE keeps nothing: a layer without attention, or one that reads another's cache.
            UNKNOWN is a kind that nothing is known of here: nothing that depends on it is told.
        kv_heads: heads of keys and values; 0 where it keeps none. key_dim, value_dim: elements of one head.
        window: tokens that it can look back, for WINDOW.
        latent: elements kept for each token instead of heads (MLA: compressed part and rotary part together).
        index_bytes: bytes kept for each token beside that, by what chooses the tokens to attend to, whatever the type.
        state: elements of the fixed state of one sequence. conv: elements of its convolution's tail.
        heads: of queries. score_dim: elements that queries and keys share. mix_dim: elements of a value.
        attention: parameters that tensor parallelism divides; None where not known.
        feed_forward: parameters of the dense part and of shared experts, divided likewise; None where not known.
        expert: parameters of one routed expert. experts: how many. chosen: how many a token passes through.
        kept: parameters that stay at 16 bits whatever the rest is stored in: norms, router, biases.
        replicated: parameters that every rank of tensor parallelism holds whole, beyond those kept.
    """

    mixer: Mixer
    kv_heads: int = 0
    key_dim: int = 0
    value_dim: int = 0
    window: int | None = None
    latent: int = 0
    index_bytes: int = 0
    state: int = 0
    conv: int = 0
    heads: int = 0
    score_dim: int = 0
    mix_dim: int = 0
    attention: int | None = None
    feed_forward: int | None = None
    expert: int = 0
    experts: int = 0
    chosen: int = 0
    kept: int = 0
    replicated: int = 0

    def __post_init__(self) -> None:
        sizes = (getattr(self, name) for name in self.__slots__ if name != "mixer")
        if any(size is not None and not 0 <= size <= MOST for size in sizes):
            raise ValueError("a size that no layer has")
        if self.window == 0 or self.chosen > self.experts:
            raise ValueError("a layer that looks at nothing, or chooses more experts than it has")


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """The type that a checkpoint's weights are stored in, and what of it stays at the type of the rest.

    Attributes:
        bits: of one quantised parameter with its scales; None where it cannot be told.
        name: as people call it, such as "FP8" or "MXFP4".
        attention, shared, embedding: whether these parts are quantised too.
    """

    bits: float | None
    name: str
    attention: bool = True
    shared: bool = True
    embedding: bool = False

    def __post_init__(self) -> None:
        flatten(self, "name")
        if self.bits is not None and not 0.0 < self.bits <= MOST_BITS:
            raise ValueError("a parameter of no bits")


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """A model as its `config.json` describes it.

    Attributes:
        kind: `model_type` of the file, such as "llama".
        hidden: width. vocabulary: tokens known.
        kinds: the different kinds of layers. order: position in `kinds` of each layer, the first layer first.
        embedding: parameters of the input table; head: of the output layer, 0 where it is the same table.
        beside: parameters beside the layers, such as the final norm.
        longest: tokens of the longest sequence that the model is made for, None where the file does not say.
        storage: of the checkpoint. kv_bits: of the cache where the checkpoint asks for one, None where it does not.
        unknown: what cannot be told of this model, as codes of `core.limits.gaps`.
        assumed: fields that the file leaves to the class of the model, whose defaults were taken.
    """

    kind: str
    hidden: int
    vocabulary: int
    kinds: tuple[Layer, ...]
    order: tuple[int, ...]
    embedding: int
    head: int
    beside: int = 0
    longest: int | None = None
    storage: Storage
    kv_bits: int | None = None
    unknown: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        flatten(self, "kind")
        if not self.order or any(not 0 <= kind < len(self.kinds) for kind in self.order):
            raise ValueError("a layer of no kind")
        tables = (self.hidden, self.vocabulary, self.embedding, self.head, self.beside, self.longest or 0)
        if len(self.order) > MOST_LAYERS or not all(0 <= size <= MOST for size in tables):
            raise ValueError("a model of a size that none has")

    def layers(self, first: int = 0, last: int | None = None) -> Iterator[tuple[Layer, int]]:
        """Give each kind of layer among the layers from `first` to before `last`, with their number."""
        part = self.order[first:last]
        for position, layer in enumerate(self.kinds):
            count = part.count(position)
            if count:
                yield layer, count
