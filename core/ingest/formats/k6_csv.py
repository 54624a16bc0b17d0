"""Grafana k6 `--out csv`: one row per sample of a metric; the requests are the rows of http_req_duration.

Source: output/csv/output.go of k6, 0.27 to 1.3; docs/formats/k6.md. Values are milliseconds; the
time of a row is the end of its request, whole seconds unless K6_CSV_TIME_FORMAT says otherwise.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np

from core.errors import Place
from core.i18n import t
from core.ingest.decode import refusal
from core.ingest.fields import Fields
from core.ingest.k6_load import load_of, no_first_token, several_requests
from core.ingest.raw import Head, RawFile, RawLevel, RawRequests, Upload
from core.ingest.table import Row, Table, header_of, table_of
from core.model.metric import Metric
from core.model.run import Kind

FORMAT_ID = "k6_csv"
LABEL = "Grafana k6 (--out csv)"

_STAMPS = ("metric_name", "timestamp", "metric_value")
_NUMBER = re.compile(r"-?\d{1,20}(?:\.\d+)?(?:e[+-]?\d{1,3})?", re.IGNORECASE)
_UNITS_MS = ((1e11, 1e3), (1e14, 1.0), (1e17, 1e-3), (float("inf"), 1e-6))
"""Milliseconds per unit of a time since 1970 below each bound: seconds, ms, µs, ns."""

STEADY = 0.9
"""Share of the samples of virtual users that have to agree for one level."""


def match(head: Head) -> float:
    """0.95 for the three columns that k6 writes first."""
    return 0.95 if header_of(head)[:3] == _STAMPS else 0.0


def read(upload: Upload) -> RawFile:
    """Return one level per scenario of the test.

    Raises:
        RefusedFileError: a damaged table, a value that is no number, no request; with line and column.
    """
    table = table_of(upload)
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in table.rows:
        rows[row.cells[0]].append(row)
    requests: dict[str, list[Row]] = defaultdict(list)
    for row in rows["http_req_duration"]:
        requests[_cell(table, row, "scenario")].append(row)
    if not requests:
        raise refusal(
            "ingest.no_levels",
            t("The table holds no request: http_req_duration is missing"),
            upload.name,
            t("Send the file of k6 run --out csv of a test that sends HTTP requests"),
        )
    users = [_number(table, row) for row in rows["vus"]] if len(requests) == 1 else []
    iterations = len(rows["iterations"]) if len(requests) == 1 else None
    return RawFile(
        name=upload.name,
        sha256="",
        format_id=FORMAT_ID,
        format_version=None,
        kind=Kind.MEASURED,
        levels=tuple(_level(table, name, found, users, iterations) for name, found in requests.items()),
        calls={Metric.E2E: "http_req_duration"},
    )


def _level(table: Table, scenario: str, rows: list[Row], users: list[float], iterations: int | None) -> RawLevel:
    place = Place(table.name, rows[0].line)
    fields = Fields({}, place)
    load, arrival = load_of(fields, *_least_and_most(users))
    several_requests(fields, len(rows), iterations)
    no_first_token(fields)
    e2e = np.array([_number(table, row) for row in rows])
    good = np.array([_is_good(table, row) for row in rows], dtype=np.bool_)
    unknown = np.full(len(rows), np.nan)
    return RawLevel(
        place=place,
        asked_concurrency=load,
        requests_sent=len(rows),
        requests_good=int(good.sum()),
        requests_failed=int((~good).sum()),
        requests=RawRequests(
            unit="ms",
            good=good,
            ttft=unknown,
            e2e=np.where(good, e2e, np.nan),
            start=_ends_ms(_cell(table, row, "timestamp") for row in rows) - e2e,
            input_tokens=unknown,
            output_tokens=unknown,
        ),
        conditions={"tool": "k6"} | ({"arrival": arrival} if arrival else {}),
        identity={"scenario": scenario} if scenario not in ("", "default") else {},
        findings=tuple(fields.findings),
    )


def _least_and_most(users: list[float]) -> tuple[float | None, float | None]:
    """Return the range of virtual users; where nearly all samples agree, start and end are left out."""
    if not users:
        return None, None
    usual, times = Counter(users).most_common(1)[0]
    return (usual, usual) if times >= STEADY * len(users) else (min(users), max(users))


def _cell(table: Table, row: Row, name: str) -> str:
    return row.cells[table.header.index(name)].strip() if name in table.header else ""


def _number(table: Table, row: Row) -> float:
    """Return the value of a row.

    Raises:
        RefusedFileError: it is no number, or negative.
    """
    text = row.cells[2].strip()
    if not _NUMBER.fullmatch(text) or text.startswith("-"):
        raise refusal(
            "ingest.not_a_number",
            t('{field} should be a number and is "{value}"', field="metric_value", value=text[:40]),
            table.name,
            t("Check the file: it may have been edited or mixed with another"),
            line=row.line,
            field="metric_value",
        )
    return float(text)


def _is_good(table: Table, row: Row) -> bool:
    """Return whether k6 expected the response; older versions tell by its status alone."""
    expected = _cell(table, row, "expected_response").lower()
    if expected in ("true", "false"):
        return expected == "true"
    return _cell(table, row, "status")[:1] in ("2", "3")


def _ends_ms(texts: Iterable[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return times since 1970 in milliseconds, NaN where they are dates in words."""
    values = np.array([float(text) if _NUMBER.fullmatch(text) else np.nan for text in texts])
    largest = float(np.nanmax(values)) if np.isfinite(values).any() else 0.0
    return values * next(factor for bound, factor in _UNITS_MS if largest < bound)
