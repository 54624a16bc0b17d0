"""Which part of a demand each run serves, and how many requests that keeps in flight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.model.answer import Interval, RunAnswer
from core.model.scenario import Demand, DemandKind
from core.price.replicas import Untold, in_flight, is_own_time, response_time

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One run with the requests that go to copies of it.

    Attributes:
        answer: for these requests: where they are not those that were measured, with `for_traffic`.
        share: of all requests, above 0 to 1.
        kinds: positions of the traffic's profiles that it serves; empty where it serves all there are.
    """

    answer: RunAnswer
    share: float = 1.0
    kinds: tuple[int, ...] = ()


def loads(served: Sequence[Served], demand: Demand, think_s: float | None) -> tuple[Interval | Untold, ...]:
    """Return the requests in flight at the peak that each run serves, or why they are not known.

    With X requests/s in all, share s and time R of a request at the safe number, s X R are in flight with a run.
    Users who pause for Z make X = N / (Z + sum s R); a demand in requests in flight L makes X = L / sum s R. Ends are
    those of each time on its own, the others at the end that makes this one the least or the most.

    Args:
        served: one or several runs; shares sum to 1.
        demand: at its peak.
        think_s: Z, seconds, None where nobody said.

    Sources:
        Little 1961; Denning and Buzen 1978, the interactive response time law, for several classes.
    """
    if len(served) == 1:
        return (in_flight(served[0].answer, demand, think_s),)
    by_rate = demand.kind is DemandKind.REQ_S
    times = [_time(each.answer, by_rate=by_rate) for each in served]
    if demand.kind is DemandKind.USERS and think_s is None:
        return tuple(Untold.THINK_TIME for _ in served)
    known = [time for time in times if isinstance(time, Interval)]
    if len(known) < len(times):
        why = next(time for time in times if not isinstance(time, Interval))
        return tuple(why if isinstance(time, Interval) else time for time in times)
    shares = [each.share for each in served]
    return tuple(_part(place, shares, known, demand, think_s or 0.0) for place in range(len(served)))


def _time(answer: RunAnswer, *, by_rate: bool) -> Interval | Untold:
    if not is_own_time(answer):
        return Untold.OWN_TRAFFIC
    time = response_time(answer, by_rate=by_rate)
    return Untold.RESPONSE_TIME if time is None or time.mid is None else time


def _part(place: int, shares: Sequence[float], times: Sequence[Interval], demand: Demand, think_s: float) -> Interval:
    def held(own: float | None, others: Sequence[float | None]) -> float | None:
        if own is None:
            return None
        mine = shares[place] * own
        if demand.kind is DemandKind.REQ_S:
            return demand.peak * mine
        pause = think_s if demand.kind is DemandKind.USERS else 0.0
        rest = [share * time for share, time in zip(_without(shares, place), others, strict=True) if time is not None]
        # An end that is open counts as endless for the others, which then leave nothing to this one.
        if len(rest) < len(shares) - 1:
            return None
        return demand.peak * mine / (pause + mine + sum(rest))

    others = _without(times, place)
    one = times[place]
    return Interval(
        low=held(one.low, [time.high for time in others]),
        mid=held(one.mid, [time.mid for time in others]),
        high=held(one.high, [time.low for time in others]),
        level=one.level,
    )


def _without(things: Sequence[T], place: int) -> list[T]:
    return [thing for at, thing in enumerate(things) if at != place]
