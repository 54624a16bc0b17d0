"""What GuideLLM was told: strategy, plan, model and data, in each of its layouts. docs/formats/guidellm.md."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.ingest.fields import Fields
from core.ingest.names import model_in
from core.ingest.raw import Scalar

CLOSED = "closed loop"
UNBOUNDED = "unbounded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """The load of one level. `arrival` is "closed loop", "unbounded", or the tool's word for a rate."""

    concurrency: float | None = None
    rate: float | None = None
    arrival: str | None = None


def strategy_of(benchmark: Fields) -> Strategy:
    """Return the load that one level was run at.

    Beside a rate, `max_concurrency` (10240 or 512 by default) is only a ceiling. `throughput`
    sends everything at once: its load is a result, not a choice.

    Raises:
        RefusedFileError: a load that is not a number.
    """
    strategy = _settings(benchmark).inner("strategy")
    kind = strategy.text("type_")
    if kind == "synchronous":
        return Strategy(concurrency=1.0, arrival=CLOSED)
    if kind == "concurrent":
        streams = strategy.not_negative("streams")
        return Strategy(
            concurrency=streams if streams is not None else strategy.not_negative("max_concurrency"), arrival=CLOSED
        )
    if kind == "throughput":
        return Strategy(arrival=UNBOUNDED)
    return Strategy(rate=strategy.rate("rate"), arrival=kind)


def planned(benchmarks: Sequence[Fields]) -> int | None:
    """Return how many levels the plan of a report holds, None where it does not say."""
    if len({_settings(b).text("run_id") or b.text("run_id") for b in benchmarks}) > 1:
        return None
    profile = _settings(benchmarks[0]).inner("profile")
    for key in ("strategy_types", "streams", "rate"):
        steps = profile.values.get(key)
        if isinstance(steps, list):
            return len(steps)
    return None


def model_of(top: Fields, benchmark: Fields) -> tuple[str | None, str | None]:
    """Return (model, revision): of the level's backend, else of the report's arguments."""
    places = (
        (benchmark.inner("config").inner("backend"), "model"),
        (benchmark.inner("worker"), "backend_model"),
        (top.inner("args"), "model"),
        (top.inner("config").inner("spec").inner("backend"), "model"),
    )
    return model_in(next((name for fields, key in places if (name := fields.text(key))), None))


def identity_of(top: Fields, benchmark: Fields) -> dict[str, Scalar]:
    """Return the settings beside load, model and seed that tell configurations apart."""
    backend, worker = benchmark.inner("config").inner("backend"), benchmark.inner("worker")
    loader = benchmark.inner("request_loader")
    target = backend.text("target") or worker.text("backend_target") or top.inner("args").text("target")
    found: dict[str, Scalar] = {
        "target": hashlib.sha256(target.encode()).hexdigest()[:12] if target else None,
        "request_format": backend.text("request_format") or top.inner("args").text("data_request_formatter"),
        "data": _data(loader.values.get("data"))
        or _data(top.inner("args").values.get("data"))
        or _data(top.inner("config").inner("spec").values.get("data")),
    }
    return {name: value for name, value in found.items() if value is not None}


def _settings(benchmark: Fields) -> Fields:
    """Return the part that 0.2 calls `args` and later versions call `config`."""
    return benchmark.inner("config") if "config" in benchmark.values else benchmark.inner("args")


def _data(value: object) -> str | None:
    """Return a short, stable text of the asked lengths; of a path only its last part."""
    if isinstance(value, list):
        return _data(value[0]) if value else None
    if isinstance(value, str):
        try:
            return _data(json.loads(value)) if value.startswith("{") else value.rsplit("/", 1)[-1][:200] or None
        except (ValueError, RecursionError):
            return None
    if isinstance(value, Mapping):
        plain = {k: v for k, v in value.items() if isinstance(v, int | float) and not isinstance(v, bool)}
        return ",".join(f"{key}={plain[key]}" for key in sorted(plain, key=str))[:200] or None
    return None
