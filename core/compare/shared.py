"""Which doubt two runs have in common, so that it decides nothing between them."""

from __future__ import annotations

from core.compare.lead import Together
from core.compare.names import normal
from core.compare.shape import Shape, shipped
from core.model.answer import RunAnswer
from core.model.run import Run

TOOL = 0.05
"""sd of ln of what is carried by which load generator asked: tools count tokens and end TTFT differently, and no range
holds that. Assumed: one server of known speed, asked by four tools at one load, showed means 3 to 12 % apart
(docs/compare.md). Runs of one tool share it, so it cancels between them."""

HOST = 0.02
"""The same by the machine that ran: the change from run to run that the method grants every level. Assumed. Runs that
name the same place share it; where the place is unknown each run has its own."""

_SAME_DEPLOYMENT = ("model", "accelerator", "accelerator_count", "engine")


def together_of(answer: RunAnswer, shape: Shape | None = None) -> Together:
    """Return what doubt a run shares with others, and whom it shares it with."""
    run, doubt = answer.run, answer.capacity.doubt
    known = run.conditions
    tool = normal("tool", known.tool or run.format_id)
    measurement = _measurement(run)
    host = (known.measured_at or "").casefold() or measurement
    return Together(
        measurement=measurement,
        method=(shape or shipped()).method * (1.0 - doubt.requests) if doubt else 0.0,
        deployment=_deployment(run),
        biases=((("tool", tool), TOOL), (("host", host), HOST)),
    )


def _measurement(run: Run) -> tuple[object, ...]:
    """Return what tells measurements apart: the same levels of the same files under two names are one."""
    levels = tuple((stage.load, stage.achieved_rate, stage.excluded) for stage in run.stages)
    return (tuple(sorted(file.sha256 for file in run.files)) or run.id, levels)


def _deployment(run: Run) -> tuple[str, ...] | None:
    """Return what the shape of a latency curve hangs on, None where some of it is unknown."""
    values = [getattr(run.conditions, field) for field in _SAME_DEPLOYMENT]
    if any(value is None for value in values):
        return None
    loads = ",".join(f"{stage.load:g}" for stage in run.stages if stage.load and stage.excluded is None)
    named = (normal(field, str(value)) for field, value in zip(_SAME_DEPLOYMENT, values, strict=True))
    return (*named, loads)
