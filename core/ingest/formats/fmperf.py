"""fmperf's table of a sweep over users: one row per number of users, means in milliseconds. docs/formats/fmperf.md.

The number of users is the table's unnamed first column (pandas' index). `latency_nexttoken_ms` is
the mean over every token after the first of every request, so it is our ITL, pooled.
"""

from __future__ import annotations

import hashlib

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.notices import none_completed
from core.ingest.raw import Head, RawFile, RawLevel, Reading, Upload
from core.ingest.table import Table, header_of, number_text, table_of
from core.model.finding import Finding, Severity
from core.model.metric import Metric
from core.model.run import Kind
from core.settings import LIMITS

FORMAT_ID = "fmperf"
LABEL = "fmperf CSV"

USERS = ""
_TIMES = {
    Metric.TTFT: "latency_prefill_ms",
    Metric.ITL: "latency_nexttoken_ms",
    Metric.E2E: "latency_e2e_ms",
}
_MARKS = frozenset({"n_requests", "n_fail", "n_toks", "throughput", *_TIMES.values()})


def match(head: Head) -> float:
    """0.95 for the unnamed first column beside fmperf's own latency names."""
    return 0.95 if claims(header_of(head)) else 0.0


def claims(header: tuple[str, ...]) -> bool:
    """Whether a header is fmperf's."""
    return header[:1] == (USERS,) and set(header) >= _MARKS


def read(upload: Upload) -> RawFile:
    """Return one level per row.

    Raises:
        RefusedFileError: a damaged table, a row without users, a cell that is not a number.
    """
    table = table_of(upload, LIMITS.levels)
    return RawFile(
        name=upload.name,
        sha256=hashlib.sha256(upload.data).hexdigest(),
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(_level(row, upload.name) for row in _rows(table)),
        findings=(_means_only(table),),
    )


def _rows(table: Table) -> list[Fields]:
    marks = table.decimal_marks
    rows = []
    for row in table.rows:
        cells = (number_text(cell, mark)[0] for cell, mark in zip(row.cells, marks, strict=True))
        rows.append(Fields(dict(zip(table.header, cells, strict=True)), Place(table.name, row.line)))
    return rows


def _level(row: Fields, name: str) -> RawLevel:
    users = row.count(USERS)
    if not users:
        raise refusal(
            "ingest.no_load_value",
            t("The row has no load above zero"),
            name,
            t("Send the file again as the tool wrote it"),
            line=row.place.line,
            field="users",
        )
    sent, failed, late = row.count("n_requests"), row.count("n_fail"), row.count("n_exclude")
    good = max(sent - (failed or 0) - (late or 0), 0) if sent is not None else None
    tokens, output_tok_s = row.not_negative("n_toks"), row.not_negative("throughput")
    readings = _readings(row)
    row.findings.extend(_answers_differ(row))
    if good == 0:
        row.findings.append(none_completed(row.place))
    return RawLevel(
        place=row.place,
        asked_concurrency=float(users),
        requests_sent=sent,
        requests_good=good,
        requests_failed=failed,
        requests_cut_off=late,
        duration_s=tokens / output_tok_s if tokens and output_tok_s else None,
        output_tokens_mean=tokens / good if tokens and good else None,
        output_tok_s=output_tok_s,
        readings=readings if good else (),
        conditions={"arrival": "closed loop", "tool": "fmperf"},
        # Nothing in the file says which deployment it is, and two tables never share one unasked.
        identity={"file": name},
        findings=tuple(row.findings),
    )


def _readings(row: Fields) -> tuple[Reading, ...]:
    values = ((metric, key, row.not_negative(key)) for metric, key in _TIMES.items())
    return tuple(Reading(metric, "mean", value, "ms", key) for metric, key, value in values if value)


def _means_only(table: Table) -> Finding:
    return Finding(
        code="fmperf.means_only",
        severity=Severity.WARNING,
        where=Place(table.name, table.line),
        what=t("The table holds means only, no percentile"),
        consequence=t("A target on a percentile cannot be judged from it"),
        fix=t("Measure again with a tool that reports percentiles"),
    )


def _answers_differ(row: Fields) -> tuple[Finding, ...]:
    percent = row.not_negative("consistent_pct")
    if percent is None or percent >= 100.0:
        return ()
    return (
        Finding(
            code="fmperf.answers_differ",
            severity=Severity.INFO,
            where=row.at("consistent_pct"),
            what=t("Only {percent} % of the answers were the expected ones", percent=f"{percent:.4g}"),
            consequence=t("The times are read as they are; whether the answers are good is not judged here"),
        ),
    )
