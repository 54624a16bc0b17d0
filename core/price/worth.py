"""What a looser limit is worth in money: the cost of a million output tokens at what it would let carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.decide.point import point_at
from core.fit.fit import Fit
from core.model.answer import Interval, Relaxed, Sensitivity
from core.model.price import Price
from core.model.run import Run
from core.model.target import Target
from core.price.cost import cost_at


def priced(
    found: Sequence[Sensitivity], fit: Fit, run: Run, targets: Sequence[Target], price: Price
) -> tuple[Sensitivity, ...]:
    """Return sensitivities with the cost of every relaxed limit, at the safe number then.

    Args:
        found: as decided.
        fit: the run, whose throughput is read.
        run: accelerators and records.
        targets: the present set; the relaxed one takes the place of its own.
        price: from the person.
    """
    return tuple(
        replace(
            one,
            relaxed=tuple(
                replace(relaxed, cost=_cost(relaxed, _moved(targets, one.target, relaxed.limit), fit, run, price))
                for relaxed in one.relaxed
            ),
        )
        for one in found
    )


def _moved(targets: Sequence[Target], target: Target, limit: float) -> tuple[Target, ...]:
    return tuple(replace(each, limit=limit) if each == target else each for each in targets)


def _cost(relaxed: Relaxed, targets: Sequence[Target], fit: Fit, run: Run, price: Price) -> Interval | None:
    if not relaxed.whole.safe:
        return None
    cost = cost_at(point_at(fit, float(relaxed.whole.safe), ()), run, price, targets)
    return cost.per_million_output if cost else None
