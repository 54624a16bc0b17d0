"""Two readings of the same requests: do they say the same?"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import Place
from core.i18n import t
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.stage import Statistics

AGREES_WITHIN = 0.02
"""Share by which a file's own mean may differ from that of its records before it is a finding."""


def disagreements(
    given: Mapping[Metric, Statistics], exact: Mapping[Metric, Statistics], place: Place
) -> tuple[Finding, ...]:
    """Return a finding for every metric whose given mean is not that of the records."""
    found = []
    for metric, statistics in exact.items():
        told = given[metric].mean if metric in given else None
        counted = statistics.mean
        if told is None or counted is None or abs(told - counted) <= AGREES_WITHIN * abs(counted):
            continue
        found.append(
            Finding(
                code="records.disagree",
                severity=Severity.WARNING,
                where=place,
                what=t(
                    "The file says a mean {metric} of {told} ms, its requests give {counted} ms",
                    metric=metric.value.upper(),
                    told=f"{told * 1e3:.4g}",
                    counted=f"{counted * 1e3:.4g}",
                ),
                consequence=t("The requests are used"),
                fix=t("Check that the summary and the requests are of the same run"),
            )
        )
    return tuple(found)
