"""At which load a benchmark report was measured, with which tool and which lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.ingest.fields import Fields
from core.ingest.names import concurrency_in, rate_in
from core.ingest.raw import Scalar

CLOSED = "closed loop"
_RATES = ("qps_values", "request_rate", "rate_qps", "qps")
_CONCURRENCIES = ("max_concurrency", "concurrency", "num_concurrent_requests")


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What the report says of its load.

    Attributes:
        tool: the load generator, in lower case, as the report names it.
        clients: load generators at work at once.
    """

    tool: str | None
    concurrency: float | None = None
    rate: float | None = None
    clients: int | None = None
    conditions: dict[str, Scalar] = field(default_factory=dict)
    identity: dict[str, Scalar] = field(default_factory=dict)

    def from_name(self, name: str) -> dict[str, float]:
        """Return the load that a file's name tells, by the name of its field; empty where it tells none."""
        found = {"asked_concurrency": concurrency_in(name), "asked_rate": rate_in(name)}
        return {key: value for key, value in found.items() if value is not None}


def load_of(load: Fields, *, early: bool) -> Load:
    """Return the load of a report.

    Args:
        load: `scenario.load`.
        early: True for 0.1, whose settings are the load generator's own.

    Raises:
        RefusedFileError: a load that is not a number.
    """
    return _early(load) if early else _standardized(load)


def _standardized(load: Fields) -> Load:
    told, native = load.inner("standardized"), load.inner("native").inner("config").inner("load")
    rate, concurrency = told.rate("rate_qps") or None, told.rate("concurrency") or None
    lengths = {side: told.inner(f"{side}_seq_len") for side in ("input", "output")}
    kinds = [f"{side} {kind}" for side, block in lengths.items() if (kind := block.text("distribution"))]
    turns = told.inner("multi_turn")
    return Load(
        tool=(told.text("tool") or "").lower() or None,
        # Beside a rate it is a ceiling of the load generator.
        concurrency=concurrency,
        rate=rate,
        clients=told.count("parallelism"),
        conditions={
            "tool": told.text("tool"),
            "tool_version": told.text("tool_version"),
            "arrival": native.text("type") if rate is not None else CLOSED if concurrency is not None else None,
            "length_distribution": ", ".join(kinds) or None,
        },
        identity={
            **{f"{side}_seq_len": block.not_negative("value") for side, block in lengths.items()},
            "prefix_len": told.inner("prefix").inner("prefix_len").not_negative("value"),
            "multi_turn": True if turns.values.get("enabled") is True else None,
        },
    )


def _early(load: Fields) -> Load:
    args = load.inner("args")
    stage = load.inner("metadata").count("stage")
    tool = (load.text("name") or "").lower() or None
    rate, concurrency = _of_stage(args, stage)
    if rate is None and concurrency is None:
        rate = next((value for key in _RATES if (value := _number(args, key, stage))), None)
        concurrency = next((value for key in _CONCURRENCIES if (value := _number(args, key, stage))), None)
    if tool == "guidellm" and rate is None and concurrency is None:
        value, profile = _number(args, "rate", stage), args.text("profile") or args.text("rate_type")
        rate, concurrency = (None, value) if profile == "concurrent" else (value, None)
    return Load(
        tool=tool,
        concurrency=concurrency,
        rate=rate,
        conditions={
            "tool": load.text("name"),
            "arrival": CLOSED if rate is None and concurrency is not None else None,
        },
        identity={"load_type": load.text("type")},
    )


def _of_stage(args: Fields, stage: int | None) -> tuple[float | None, float | None]:
    """Return (rate, concurrency) of one stage in inference-perf's own settings."""
    stages = args.inner("load").values.get("stages")
    if stage is None or not isinstance(stages, list) or not 0 <= stage < len(stages):
        return None, None
    chosen = stages[stage]
    told = Fields(chosen if isinstance(chosen, Mapping) else {}, args.at(f"load.stages[{stage}]"))
    concurrency = told.not_negative("concurrency_level") or None
    return (None, concurrency) if concurrency is not None else (told.rate("rate") or None, None)


def _number(args: Fields, key: str, stage: int | None) -> float | None:
    """Return a setting above zero, of a list the one of this stage; unlimited is None."""
    value = args.values.get(key)
    if isinstance(value, list):
        index = 0 if len(value) == 1 else stage
        value = value[index] if index is not None and 0 <= index < len(value) else None
    number = Fields({key: value}, args.place).rate(key)
    return number if number is not None and number > 0.0 and math.isfinite(number) else None
