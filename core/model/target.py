"""A target: the metric, the statistic and the limit that a service promises."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import UsageError
from core.i18n import t
from core.model.metric import Metric, fraction

_FORM = re.compile(
    r"\s*(?P<metric>[a-z0-9_]+)\s+(?P<statistic>[a-z0-9.]+)\s*(?P<op><=|>=|≤|≥)\s*"
    r"(?P<value>\d+(?:\.\d+)?(?:e-?\d+)?)\s*(?P<unit>[a-zµ/%]*)\s*",
    re.IGNORECASE,
)
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
_SHARES = frozenset({Metric.SUCCESS_RATE, Metric.GOODPUT})
_EXAMPLE = "ttft p99 <= 500ms"


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """One promise. `limit` is in seconds for times, tokens/s for tok_s_user, else a ratio."""

    metric: Metric
    statistic: str
    limit: float

    def __post_init__(self) -> None:
        fraction(self.statistic)
        if not 0.0 < self.limit < float("inf"):
            raise ValueError(f"a limit is a positive number, got {self.limit}")
        if self.metric in _SHARES and self.limit > 1.0:
            raise ValueError(f"a share is at most 1, got {self.limit}")
        if self.metric is Metric.TOK_S_USER and 1.0 / self.limit == float("inf"):
            raise ValueError(f"a rate whose inverse is no number: {self.limit}")

    @property
    def op(self) -> str:
        """Return "<=" for times and rtf, ">=" for rates and shares."""
        return ">=" if self.metric.higher_is_better else "<="

    def limit_in(self, unit: str) -> float:
        """Return the limit in "s", "ms", "us", "%" or "" (as it is), without the dust of a division.

        >>> Target(Metric.TPOT, "p99", 0.016).limit_in("ms")
        16.0
        """
        factor = {**_SECONDS, "%": 0.01}.get(unit, 1.0)
        return _tidy(self.limit / factor)


def parse_target(text: str) -> Target:
    """Read a target as written on the command line, such as "ttft p99 <= 500ms".

    Raises:
        UsageError: unknown metric or statistic, the wrong direction, a latency without a unit.

    >>> parse_target("tpot mean <= 0.05 s")
    Target(metric=<Metric.TPOT: 'tpot'>, statistic='mean', limit=0.05)
    """
    found = _FORM.fullmatch(text)
    if not found:
        raise UsageError(
            "target.unreadable",
            t('Cannot read the target "{text}"', text=text),
            fix=t('Write METRIC STATISTIC OP VALUE UNIT, such as "{example}"', example=_EXAMPLE),
        )
    metric = _metric(found["metric"].lower())
    statistic = _statistic(metric, found["statistic"].lower())
    op = {"≤": "<=", "≥": ">="}.get(found["op"], found["op"])
    wanted = ">=" if metric.higher_is_better else "<="
    if op != wanted:
        raise UsageError(
            "target.wrong_direction",
            t('"{text}" points the wrong way: a target on {metric} is {op}', text=text, metric=metric.value, op=wanted),
            fix=t("Write {op} instead", op=wanted),
        )
    limit = _tidy(float(found["value"]) * _factor(metric, found["unit"].lower(), text))
    if limit <= 0.0:
        raise UsageError(
            "target.limit_not_positive",
            t('The limit in "{text}" is not above zero', text=text),
            fix=t("Give a limit above zero"),
        )
    try:
        return Target(metric, statistic, limit)
    except ValueError as error:
        raise UsageError(
            "target.limit_out_of_range",
            t('The limit in "{text}" is out of range', text=text),
            fix=t("A share is at most 100 %; times and rates are ordinary numbers"),
        ) from error


def _tidy(value: float) -> float:
    """Return a converted number without binary dust: 95 % is 0.95, as it is where a person writes 0.95."""
    return float(f"{value:.12g}")


def _metric(name: str) -> Metric:
    try:
        return Metric(name)
    except ValueError:
        raise UsageError(
            "target.unknown_metric",
            t('"{name}" is not a metric that Plimsoll knows', name=name),
            fix=t("Use one of: {names}", names=", ".join(m.value for m in Metric)),
        ) from None


def _statistic(metric: Metric, name: str) -> str:
    single = metric in _SHARES
    try:
        q = fraction(name)
    except ValueError:
        q = -1.0
    if q == -1.0 or (q is not None and not 0.0 < q < 1.0) or single != (name == "value"):
        raise UsageError(
            "target.unknown_statistic",
            t('"{name}" is not a statistic of {metric}', name=name, metric=metric.value),
            fix=t("Use value") if single else t("Use mean, or a percentile such as p50, p95, p99 or p99.9"),
        )
    return name


def _factor(metric: Metric, unit: str, text: str) -> float:
    if metric.is_time:
        if unit in _SECONDS:
            return _SECONDS[unit]
        raise UsageError(
            "target.unit_missing" if not unit else "target.unknown_unit",
            t('"{text}" does not say seconds or milliseconds', text=text),
            fix=t("Add ms or s to the limit"),
        )
    allowed = {Metric.TOK_S_USER: {"": 1.0, "tok/s": 1.0}, Metric.RTF: {"": 1.0}}.get(metric, {"": 1.0, "%": 0.01})
    if unit not in allowed:
        raise UsageError(
            "target.unknown_unit",
            t('"{unit}" is not a unit of {metric}', unit=unit, metric=metric.value),
            fix=t("Leave the unit out"),
        )
    return allowed[unit]
