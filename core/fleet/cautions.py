"""What each caution adds to a fleet and what its absence saves, and where two of them are for the same doubt."""

from __future__ import annotations

from collections.abc import Sequence

from core.fleet.answer import Added, Pool
from core.fleet.pools import sized
from core.fleet.size import EVERY, HOURS_PER_MONTH, NONE, Caution, copies, standing_by
from core.model.fleet import Fleet


def added(pools: Sequence[Pool], fleet: Fleet) -> tuple[Added, ...]:
    """Return what each caution in use adds, in the order in which they are applied.

    Alone: the fleet with this one only, beyond the demand over the estimate. Stacked: the fleet with it and all before
    it, beyond all before it; these sum to the whole fleet beyond the estimate's. Saved: the whole fleet, beyond the one
    with all but this.
    """
    found = []
    before: frozenset[Caution] = NONE
    for caution in Caution:
        after = before | {caution}
        if is_used(caution, pools, fleet):
            alone, alone_month = _beyond(pools, fleet, NONE, frozenset({caution}))
            stacked, stacked_month = _beyond(pools, fleet, before, after)
            saved, saved_month = _beyond(pools, fleet, EVERY - {caution}, EVERY)
            found.append(
                Added(
                    caution=caution,
                    alone=alone,
                    stacked=stacked,
                    saved=saved,
                    alone_month=alone_month,
                    stacked_month=stacked_month,
                    saved_month=saved_month,
                )
            )
        before = after
    return tuple(found)


def without_caution(pools: Sequence[Pool], fleet: Fleet) -> float:
    """Return the replicas for the demand over the estimate, rounded up: half the time they are too few."""
    return sum(sized(pool, fleet, NONE) for pool in pools)


def is_used(caution: Caution, pools: Sequence[Pool], fleet: Fleet) -> bool:
    """Return True where a caution was asked for; the safe number is in every answer."""
    match caution:
        case Caution.SAFE:
            return True
        case Caution.GROWTH:
            return fleet.growth > 0.0 and fleet.ahead > 0
        case Caution.BURST:
            return fleet.burst > 1.0
        case Caution.CEILING:
            return fleet.ceiling < 1.0
        case Caution.SPARES:
            return fleet.spares > 0 or fleet.zones > 1
        case Caution.OUT:
            return fleet.out_share > 0.0
        case Caution.NODES:
            return fleet.node is not None and any(pool.accelerators is not None for pool in pools)


def cautions_of(fleet: Fleet) -> tuple[Caution, ...]:
    """Return the cautions that a person asked for, in the order in which they are applied."""
    asked = [caution for caution in Caution if caution is not Caution.SAFE and is_used(caution, (), fleet)]
    return (*asked, Caution.NODES) if fleet.node is not None else tuple(asked)


STACKED: tuple[tuple[Caution, Caution], ...] = (
    (Caution.SAFE, Caution.CEILING),
    (Caution.BURST, Caution.CEILING),
    (Caution.SPARES, Caution.OUT),
    (Caution.GROWTH, Caution.CEILING),
)
"""Pairs that keep room for the same thing; the second one is the caution on top."""


def stacked(found: Sequence[Added]) -> tuple[tuple[Caution, Caution], ...]:
    """Return the pairs of cautions in use that keep room for the same thing."""
    used = {each.caution for each in found}
    return tuple(pair for pair in STACKED if set(pair) <= used)


def at_peak(pool: Pool, fleet: Fleet) -> int:
    """Return the replicas of a pool that have to be at work at the peak, those that stand by not among them."""
    before = frozenset(Caution) - {Caution.SPARES, Caution.OUT, Caution.NODES}
    return copies(pool.in_flight.mid or 0.0, pool.planned, fleet, before)


def covered(pools: Sequence[Pool], fleet: Fleet) -> tuple[int, int] | None:
    """Return the replicas with the spares alone and with a lost zone alone, where the zones cover the spares.

    Before time out of service, of all pools; None where the spares add something, or one of the two is not asked for.
    """
    if not fleet.spares or fleet.zones < 2:
        return None
    both = [standing_by(at_peak(pool, fleet), fleet) for pool in pools]
    if any(spared > zoned for spared, zoned in both):
        return None
    return sum(spared for spared, _ in both), sum(zoned for _, zoned in both)


def _beyond(
    pools: Sequence[Pool], fleet: Fleet, before: frozenset[Caution], after: frozenset[Caution]
) -> tuple[float, float | None]:
    steps = [sized(pool, fleet, after) - sized(pool, fleet, before) for pool in pools]
    if any(pool.each_hour is None for pool in pools):
        return sum(steps), None
    money = sum((pool.each_hour or 0.0) * step for pool, step in zip(pools, steps, strict=True))
    return sum(steps), money * HOURS_PER_MONTH
