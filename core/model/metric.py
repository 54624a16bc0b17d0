"""The metrics that Plimsoll knows, and the names of their statistics."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

_QUANTILE = re.compile(r"p(\d{1,2}(?:\.\d+)?)")


class Metric(StrEnum):
    """Canonical metrics. Values are stored in files and databases: never rename one.

    ttft: time to the first token, as the client saw it. itl: each gap between two
    output tokens, pooled over requests. tpot: per request, (e2e - ttft) / (n - 1).
    e2e: the whole request. queue: wait before the engine starts. rtf: processing time
    over audio length, per request. tok_s_user: 1 / tpot. success_rate: good requests
    over all that ended. goodput: share of sent requests inside every other limit.
    """

    TTFT = "ttft"
    ITL = "itl"
    TPOT = "tpot"
    E2E = "e2e"
    QUEUE = "queue"
    RTF = "rtf"
    TOK_S_USER = "tok_s_user"
    SUCCESS_RATE = "success_rate"
    GOODPUT = "goodput"

    @property
    def higher_is_better(self) -> bool:
        """True where a target is a floor, not a ceiling."""
        return self in _FLOORS

    @property
    def is_time(self) -> bool:
        """True where the unit is seconds."""
        return self in TIMES


TIMES = frozenset({Metric.TTFT, Metric.ITL, Metric.TPOT, Metric.E2E, Metric.QUEUE})
"""Metrics in seconds."""

MEASURED = TIMES | {Metric.RTF}
"""Metrics that a stage may hold statistics of."""

_FLOORS = frozenset({Metric.TOK_S_USER, Metric.SUCCESS_RATE, Metric.GOODPUT})


@lru_cache(maxsize=512)
def fraction(statistic: str) -> float | None:
    """Return the quantile that a statistic's name means, None for "mean" and "value".

    Raises:
        ValueError: a name that is none of mean, value, p0 to p99.999.

    >>> fraction("p99.9"), fraction("mean")
    (0.999, None)
    """
    if statistic in ("mean", "value"):
        return None
    found = _QUANTILE.fullmatch(statistic)
    if not found:
        raise ValueError(f"not a statistic: {statistic}")
    return round(float(found[1]) / 100, 8)


def quantile_name(q: float) -> str:
    """Return the name of a quantile.

    >>> quantile_name(0.999), quantile_name(0.5)
    ('p99.9', 'p50')
    """
    return f"p{round(q * 100, 6):g}"
