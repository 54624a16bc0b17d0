"""What stops a run, in a sentence's part and in a cell: one rule for every screen, list and file."""

from __future__ import annotations

from core.i18n import t
from core.model.answer import Capacity, Interval, Reach, RunAnswer, Status
from core.model.bounding import bounding
from core.present.names import target_name, target_text
from core.present.numbers import concurrency
from core.present.status import STATUS


def stopped_by(capacity: Capacity, language: str = "en") -> str | None:
    """Return what stops it, such as "stopped by TTFT p99"."""
    match capacity.status:
        case Status.WITHIN if capacity.binding:
            return t("stopped by {metric}", metric=target_name(capacity.binding, language)).render(language)
        case Status.BELOW if capacity.binding:
            broken = target_text(capacity.binding, language)
            return t("no measured load keeps {target}", target=broken).render(language)
        case Status.AT_LEAST:
            return t("no target was missed at any load measured").render(language)
        case _:
            return None


def stop_text(capacity: Capacity | Reach, language: str = "en") -> str:
    """Return what stops it in the few words of a table's cell; never a target that stops nothing."""
    target = target_name(capacity.binding, language) if capacity.binding else None
    reached = capacity.safe if capacity.safe is not None else end_of(capacity.concurrency, "low")
    return stop_said(capacity.status, target=target, reached=reached, language=language)


def stop_cell(answer: RunAnswer, language: str = "en") -> str | None:
    """Return what stops a run; where only an upper bound is known, the target that gives it; None without targets."""
    if not answer.per_target:
        return None
    bound = bounding(answer)
    if bound is None:
        return stop_text(answer.capacity, language)
    return stop_said(Status.CANNOT_TELL, bound=target_name(bound.target, language), language=language)


def stop_said(
    status: Status,
    *,
    target: str | None = None,
    bound: str | None = None,
    reached: float | None = None,
    language: str = "en",
) -> str:
    """Return what stops a run, from the parts that are kept of it.

    Args:
        status: of its capacity.
        target: name of the one that binds; it stops nothing where every load measured holds or nothing can be told.
        bound: name of the target that gives an upper bound where the set cannot be told.
        reached: highest load at which every target held.
        language: "en" or "ko".

    >>> stop_said(Status.CANNOT_TELL, target="TPOT p99"), stop_said(Status.WITHIN, target="TPOT p99")
    ('cannot tell', 'TPOT p99')
    """
    if status in (Status.WITHIN, Status.BELOW) and target:
        return target
    if status is Status.AT_LEAST and reached is not None:
        return t("nothing up to {load}", load=concurrency(reached, language)).render(language)
    if status is Status.CANNOT_TELL and bound:
        return t("{target} at the latest", target=bound).render(language)
    return STATUS[status].render(language)


def end_of(interval: Interval | None, name: str) -> float | None:
    """Return "low", "mid" or "high" of an interval, None where there is none or the end is open."""
    found: float | None = getattr(interval, name) if interval else None
    return found
