"""What a target's metric means in a run: two metrics whose name says one thing and whose figures another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.check.itl import comes_in_chunks
from core.check.reasoning import reasons_first
from core.decide.decide import Decision
from core.model.answer import Capacity
from core.model.metric import Metric
from core.model.run import Run


def with_meaning(run: Run, decision: Decision) -> Decision:
    """Return the decision with a reason at every target whose metric is not what its name suggests.

    No number changes: the limit is on what was measured, and the reason says what that was.
    """
    held = {metric for stage in run.stages for metric in stage.statistics}
    codes: Mapping[Metric, str] = {
        **({Metric.ITL: "itl.between_chunks"} if comes_in_chunks(run) else {}),
        **({Metric.TTFT: "reasoning.first_token"} if reasons_first(run) else {}),
    }
    found = {metric: code for metric, code in codes.items() if metric in held}
    asked = [each.target.metric for each in decision.per_target]
    return Decision(
        capacity=_also(decision.capacity, *(found[metric] for metric in asked if metric in found)),
        per_target=tuple(
            replace(each, capacity=_also(each.capacity, found[each.target.metric]))
            if each.target.metric in found
            else each
            for each in decision.per_target
        ),
    )


def _also(capacity: Capacity, *codes: str) -> Capacity:
    return replace(capacity, reasons=tuple(dict.fromkeys((*capacity.reasons, *codes)))) if codes else capacity
