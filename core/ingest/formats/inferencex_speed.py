"""`intvty`, tokens per second of one user: which tail a percentile of it means, told by arithmetic alone.

Fixed-length files write 1/pN of TPOT under pN (the slow tail); agentic files of 2026 write the N-th
percentile of the rate (the fast tail), newer ones the slow tail again. Percentiles of anything rise with
N, so rising values are percentiles of the rate, and falling ones are reciprocals of percentiles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from core.i18n import t
from core.ingest.fields import Fields
from core.ingest.raw import Reading
from core.model.finding import Finding, Severity
from core.model.metric import Metric, quantile_name

_SPEED = re.compile(r"(?:p(?P<percent>\d{1,2}(?:\.\d+)?)|(?P<median>median))_intvty")


def tpot_from_speed(row: Fields, known: Mapping[float, float]) -> tuple[Reading, ...]:
    """Return the TPOT percentiles that only the interactivity tells, in seconds.

    Args:
        row: one configuration's row; findings are added to it.
        known: TPOT percentiles that the row states itself, seconds by fraction.

    Returns:
        Readings of percentiles that are not in `known`; none where the direction is not proven.
    """
    speeds = _speeds(row)
    values = [speed for _, (speed, _) in sorted(speeds.items())]
    falls, rises = values == sorted(values, reverse=True), values == sorted(values)
    if len(values) < 2 or falls == rises:
        return ()
    told = {(q if falls else round(1.0 - q, 8)): (1.0 / speed, key) for q, (speed, key) in speeds.items()}
    if not _agree({q: value for q, (value, _) in told.items()} | dict(known)):
        row.findings.append(_unclear(row))
        return ()
    if rises:
        row.findings.append(_fast_tail(row))
    new = {q: found for q, found in told.items() if q not in known}
    return tuple(Reading(Metric.TPOT, quantile_name(q), value, "s", key) for q, (value, key) in sorted(new.items()))


def _speeds(row: Fields) -> dict[float, tuple[float, str]]:
    found = {}
    for key in row.values:
        name = _SPEED.fullmatch(key)
        speed = row.not_negative(key) if name else None
        if name and speed and speed < 1e9:
            q = 0.5 if name["median"] else round(float(name["percent"]) / 100, 8)
            if 0.0 < q < 1.0:
                found[q] = (speed, key)
    return found


def _agree(quantiles: Mapping[float, float]) -> bool:
    """Whether percentiles rise with their fraction, as those of one sample do."""
    values = [value for _, value in sorted(quantiles.items())]
    return all(low <= high * (1.0 + 1e-9) for low, high in pairwise(values))


def _fast_tail(row: Fields) -> Finding:
    return Finding(
        code="inferencex.speed_fast_tail",
        severity=Severity.INFO,
        where=row.at("intvty"),
        what=t("Percentiles of interactivity rise here: p90 is the speed that the fastest tenth exceed"),
        consequence=t("They are read as low percentiles of TPOT; the slow tail is TPOT's own p90"),
    )


def _unclear(row: Fields) -> Finding:
    return Finding(
        code="inferencex.speed_unclear",
        severity=Severity.INFO,
        where=row.at("intvty"),
        what=t("The percentiles of interactivity do not fit those of TPOT"),
        consequence=t("They are not used"),
    )
