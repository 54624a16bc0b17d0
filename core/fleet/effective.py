"""What a million output tokens cost in a fleet: from a full machine's public number to the bill that is paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.fleet.answer import Effective, Pool, Stage
from core.fleet.pools import paid
from core.fleet.size import Caution, copies, parts
from core.model.answer import Interval
from core.model.demand_curve import Curve
from core.model.fleet import Fleet
from core.price.formula import MILLION, SECONDS_PER_HOUR
from core.price.replicas import is_own_time

WHOLE_REPLICAS = "whole_replicas"
_DUST = 1e-9
_LOAD = (Caution.SAFE, Caution.GROWTH, Caution.BURST, Caution.CEILING)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rates:
    """Tokens of one pool: good output tokens/s for each request in flight, and of a replica at its measured peak."""

    each: float
    peak: float
    spread: tuple[float, float]


def effective(
    pools: Sequence[Pool], fleet: Fleet, curve: Curve | None, hour: Interval | None, *, by_rate: bool
) -> Effective | None:
    """Return the cost of a million output tokens, stage by stage; None where bill or tokens are not known.

    Each stage is the replicas that it takes, in fractions until they are made whole, times what one costs an hour, over
    the same tokens: those of the mean demand. So a stage's factor is the replicas over those of the stage before.

    Args:
        pools: with a price.
        fleet: cautions.
        curve: mean over peak; None is the peak all the time.
        hour: money per hour of all pools.
        by_rate: the demand is in requests/s: the tokens that are asked for do not hang on how long requests take.

    Sources:
        1/U: arXiv 2606.11690. Order of the stages: docs/fleet.md.
    """
    rates = [_rates(pool) for pool in pools]
    known = [rate for rate in rates if rate is not None]
    if hour is None or hour.mid is None or len(known) < len(rates):
        return None
    mean = curve.mean_share if curve else 1.0
    tokens = sum(_mean(pool, mean) * rate.each for pool, rate in zip(pools, known, strict=True))
    if tokens <= 0.0:
        return None
    per = MILLION / (SECONDS_PER_HOUR * tokens)
    names, counts = _counts(pools, known, fleet, mean)
    costs = [sum((p.each_hour or 0.0) * n for p, n in zip(pools, row, strict=True)) * per for row in counts]
    factors = [1.0, *(after / before for before, after in pairwise(costs))]
    stages = tuple(
        Stage(name=name, cost=cost, factor=factor) for name, cost, factor in zip(names, costs, factors, strict=True)
    )
    low, high = _spread(pools, known, mean, tokens)
    asked_low, asked_high = (1.0, 1.0) if by_rate else (low, high)
    used = sum(_mean(p, mean) for p in pools) / sum((p.replicas.count or 0) * p.safe for p in pools)
    return Effective(
        stages=stages,
        full=Interval(low=costs[1] / high, mid=costs[1], high=costs[1] / low),
        cost=Interval(
            low=None if hour.low is None else hour.low * per / asked_high,
            mid=costs[-1],
            high=None if hour.high is None else hour.high * per / asked_low,
        ),
        used=used,
    )


def _mean(pool: Pool, mean: float) -> float:
    return (pool.in_flight.mid or 0.0) * mean


def _counts(
    pools: Sequence[Pool], rates: Sequence[_Rates], fleet: Fleet, mean: float
) -> tuple[list[str], list[list[float]]]:
    """Return the names of the stages and the replicas of each pool at each of them."""
    names = ["peak", "slo"]
    rows = [
        [_mean(pool, mean) * rate.each / rate.peak for pool, rate in zip(pools, rates, strict=True)],
        [_mean(pool, mean) / pool.safe for pool in pools],
    ]

    def stage(name: str, row: list[float]) -> None:
        # What is the same but for the dust of a division is no stage.
        if any(abs(now - before) > _DUST * before for now, before in zip(row, rows[-1], strict=True)):
            names.append(name)
            rows.append(row)

    stage("rate", [_mean(pool, mean) / pool.planned for pool in pools])
    stage("day", [(pool.in_flight.mid or 0.0) / pool.planned for pool in pools])
    for at in range(2, len(_LOAD) + 1):
        share = [(pool.in_flight.mid or 0.0) * parts(pool.planned, fleet, _LOAD[:at]) for pool in pools]
        stage(_LOAD[at - 1].value, share)
    whole = frozenset(_LOAD)
    stage(WHOLE_REPLICAS, [_copies(pool, fleet, whole) for pool in pools])
    for caution in (Caution.SPARES, Caution.OUT, Caution.NODES):
        whole |= {caution}
        stage(caution.value, [paid(pool, _copies(pool, fleet, whole), fleet, whole) for pool in pools])
    return names, rows


def _copies(pool: Pool, fleet: Fleet, cautions: frozenset[Caution]) -> float:
    return float(copies(pool.in_flight.mid or 0.0, pool.planned, fleet, cautions))


def _rates(pool: Pool) -> _Rates | None:
    """Return what tokens a pool yields, None where the files do not say or its requests are not those measured."""
    answer = pool.answer
    point, out = answer.at_capacity, answer.at_capacity.output_tok_s if answer.at_capacity else None
    if point is None or out is None or not out.mid or pool.in_flight.mid is None or not is_own_time(answer):
        return None
    good = _good(pool, out.mid)
    measured = [
        stage.output_tok_s for stage in answer.run.stages if stage.excluded is None and stage.output_tok_s is not None
    ]
    spread = (out.low / out.mid if out.low else 1.0, out.high / out.mid if out.high else 1.0)
    return _Rates(each=out.mid * good / point.at, peak=max([out.mid, *measured]) * good, spread=spread)


def _good(pool: Pool, out: float) -> float:
    """Return the share of output tokens that counts, as the cost at the safe number was worked out with."""
    cost = pool.answer.cost
    million = cost.per_million_output if cost else None
    if cost is None or million is None or not million.mid or cost.per_hour <= 0.0:
        return 1.0
    return min(cost.per_hour * MILLION / (SECONDS_PER_HOUR * million.mid * out), 1.0)


def _spread(pools: Sequence[Pool], rates: Sequence[_Rates], mean: float, tokens: float) -> tuple[float, float]:
    """Return the ends of the tokens as shares of their middle, pools weighted by their tokens."""
    weights = [_mean(pool, mean) * rate.each / tokens for pool, rate in zip(pools, rates, strict=True)]
    low, high = (sum(w * rate.spread[end] for w, rate in zip(weights, rates, strict=True)) for end in (0, 1))
    return low, high
