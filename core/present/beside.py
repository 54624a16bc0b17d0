"""What stands beside the safe number: its share for each replica, its rate, and what a metric means here."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import RunAnswer
from core.present.numbers import concurrency, rate, span
from core.present.reasons import reason_text

_MEANINGS = ("itl.between_chunks", "reasoning.first_token")
"""Reasons that say what was measured under a metric's name: they belong beside the answer, not below it."""


def beside_texts(answer: RunAnswer, language: str = "en") -> tuple[str, ...]:
    """Return the other figures of the safe number: of each replica, and per second; () where there are none."""
    return tuple(text.render(language) for text in (_shared_out(answer), _rate(answer, language)) if text)


def meaning_texts(answer: RunAnswer, language: str = "en") -> tuple[str, ...]:
    """Return one sentence for each target whose metric is not what its name suggests; () where all are."""
    reasons = {*answer.capacity.reasons, *(code for each in answer.per_target for code in each.capacity.reasons)}
    said = [reason_text(code).render(language) for code in _MEANINGS if code in reasons]
    return tuple(f"{text[0].upper()}{text[1:]}." for text in said)


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
