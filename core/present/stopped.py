"""What stops a run, in a sentence's part and in a cell."""

from __future__ import annotations

from core.i18n import t
from core.model.answer import Capacity, Interval, Reach, Status
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
    if capacity.status in (Status.WITHIN, Status.BELOW) and capacity.binding:
        return target_name(capacity.binding, language)
    reached = capacity.safe if capacity.safe is not None else end_of(capacity.concurrency, "low")
    if capacity.status is Status.AT_LEAST and reached is not None:
        return t("nothing up to {load}", load=concurrency(reached, language)).render(language)
    return STATUS[capacity.status].render(language)


def end_of(interval: Interval | None, name: str) -> float | None:
    """Return "low", "mid" or "high" of an interval, None where there is none or the end is open."""
    found: float | None = getattr(interval, name) if interval else None
    return found
