"""The number of accelerators that a person gave with the price: a condition of the run as much as one in its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.model.answer import RunAnswer
from core.model.price import Price
from core.model.run import Run
from core.model.scenario import Scenario

COUNT = "accelerator_count"


def counted_run(run: Run, price: Price | None) -> Run:
    """Return a run whose conditions name the accelerators that are paid for, where its files do not name any.

    The count is marked as given by hand. Where a file names one, that one stays: it is the condition, and the
    other is what the bill is for.
    """
    count = _typed(run, price) if price else None
    if count is None or run.conditions.accelerator_count is not None:
        return run
    return replace(
        run,
        conditions=replace(run.conditions, accelerator_count=count),
        asked=tuple(dict.fromkeys((*run.asked, COUNT))),
    )


def counted(scenario: Scenario) -> Scenario:
    """Return a scenario whose runs, and those of its answers, are `counted_run`."""
    price = scenario.price
    return replace(
        scenario,
        runs=tuple(counted_run(run, price) for run in scenario.runs),
        answers=counted_answers(scenario.answers, price),
    )


def counted_answers(answers: Sequence[RunAnswer], price: Price | None) -> tuple[RunAnswer, ...]:
    """Return answers whose runs are `counted_run`."""
    return tuple(replace(answer, run=counted_run(answer.run, price)) for answer in answers)


def _typed(run: Run, price: Price) -> int | None:
    pools = next((prefill + decode for name, prefill, decode in price.pools if name == run.id), None)
    return pools if pools is not None else dict(price.accelerators).get(run.id)
