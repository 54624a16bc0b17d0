"""Money at one load, from the throughput there. The last step: it reads answers and changes none."""

from __future__ import annotations

from collections.abc import Sequence

from core.model.answer import Cost, Interval, LoadPoint
from core.model.price import Price
from core.model.run import Run
from core.model.stage import Stage
from core.model.target import Target
from core.price.formula import per_million_interval, per_request, scaled, weighted_tok_s
from core.price.good import good_share, near
from core.price.hourly import per_hour


def cost_at(point: LoadPoint, run: Run, price: Price, targets: Sequence[Target]) -> Cost | None:
    """Return what a million tokens cost at a load, divided in three ways.

    Tokens are those of completed requests, and of those inside the limits wherever the
    levels around the load have per-request records; failed requests only cost. Input
    from the prefix cache counts with `price.cached_weight` where the hit rate is known;
    where it is not, all input counts as work, which makes the weighted figures too low
    for a service whose prompts repeat.

    Args:
        point: throughput at the load, with its range.
        run: accelerator count, cache hit rate and records.
        price: from the person; nothing is looked up.
        targets: the limits, to tell good tokens from others.

    Returns:
        None where the bill is unknown. A figure whose rate is unknown is None.

    Sources:
        docs/cost.md, with the formulas and where they come from.
    """
    bill = per_hour(run, price)
    if bill is None:
        return None
    share = good_share(run, point, targets)
    work = _weighted(point, run, price, share.output, share.input)
    per_output = per_million_interval(bill, work)
    return Cost(
        currency=price.currency,
        per_hour=bill,
        per_million_output=per_million_interval(bill, _times(point.output_tok_s, share.output)),
        per_million_total=per_million_interval(bill, _times(total_tok_s(point), share.total)),
        per_million_weighted_output=per_output,
        per_million_weighted_input=_times(per_output, 1.0 / price.output_weight),
        upper_bound_of_good=not share.complete,
        per_request=per_request(bill, _times(point.req_s, share.requests)),
    )


def cached_share(run: Run, load: float) -> float | None:
    """Return the share of input tokens served from the prefix cache at a load, None where unknown."""
    measured = near(run, load, _cached)
    return run.conditions.cache_hit_rate if measured is None else measured


def _cached(stage: Stage) -> float | None:
    cached, whole = stage.cached_input_tokens_mean, stage.input_tokens_mean
    share = cached / whole if cached is not None and whole else stage.cache_hit_rate
    return share if share is not None and 0.0 <= share <= 1.0 else None


def _weighted(point: LoadPoint, run: Run, price: Price, out_share: float, in_share: float) -> Interval | None:
    """Weighted tokens/s bound by bound: both rates rise and fall with the same noise of one load."""
    output, into = point.output_tok_s, input_tok_s(point)
    if output is None or into is None:
        return None
    cached = cached_share(run, point.at) or 0.0

    def work(out_tok_s: float | None, in_tok_s: float | None) -> float | None:
        if out_tok_s is None or in_tok_s is None:
            return None
        return weighted_tok_s(
            output_tok_s=out_tok_s * out_share,
            input_tok_s=in_tok_s * in_share,
            cached_share=cached,
            output_weight=price.output_weight,
            cached_weight=price.cached_weight,
        )

    return Interval(
        low=work(output.low, into.low),
        mid=work(output.mid, into.mid),
        high=work(output.high, into.high),
        level=output.level,
    )


def input_tok_s(point: LoadPoint) -> Interval | None:
    """Return input tokens/s: as fitted, else total - output where that makes sense."""
    if point.input_tok_s is not None or point.total_tok_s is None or point.output_tok_s is None:
        return point.input_tok_s
    total, output = point.total_tok_s, point.output_tok_s
    pairs = ((total.low, output.low), (total.mid, output.mid), (total.high, output.high))
    rates = [None if whole is None or out is None else whole - out for whole, out in pairs]
    known = [rate for rate in rates if rate is not None]
    if not known or min(known) < 0.0:
        return None
    low, mid, high = rates
    return Interval(
        low=None if low is None else min(known),
        mid=mid,
        high=None if high is None else max(known),
        level=output.level,
    )


def total_tok_s(point: LoadPoint) -> Interval | None:
    """Return total tokens/s: as fitted, else output + input."""
    if point.total_tok_s is not None or point.output_tok_s is None or point.input_tok_s is None:
        return point.total_tok_s
    output, into = point.output_tok_s, point.input_tok_s

    def both(out: float | None, inn: float | None) -> float | None:
        return None if out is None or inn is None else out + inn

    return Interval(
        low=both(output.low, into.low),
        mid=both(output.mid, into.mid),
        high=both(output.high, into.high),
        level=output.level,
    )


def _times(interval: Interval | None, factor: float) -> Interval | None:
    return None if interval is None else scaled(interval, factor)
