"""What a looser limit is worth, in words and rows."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.decide.sensitivity import worth_most
from core.i18n import Text, t
from core.model.answer import Interval, Relaxed, RunAnswer, Sensitivity, Status
from core.present.money import with_range
from core.present.names import target_name, target_text, value_text
from core.present.numbers import concurrency, concurrency_range, money, percent

Sentences = tuple[str, ...]


def worth_texts(
    answer: RunAnswer, found: Sequence[Sensitivity], chosen: Sensitivity, language: str = "en"
) -> Sentences:
    """Return sentences on one target of the set: what relaxing it brings, what it costs then, and how far that goes.

    Args:
        answer: the present answer, with its cost.
        found: the sensitivities of the whole set.
        chosen: the one to speak of.
        language: of the words.
    """
    status = answer.capacity.status
    if status is Status.CANNOT_TELL:
        return (t("What a looser limit is worth cannot be told while the answer cannot.").render(language),)
    if status is Status.AT_LEAST:
        said = t("Every load measured is within the targets: a looser limit shows nothing more.")
        return (said.render(language), *_room(answer, chosen, language))
    if status is Status.BELOW:
        return _from_below(chosen, language)
    first = _first(found, chosen, language)
    return tuple(part for part in (first, *_gain(answer, chosen, language), *_room(answer, chosen, language)) if part)


def to_show(answer: RunAnswer, found: Sequence[Sensitivity]) -> Sensitivity:
    """Return the target to look at first: the one worth relaxing, else the one that binds, else the first."""
    binding = (one for one in found if one.target == answer.capacity.binding)
    return worth_most(found) or next(binding, found[0])


def worth_line(answer: RunAnswer, language: str = "en") -> str:
    """Return the one sentence for a terminal or a memo, "" where no target alone is worth relaxing."""
    best = worth_most(answer.sensitivity)
    if best is None or answer.capacity.status is not Status.WITHIN:
        return ""
    return " ".join(_gain(answer, best, language))


def relaxed_table(answer: RunAnswer, found: Sequence[Sensitivity], language: str = "en") -> pd.DataFrame:
    """Return one row per target and step of relaxing: what the whole set would carry, and at what cost."""
    rows = [(one, relaxed) for one in found for relaxed in one.relaxed]
    columns = {
        t("Target relaxed").render(language): [target_name(one.target, language) for one, _ in rows],
        t("relaxed by").render(language): [percent(relaxed.factor - 1.0, language) for _, relaxed in rows],
        t("new limit").render(language): [
            value_text(one.target.metric, relaxed.limit, language) for one, relaxed in rows
        ],
    }
    frame = pd.DataFrame({name: pd.Series(cells, dtype="str") for name, cells in columns.items()})
    safe = [relaxed.whole.safe for _, relaxed in rows]
    frame[t("Safe concurrent requests").render(language)] = pd.Series(safe, dtype="Int64")
    more = [relaxed.more_safe for _, relaxed in rows]
    frame[t("more, safely").render(language)] = pd.Series(more, dtype="Int64")
    estimate = [_more_text(relaxed.more, language) for _, relaxed in rows]
    frame[t("more, estimate (range)").render(language)] = pd.Series(estimate, dtype="str")
    costs = [_cost_text(answer, relaxed.cost, language) for _, relaxed in rows]
    if any(costs):
        frame[t("Cost of a million output tokens").render(language)] = pd.Series(costs, dtype="str")
    return frame


def _first(found: Sequence[Sensitivity], chosen: Sensitivity, language: str) -> str | None:
    """Return which target to relax first, where there is a choice."""
    if len(found) < 2:
        return None
    best = worth_most(found)
    if best is None:
        return t("Relaxing one target alone promises no more requests.").render(language)
    if best.target == chosen.target:
        return t("Of the targets, this one is worth relaxing first.").render(language)
    return t("{target} is worth relaxing first.", target=target_text(best.target, language)).render(language)


def _gain(answer: RunAnswer, one: Sensitivity, language: str) -> Sentences:
    """Return what the smallest relaxing that promises more brings, and what it costs then."""
    gains = [relaxed for relaxed in one.relaxed if (relaxed.more_safe or 0) > 0]
    if not gains:
        return () if not one.relaxed else (_nothing(one, one.relaxed[-1], language),)
    best = gains[0]
    parts = [] if best is one.relaxed[0] else [_nothing(one, one.relaxed[0], language)]
    return tuple(
        part for part in (*parts, _carries(answer, one, best, language), _money(answer, best, language)) if part
    )


def _nothing(one: Sensitivity, relaxed: Relaxed, language: str) -> str:
    said = t(
        "Relaxing {target} by {share}, to {limit}, promises no more requests.",
        target=target_name(one.target, language),
        share=percent(relaxed.factor - 1.0, language),
        limit=value_text(one.target.metric, relaxed.limit, language),
    )
    return said.render(language)


def _carries(answer: RunAnswer, one: Sensitivity, relaxed: Relaxed, language: str) -> str:
    named = {
        "target": target_name(one.target, language),
        "now": value_text(one.target.metric, one.target.limit, language),
        "then": value_text(one.target.metric, relaxed.limit, language),
        "safe": concurrency(relaxed.whole.safe or 0, language),
        "before": concurrency(answer.capacity.safe or 0, language),
    }
    more = _more_text(relaxed.more, language)
    if relaxed.whole.status is Status.AT_LEAST or more is None:
        return t(
            "With {target} relaxed from {now} to {then} every load measured would do: {safe} safely, not {before}.",
            **named,
        ).render(language)
    return t(
        "Relaxing {target} from {now} to {then} would carry {safe} safely instead of {before}; "
        "the estimate grows by {more}.",
        **named,
        more=more,
    ).render(language)


def _money(answer: RunAnswer, relaxed: Relaxed, language: str) -> str | None:
    now = answer.cost.per_million_output if answer.cost else None
    if answer.cost is None or now is None or now.mid is None or relaxed.cost is None or relaxed.cost.mid is None:
        return None
    said = t(
        "A million output tokens would cost {then} instead of {now}.",
        then=_cost_text(answer, relaxed.cost, language) or "",
        now=money(now.mid, answer.cost.currency, language),
    )
    return said.render(language)


def _room(answer: RunAnswer, one: Sensitivity, language: str) -> Sentences:
    """Return where the target stops deciding, and where what was measured ends.

    The target that the answer names as the one that stops it may be the second by the estimate, where the two lie
    within each other's doubt: then nothing is said against its name.
    """
    metric, name = one.target.metric, target_name(one.target, language)
    texts: list[Text] = []
    if one.free_from is not None and one.then is not None:
        at, then = value_text(metric, one.free_from, language), target_text(one.then, language)
        if _is_looser(one, one.free_from):
            texts.append(t("By the estimate, {then} stops it from {limit} on.", limit=at, then=then))
        elif one.target != answer.capacity.binding:
            texts.append(t("{target} does not stop it; it would only at {limit} or tighter.", target=name, limit=at))
    if one.at_least_from is not None and one.free_from != one.at_least_from:
        at = value_text(metric, one.at_least_from, language)
        texts.append(
            t("From {limit} on, {target} allows every load measured; more is not known.", limit=at, target=name)
        )
    return tuple(text.render(language) for text in texts)


def _from_below(one: Sensitivity, language: str) -> Sentences:
    if one.lowest is None or not _is_looser(one, one.lowest):
        return (t("{target} does not stop it.", target=target_text(one.target, language)).render(language),)
    said = t(
        "The smallest load measured needs {target} at {limit} or looser.",
        target=target_name(one.target, language),
        limit=value_text(one.target.metric, one.lowest, language),
    )
    return (said.render(language),)


def _is_looser(one: Sensitivity, limit: float) -> bool:
    higher = one.target.metric.higher_is_better
    return limit < one.target.limit if higher else limit > one.target.limit


def _more_text(more: Interval | None, language: str) -> str | None:
    """Return "6 (2–11)" for a gain."""
    if more is None or more.mid is None or more.low is None:
        return None
    mid = concurrency(more.mid, language, decimals=0 if more.mid >= 1 or more.mid == 0 else 1)
    if more.high is None:
        return t("{mid} ({low} or more)", mid=mid, low=concurrency(more.low, language)).render(language)
    return mid if more.low == more.high else f"{mid} ({concurrency_range(more.low, more.high, language)})"


def _cost_text(answer: RunAnswer, found: Interval | None, language: str) -> str | None:
    return with_range(found, answer.cost.currency, language) if answer.cost else None
