"""The real-time factor of a system is not that of a request.

N tasks at once finish a set of audio N times sooner at best, so a real-time factor of the whole falls
as the load rises. That of one request, which a voice service is judged by, never does.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from core.errors import Place
from core.i18n import t
from core.ingest.columns import ASKED, LATENCY, MEASURED, Column
from core.ingest.decode import refusal
from core.ingest.meaning import find, numbers
from core.ingest.table import Table
from core.model.finding import Finding, Severity
from core.model.metric import Metric

CODE = "ingest.rtf_of_system"
_FALLS = 0.8
"""A factor at the highest load below this share of that at the lowest is the system's."""


def per_request_rtf(
    table: Table, columns: tuple[Column, ...], unnamed: frozenset[int]
) -> tuple[tuple[Column, ...], tuple[Finding, ...]]:
    """Return the columns without real-time factors that are the system's, and a finding for each.

    Args:
        table: header and cells.
        columns: with their final roles.
        unnamed: columns whose header names no statistic, by index.

    Raises:
        RefusedFileError: "ingest.rtf_of_system" where no other latency is left.
    """
    load = find(columns, ASKED) or find(columns, MEASURED)
    factors = [c for c in columns if c.role == LATENCY and c.metric is Metric.RTF and not c.inverse and load]
    wrong = [c for c in factors if load and _is_of_system(table, load, c, unnamed=c.index in unnamed)]
    if not wrong:
        return columns, ()
    if not any(c.role == LATENCY and c not in wrong for c in columns):
        raise refusal(
            CODE,
            t('"{column}" is the processing time over the audio of all tasks together', column=wrong[0].header),
            table.name,
            t("Send the processing time of each request over the length of its own audio, or its latency"),
            line=table.line,
            field=wrong[0].header,
        )
    kept = tuple(replace(c, role="ignored") if c in wrong else c for c in columns)
    return kept, tuple(_finding(table, column) for column in wrong)


def _is_of_system(table: Table, load: Column, column: Column, *, unnamed: bool) -> bool:
    """Whether a factor falls with load; with one load above 1 and no statistic named, nothing tells."""
    pairs = zip(numbers(table, load.index), numbers(table, column.index), strict=True)
    by_load: dict[float, list[float]] = {}
    for held, factor in pairs:
        if held and factor:
            by_load.setdefault(held, []).append(factor)
    if not by_load:
        return False
    lowest, highest = min(by_load), max(by_load)
    if lowest == highest:
        return unnamed and highest > 1.0
    return median(by_load[highest]) < _FALLS * median(by_load[lowest])


def _finding(table: Table, column: Column) -> Finding:
    return Finding(
        code=CODE,
        severity=Severity.WARNING,
        where=Place(table.name, table.line, column.header),
        what=t('"{column}" is the processing time over the audio of all tasks together', column=column.header),
        consequence=t("It is not used: a target on rtf judges single requests"),
    )
