"""Locust --csv: PREFIX_stats.csv, one row per address, and the users of PREFIX_stats_history.csv.

Source: locust/stats.py of 1.0 to 2.4x; docs/formats/locust.md. Times are milliseconds, percentiles of
times that Locust has rounded to two digits. A response time is that of the whole answer, unless the
script reads the answer as a stream: then it ends with the headers.
"""

from __future__ import annotations

import re
from collections import Counter

from core.errors import Place
from core.i18n import t
from core.ingest.columns import column_of
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.names import concurrency_in, from_name
from core.ingest.notices import none_completed
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Upload
from core.ingest.table import header_of, table_of
from core.model.finding import Finding, Severity
from core.model.metric import Metric, quantile_name
from core.model.run import Kind

FORMAT_ID = "locust"
LABEL = "Locust (--csv)"

_STATS = frozenset({"Type", "Name", "Request Count", "Failure Count", "Average Response Time"})
_HISTORY = frozenset({"Timestamp", "User Count", "Type", "Name", "Total Request Count", "Total Failure Count"})
_QUANTILE = re.compile(r"(\d{1,2}(?:\.\d+)?)%")
_ENDING = re.compile(r"_stats(?:_history)?\.csv$")
_ALL = "Aggregated"
STEADY = 0.8
"""Share of a history's rows that have to show the same number of users for one level."""


def match(head: Head) -> float:
    """0.95 for the columns of either table."""
    header = frozenset(header_of(head))
    return 0.95 if header >= _STATS or header >= _HISTORY else 0.0


def read(upload: Upload) -> RawFile:
    """Return the one level of a test: its figures, or its number of users.

    Raises:
        RefusedFileError: a damaged table, no row to take, or a cell that is no number.
    """
    table = table_of(upload)
    rows = [Fields(dict(zip(table.header, row.cells, strict=True)), Place(table.name, row.line)) for row in table.rows]
    history = frozenset(table.header) >= _HISTORY
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version="history" if history else "stats",
        kind=Kind.MEASURED,
        levels=(_of_history(rows) if history else _of_stats(rows),),
        calls={} if history else {Metric.E2E: "Response Time"},
    )


def _of_stats(rows: list[Fields]) -> RawLevel:
    own = {row.place.line: metric for row in rows if (metric := _own_metric(row))}
    row, findings = _chosen([row for row in rows if row.place.line not in own], measured_inside=bool(own))
    sent, failed = row.count("Request Count"), row.count("Failure Count")
    good = sent - failed if sent is not None and failed is not None and failed <= sent else None
    named = concurrency_in(row.place.file or "")
    findings.append(_rounded(row))
    if named is not None:
        findings.append(from_name(row.place, "asked_concurrency", named))
    if good == 0:
        findings.append(none_completed(row.at("Failure Count")))
    elif failed:
        findings.append(_failures(row))
    rate, failures = row.not_negative("Requests/s"), row.not_negative("Failures/s")
    readings = [] if good == 0 else _readings(row, Metric.E2E)
    for other in rows:
        if good != 0 and (metric := own.get(other.place.line)):
            readings += _readings(other, metric)
    return RawLevel(
        place=row.place,
        asked_concurrency=named,
        requests_sent=sent,
        requests_good=good,
        requests_failed=failed,
        request_rate=rate - failures if rate is not None and failures is not None and rate >= failures else rate,
        readings=tuple({(r.metric, r.statistic): r for r in reversed(readings)}.values()),
        sample_n={Metric.E2E: sent} if sent and readings else {},
        conditions={"tool": "Locust"} | ({"arrival": "closed loop"} if named is not None else {}),
        run_key=_run_key(row),
        findings=(*row.findings, *findings),
    )


