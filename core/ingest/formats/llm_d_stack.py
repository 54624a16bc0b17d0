"""What served the requests of a benchmark report: engines, accelerators, parallelism, health."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.errors import Place
from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.names import model_in
from core.ingest.raw import Scalar
from core.model.finding import Finding, Severity

_PARALLEL = ("tp", "pp", "dp", "ep")
_POOLS = ("prefill", "decode")
_PERCENT = {"percent": 0.01, "fraction": 1.0}

Value = TypeVar("Value", str, int, float)

Told = tuple[dict[str, Scalar], dict[str, Scalar]]
"""Conditions and identity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """One kind of engine instance: its role, how many there are, and the accelerators of all of them."""

    role: str | None
    replicas: int
    accelerators: int | None
    accelerator: str | None
    memory_gb: float | None
    parallel: dict[str, int | None]


def stack_of(scenario: Fields) -> Told:
    """Return what `scenario.stack` of 0.2 says: several engines are one deployment.

    Raises:
        RefusedFileError: a count that is not a whole number.
    """
    components = scenario.each("stack")
    told = [component.inner("standardized") for component in components]
    serving = [fields for fields in told if fields.text("kind") == "inference_engine"]
    engines = [_engine(fields) for fields in serving]
    model, revision = model_in(_shared(fields.inner("model").text("name") for fields in serving))
    ids = sorted(filter(None, (component.inner("metadata").text("cfg_id") for component in components)))
    conditions: dict[str, Scalar] = {
        "model": model,
        "model_revision": revision,
        "engine": _shared(fields.text("tool") for fields in serving),
        "engine_version": _image(_shared(fields.text("tool_version") for fields in serving)),
    }
    identity: dict[str, Scalar] = {"stack": hashlib.sha256("|".join(ids).encode()).hexdigest()[:12] if ids else None}
    return _deployed(engines, conditions, identity)


def early_stack(scenario: Fields) -> Told:
    """Return what `scenario.host` and `scenario.platform` of 0.1 say: one entry per instance.

    Raises:
        RefusedFileError: a count that is not a whole number.
    """
    host, model = scenario.inner("host"), scenario.inner("model")
    accelerators = host.each("accelerator")
    roles = host.values.get("type")
    types = roles if isinstance(roles, list) else [roles] * len(accelerators)
    engines = [_early_engine(fields, types[i] if i < len(types) else None) for i, fields in enumerate(accelerators)]
    platforms = scenario.inner("platform").each("engine")
    name, revision = model_in(model.text("name"))
    conditions: dict[str, Scalar] = {
        "model": name,
        "model_revision": revision,
        "precision": model.text("quantization"),
        "engine": _shared(fields.text("name") for fields in platforms),
        "engine_version": _image(_shared(fields.text("version") for fields in platforms)),
    }
    return _deployed(engines, conditions, {})


def kv_used(results: Fields) -> float | None:
    """Return the mean share of the cache in use, where exactly one component reports it."""
    found = []
    for component in results.inner("observability").each("components"):
        usage = component.inner("aggregate").inner("kv_cache_usage")
        mean, factor = usage.not_negative("mean"), _PERCENT.get(usage.text("units") or "")
        if mean is not None and factor is not None and mean * factor <= 1.0:
            found.append(mean * factor)
    return found[0] if len(found) == 1 else None


def restarts(results: Fields) -> tuple[Finding, ...]:
    """Return a finding where instances were restarted while requests were measured."""
    health = results.each("component_health")
    count = sum(component.count("total_restarts") or 0 for component in health)
    if not count:
        return ()
    return (
        Finding(
            code="llm_d.restarts",
            severity=Severity.WARNING,
            where=Place(results.place.file, None, "results.component_health"),
            what=t("Instances of the deployment were restarted {count} times during the run", count=count),
            consequence=t("The level was measured with fewer instances than the report counts"),
            fix=t("Look into the logs of the restarted instances and measure this level again"),
        ),
    )


def _engine(told: Fields) -> Engine:
    accelerator = told.inner("accelerator")
    parallel = accelerator.inner("parallelism")
    sizes = {key: parallel.count(key) or None for key in _PARALLEL}
    count, workers, replicas = accelerator.count("count"), parallel.count("workers") or 1, told.count("replicas") or 1
    # The count is of one instance; where an instance spans several machines it may be of one machine.
    whole = (sizes["tp"] or 1) * (sizes["pp"] or 1) * (sizes["dp"] or 1)
    if count is not None and workers > 1 and count != whole and count * workers == whole:
        count = whole
    return Engine(
        role=told.text("role"),
        replicas=replicas,
        accelerators=None if count is None else count * replicas,
        accelerator=accelerator.text("model"),
        memory_gb=None,
        parallel=sizes,
    )


def _early_engine(told: Fields, role: object) -> Engine:
    parallel = told.inner("parallelism")
    return Engine(
        role=role if isinstance(role, str) else None,
        replicas=1,
        accelerators=told.count("count"),
        accelerator=told.text("model"),
        memory_gb=told.not_negative("memory"),
        parallel={key: parallel.count(key) or None for key in _PARALLEL},
    )


def _deployed(engines: Sequence[Engine], conditions: dict[str, Scalar], identity: dict[str, Scalar]) -> Told:
    """Add what all engines together are: accelerators are a sum, sizes that differ belong to a pool."""
    by_pool = {role: [engine for engine in engines if engine.role == role] for role in _POOLS}
    split = all(by_pool.values())
    conditions |= {
        "accelerator": " + ".join(sorted({e.accelerator for e in engines if e.accelerator})) or None,
        "accelerator_count": _sum(engines),
        "accelerator_memory_gb": _shared(engine.memory_gb for engine in engines),
        "replicas": None if split else sum(engine.replicas for engine in engines) or None,
        "serving_mode": "disaggregated" if split else None,
        "prefill_accelerators": _sum(by_pool["prefill"]) if split else None,
        "decode_accelerators": _sum(by_pool["decode"]) if split else None,
    }
    for key in _PARALLEL:
        conditions[key] = _shared(engine.parallel[key] for engine in engines)
        if conditions[key] is None:
            identity |= {f"{role}_{key}": _shared(e.parallel[key] for e in pool) for role, pool in by_pool.items()}
    return conditions, identity


def _sum(engines: Sequence[Engine]) -> int | None:
    counts = [engine.accelerators for engine in engines]
    return sum(count or 0 for count in counts) or None if None not in counts else None


def _shared(values: Iterable[Value | None]) -> Value | None:
    """Return the one value that all share, None where they differ or one is unknown."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _image(text: str | None) -> str | None:
    """Return a version, of a container image only its last part: the rest is somebody's registry."""
    return text.rsplit("/", 1)[-1] or None if text else None
