"""What memory is reckoned with: what a person says, else the run's conditions or its log, else a named assumption."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from core.catalogue.hardware import Accelerator, accelerator
from core.limits import cache as caches
from core.limits import storage
from core.limits.ranks import Ranks
from core.limits.weights import served_as
from core.model.architecture import Architecture, Storage
from core.model.run import Conditions
from core.model.sizing import Logged, Sizing

T = TypeVar("T")

TENSOR, DECODE = "tp", "tp_of_decode"
"""Assumed: how many ranks divide the heads, of a whole replica or of its accelerators for decode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A deployment with everything decided that can be; None is unknown.

    Attributes:
        ranks: of its parallelism. storage: type of the weights. kv: type of the cache, a key of `cache.TYPES`.
        fraction: as said, None for the engine's default.
        windows: as said, None where the engine may do either.
        longest: tokens of the longest request; `input_tokens`, `output_tokens`: means of a request.
        replicas: engines behind one endpoint beside data parallelism.
        assumed: names of what nobody said and was taken to be so.
        model: as the run calls it.
    """

    architecture: Architecture
    accelerator: Accelerator | None
    ranks: Ranks
    storage: Storage
    kv: str
    engine: str | None
    engine_version: str | None
    fraction: float | None
    runtime_gib: float | None
    windows: caches.Windows | None
    longest: float | None
    input_tokens: float | None
    output_tokens: float | None
    replicas: int
    logged: Logged | None
    assumed: tuple[str, ...]
    model: str | None = None


def setup_of(sizing: Sizing, conditions: Conditions | None = None) -> Setup | None:
    """Return what memory is reckoned with, None where no model is given.

    What a person says stands above the log of the engine, and that above the conditions of the run.
    """
    model = sizing.architecture
    if model is None:
        return None
    known, logged = conditions or Conditions(), sizing.logged or Logged()
    assumed: list[str] = []
    ranks = _ranks(sizing, known, logged, len(model.order), assumed)
    kv = _kv(sizing, known, model, assumed)
    windows = sizing.windows if sizing.windows in tuple(caches.Windows) else None
    longest = sizing.longest or logged.length or known.max_model_len
    if longest is None and model.longest is not None:
        longest = model.longest
        assumed.append("longest")
    return Setup(
        architecture=model,
        accelerator=accelerator(sizing.accelerator or known.accelerator or ""),
        ranks=ranks,
        storage=served_as(model, _weights(sizing, known)),
        kv=kv,
        engine=sizing.engine or logged.engine or known.engine,
        engine_version=sizing.engine_version or logged.engine_version or known.engine_version,
        fraction=sizing.fraction or logged.fraction,
        runtime_gib=sizing.runtime_gib,
        windows=caches.Windows(windows) if windows else None,
        longest=longest,
        input_tokens=_first(sizing.input_tokens, known.input_tokens_mean),
        output_tokens=_first(sizing.output_tokens, known.output_tokens_mean),
        replicas=known.replicas or 1,
        logged=sizing.logged,
        assumed=tuple(assumed),
        model=known.model,
    )


def _first(*values: T | None) -> T | None:
    return next((value for value in values if value is not None), None)


def _ranks(sizing: Sizing, known: Conditions, logged: Logged, layers: int, assumed: list[str]) -> Ranks:
    """Return the ranks; where nobody says how heads are divided, all accelerators of a replica divide them.

    Where prompts are read on accelerators of their own, those for decode hold the model once and the cache.
    """
    pp = min(sizing.pp or logged.pp or known.pp or 1, layers)
    dp = sizing.dp or known.dp or 1
    tp = sizing.tp or logged.tp or known.tp
    if tp is None:
        count = known.decode_accelerators or known.accelerator_count
        tp = max(1, count // (pp * dp * (known.replicas or 1))) if count else 1
        assumed.append(DECODE if known.decode_accelerators else TENSOR)
    return Ranks(tp=tp, pp=pp, dp=dp, ep=sizing.ep or known.ep or 1)


def _weights(sizing: Sizing, known: Conditions) -> str | None:
    """Return the type of the weights, None for that of the checkpoint."""
    if sizing.weights in storage.TYPES:
        return sizing.weights
    said = storage.type_of(known.precision) if known.precision else None
    # "bfloat16" in a log is the type of the activations: it says nothing against a quantised checkpoint.
    narrow = said is not None and storage.TYPES[said][1] < storage.SIXTEEN
    quantised = sizing.architecture is not None and (sizing.architecture.storage.bits or 0.0) < storage.SIXTEEN
    return said if said is not None and (narrow or not quantised) else None


def _kv(sizing: Sizing, known: Conditions, model: Architecture, assumed: list[str]) -> str:
    """Return the type of the cache: never that of the weights."""
    if sizing.kv in caches.TYPES:
        return str(sizing.kv)
    said = caches.type_of(known.kv_precision) if known.kv_precision else None
    if said:
        return said
    assumed.append("kv")
    asked: dict[int | None, str] = {8: "fp8", 4: "nvfp4"}
    return asked.get(model.kv_bits, "bf16")
