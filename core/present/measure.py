"""The next measurement in words, and as a request that can be sent to an engineer."""

from __future__ import annotations

import math

from core.i18n import t
from core.model.answer import NextMeasurement, RunAnswer, ToolCommand
from core.model.metric import Metric
from core.present.conditions import ASKED_FIRST, NAMES, condition_text
from core.present.headline import headline
from core.present.names import SHORT, target_text
from core.present.numbers import concurrency, concurrency_range, exact_rate, percent, whole_time

TOOLS = {
    "vllm_bench": "vLLM",
    "sglang_bench": "SGLang",
    "aiperf": "AIPerf",
    "guidellm": "GuideLLM",
    "inference_perf": "inference-perf",
}
"""Load generators as their makers write them, in every language."""

_NO_NARROWER = 0.98
"""Of the width now: a range that shrinks less than this is not said to shrink."""


def next_text(answer: RunAnswer, language: str = "en") -> str:
    """Return what to run next, why, and what it should bring; "" where nothing is needed."""
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
    return f"{said} {why}. {expected_text(wanted, language)}".rstrip()


def expected_text(wanted: NextMeasurement, language: str = "en") -> str:
    """Return what the run is expected to bring and how long it takes; "" where neither is known."""
    said = [_narrowing(wanted, language)]
    if wanted.duration_s:
        said.append(t("It takes about {time}.", time=whole_time(wanted.duration_s, language)).render(language))
    return " ".join(part for part in said if part)


def _narrowing(wanted: NextMeasurement, language: str) -> str:
    if wanted.width_now is None or wanted.width_after is None:
        return ""
    now, after = (_plus_minus(width, language) for width in (wanted.width_now, wanted.width_after))
    if now == after or math.log(wanted.width_after) > _NO_NARROWER * math.log(wanted.width_now):
        said = t("The range will hardly shrink: this run only checks the answer, which stands without it.")
        return said.render(language)
    return t("The range should shrink from about ±{now} to about ±{after}.", now=now, after=after).render(language)


def _plus_minus(width: float, language: str) -> str:
    """Return half the width of a range on the log axis as a percentage: ends a factor of 1.44 apart are ±20 %."""
    return percent(round(math.sqrt(width) - 1.0, 2), language)


def version_text(command: ToolCommand, language: str = "en") -> str:
    """Return which version of the tool a command is written for, and what may not fit."""
    tool = TOOLS.get(command.tool, command.tool)
    said = t("Written for {tool} {version}.", tool=tool, version=command.version).render(language)
    return f"{said} {command.caution.render(language).rstrip('.')}." if command.caution else said


def engineer_request(answer: RunAnswer, language: str = "en") -> str:
    """Return plain text to copy: what to measure, at which level, under which conditions, and why."""
    wanted = answer.next_measurement
    if wanted is None:
        return ""
    expected = expected_text(wanted, language)
    lines = [
        t("Please measure {run} once more.", run=_line(answer.run.label)).render(language),
        "",
        _what(wanted, language),
        t(
            "Warm-up: send {number} requests first and leave them out of the result.",
            number=concurrency(wanted.concurrency, language),
        ).render(language),
        t("Why: {why}.", why=wanted.why.render(language).rstrip(".")).render(language),
        *([t("Expected: {expected}", expected=expected).render(language)] if expected else []),
        t("Targets: {targets}.", targets=_targets(answer, language)).render(language),
        t("So far: {answer}.", answer=headline(answer, language).safe.rstrip(".")).render(language),
        *_levels(answer, language),
        "",
        t("Keep every condition as it was:").render(language),
        *(f"- {line}" for line in _known(answer, language)),
        *_missing(answer, language),
        "",
        t("Please record for every metric: mean, standard deviation, p50, p90, p95 and p99.").render(language),
        t("Metrics: {metrics}.", metrics=", ".join(_metrics(answer, language))).render(language),
        t("Also: requests sent, finished and failed, and the length of the run.").render(language),
        t("Please send the load generator's own result file, with per-request records if it can write them.").render(
            language
        ),
        *_command(wanted, language),
    ]
    return "\n".join(lines)


def _missing(answer: RunAnswer, language: str) -> list[str]:
    names = [NAMES[name].render(language) for name in ASKED_FIRST if getattr(answer.run.conditions, name) is None]
    if not names:
        return []
    said = t("The files do not say these; please write them down:").render(language)
    return ["", said, *(f"- {name}" for name in names)]


def _metrics(answer: RunAnswer, language: str) -> list[str]:
    """Return the latencies that the method reads, and those of the targets beside them."""
    asked = (each.target.metric for each in answer.per_target)
    every = dict.fromkeys((Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E, *asked))
    return [SHORT[metric].render(language) for metric in every]


def _command(wanted: NextMeasurement, language: str) -> list[str]:
    if not wanted.command:
        return []
    told = [version_text(each, language) for each in wanted.commands if each.command == wanted.command]
    return ["", t("Command:").render(language), wanted.command, *told[:1]]


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
    named = ", ".join(target_text(each.target, language) for each in answer.per_target)
    return named or t("none, the throughput counts").render(language)


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
