"""Everything that is told of a deployment's limits at once: memory, the log beside it, floors."""

from __future__ import annotations

from dataclasses import dataclass

from core.limits.compared import Compared, compared
from core.limits.doubts import is_vouched
from core.limits.floors import Floor, itl_floor, ttft_floor
from core.limits.memory import Memory, memory_of
from core.limits.setup import setup_of
from core.model.metric import Metric
from core.model.run import Conditions, Run
from core.model.sizing import Sizing


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What a measurement reaches of the peak, beside what deployments reach.

    Attributes:
        metric: time per token or to the first token. load: where it was measured. seconds: the mean there.
        floor: for that load. share: of the peak, above 1 where it is faster than can be.
    """

    metric: Metric
    load: float
    seconds: float
    floor: Floor

    @property
    def share(self) -> float:
        """Return the share of the peak that was reached."""
        return self.floor.seconds / self.seconds


def reached(run: Run) -> tuple[Reached, ...]:
    """Return what a run reaches at its lowest load, where a queue weighs least.

    Nothing where no model is given, or one that is not vouched for.
    """
    setup = setup_of(run.sizing, run.conditions) if run.sizing else None
    used = [stage for stage in run.stages if stage.load is not None and stage.excluded is None]
    if setup is None or not used or not is_vouched(setup):
        return ()
    stage = min(used, key=lambda each: each.load or 0.0)
    load = stage.load or 1.0
    question, more = setup.input_tokens, setup.output_tokens
    floors = {
        Metric.TPOT: itl_floor(setup, max(1.0, load), (question or 0.0) + (more or 0.0) / 2),
        Metric.TTFT: ttft_floor(setup, question) if question else None,
    }
    values = [(metric, stage.value(metric, "mean"), floor) for metric, floor in floors.items()]
    return tuple(
        Reached(metric=metric, load=load, seconds=value, floor=floor)
        for metric, value, floor in values
        if value and floor is not None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What first principles say of a deployment.

    Attributes:
        memory: weights, cache, requests at once.
        compared: each figure of the engine's log beside ours.
        alone: time between tokens of a single request.
        batch: requests at once that `together` is for, None where no number is known.
        together: time between tokens of so many, each half done.
        tokens: of a question, that `first` is for. first: time to the first token of one request.
        vouched: whether they may doubt or bound what was measured: the file is of the run's family, its class known.
    """

    memory: Memory
    compared: tuple[Compared, ...]
    alone: Floor | None
    batch: float | None
    together: Floor | None
    tokens: float | None
    first: Floor | None
    vouched: bool = True


def limits_of(sizing: Sizing, conditions: Conditions | None = None, batch: float | None = None) -> Limits | None:
    """Return the limits of a deployment, None where no model is given.

    Args:
        sizing: what a person says.
        conditions: of the run, for what the person leaves open.
        batch: requests at once to reckon with, such as the safe number; None for what memory holds on average, which
            is taken too where the limits are not vouched for.
    """
    setup = setup_of(sizing, conditions)
    if setup is None:
        return None
    memory, vouched = memory_of(setup), is_vouched(setup)
    batch = batch if vouched else None
    if batch is None and memory.steady is not None and memory.steady.mid >= 1.0:
        batch = memory.steady.mid
    question, more = setup.input_tokens, setup.output_tokens
    context = (question or 0.0) + (more or 0.0) / 2
    return Limits(
        memory=memory,
        compared=compared(memory),
        alone=itl_floor(setup, 1.0, context),
        batch=batch,
        together=itl_floor(setup, batch, context) if batch is not None and batch > 1.0 else None,
        tokens=question,
        first=ttft_floor(setup, question) if question else None,
        vouched=vouched,
    )
