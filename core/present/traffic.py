"""The service's own traffic in words: what it is, how it differs from what was measured, what that does."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from core.i18n import Text, t
from core.model.answer import RunAnswer, TrafficAnswer
from core.model.difference import Difference, Effect, Match
from core.model.run import Conditions
from core.model.traffic import Arrivals, Traffic
from core.present.numbers import concurrency, percent, plain

CONDITIONS: dict[str, Text] = {
    "input_tokens": t("Input tokens, mean"),
    "output_tokens": t("Output tokens, mean"),
    "input_p95": t("Input tokens, p95"),
    "output_p95": t("Output tokens, p95"),
    "hit_rate": t("Prefix cache hit rate"),
    "arrivals": t("Arrival of requests"),
}

ARRIVALS: dict[str, Text] = {
    Arrivals.CLOSED.value: t("fixed number in flight"),
    "closed loop": t("fixed number in flight"),
    Arrivals.POISSON.value: t("at random"),
    Arrivals.BURSTY.value: t("in bursts"),
    "constant": t("evenly spaced"),
}

_SHORT: dict[Arrivals, Text] = {
    Arrivals.CLOSED: t("a fixed number in flight"),
    Arrivals.POISSON: t("arrivals at random"),
    Arrivals.BURSTY: t("arrivals in bursts"),
}


def traffic_text(traffic: Traffic, language: str = "en") -> str:
    """Return what is known of the traffic, such as "2,000 in, 400 out, arrivals at random"."""
    parts = [_lengths(traffic.input_tokens, traffic.output_tokens, language)]
    if traffic.hit_rate is not None:
        parts.append(t("{share} cached", share=percent(traffic.hit_rate, language)).render(language))
    if traffic.arrivals is not None:
        parts.append(_SHORT[traffic.arrivals].render(language))
    if len(traffic.profiles) > 1:
        parts.append(t("{count} kinds of requests", count=len(traffic.profiles)).render(language))
    return ", ".join(part for part in parts if part)


def measured_text(conditions: Conditions, language: str = "en") -> str:
    """Return the lengths that were measured, such as "1,024 in, 256 out"; "" where none is known."""
    return _lengths(conditions.input_tokens_mean, conditions.output_tokens_mean, language)


def for_traffic_view(answer: RunAnswer) -> RunAnswer:
    """Return an answer whose capacity is that for the service's traffic, to be said with the same words."""
    found = answer.for_traffic
    if found is None:
        return answer
    return replace(
        answer,
        capacity=found.capacity,
        per_target=found.per_target,
        next_measurement=found.next_measurement or answer.next_measurement,
        for_traffic=None,
    )


def widened_text(found: TrafficAnswer, language: str = "en") -> str | None:
    """Return how much of the doubt the difference brings, None where it brings none or an end is open."""
    if not found.widened or round(found.widened, 2) == 0.0:
        return None
    share = percent(round(found.widened, 2), language)
    return t("{share} of the doubt comes from traffic that was not measured.", share=share).render(language)


def differences_table(found: TrafficAnswer, language: str = "en") -> pd.DataFrame:
    """Return one row per condition: as measured, yours, and what the difference alone does."""
    rows = found.differences
    columns = {
        t("Condition").render(language): [CONDITIONS[row.condition].render(language) for row in rows],
        t("Measured").render(language): [value_text(row.condition, row.measured, language) for row in rows],
        t("Yours").render(language): [value_text(row.condition, row.yours, language) for row in rows],
        t("What it does").render(language): [effect_text(row, language).render(language) for row in rows],
    }
    return pd.DataFrame({name: pd.Series(cells, dtype="str") for name, cells in columns.items()})


def value_text(condition: str, value: float | str | None, language: str = "en") -> str | None:
    """Return the value of a condition with its unit, None where it is unknown."""
    if value is None:
        return None
    if isinstance(value, str):
        return ARRIVALS[value].render(language) if value in ARRIVALS else value
    return percent(value, language) if condition == "hit_rate" else concurrency(value, language)


def effect_text(row: Difference, language: str = "en") -> Text:
    """Return what one difference does to the answer, were it the only one."""
    match row.match:
        case Match.EQUAL:
            return t("nothing: alike")
        case Match.NOT_SAID if row.effect is Effect.NONE:
            return t("nothing: yours is not given")
        case _:
            pass
    match row.effect:
        case Effect.UNTOLD:
            return t("cannot tell")
        case Effect.LOWERS:
            number = None if row.safe is None else concurrency(row.safe, language)
            return t("lowers the safe number to {number}", number=number) if number else t("lowers the answer")
        case Effect.WIDENS:
            return t("widens the range")
        case _ if row.match is Match.NOT_MEASURED:
            return t("not known of the run, assumed alike")
        case _:
            return t("nothing for these targets")


def _lengths(inputs: float | None, outputs: float | None, language: str) -> str:
    parts = []
    if inputs is not None:
        parts.append(t("{tokens} in", tokens=_tokens(inputs, language)).render(language))
    if outputs is not None:
        parts.append(t("{tokens} out", tokens=_tokens(outputs, language)).render(language))
    return ", ".join(parts)


def _tokens(value: float, language: str) -> str:
    return concurrency(value, language) if value >= 10 else plain(value, language)
