"""What a cost was worked out from, so that a reader can follow it and change it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

from core.model.answer import Cost, Interval, LoadPoint
from core.model.price import Price, price_for
from core.model.run import Run
from core.model.target import Target
from core.price.cost import cached_share, cost_at, input_tok_s, total_tok_s
from core.price.count import accelerators
from core.price.formula import MILLION, SECONDS_PER_HOUR
from core.price.good import good_share
from core.price.hourly import of_one

_SAME = 1e-9
"""Relative: two ways of computing one number differ by less, two methods by more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostInputs:
    """Everything but the price that the cost at one load follows from. None is unknown.

    Attributes:
        output, input, total: tokens/s of completed requests. requests: good requests/s.
        share_output, share_input, share_total: of those tokens, 0 to 1, that count: see `core.price.good`.
        share_requests: of those requests.
        cached: share of input tokens from the prefix cache.
    """

    output: Interval | None
    input: Interval | None
    total: Interval | None
    requests: Interval | None
    share_output: float
    share_input: float
    share_total: float
    cached: float | None
    share_requests: float = 1.0


def cost_inputs(
    point: LoadPoint, run: Run, targets: Sequence[Target], price: Price | None, cost: Cost | None
) -> CostInputs:
    """Return what the cost at a load was worked out from.

    Args:
        point: throughput at the load.
        run: records and cache hit rate.
        targets: that tell good tokens from others.
        price: None where there is none.
        cost: as it was computed, perhaps long ago. Where today's shares would lead to another figure, those that
            lead to this one are returned: what was saved is not changed by a later method.
    """
    share = good_share(run, point, targets)
    found = CostInputs(
        output=point.output_tok_s,
        input=input_tok_s(point),
        total=total_tok_s(point),
        requests=point.req_s,
        share_output=share.output,
        share_input=share.input,
        share_total=share.total,
        cached=cached_share(run, point.at),
        share_requests=share.requests if cost is None or cost.per_request else 1.0,
    )
    if price is None or cost is None or _is_same(cost_at(point, run, price, targets), cost):
        return found
    return _read_back(found, cost, price)


def billed(run: Run, price: Price | None, cost: Cost | None) -> float | None:
    """Return how many accelerators the bill counts, None where it is not known or nobody asks for it.

    What was saved goes first: its bill over the price of one accelerator.
    """
    asked = price or Price(amount=1.0, per_accelerator=True)
    paid = price_for(price, run.id)
    if paid and cost and paid.per_accelerator:
        return _tidy(cost.per_hour / of_one(paid))
    return accelerators(run, asked)


def _read_back(found: CostInputs, cost: Cost, price: Price) -> CostInputs:
    """Return the shares that lead to a cost as it was saved."""
    output = _share(cost.per_hour, cost.per_million_output, found.output, found.share_output)
    total = _share(cost.per_hour, cost.per_million_total, found.total, found.share_total)
    into = found.share_input
    # Where input weighs most, its share can be read most exactly.
    work = _pairs(cost.per_million_weighted_output, found.output, found.input)
    if work:
        amount, out_tok_s, in_tok_s = max(work, key=lambda row: row[2] / row[1])
        worth = 1.0 - (found.cached or 0.0) * (1.0 - price.cached_weight)
        rest = cost.per_hour * MILLION / (SECONDS_PER_HOUR * amount) - out_tok_s * output
        if in_tok_s * worth > 0.0:
            into = _tidy(max(rest, 0.0) * price.output_weight / (in_tok_s * worth))
    return CostInputs(
        output=found.output,
        input=found.input,
        total=found.total,
        requests=found.requests,
        share_output=output,
        share_input=into,
        share_total=total,
        cached=found.cached,
        share_requests=_requests_share(found, cost),
    )


def _requests_share(found: CostInputs, cost: Cost) -> float:
    """Return the share of requests that a saved cost counts; all of them before there was one."""
    known = _pairs(cost.per_request, found.requests)
    return _tidy(cost.per_hour / (SECONDS_PER_HOUR * known[0][1] * known[0][0])) if known else 1.0


def _share(per_hour: float, amount: Interval | None, tok_s: Interval | None, otherwise: float) -> float:
    known = _pairs(amount, tok_s)
    return _tidy(per_hour * MILLION / (SECONDS_PER_HOUR * known[0][1] * known[0][0])) if known else otherwise


def _pairs(amount: Interval | None, *rates: Interval | None) -> list[tuple[float, ...]]:
    """Return a cost with the rates it comes from, wherever all are known: the middle, then the ends (low from high)."""
    found = []
    for mine, theirs in (("mid", "mid"), ("high", "low"), ("low", "high")):
        ends = ((amount, mine), *((rate, theirs) for rate in rates))
        row: list[float | None] = [getattr(one, end) if one else None for one, end in ends]
        known = tuple(value for value in row if value is not None and math.isfinite(value))
        if len(known) == len(row) and known[0] > 0.0 and known[1] > 0.0:
            found.append(known)
    return found


def _is_same(one: Cost | None, other: Cost) -> bool:
    if one is None or one.currency != other.currency:
        return False
    pairs = [(getattr(one, f.name), getattr(other, f.name)) for f in fields(Cost)]
    return all(_alike(a, b) for a, b in pairs if not isinstance(a, str))


def _alike(one: Interval | float | None, other: Interval | float | None) -> bool:
    if isinstance(one, Interval) and isinstance(other, Interval):
        return all(_alike(getattr(one, end), getattr(other, end)) for end in ("low", "mid", "high"))
    if isinstance(one, float | int) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=_SAME)
    return one is other


def _tidy(value: float) -> float:
    """Return a number without the dust of a division."""
    return float(f"{value:.12g}")