def _of_history(rows: list[Fields]) -> RawLevel:
    """A history knows how many users there were, and its percentiles are of ten seconds each: not read."""
    whole = [row for row in rows if row.text("Name") == _ALL] or rows
    counts = Counter(count for row in whole if (count := row.count("User Count")))
    first = whole[0]
    users, times = counts.most_common(1)[0] if counts else (0, 0)
    steady = users > 0 and times >= STEADY * sum(counts.values())
    findings = [*(finding for row in whole for finding in row.findings)]
    if counts and not steady:
        findings.append(_users_change(first, min(counts), max(counts)))
    return RawLevel(
        place=first.place,
        asked_concurrency=float(users) if steady else None,
        conditions={"tool": "Locust"} | ({"arrival": "closed loop"} if steady else {}),
        run_key=_run_key(first),
        findings=tuple(findings),
    )


def _own_metric(row: Fields) -> Metric | None:
    """Return the metric that a script measures itself and reports as a request: a row called "TTFT"."""
    for key in ("Name", "Type"):
        metric = column_of(0, row.text(key) or "").metric
        if metric in (Metric.TTFT, Metric.TPOT, Metric.ITL):
            return metric
    return None


def _chosen(rows: list[Fields], *, measured_inside: bool) -> tuple[Fields, list[Finding]]:
    """Return the row of the requests: that of the only address, else the sum of all, if it is one.

    Raises:
        RefusedFileError: several addresses whose sum holds times of other things too, or no row.
    """
    single = [row for row in rows if row.text("Name") != _ALL]
    total = [row for row in rows if row.text("Name") == _ALL]
    if len(single) == 1:
        return single[0], []
    if total and not measured_inside:
        return total[0], [_several(total[0])] if len(single) > 1 else []
    name = rows[0].place.file or "" if rows else ""
    raise refusal(
        "locust.several_addresses",
        t("The table has several addresses, and their sum holds times that the script measured itself"),
        name,
        t("Send one kind of request per test, or leave only one address in the table"),
        line=rows[0].place.line if rows else 1,
    )


def _readings(row: Fields, metric: Metric) -> list[Reading]:
    found = []
    mean = row.not_negative("Average Response Time")
    if mean is not None:
        found.append(Reading(metric, "mean", mean, "ms", "Average Response Time"))
    for key in row.values:
        quantile = _QUANTILE.fullmatch(key)
        value = row.not_negative(key) if quantile and 0.0 < float(quantile[1]) < 100.0 else None
        if quantile and value is not None:
            found.append(Reading(metric, quantile_name(float(quantile[1]) / 100.0), value, "ms", key))
    return found


def _run_key(row: Fields) -> str | None:
    """Return what the two tables of one test share: their name without its ending."""
    name = row.place.file or ""
    return _ENDING.sub("", name) if _ENDING.search(name) else None


def _rounded(row: Fields) -> Finding:
    return Finding(
        code="locust.rounded",
        severity=Severity.INFO,
        where=row.place,
        what=t("Locust rounds times to two digits before it takes percentiles"),
        consequence=t(
            "Percentiles are exact to about 5 %; the mean is exact. TTFT is known only if the script reports it"
        ),
    )


def _failures(row: Fields) -> Finding:
    return Finding(
        code="locust.failures_included",
        severity=Severity.WARNING,
        where=row.at("Failure Count"),
        what=t("The response times of failed requests are among the others"),
        consequence=t("Quick errors make the level look faster than it is"),
        fix=t("Measure below the load where requests fail"),
    )


def _several(row: Fields) -> Finding:
    return Finding(
        code="locust.addresses_mixed",
        severity=Severity.WARNING,
        where=row.place,
        what=t("The figures are of several addresses together"),
        consequence=t("Where they do different work, their response times are mixed up"),
        fix=t("Send one kind of request per test"),
    )


def _users_change(row: Fields, least: int, most: int) -> Finding:
    return Finding(
        code="locust.users_change",
        severity=Severity.WARNING,
        where=row.at("User Count"),
        what=t("The number of users went from {least} to {most}", least=least, most=most),
        consequence=t("This is not one load level: it is placed by what was in flight, if at all"),
        fix=t("Run one test per level with a constant number of users, and leave out the rise with --reset-stats"),
    )
