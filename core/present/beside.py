"""What stands beside the safe number: its share for each replica, its rate, and what a metric means here."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.present.numbers import concurrency, rate, span
from core.present.reasons import reason_text

_MEANINGS = ("itl.between_chunks", "reasoning.first_token")
"""Reasons that say what was measured under a metric's name: they belong beside the answer, not below it."""


def beside_texts(answer: RunAnswer, language: str = "en") -> tuple[str, ...]:
    """Return what is said beside the safe number, one line each; () where there is nothing to add."""
    reasons = {*answer.capacity.reasons, *(code for each in answer.per_target for code in each.capacity.reasons)}
    meanings = [reason_text(code).render(language) for code in _MEANINGS if code in reasons]
    lines = [text.render(language) for text in (_shared_out(answer), _rate(answer, language)) if text]
    return (*lines, *(f"{said[0].upper()}{said[1:]}." for said in meanings))


def _shared_out(answer: RunAnswer) -> Text | None:
    """Return the endpoint's number and that of one replica apart, where there are several."""
    found = answer.admission
    if found is None or not found.endpoint or (found.replicas or 1) < 2:
        return None
    whole, replicas = concurrency(found.endpoint), concurrency(found.replicas or 0)
    if found.per_replica is None:
        return t(
            "{whole} for the whole endpoint, fewer than one for each of its {replicas} replicas",
            whole=whole,
            replicas=replicas,
        )
    each = concurrency(found.per_replica)
    return t(
        "{whole} for the whole endpoint, {each} for each of its {replicas} replicas",
        whole=whole,
        each=each,
        replicas=replicas,
    )


def _rate(answer: RunAnswer, language: str) -> Text | None:
    """Return requests per second at the safe number, where the levels were sent at rates."""
    found = answer.at_capacity.req_s if answer.at_capacity else None
    if found is None or found.mid is None or answer.run.load_axis != "request_rate":
        return None
    shown = rate(found.mid, "", language)
    if found.low is None or found.high is None:
        return t("about {rate} requests/s at the safe number", rate=shown)
    between = span(found.low, found.high, lambda x: rate(x, "", language))
    return t("about {rate} requests/s at the safe number ({range})", rate=shown, range=between)
