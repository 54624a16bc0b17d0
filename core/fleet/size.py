"""From requests in flight to whole replicas, one caution after the other. Every fleet here is sized by `copies`."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.model.fleet import Fleet

HOURS_PER_MONTH = 730.0
"""8,760 hours of a year over 12."""

_DUST = 9
"""Decimals up to which a quotient is what was meant: 0.1 * 3 / 0.1 buys no fourth machine."""

Numbers = npt.NDArray[np.float64]


class Caution(StrEnum):
    """What makes a fleet larger than the demand over the estimate, in the order in which they are applied.

    Printed: never rename one.
    """

    SAFE = "safe_number"
    GROWTH = "growth_room"
    BURST = "burst"
    CEILING = "ceiling"
    SPARES = "spares"
    OUT = "out_of_service"
    NODES = "whole_nodes"


EVERY = frozenset(Caution)
NONE: frozenset[Caution] = frozenset()


def copies(in_flight: float, each: float, fleet: Fleet, cautions: Collection[Caution] = EVERY) -> int:
    """Return how many whole replicas carry so much, with some of the cautions or all of them.

    N = ceil(L (1 + g)^a B / (u c)); with spares max(N + s, z ceil(N / (z - 1))); with a share q out of service
    ceil(N / (1 - q)).

    Args:
        in_flight: L, mean requests in flight of the step in question, >= 0.
        each: c, requests in flight that one replica carries, > 0.
        fleet: growth g over a months, burst B, ceiling u, spares s, zones z, share q.
        cautions: those that count; whether `each` is the safe number or the estimate is the caller's choice, and
            so are whole nodes.

    Returns:
        0 where nothing is in flight, else at least 1.

    >>> copies(500, 41, Fleet()), copies(500, 41, Fleet(spares=1)), copies(500, 41, Fleet(zones=3))
    (13, 14, 20)
    """
    return int(copies_at(np.array([in_flight]), each, fleet, cautions)[0])


def copies_at(in_flight: Numbers, each: float, fleet: Fleet, cautions: Collection[Caution] = EVERY) -> Numbers:
    """Return `copies` for each of many loads, shape (n,): whole numbers, as floats."""
    needed = np.round(in_flight * parts(each, fleet, cautions), _DUST)
    base = np.where(in_flight > 0.0, np.maximum(np.ceil(needed), 1.0), 0.0)
    return _manned(base, fleet, cautions)


def parts(each: float, fleet: Fleet, cautions: Collection[Caution] = EVERY) -> float:
    """Return how much of a replica one request in flight needs, before that is made whole and without spares."""
    part = 1.0 / each
    if Caution.GROWTH in cautions:
        part *= (1.0 + fleet.growth) ** fleet.ahead
    if Caution.BURST in cautions:
        part *= fleet.burst
    if Caution.CEILING in cautions:
        part /= fleet.ceiling
    return part


def manned(base: int, fleet: Fleet, cautions: Collection[Caution] = EVERY) -> int:
    """Return how many replicas there have to be for `base` of them to be at work.

    >>> manned(4, Fleet(spares=2)), manned(4, Fleet(zones=2)), manned(4, Fleet(out_share=0.1)), manned(0, Fleet())
    (6, 8, 5, 0)
    """
    return int(_manned(np.array([float(base)]), fleet, cautions)[0])


def _manned(base: Numbers, fleet: Fleet, cautions: Collection[Caution]) -> Numbers:
    count = base
    if Caution.SPARES in cautions:
        # Losing a zone is losing its replicas too: the larger of both covers either.
        count = np.maximum(base + fleet.spares, _in_zones(base, fleet))
    if Caution.OUT in cautions:
        count = np.ceil(np.round(count / (1.0 - fleet.out_share), _DUST))
    return np.where(base > 0.0, count, 0.0)


def _in_zones(base: Numbers, fleet: Fleet) -> Numbers:
    """Return the fewest that leave `base` when a zone is lost: evenly spread, the fullest of z has ceil(N / z)."""
    return base + np.ceil(base / (fleet.zones - 1)) if fleet.zones > 1 else base


def paid_at_most(fleet: Fleet, accelerators: int | None) -> tuple[float, float]:
    """Return a and b of what many replicas come to: for p of them, not made whole, from a p to a p + b are paid for.

    >>> paid_at_most(Fleet(), 8), paid_at_most(Fleet(spares=2), 8), paid_at_most(Fleet(zones=3), 8)
    ((1.0, 1.0), (1.0, 3.0), (1.5, 2.0))
    """
    each = fleet.zones / (fleet.zones - 1) if fleet.zones > 1 else 1.0
    # The share for a lost zone is made whole once more.
    beyond = each + max(fleet.spares, each - 2.0 / (fleet.zones - 1) if fleet.zones > 1 else 0.0)
    if fleet.out_share > 0.0:
        each, beyond = each / (1.0 - fleet.out_share), beyond / (1.0 - fleet.out_share) + 1.0
    if fleet.node is not None and accelerators is not None:
        # Nodes that hold several replicas may be empty but for one of them.
        held = max(fleet.node // accelerators, 1)
        for_one = nodes(held, accelerators, fleet.node) * fleet.node / accelerators / held
        each, beyond = each * for_one, (beyond + held - 1) * for_one
    return each, beyond


def standing_by(base: int, fleet: Fleet) -> tuple[int, int]:
    """Return how many there have to be with the spares alone, and with a zone that may be lost alone.

    >>> standing_by(8, Fleet(spares=1, zones=3)), standing_by(8, Fleet(spares=5, zones=3))
    ((9, 12), (13, 12))
    """
    return base + fleet.spares, int(_in_zones(np.array([float(base)]), fleet)[0])


def at_work(count: int, fleet: Fleet) -> int:
    """Return the most replicas that may be at work in a fleet of so many, the others standing by for them.

    >>> at_work(6, Fleet(spares=2)), at_work(7, Fleet(zones=2)), at_work(1, Fleet(spares=1))
    (4, 3, 0)
    """
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if manned(middle, fleet) <= count else (low, middle - 1)
    return low


def carried(count: int, each: float, fleet: Fleet) -> float:
    """Return the mean requests in flight, today, that a fleet of so many carries with all its cautions."""
    return at_work(count, fleet) / parts(each, fleet)


def nodes(count: int, accelerators: int, node: int) -> int:
    """Return how many whole nodes hold so many replicas; no replica is split between nodes that it could fit in.

    >>> nodes(5, 2, 8), nodes(2, 16, 8), nodes(3, 8, 8), nodes(4, 5, 8)
    (2, 4, 3, 4)
    """
    return int(nodes_at(np.array([float(count)]), accelerators, node)[0])


def nodes_at(counts: Numbers, accelerators: int, node: int) -> Numbers:
    """Return `nodes` for many counts at once, shape (n,)."""
    if accelerators > node:
        return counts * -(-accelerators // node)
    return np.ceil(counts / (node // accelerators))
