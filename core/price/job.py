"""What a job costs: the deployment's price per hour for as long as the job takes."""

from __future__ import annotations

from core.model.answer import Interval
from core.model.price import Price
from core.model.run import Run
from core.price.cost import accelerators
from core.price.formula import SECONDS_PER_HOUR, scaled


def job_cost(completion_s: Interval, run: Run, price: Price) -> Interval | None:
    """Return money for the whole job, None where the bill per hour is not known.

    Args:
        completion_s: seconds, with their range.
        run: its accelerators are counted where the price is for one of them.
        price: from the person.
    """
    count = accelerators(run, price)
    if price.per_accelerator and count is None:
        return None
    per_hour = price.amount * count if price.per_accelerator and count else price.amount
    return scaled(completion_s, per_hour / SECONDS_PER_HOUR)
