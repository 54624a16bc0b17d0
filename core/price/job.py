"""What a job costs: the deployment's price per hour for as long as the job takes."""

from __future__ import annotations

from core.model.answer import Interval
from core.model.price import Price
from core.model.run import Run
from core.price.formula import SECONDS_PER_HOUR, scaled
from core.price.hourly import per_hour


def job_cost(completion_s: Interval, run: Run, price: Price) -> Interval | None:
    """Return money for the whole job, None where the bill per hour is not known.

    Args:
        completion_s: seconds, with their range.
        run: its accelerators are counted where the price is for one of them.
        price: from the person.
    """
    bill = per_hour(run, price)
    return None if bill is None else scaled(completion_s, bill / SECONDS_PER_HOUR)
