"""The JSON of sensitivities: short rows, so that a document of several runs stays small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.decide.sensitivity import worth_most
from core.model.answer import Interval, Reach, Relaxed, Sensitivity
from core.model.target import Target

Json = dict[str, Any]


def sensitivity_document(found: Sequence[Sensitivity]) -> Json | None:
    """Return what the limits decide, None where no target is read from a curve.

    `first` is the target worth relaxing first. A step is `{"limit", "alone", "whole"}`, each of the
    latter `{"status", "safe", "low", "mid", "high"}`; `limit` is in the target's own unit.
    """
    if not found:
        return None
    best = worth_most(found)
    return {"first": _target(best.target) if best else None, "targets": [_one(one) for one in found]}


def _one(one: Sensitivity) -> Json:
    return {
        "target": _target(one.target),
        "lowest": one.lowest,
        "at_least_from": one.at_least_from,
        "free_from": one.free_from,
        "then": _target(one.then),
        "relaxed": [_relaxed(relaxed) for relaxed in one.relaxed],
        "steps": [
            {"limit": step.limit, "alone": _reach(step.alone), "whole": _reach(step.whole)} for step in one.steps
        ],
    }


def _relaxed(relaxed: Relaxed) -> Json:
    return {
        "factor": relaxed.factor,
        "limit": relaxed.limit,
        "whole": _reach(relaxed.whole),
        "more_safe": relaxed.more_safe,
        "more": _interval(relaxed.more),
        "cost_per_million_output": _interval(relaxed.cost),
    }


def _reach(reach: Reach) -> Json:
    span = reach.concurrency or Interval(low=None, mid=None, high=None)
    return {"status": reach.status.value, "safe": reach.safe, "low": span.low, "mid": span.mid, "high": span.high}


def _target(target: Target | None) -> Json | None:
    if target is None:
        return None
    return {"metric": target.metric.value, "statistic": target.statistic, "limit": target.limit, "op": target.op}


def _interval(found: Interval | None) -> Json | None:
    return None if found is None else {"low": found.low, "mid": found.mid, "high": found.high, "level": found.level}
