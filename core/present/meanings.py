"""What a column of a table can be, in the words of whoever has to say it, and only what fits together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.i18n import Text, t
from core.ingest.columns import LATENCY, SETTING, column_of
from core.ingest.mapping_check import units_of
from core.ingest.roles import IGNORED, ROLES
from core.model.mapping import ColumnMeaning
from core.model.metric import MEASURED, Metric, fraction, quantile_name
from core.present.names import LONG

STATISTICS = (None, "mean", "p50", "p75", "p90", "p95", "p99", "p99.9", "sd")
"""Offered for a latency; another percentile that a header names is offered too."""

_OF_INVERSE = ("p50", "p75", "p90", "p95", "p99")

_STATISTIC_WORDS: Mapping[str | None, Text] = {
    None: t("not said, so the mean"),
    "mean": t("mean"),
    "p50": t("median (p50)"),
    "sd": t("standard deviation"),
}
_UNIT_WORDS: Mapping[str, Text] = {
    "s": t("seconds"),
    "ms": t("milliseconds"),
    "us": t("microseconds"),
    "ns": t("nanoseconds"),
    "/min": t("per minute"),
    "%": t("per cent"),
}
_LOADS = frozenset({"asked_concurrency", "measured_concurrency", "asked_rate", "applied_rate"})
_SPEEDS = frozenset({"request_rate", "output_tok_s", "total_tok_s"})
_SHARES_OF_REQUESTS = frozenset({"error_rate", "success_rate"})
_METRICS = (Metric.TTFT, Metric.TPOT, Metric.ITL, Metric.E2E, Metric.QUEUE, Metric.RTF)


class Choice(NamedTuple):
    """One thing that a column can be: a role, and for a latency which one."""

    role: str
    metric: Metric | None = None
    inverse: bool = False


def _every() -> tuple[Choice, ...]:
    found: list[Choice] = []
    for role in ROLES:
        if role == LATENCY:
            found += [Choice(role, metric) for metric in _METRICS]
            found.append(Choice(role, Metric.RTF, inverse=True))
        else:
            found.append(Choice(role))
    return tuple(found)


CHOICES = _every()
"""Everything that a column can be, in the order in which a list offers it."""


def choice_of(meaning: ColumnMeaning) -> Choice:
    """Return what a meaning says a column is, without its statistic and unit."""
    return Choice(meaning.role, meaning.metric, meaning.inverse)


def choice_text(choice: Choice) -> Text:
    """Return a choice in words, its group first.

    >>> str(choice_text(Choice("latency", Metric.TTFT))), str(choice_text(Choice("ignored")))
    ('Latency: Time to first token (TTFT)', 'Nothing that is needed')
    """
    if choice.role in (IGNORED, SETTING):
        return ROLES[choice.role]
    return t("{group}: {name}", group=_group(choice.role), name=_name(choice))


def meant(choice: Choice, header: str) -> ColumnMeaning:
    """Return a choice with the statistic and the unit that the column's header names, where they fit.

    >>> meant(Choice("latency", Metric.E2E), "답 p95 (ms)").unit
    'ms'
    """
    said = column_of(0, header)
    unit = said.unit if said.unit in units_of(choice.role, choice.metric) else None
    statistic = said.statistic if choice.role == LATENCY and said.statistic not in ("min", "max") else None
    return ColumnMeaning(role=choice.role, metric=choice.metric, inverse=choice.inverse, statistic=statistic, unit=unit)


def statistics_for(meaning: ColumnMeaning) -> tuple[str | None, ...]:
    """Return the statistics that a column of this meaning may be; () where it is no latency."""
    if meaning.role != LATENCY or meaning.metric not in MEASURED:
        return ()
    offered = _OF_INVERSE if meaning.inverse else STATISTICS
    # One that is not chosen yet is no choice: only a percentile of RTFx can be turned round.
    return offered if meaning.statistic in (*offered, None) else (*offered, meaning.statistic)


def statistic_text(statistic: str | None, *, inverse: bool = False) -> Text:
    """Return a statistic in words; where the cells hold the inverse, what it is of them.

    >>> str(statistic_text("p95", inverse=True))
    'p5 of the column (p95 of RTF)'
    """
    if inverse and statistic:
        return t("{percentile} of the column ({turned} of RTF)", percentile=_turned(statistic) or "-", turned=statistic)
    return _STATISTIC_WORDS.get(statistic) or t("{percentile}", percentile=str(statistic))


def units_for(meaning: ColumnMeaning, header: str) -> tuple[str | None, ...]:
    """Return the units that a column may be in: the one of its header, else every one that fits and None.

    >>> units_for(ColumnMeaning(role="latency", metric=Metric.TTFT), "TTFT (ms)")
    ('ms',)
    """
    fitting = units_of(meaning.role, meaning.metric)
    said = column_of(0, header).unit
    if said in fitting:
        return (said,)
    return (None, *fitting) if fitting else ()


def unit_text(role: str, unit: str | None) -> Text:
    """Return a unit in words; None is what stands where nobody names one."""
    if unit is not None:
        return _UNIT_WORDS[unit]
    return t("per second") if role.endswith("rate") and "/min" in units_of(role) else t("as in the cells")


def _turned(statistic: str) -> str | None:
    """The percentile of 1 / x that a percentile of x is; None for what is no percentile."""
    q = fraction(statistic) if statistic.startswith("p") else None
    return quantile_name(round(1.0 - q, 8)) if q is not None else None


def _name(choice: Choice) -> Text:
    if choice.inverse:
        return t("Audio length over processing time (RTFx)")
    return LONG[choice.metric] if choice.metric else ROLES[choice.role]


def _group(role: str) -> Text:
    if role in _LOADS:
        return t("Load")
    if role == LATENCY:
        return t("Latency")
    if role in _SPEEDS:
        return t("Speed")
    if role.startswith("requests_") or role in _SHARES_OF_REQUESTS:
        return t("Count")
    if role.startswith(("input_", "output_")):
        return t("Length")
    return t("Condition") if role.startswith("conditions.") else t("Other")
