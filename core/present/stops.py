"""What stops a deployment, target by target, what another would allow, and what usually helps."""

from __future__ import annotations

import pandas as pd

from core.i18n import Text, t
from core.model.answer import Capacity, Interval, RunAnswer, Status, TargetAnswer
from core.model.metric import Metric
from core.model.target import Target
from core.present.causes import told_of
from core.present.doubts import doubt_text, reasons_text
from core.present.headline import estimate_text
from core.present.names import target_name, target_text, value_text
from core.present.numbers import concurrency, concurrency_range, percent, span
from core.present.status import status_of
from core.present.stopped import stopped_by

HELPS: dict[Metric, Text] = {
    Metric.TTFT: t(
        "The first token waits for the queue and for reading the prompt. Shorter prompts, a prefix cache, more "
        "capacity for prefill or more replicas shorten it."
    ),
    Metric.QUEUE: t("Requests wait for a place in the batch. A larger batch, if memory allows, or more replicas help."),
    Metric.TPOT: t(
        "Every token takes longer as the batch grows. A smaller batch per replica, faster memory, lower precision, "
        "speculation or more replicas help."
    ),
    Metric.ITL: t(
        "Single gaps grow long when a prompt is read between two tokens. Chunked prefill with smaller chunks, or "
        "prefill on its own accelerators, smooths them."
    ),
    Metric.E2E: t(
        "The whole request is the wait for the first token plus all the others: look which of the two is larger. "
        "Shorter answers help in any case."
    ),
    Metric.RTF: t("Sound is made slower than it is played. Fewer streams per accelerator or a smaller model help."),
    Metric.TOK_S_USER: t(
        "Each user's tokens come slower as the batch grows. A smaller batch per replica, lower precision, "
        "speculation or more replicas help."
    ),
    Metric.SUCCESS_RATE: t(
        "Requests fail or are cut off under load. Look into the server's log at that level, then at its limits of "
        "time and queue length."
    ),
    Metric.GOODPUT: t("Too many requests break some other limit: see which of the other targets is the tightest."),
}
"""General knowledge, not a finding about this run: the files cannot show what a change would bring."""

NEARLY_FULL = 0.9


def stops_texts(answer: RunAnswer, language: str = "en") -> tuple[str, ...]:
    """Return sentences: the cause and its evidence, what stops it, its value, what helps, the doubt."""
    binding, told = answer.capacity.binding, told_of(answer, language)
    parts = [told.sentence, *told.evidence] if told else []
    parts += target_texts(answer, language)
    if told:
        parts += [remedy.text.render(language) for remedy in told.remedies]
        parts += [told.profile] if told.profile else []
    elif binding and answer.capacity.status in (Status.WITHIN, Status.BELOW):
        parts.append(HELPS[binding.metric].render(language))
    memory, doubt = _memory(answer, language), doubt_text(answer.capacity.doubt, language)
    parts += [part for part in (memory, doubt) if part]
    return (*parts, *reasons_text(answer.capacity, language))


def target_texts(answer: RunAnswer, language: str = "en") -> tuple[str, ...]:
    """Return sentences about the target that binds: which it is, its value there, what the next one allows."""
    binding = answer.capacity.binding
    reason = stopped_by(answer.capacity, language)
    parts = [f"{reason[0].upper()}{reason[1:]}." if reason else None]
    if binding and answer.capacity.status is Status.WITHIN:
        parts += [_at_safe(answer, binding, language), _without(answer, binding, language)]
    return tuple(part for part in parts if part)


def targets_frame(answer: RunAnswer, language: str = "en") -> pd.DataFrame:
    """Return one row per target in few words, so that it fits a narrow column: what it carries, its value there."""
    rows = []
    for each in answer.per_target:
        value = _value(_found(answer, each.target), each.target, language)
        rows.append((target_text(each.target, language), _carried(each.capacity, language), value))
    names = (t("Target"), t("Carries safely"), t("Value at the safe number"))
    return pd.DataFrame(rows, columns=[name.render(language) for name in names]).fillna("–")


