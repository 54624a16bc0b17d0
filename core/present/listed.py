"""What a list says of a saved scenario in one line for each run: the number, its doubt, what stops it, the cost."""

from __future__ import annotations

from core.i18n import Text, t
from core.model.answer import Capacity, Interval, Status
from core.model.metric import Metric
from core.present.comparison import estimate_cell
from core.present.money import shower
from core.present.names import SEPARATOR, metric_name
from core.present.numbers import concurrency, span
from core.present.status import STATUS
from core.present.stopped import stop_said


def listed_text(
    status: str,
    safe: int | None,
    estimate: Interval | None,
    binding: str | None,
    cost: Interval | None,
    currency: str | None,
    language: str = "en",
    *,
    bound: str | None = None,
) -> str:
    """Return one answer in a line, from what is kept beside a version; whatever cannot be read is left out.

    Args:
        status: of the capacity, as it is stored.
        safe: concurrent requests to promise.
        estimate: of the limit, concurrent requests, with its range.
        binding: the target that stops it, such as "ttft p99".
        cost: money per million output tokens.
        currency: label of the money.
        language: "en" or "ko".
        bound: the target that gives an upper bound where nothing can be told.

    >>> listed_text("within", 41, Interval(low=35.7, mid=46.9, high=53.2), "ttft p99", None, None)
    '41 concurrent requests safely · estimate 47 (36–53) · stopped by TTFT p99'
    """
    parts = [_number(status, safe, estimate, language)]
    if status == Status.WITHIN and estimate is not None:
        cell = estimate_cell(_capacity(Status.WITHIN, safe, estimate), language)
        parts.append(t("estimate {estimate}", estimate=cell) if cell else None)
    stop = _stop(status, binding, bound, language)
    parts.append(t("stopped by {target}", target=stop) if stop else None)
    parts.append(_cost(cost, currency, language))
    return SEPARATOR.join(part.render(language) for part in parts if part)


def _stop(status: str, binding: str | None, bound: str | None, language: str) -> str | None:
    """Return what a table says under "Stopped by", None where that is its verdict, which leads the line already."""
    if status not in {each.value for each in Status}:
        return None
    known, target, last = Status(status), _target(binding, language), _target(bound, language)
    said = stop_said(known, target=target, bound=last, language=language)
    return None if said == STATUS[known].render(language) else said


def _number(status: str, safe: int | None, estimate: Interval | None, language: str) -> Text | None:
    cell = None
    if estimate is not None and status in {each.value for each in Status}:
        cell = estimate_cell(_capacity(Status(status), safe, estimate), language)
    if status == Status.WITHIN and safe is not None:
        number = concurrency(safe, language)
        one = t("1 concurrent request safely")
        return one if number == "1" else t("{number} concurrent requests safely", number=number)
    if status == Status.AT_LEAST and (safe is not None or (estimate and estimate.low is not None)):
        low = safe if safe is not None else (estimate.low if estimate else None)
        number = concurrency(low or 0.0, language)
        one = t("at least 1 concurrent request")
        return one if number == "1" else t("at least {number} concurrent requests", number=number)
    if status == Status.BELOW and cell:
        return t("{bound} concurrent requests", bound=cell)
    return t("cannot tell: {bound}", bound=cell) if cell else t("cannot tell")


def _capacity(status: Status, safe: int | None, estimate: Interval) -> Capacity:
    return Capacity(status=status, concurrency=estimate, safe=safe, binding=None)


def _target(binding: str | None, language: str) -> str | None:
    metric, _, statistic = (binding or "").partition(" ")
    known = {each.value: each for each in Metric}
    return metric_name(known[metric], statistic, language) if metric in known and statistic else None


def _cost(cost: Interval | None, currency: str | None, language: str) -> Text | None:
    if cost is None or cost.mid is None or currency is None:
        return None

    show = shower(cost, currency, language)
    if cost.low is None or cost.high is None:
        return t("{cost} per million output tokens", cost=show(cost.mid))
    return t("{cost} per million output tokens ({range})", cost=show(cost.mid), range=span(cost.low, cost.high, show))
