"""What is said of a deployment to tell what its memory allows, beside the conditions of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from core.digits import spelled
from core.errors import UsageError
from core.i18n import t
from core.letters import flatten
from core.model.architecture import Architecture

MOST_RANKS = 4096
MOST_TOKENS = 1e9
MOST_GIB = 1e6
MOST_LOGGED = 1e15


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """What an engine's own start-up log says of its memory; None where it does not.

    Attributes:
        weights_gib: of the weights on one accelerator. kv_gib: left for the cache of one accelerator.
        kv_tokens: that this cache holds. times: requests of `length` tokens that it holds at once.
    """

    engine: str | None = None
    engine_version: str | None = None
    weights_gib: float | None = None
    kv_gib: float | None = None
    kv_tokens: int | None = None
    times: float | None = None
    length: int | None = None
    tp: int | None = None
    pp: int | None = None
    fraction: float | None = None

    def __post_init__(self) -> None:
        flatten(self, "engine", "engine_version")
        told = (self.weights_gib, self.kv_gib, self.kv_tokens, self.times, self.length, self.tp, self.pp, self.fraction)
        if any(each is not None and not 0 < each <= MOST_LOGGED for each in told):
            raise ValueError("a figure that no log has")

    @property
    def empty(self) -> bool:
        """True where the log says nothing of memory."""
        return all(each is None for each in (self.weights_gib, self.kv_gib, self.kv_tokens, self.times))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """A person's own word for what memory is reckoned with; None is left to the run's conditions or the engine.

    Attributes:
        architecture: of the model.
        accelerator: name in the catalogue.
        tp, pp, dp, ep: ranks of tensor, pipeline and data parallelism, and of experts (1: experts are cut like the
            rest).
        weights: type of the weights, a key of `core.limits.storage.TYPES`. kv: of the cache, of
            `core.limits.cache.TYPES`.
        fraction: share of memory that the engine may take, as the engine itself means it.
        runtime_gib: memory of one accelerator that is neither weights nor cache.
        windows: whether the engine frees what a window has left behind, "freed" or "kept".
        longest: tokens of the longest request, question and answer together.
        input_tokens, output_tokens: means of a request.
        logged: what the engine's log says.

    Raises:
        UsageError: "limits.setting" where a number is none that a deployment can have.
    """

    architecture: Architecture | None = None
    accelerator: str | None = None
    tp: int | None = None
    pp: int | None = None
    dp: int | None = None
    ep: int | None = None
    weights: str | None = None
    kv: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    fraction: float | None = None
    runtime_gib: float | None = None
    windows: str | None = None
    longest: int | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    logged: Logged | None = None

    def __post_init__(self) -> None:
        flatten(self, "accelerator", "weights", "kv", "engine", "engine_version", "windows")
        for name, low, high in _LIMITS:
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and low <= value <= high):
                raise UsageError(
                    "limits.setting",
                    t("{name} is not a number from {low} to {high}", name=name, low=spelled(low), high=spelled(high)),
                    fix=t("Correct it, or leave it out"),
                )

    @property
    def empty(self) -> bool:
        """True where nothing is said."""
        return all(getattr(self, each.name) is None for each in fields(self))


_LIMITS = (
    ("tp", 1, MOST_RANKS),
    ("pp", 1, MOST_RANKS),
    ("dp", 1, MOST_RANKS),
    ("ep", 1, MOST_RANKS),
    ("fraction", 0.01, 1.0),
    ("runtime_gib", 0.0, MOST_GIB),
    ("longest", 1, MOST_TOKENS),
    ("input_tokens", 0.0, MOST_TOKENS),
    ("output_tokens", 0.0, MOST_TOKENS),
)
