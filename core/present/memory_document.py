"""What `python -m core memory … --json` prints; docs/schemas/memory.schema.json is its promise."""

from __future__ import annotations

from typing import Any

from core import VERSION
from core.limits.cache import TYPES
from core.limits.compared import Compared
from core.limits.engines import Span
from core.limits.floors import Floor
from core.limits.memory import Memory
from core.limits.told import Limits
from core.model.architecture import Architecture

SCHEMA = "plimsoll.memory/1"
KIND = "reckoned"
"""Of every number here: none was measured, but for those of the log."""


def memory_document(limits: Limits) -> dict[str, Any]:
    """Return the document of one deployment; unknown is null."""
    memory = limits.memory
    on = memory.fullest
    return {
        "schema": SCHEMA,
        "generator": {"name": "plimsoll", "version": VERSION},
        "kind": KIND,
        "model": _model(memory.setup.architecture, memory),
        "deployment": _deployment(memory),
        "memory": {
            "seen_gib": span_of(memory.seen),
            "usable_gib": span_of(on.usable if on else None),
            "weights_gib": span_of(on.weights if on else None),
            "runtime_gib": span_of(on.runtime if on else None),
            "cache_gib": span_of(on.cache if on else None),
            "fits": memory.fits,
            "bytes_per_token": memory.token_bytes,
            "bytes_per_token_of_model": memory.model_token_bytes,
            "copies": memory.copies if memory.token_bytes is not None else None,
            "kv_tokens": span_of(memory.kv_tokens),
        },
        "concurrency": {"worst": span_of(memory.worst), "steady": span_of(memory.steady)},
        "floors": {
            "itl_one_request": _floor(limits.alone),
            "itl": None if limits.batch is None else _floor(limits.together),
            "itl_at": limits.batch,
            "ttft": _floor(limits.first),
            "ttft_tokens": limits.tokens,
        },
        "log": [_compared(each) for each in limits.compared],
        "unknown": list(memory.unknown),
        "assumed": list(memory.setup.assumed),
        "sources": list(memory.takes.sources),
    }


def span_of(found: Span | None) -> dict[str, float] | None:
    """Return a range, None where it is unknown."""
    return None if found is None else {"low": found.low, "high": found.high}


def _model(model: Architecture, memory: Memory) -> dict[str, Any]:
    return {
        "type": model.kind,
        "layers": len(model.order),
        "layers_by_kind": _kinds(model),
        "weights_gib": memory.weights_gib,
        "weights_type": memory.setup.storage.name or None,
        "class_defaults": list(model.assumed),
    }


def _kinds(model: Architecture) -> dict[str, int]:
    found: dict[str, int] = {}
    for layer, count in model.layers():
        found[layer.mixer.value] = found.get(layer.mixer.value, 0) + count
    return found


def _deployment(memory: Memory) -> dict[str, Any]:
    setup = memory.setup
    return {
        "accelerator": setup.accelerator.name if setup.accelerator else None,
        "tp": setup.ranks.tp,
        "pp": setup.ranks.pp,
        "dp": setup.ranks.dp,
        "ep": setup.ranks.ep,
        "engine": setup.engine,
        "engine_version": setup.engine_version,
        "fraction": setup.fraction,
        "kv_type": setup.kv,
        "kv_bits": TYPES[setup.kv][1],
        "windows": setup.windows.value if setup.windows else None,
        "longest_tokens": setup.longest,
        "input_tokens": setup.input_tokens,
        "output_tokens": setup.output_tokens,
    }


def _floor(found: Floor | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "seconds": found.seconds,
        "expected_seconds": span_of(found.expected),
        "work": found.work,
        "rate": found.rate,
        "share_of_peak": span_of(found.share),
    }


def _compared(found: Compared) -> dict[str, Any]:
    return {
        "figure": found.of.value,
        "reckoned": span_of(found.reckoned),
        "logged": span_of(found.logged),
        "agrees": found.agrees,
    }
