"""The next measurement in words, and as a request that can be sent to an engineer."""

from __future__ import annotations

from core.i18n import t
from core.model.answer import NextMeasurement, RunAnswer
from core.present.conditions import ASKED_FIRST, NAMES, condition_text
from core.present.headline import headline
from core.present.names import target_text
from core.present.numbers import concurrency, concurrency_range, exact_rate


def next_text(answer: RunAnswer, language: str = "en") -> str:
    """Return what to run next and why; "" where nothing is needed."""
    wanted = answer.next_measurement
    if wanted is None:
        return ""
    requests, level = concurrency(wanted.requests, language), concurrency(wanted.concurrency, language)
    if wanted.rate is None:
        told = t("Run {requests} requests at concurrency {level}.", requests=requests, level=level)
    else:
        told = t(
            "Run {requests} requests at {rate} requests/s, about {level} in flight.",
            requests=requests,
            rate=exact_rate(wanted.rate, language),
            level=level,
        )
    said = told.render(language)
    why = wanted.why.render(language).rstrip(".")
    return f"{said} {why}."


def engineer_request(answer: RunAnswer, language: str = "en") -> str:
    """Return plain text to copy: what to measure, at which level, under which conditions, and why."""
    wanted = answer.next_measurement
    if wanted is None:
        return ""
    lines = [
        t("Please measure {run} once more.", run=_line(answer.run.label)).render(language),
        "",
        _what(wanted, language),
        t("Why: {why}.", why=wanted.why.render(language).rstrip(".")).render(language),
        t("Targets: {targets}.", targets=_targets(answer, language)).render(language),
        t("So far: {answer}.", answer=headline(answer, language).safe.rstrip(".")).render(language),
        *_levels(answer, language),
        "",
        t("Keep every condition as it was:").render(language),
        *(f"- {line}" for line in _known(answer, language)),
    ]
    missing = [NAMES[name].render(language) for name in ASKED_FIRST if getattr(answer.run.conditions, name) is None]
    if missing:
        lines += ["", t("The files do not say these; please write them down:").render(language)]
        lines += [f"- {name}" for name in missing]
    lines += [
        "",
        t("Please send the load generator's own result file, with per-request records if it can write them.").render(
            language
        ),
    ]
    if wanted.command:
        lines += ["", t("Command:").render(language), wanted.command]
    return "\n".join(lines)


def _what(wanted: NextMeasurement, language: str) -> str:
    requests, level = concurrency(wanted.requests, language), concurrency(wanted.concurrency, language)
    if wanted.rate is None:
        said = t("What: {requests} requests at concurrency {level}, after a warm-up.", requests=requests, level=level)
    else:
        said = t(
            "What: {requests} requests at {rate} requests/s, about {level} in flight, after a warm-up.",
            requests=requests,
            rate=exact_rate(wanted.rate, language),
            level=level,
        )
    return said.render(language)


def _targets(answer: RunAnswer, language: str) -> str:
    return ", ".join(target_text(each.target, language) for each in answer.per_target)


def _levels(answer: RunAnswer, language: str) -> list[str]:
    if not answer.levels:
        return []
    span = concurrency_range(min(answer.levels), max(answer.levels), language)
    said = t("Measured before: {count} levels, {range}.", count=len(answer.levels), range=span)
    return [said.render(language)]


def _known(answer: RunAnswer, language: str) -> list[str]:
    """Return the conditions to keep, as "name: value"; what is unknown is asked for further down."""
    conditions = answer.run.conditions
    pairs = ((name, condition_text(conditions, name, language)) for name in conditions.known())
    return [f"{NAMES[name].render(language)}: {_line(value)}" for name, value in pairs if value]


def _line(text: str) -> str:
    """Return text from a file on one line."""
    return " ".join(text.split())