def stops_table(answer: RunAnswer, language: str = "en") -> pd.DataFrame:
    """Return one row per target with its own answer; what is unknown is an empty cell."""
    rows = answer.per_target
    words = [[_cell(row, name, answer, language) for row in rows] for name in ("target", "status", "range", "value")]
    return pd.DataFrame(
        {
            t("Target").render(language): pd.Series(words[0], dtype="str"),
            t("Safe concurrent requests").render(language): pd.Series(
                [row.capacity.safe for row in rows], dtype="Int64"
            ),
            t("Estimate and range").render(language): pd.Series(words[2], dtype="str"),
            t("Answer").render(language): pd.Series(words[1], dtype="str"),
            t("Value at the safe number").render(language): pd.Series(words[3], dtype="str"),
        }
    )


def _carried(capacity: Capacity, language: str) -> str:
    """Return the safe number with its range, or the bound that is known."""
    found = capacity.concurrency
    low, high = (found.low, found.high) if found else (None, None)
    match capacity.status:
        case Status.WITHIN if capacity.safe is not None and low is not None and high is not None:
            number = concurrency(capacity.safe, language)
            return t("{number} (range {range})", number=number, range=concurrency_range(low, high, language)).render(
                language
            )
        case Status.WITHIN | Status.AT_LEAST if capacity.safe is not None:
            return f"≥ {concurrency(capacity.safe, language)}"
        case Status.BELOW if high is not None:
            return f"< {concurrency(high, language)}"
        case _:
            return status_of(capacity).render(language)


def _cell(row: TargetAnswer, name: str, answer: RunAnswer, language: str) -> str | None:
    match name:
        case "target":
            return target_text(row.target, language)
        case "status":
            return status_of(row.capacity).render(language)
        case "range":
            return estimate_text(row.capacity, language)
        case _:
            return _value(_found(answer, row.target), row.target, language)


def _found(answer: RunAnswer, target: Target) -> Interval | None:
    point = answer.at_capacity
    return point.metrics.get(f"{target.metric.value} {target.statistic}") if point else None


def _value(found: Interval | None, target: Target, language: str) -> str | None:
    if found is None or found.mid is None:
        return None

    def show(value: float) -> str:
        return value_text(target.metric, value, language)

    if found.low is None or found.high is None:
        return t("about {value}, range unknown", value=show(found.mid)).render(language)
    return f"{show(found.mid)} ({span(found.low, found.high, show)})"


def _at_safe(answer: RunAnswer, target: Target, language: str) -> str | None:
    value = _value(_found(answer, target), target, language)
    if value is None or not answer.capacity.safe:
        return None
    said = t(
        "At {number} concurrent requests {target} is {value}; the limit is {limit}.",
        number=concurrency(answer.capacity.safe, language),
        target=target_name(target, language),
        value=value,
        limit=value_text(target.metric, target.limit, language),
    )
    return said.render(language)


def _without(answer: RunAnswer, binding: Target, language: str) -> str | None:
    """Return what the others allow together, so that it is seen what loosening one target can gain at most."""
    others = [each for each in answer.per_target if each.target != binding]
    if not others or any(each.capacity.safe is None for each in others):
        return None
    tightest = min(others, key=lambda each: each.capacity.safe or 0)
    number, name = concurrency(tightest.capacity.safe or 0, language), target_name(tightest.target, language)
    if tightest.capacity.status is Status.AT_LEAST:
        return t("Without it, all loads measured would do, up to {number}.", number=number).render(language)
    return t("Without it, {target} would stop at {number}, safely.", target=name, number=number).render(language)


def _memory(answer: RunAnswer, language: str) -> str | None:
    used = answer.at_capacity.kv_used_fraction if answer.at_capacity else None
    if used is None:
        return None
    share = percent(round(used, 2), language)
    if used >= NEARLY_FULL:
        return t("The KV cache is {share} full at the safe number: memory will stop it soon.", share=share).render(
            language
        )
    return t("The KV cache is {share} full at the safe number.", share=share).render(language)
