"""From requests in flight to people: the interactive response time law."""

from __future__ import annotations

from core.model.answer import RunAnswer


def active_users(answer: RunAnswer, think_s: float) -> float | None:
    """Return how many people keep the safe number of requests in flight, None where unknown.

    A person reads and types for `think_s`, then waits for the whole request: N users make
    N / (R + Z) requests a second, and those times R are in flight. So users = in flight x (R + Z) / R.

    Args:
        answer: read at its safe number: the mean E2E, else requests per second (R = in flight / rate).
        think_s: time between an answer and the next request, seconds, >= 0.

    Sources:
        Denning and Buzen 1978, "The operational analysis of queueing network models": R = N/X - Z.
    """
    point, safe = answer.at_capacity, answer.capacity.safe
    if point is None or safe is None or think_s < 0:
        return None
    whole = point.metrics.get("e2e mean")
    if whole and whole.mid:
        return safe * (whole.mid + think_s) / whole.mid
    if point.req_s and point.req_s.mid:
        return safe + point.req_s.mid * think_s
    return None
