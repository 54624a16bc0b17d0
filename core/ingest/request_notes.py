"""What was noticed while the rows of a table of requests were read, said once per file."""

from __future__ import annotations

from collections.abc import Iterator

from core.errors import Place
from core.i18n import t
from core.ingest.request_levels import Levels, Rows
from core.model.finding import Finding, Severity


def file_findings(levels: Levels, rows: Rows, name: str) -> tuple[Finding, ...]:
    """Return the findings of a file whose rows have all been read."""
    return (*levels.findings, *_values(levels, rows, name), *_columns(levels, rows, name), *_end(rows, name))


def _values(levels: Levels, rows: Rows, name: str) -> Iterator[Finding]:
    for column, count in sorted(rows.not_finite.items()):
        if count:
            yield Finding(
                code="ingest.not_finite",
                severity=Severity.WARNING,
                where=Place(name, None, column),
                what=t("{count} values of {column} are not finite numbers", count=count, column=column),
                consequence=t("They are treated as unknown"),
            )
    for column, count in sorted(levels.zeros.items()):
        yield Finding(
            code="ingest.zero_latency",
            severity=Severity.WARNING,
            where=Place(name, None, column),
            what=t("{column} is 0 for {count} requests: none is answered in no time", column=column, count=count),
            consequence=t("They are treated as unknown"),
        )
    if levels.warm_up:
        yield Finding(
            code="generic_requests.warmup_left_out",
            severity=Severity.INFO,
            where=Place(name),
            what=t("{count} warm-up requests were left out", count=levels.warm_up),
        )


def _columns(levels: Levels, rows: Rows, name: str) -> Iterator[Finding]:
    if levels.open_time:
        yield Finding(
            code="generic_requests.time_unclear",
            severity=Severity.INFO,
            where=Place(name, None, levels.open_time),
            what=t('"{column}" may be the beginning or the end of a request and is not used', column=levels.open_time),
            fix=t("Call it start_time or end_time"),
        )
    unread = ", ".join(column for column in rows.plan.unread if column)
    if unread:
        yield Finding(
            code="ingest.columns_unused",
            severity=Severity.INFO,
            where=Place(name),
            what=t("These columns were not recognised and are not used: {columns}", columns=unread[:300]),
        )


def _end(rows: Rows, name: str) -> Iterator[Finding]:
    if not getattr(rows, "complete", True):
        yield Finding(
            code="ingest.no_line_end",
            severity=Severity.INFO,
            where=Place(name),
            what=t("The last row has no line end: the file may be cut off there"),
            fix=t("Compare its last number with the original"),
        )
