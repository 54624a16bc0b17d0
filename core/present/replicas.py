"""How many copies of what was measured a demand needs."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import RunAnswer, Status
from core.model.scenario import Demand, DemandKind
from core.present.numbers import concurrency, plain
from core.price.replicas import is_own_time, replicas_for, response_time

DEMANDS: dict[DemandKind, Text] = {
    DemandKind.CONCURRENCY: t("concurrent requests"),
    DemandKind.USERS: t("active users"),
    DemandKind.REQ_S: t("requests/s"),
}
"""What a demand counts, as the unit behind its number."""

ONE: dict[DemandKind, Text] = {
    DemandKind.CONCURRENCY: t("1 concurrent request"),
    DemandKind.USERS: t("1 active user"),
}
"""A demand of one."""


def promised(answer: RunAnswer) -> int | None:
    """Return the safe number that a demand is held against: that for the service's own traffic, where one is asked."""
    capacity = (answer.for_traffic or answer).capacity
    return capacity.safe if capacity.status in (Status.WITHIN, Status.AT_LEAST) else None


def request_s(answer: RunAnswer) -> float | None:
    """Return the mean time of a whole request at the safe number, seconds, None where it is not known.

    As measured or, where no level gives it, requests in flight over requests per second (Little's law). For requests
    unlike the measured ones it is not known.
    """
    found = response_time(answer) if is_own_time(answer) else None
    return found.mid if found else None


def requests_s(answer: RunAnswer) -> float | None:
    """Return requests per second at the safe number as fitted, None where unknown or asked for other traffic."""
    point = answer.at_capacity
    return point.req_s.mid if point and point.req_s and not answer.for_traffic else None


def carried(answer: RunAnswer, kind: DemandKind, think_s: float | None) -> float | None:
    """Return how much of a demand one copy carries at its safe number, None where that is not known.

    Args:
        answer: of the run that is copied.
        kind: what the demand counts.
        think_s: pause of a user between an answer and the next request, seconds; needed for users.

    Sources:
        Users by the interactive response time law, as in `core.present.users`.
    """
    safe, whole = promised(answer), request_s(answer)
    if not safe:
        return None
    match kind:
        case DemandKind.CONCURRENCY:
            return float(safe)
        case DemandKind.USERS:
            return None if whole is None or think_s is None else safe * (whole + think_s) / whole
        case DemandKind.REQ_S:
            return requests_s(answer) or (None if whole is None else safe / whole)


def replicas(answer: RunAnswer, demand: Demand, think_s: float | None) -> int | None:
    """Return how many copies of what was measured carry a demand at its peak, None where that is not known.

    No spare is in it: a copy that fails, is updated or fills unevenly is not made up for.
    """
    return replicas_for(answer, demand, think_s).count


def demand_text(demand: Demand, language: str = "en") -> str:
    """Return a demand with its unit.

    >>> demand_text(Demand(peak=1)), demand_text(Demand(peak=1200))
    ('1 concurrent request', '1,200 concurrent requests')
    >>> demand_text(Demand(peak=30.5555555555, kind=DemandKind.REQ_S))
    '30.56 requests/s'
    """
    if demand.peak == 1 and demand.kind in ONE:
        return ONE[demand.kind].render(language)
    return f"{peak_text(demand.peak, language)} {DEMANDS[demand.kind].render(language)}"


def peak_text(peak: float, language: str = "en") -> str:
    """Return a peak as it is written everywhere: whole where it is whole, else four digits; a file's may have many.

    >>> peak_text(1024.0), peak_text(1234567), peak_text(12.30555555), peak_text(0.5)
    ('1,024', '1,234,567', '12.31', '0.5')
    """
    return concurrency(peak, language) if float(peak).is_integer() else plain(peak, language, digits=4)
