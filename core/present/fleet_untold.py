"""Why no fleet can be told, and what to do about it: where a mix that was typed is the cause, that it is."""

from __future__ import annotations

from core.fleet.answer import FleetAnswer, Pool
from core.i18n import Text, t
from core.model.answer import RunAnswer, Status
from core.present.demand import UNTOLD
from core.present.numbers import concurrency
from core.present.traffic import for_traffic_view, measured_text, traffic_text
from core.present.untold import cannot_tell
from core.price.replicas import Untold

_NEXT: dict[Untold, Text] = {
    Untold.THINK_TIME: t("Say how long a user pauses: the field stands under the demand"),
    Untold.OWN_TRAFFIC: t(
        "Measure a run with the lengths of your own requests, or count the demand in concurrent requests; the lengths "
        "measured and yours stand on the Plan page"
    ),
    Untold.RESPONSE_TIME: t("Send a file that gives requests per second or the time of a request"),
    Untold.NO_SAFE_NUMBER: t("The Plan page says what to measure next"),
    Untold.NONE_PROMISED: t("Relax a target on the Plan page, or measure smaller loads"),
}
"""What to do about what cannot be told."""
_LIMITS = frozenset({Untold.NO_SAFE_NUMBER, Untold.NONE_PROMISED})


def untold_why(found: FleetAnswer, untold: Untold) -> Text:
    """Return why there is no fleet, as a clause: of the service's own traffic where only that has no number."""
    if _unlike(found) is None:
        return UNTOLD[untold]
    if untold is Untold.NONE_PROMISED:
        return t("not one request of your own traffic can be promised within the targets")
    return t("there is no safe number for your own traffic")


def untold_next(found: FleetAnswer, untold: Untold, language: str = "en") -> str:
    """Return what to do; for own traffic after the Plan page's reason, and what that as measured would give."""
    steps = _NEXT[untold].render(language)
    pool = _unlike(found)
    if pool is None:
        return steps
    answer, own = pool.answer, pool.answer.for_traffic
    typed = traffic_text(own.traffic, language) if own else ""
    named = t("For your traffic ({traffic}):", traffic=typed) if typed else t("For your traffic:")
    parts = [
        named.render(language),
        _why(answer, language),
        _as_measured(answer, language),
        f"{steps}.",
    ]
    return " ".join(part for part in parts if part)


def _unlike(found: FleetAnswer) -> Pool | None:
    """Return the copies that have a number for the traffic as measured, and none for the one that was typed."""
    return next(
        (
            pool
            for pool in found.pools
            if pool.untold in _LIMITS and pool.answer.for_traffic is not None and pool.answer.capacity.safe
        ),
        None,
    )


def _why(answer: RunAnswer, language: str) -> str:
    view = for_traffic_view(answer)
    if view.capacity.status is Status.CANNOT_TELL:
        return cannot_tell(view, language)
    return t("Not one request can be promised within the targets.").render(language)


def _as_measured(answer: RunAnswer, language: str) -> str:
    safe, lengths = concurrency(answer.capacity.safe or 0, language), measured_text(answer.run.conditions, language)
    if not lengths:
        said = t("The traffic as measured would be answered: at most {safe} requests at once in each.", safe=safe)
        return said.render(language)
    said = t(
        "The traffic as measured ({lengths}) would be answered: at most {safe} requests at once in each.",
        lengths=lengths,
        safe=safe,
    )
    return said.render(language)
