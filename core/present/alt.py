"""What each chart shows, in words, for those who do not see it."""

from __future__ import annotations

from collections.abc import Sequence

from core.i18n import Text, t
from core.model.answer import Capacity, Interval, RunAnswer, Status
from core.model.metric import Metric
from core.model.target import Target
from core.present.levels import Level
from core.present.names import metric_name, target_text, value_text
from core.present.numbers import concurrency, concurrency_range


def latency_alt(
    answer: RunAnswer,
    levels: Sequence[Level],
    metric: Metric,
    statistic: str,
    targets: Sequence[Target],
    language: str,
) -> str:
    """Return the finding of a latency chart for one run."""
    name = metric_name(metric, statistic, language)
    first, last = levels[0], levels[-1]
    parts = [
        t(
            "{run}: {metric} is {first} at {low} concurrent requests and {last} at {high}, over {count} levels.",
            run=answer.run.label,
            metric=name,
            first=value_text(metric, first.value, language),
            low=concurrency(first.load, language, decimals=1),
            last=value_text(metric, last.value, language),
            high=concurrency(last.load, language, decimals=1),
            count=len(levels),
        ).render(language)
    ]
    for target in targets:
        found = next((each.capacity for each in answer.per_target if each.target == target), None)
        if found:
            parts.append(_crossing(found, target_text(target, language), language))
    left = sum(level.reason is not None for level in levels)
    if left:
        parts.append(t("Levels left out of the fit: {count}.", count=left).render(language))
    return " ".join([*parts, mark_alt(answer.capacity, language)]).rstrip()


def rates_alt(answer: RunAnswer, said: str, value: str | None, language: str) -> str:
    """Return the finding of a throughput or cost chart: what it shows, and its value at the safe number."""
    safe = answer.capacity.safe
    if value is None or not safe:
        return said
    number = concurrency(safe, language)
    at = t("At the safe number, {number} concurrent requests, it is {value}.", number=number, value=value)
    return f"{said} {at.render(language)}"


def mark_alt(capacity: Capacity, language: str) -> str:
    """Return where the mark stands, "" where there is none."""
    if not capacity.safe:
        return ""
    number = concurrency(capacity.safe, language)
    return t("The mark stands at {number} concurrent requests.", number=number).render(language)


def _crossing(capacity: Capacity, target: str, language: str) -> str:
    match capacity.status:
        case Status.WITHIN:
            said = _within(capacity.concurrency, target, language)
        case Status.AT_LEAST:
            said = t("{target} is kept at every load measured.", target=target)
        case Status.BELOW:
            said = t("{target} is missed even at the lowest load measured.", target=target)
        case _:
            said = t("Where {target} is crossed cannot be told.", target=target)
    return said.render(language)


def _within(found: Interval | None, target: str, language: str) -> Text:
    if found is None or found.mid is None or found.low is None:
        return t("{target} is crossed between the levels measured.", target=target)
    mid = concurrency(found.mid, language)
    if found.high is None:
        low = concurrency(found.low, language)
        return t("{target} is crossed at about {mid}, range {low} or more.", target=target, mid=mid, low=low)
    between = concurrency_range(found.low, found.high, language)
    return t("{target} is crossed at about {mid}, range {range}.", target=target, mid=mid, range=between)
